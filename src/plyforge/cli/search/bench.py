"""`plyforge bench`: fixed searches, whose node counts are the signature of the searches and rules.

A change that should not change what is searched must not change the signature. A change that should says so, with the
new one, in its commit message.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import click

from plyforge.cli import options

if TYPE_CHECKING:
    from plyforge.search import Result


class Fixed(NamedTuple):
    """One fixed search."""

    game: str
    using: str
    depth: int | None
    state: str | None = None
    simulations: int | None = None

    @property
    def limit(self) -> str:
        """How far it goes, in words."""
        if self.simulations is not None:
            return f"{self.simulations:,} sims"
        return "to the end" if self.depth is None else f"depth {self.depth}"


KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
"""A position of chess that is full of captures, castling and pins."""
BACKGAMMON_31 = "4HPwATDgc/ABMA X 31"
"""The opening position of backgammon with 3 and 1 to play."""

SEARCHES = (
    Fixed("tic_tac_toe", "minimax", None),
    Fixed("tic_tac_toe", "negamax", None),
    Fixed("tic_tac_toe", "alpha_beta", None),
    Fixed("connect4", "alpha_beta", 9),
    Fixed("hexapawn(width=4, height=4)", "alpha_beta", 8),
    Fixed("kalah(houses=4, seeds=3)", "alpha_beta", 8),
    Fixed("dots_and_boxes", "minimax", 6),
    Fixed("pig", "expectiminimax", 6),
    Fixed("pig", "expectimax", 6),
    Fixed("three_nim(sticks=12)", "max_n", None),
    Fixed("three_nim(sticks=12)", "paranoid", None),
    Fixed("connect4", "engine", 9),
    Fixed("kalah(houses=4, seeds=3)", "engine", 8),
    Fixed("pig", "dice_engine", 8),
    Fixed("chess", "engine", 6),
    Fixed("chess", "engine", 5, KIWIPETE),
    Fixed("checkers", "engine", 8),
    Fixed("othello", "engine", 7),
    Fixed("backgammon", "dice_engine", 2, BACKGAMMON_31),
    Fixed("connect4", "uct", None, simulations=2000),
    Fixed("go(size=5)", "uct", None, simulations=200),
    Fixed("connect4", "puct", None, simulations=1000),
    Fixed("goofspiel(cards=4)", "decoupled_uct", None, simulations=2000),
    Fixed("goofspiel(cards=4)", "regret_matching", None, simulations=2000),
    Fixed("slider", "a_star", None),
)


def run(fixed: Fixed, native: bool | None = None) -> Result:
    """One of them, by the rules' own estimate: what was learned about a game may change without the search."""
    import plyforge as pf
    from plyforge.evaluate import OwnEvaluation

    limits = {"depth": fixed.depth} if fixed.simulations is None else {"simulations": fixed.simulations}
    return pf.search(pf.load(fixed.game), fixed.state, fixed.using, evaluate=OwnEvaluation(), native=native, **limits)


@click.command("bench")
@options.speed
@options.JSON
def command(native: str | None, as_json: bool) -> None:
    """Run fixed searches: print the nodes of each (together, the signature) and nodes per second.

    The node counts are the same on every machine, compiled and interpreted; the rates are not.
    """
    rows, total, seconds = [], 0, 0.0
    for fixed in SEARCHES:
        found = run(fixed, options.as_native(native))
        rate = found.nodes / max(found.seconds, 1e-9)
        row = {**fixed._asdict(), "nodes": found.nodes}
        rows.append(row | {"seconds": found.seconds, "rate": rate, "native": found.native})
        total += found.nodes
        seconds += found.seconds
        if not as_json:
            click.echo(
                f"{fixed.game:<28} {fixed.using:<15} {fixed.limit:<11} {found.nodes:>9,} nodes {rate:>14,.0f} a second"
            )
    if as_json:
        options.print_json({"signature": total, "seconds": seconds, "searches": rows})
        return
    click.echo(f"signature {total}, {seconds:.2f} s searching, {total / max(seconds, 1e-9):,.0f} nodes a second")
