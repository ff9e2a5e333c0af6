"""What is asked of a worker: orders, each a pure function of its terms and its number.

Terms are what all orders of a run have in common: the kind of work, its data, the files that it reads. A kind is named
as "package.module:function"; that function gets the data and answers with another, which does one order after another:

    def make_sums(data):                        terms = Terms.of("my_jobs:make_sums", {"below": 10})
        def do(order):
            return order.number % data["below"]
        return do

Terms, numbers, what else is given with an order, and results are JSON. So an order may be done anywhere, again, and
twice at once: its result is the same.

Invariant: a worker does nothing under terms that mean something else where it is. It must run the same Plyforge, and
the files that the terms name must have the same content there.
"""

from __future__ import annotations

import functools
import hashlib
import importlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from plyforge.errors import PlyforgeError
from plyforge.kernel import package_digest

LETTERS = 16
"""Of a digest."""


@dataclass(frozen=True)
class Order:
    """One piece of work."""

    number: int
    """By which it is known in its run."""
    given: Any = None
    """What else it needs, as plain values; it follows from the terms and the number, or from results before."""
    tell: Callable[..., None] = field(default=lambda said=None, patience=None: None, compare=False, repr=False)
    """To be called now and then by work that takes long: whoever is silent for too long is taken for hanging. `said`,
    plain values, goes to whoever saves what can be saved of an order whose worker ends; `patience` are the seconds of
    silence that may follow."""


Doer = Callable[[Order], Any]
"""Does one order: its result as plain values. What it wants to have said once, it has as `notes`; `programs()` gives
the process numbers of programs that it has started, which end with it."""


class Last:
    """A result after which its worker can't go on: another one takes its place."""

    def __init__(self, result: Any) -> None:
        self.result = result


class Refused(PlyforgeError):
    """A worker can't work under these terms."""


@dataclass(frozen=True)
class Terms:
    """What all orders of a run have in common."""

    kind: str
    """The function that makes a Doer of `data`: "package.module:function"."""
    data: Any
    """Plain values."""
    files: Mapping[str, str] = field(default_factory=dict)
    """The digests of the files that the work reads, rules of somebody's own above all, by their paths."""
    version: str = ""
    """Of the Plyforge that is to do it."""

    @classmethod
    def of(cls, kind: str, data: Any, files: Iterable[str | Path] = ()) -> Terms:
        """Terms for this Plyforge, and the files as they are now."""
        return cls(kind, data, {str(Path(file).resolve()): file_digest(file) for file in files}, version())

    @functools.cached_property
    def digest(self) -> str:
        """By which answers to these terms are known from others."""
        text = json.dumps([self.kind, self.data, dict(self.files), self.version], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:LETTERS]

    def to_json(self) -> dict[str, Any]:
        """As plain values."""
        return {"kind": self.kind, "data": self.data, "files": dict(self.files), "version": self.version}

    @classmethod
    def from_json(cls, data: Any) -> Terms:
        """What `to_json` gave. Raises Refused."""
        try:
            return cls(data["kind"], data["data"], dict(data["files"]), data["version"])
        except (KeyError, TypeError, ValueError):
            raise Refused("these are not terms of work: whoever started this worker is not Plyforge") from None

    def prepare(self) -> Doer:
        """Whatever comes before the first order. Raises Refused where another version or other files would do the
        work, and what the kind raises."""
        if self.version != version():
            raise Refused(
                f"the worker runs Plyforge of digest {version()}, and the work is for {self.version}: install the same"
                " sources on both machines"
            )
        for file, digest in self.files.items():
            here = file_digest(file)
            if not here:
                raise Refused(f"{file} is not there for the worker: copy it there, or work in a shared folder")
            if here != digest:
                raise Refused(f"{file} is another file for the worker (digest {here}, not {digest}): copy it there")
        module, _, name = self.kind.partition(":")
        try:
            make = getattr(importlib.import_module(module), name)
        except (ImportError, AttributeError, ValueError) as error:
            raise Refused(f"the worker does not know work of the kind {self.kind!r}: {error}") from None
        doer: Doer = make(self.data)
        return doer


@functools.cache
def version() -> str:
    """Of the Plyforge that runs here: a digest of its sources, since results depend on all of them."""
    return package_digest()


def file_digest(file: str | Path) -> str:
    """Of a file's content; "" if it can't be read."""
    try:
        return hashlib.sha256(Path(file).read_bytes()).hexdigest()[:LETTERS]
    except (OSError, ValueError):
        return ""


__all__ = ["Doer", "Last", "Order", "Refused", "Terms", "file_digest", "version"]
