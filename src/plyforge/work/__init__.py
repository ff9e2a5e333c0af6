"""Long work on all cores, or on many machines: orders, workers that may die, one coordinator that keeps the results.

    terms = Terms.of("my_jobs:make_sums", {"below": 10})
    with hire(terms, workers=2) as crew:
        for number, result in Coordinator(crew).results(range(1000)):
            ...

What an order is: `orders.py`. What is known of the orders that are out: `leases.py`. Workers: `worker.py` is their end,
`crew.py` this end, `processes.py` and `ray_cluster.py` start them, `where.py` reads `--on`. Results on disk:
`record.py`. How all that would do on a large cluster: `simulate.py`.
"""

from __future__ import annotations

from collections.abc import Iterable

from plyforge.work.coordinator import Coordinator, GivenUp, Keeper, undisturbed
from plyforge.work.crew import Crew, Noted
from plyforge.work.mailbox import Gone
from plyforge.work.orders import Doer, Last, Order, Refused, Terms
from plyforge.work.where import cores, launchers


def hire(terms: Terms, where: str | Iterable[str] = "local", workers: int | None = None) -> Crew:
    """A crew for these terms: `workers` processes here, or wherever the text `where` says. Close it, or use it in a
    `with`. Raises PlyforgeError where it can't be had."""
    return Crew(terms, launchers(where, workers))


__all__ = [
    "Coordinator",
    "Crew",
    "Doer",
    "GivenUp",
    "Gone",
    "Keeper",
    "Last",
    "Noted",
    "Order",
    "Refused",
    "Terms",
    "cores",
    "hire",
    "launchers",
    "undisturbed",
]
