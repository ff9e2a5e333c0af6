"""`plyforge demo`: a guided tour of under a minute."""

from __future__ import annotations

from typing import Any

import click

from plyforge.contract import state_after

LECTURE_TREE = "tree([[3, 12, 8], [2, 4, 6], [14, 5, 2]])"


@click.command("demo")
def command() -> None:
    """A guided tour: tic-tac-toe solved, a tree searched and drawn with its cuts, Connect Four at two speeds."""
    from rich.console import Console

    console = Console(highlight=False)
    solve_tic_tac_toe(console)
    draw_the_lecture_tree(console)
    race_the_two_speeds(console)
    console.print(
        "\nNext: [bold]plyforge play connect4[/bold], [bold]plyforge games[/bold], "
        "or your own game: docs/guides/write-a-game.md\n"
        "(after [bold]make run[/bold], the program is [bold].venv/bin/plyforge[/bold])"
    )


def heading(console: Any, number: int, text: str) -> None:
    console.print()
    console.rule(f"[bold]{number}. {text}[/bold]", align="left")


def solve_tic_tac_toe(console: Any) -> None:
    """Minimax to the end, then the same with alpha-beta."""
    import plyforge as pf

    heading(console, 1, "Tic-tac-toe, solved")
    game = pf.load("tic_tac_toe")
    console.print(game.show(game.start()), markup=False)
    console.print("\nMinimax looks at every line of play to the end. (Compiling: a few seconds, the first time only.)")
    everything = pf.search(game, using="minimax")
    pruned = pf.search(game, using="alpha_beta")
    outcome = {0.0: "a draw", 1.0: "a win for X", -1.0: "a win for O"}[everything.value]
    console.print(
        f"With best play it is [bold]{outcome}[/bold]: {everything.nodes:,} nodes in {everything.seconds:.3f} s. "
        f"Alpha-beta proves the same with {pruned.nodes:,}."
    )
    corner = state_after(game, "1")
    reply = pf.search(game, corner, using="minimax")
    console.print(
        f"If X opens in the corner, the only reply that holds the draw is {reply.text(reply.action)}, the centre; "
        f"the others are worth {sorted({v for a, v in reply.values.items() if a not in reply.best})} to X."
        if len(reply.best) == 1
        else f"If X opens in the corner, O can hold with {', '.join(reply.text(a) for a in reply.best)}."
    )


def draw_the_lecture_tree(console: Any) -> None:
    """The textbook's tree under alpha-beta, with its cuts and their reasons."""
    import plyforge as pf
    from plyforge.draw import draw
    from plyforge.search.trace.recorder import record

    heading(console, 2, "The lecture's tree under alpha-beta, and what it never looked at")
    recorded = record(pf.load(LECTURE_TREE), using="alpha_beta")
    console.print(draw(recorded, format="txt"), markup=False, soft_wrap=True)


def race_the_two_speeds(console: Any) -> None:
    """The same search of Connect Four interpreted and compiled."""
    import plyforge as pf

    heading(console, 3, "Connect Four: one source, two speeds")
    game = pf.load("connect4")
    interpreted = pf.search(game, using="alpha_beta", depth=9, native=False)
    pf.search(game, using="alpha_beta", depth=1)
    same = pf.search(game, using="alpha_beta", depth=9)
    compiled = pf.search(game, using="alpha_beta", depth=13)
    console.print(game.show(game.start()), markup=False)
    console.print()
    rates = [found.nodes / found.seconds for found in (interpreted, compiled)]
    for name, found, rate in zip(("interpreted", "compiled"), (interpreted, compiled), rates, strict=True):
        console.print(
            f"  {name:<12} depth {found.depth:>2}  {found.nodes:>11,} nodes  {found.seconds:6.3f} s "
            f"{rate:>11,.0f} nodes/s"
        )
    if compiled.native:
        console.print(
            f"\nThe same rules and the same search, [bold]{rates[1] / rates[0]:,.0f} times[/bold] as fast; "
            f"at depth 9 both visit {interpreted.nodes:,} nodes"
            + (" exactly." if same.nodes == interpreted.nodes else f" - no: {same.nodes:,}. That is a bug.")
        )
