"""`plyforge strategy FILE`: look at a kept strategy of a game of hidden information."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from plyforge.cli import options

if TYPE_CHECKING:
    from plyforge.contract import Game
    from plyforge.solve.hidden.strategy_file import MixedStrategy


def is_kept(text: str) -> bool:
    """True if the argument is a file of a strategy, there or not, and no rules."""
    if text.endswith(".json"):
        return True
    path = Path(text)
    return not text.endswith(".py") and ".py:" not in text and path.exists() and not path.is_dir()


def print_kept(path: str, of: str | None, player: int | None, observation: str | None, as_json: bool) -> None:
    """A row for each information set: what is seen, how often to do what, what an action costs."""
    import plyforge as pf
    from plyforge.solve.hidden.strategy_file import MixedStrategy, observation_of, set_to_json

    game = pf.load(of or _name_in(path))
    kept = MixedStrategy.load(path, game)
    if player is not None and not 0 <= player < game.players:
        raise pf.BadLimits(f"player is {player}; it must be from 0 to {game.players - 1}")
    sets = [each for each in kept.information_sets if player in (None, each.player)]
    if observation is not None:
        seen = pf.parse_state(game, observation) if player is None else observation_of(game, observation, player)
        sets = [each for each in sets if each.observation == seen]
        if not sets:
            raise pf.BadText(f"nobody moves seeing {observation!r}, says this strategy")
    if as_json:
        options.print_json(
            {
                "game": str(game), "using": kept.using, "iterations": kept.iterations, "value": kept.value,
                "exploitability": kept.exploitability,
                "information_sets": [set_to_json(game, each) for each in sets],
            }
        )  # fmt: skip
        return
    _print(game, kept, sets)


def _print(game: Game, kept: MixedStrategy, sets: list[Any]) -> None:
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    from plyforge.contract import format_action
    from plyforge.contract.naming import text_of
    from plyforge.contract.value_words import short_name

    table = Table(box=None, padding=(0, 2, 0, 0))
    for name in ("player", "sees", "does", "what it costs"):
        table.add_column(name)
    for each in sorted(sets, key=lambda each: (each.player, text_of(game, each.observation))):
        texts = {action: format_action(game, each.observation, action) for action in each.policy}
        mix = "  ".join(f"{texts[action]} {share:.4f}" for action, share in each.policy.items())
        cost = "never reached, or given"
        if each.cost is not None:
            cost = "  ".join(f"{texts[action]} {amount:.4f}" for action, amount in each.cost.items())
        table.add_row(short_name(game, each.player), escape(text_of(game, each.observation)), escape(mix), escape(cost))
    console = Console(highlight=False)
    console.print(
        f"{kept.using}, {kept.iterations:,} iterations: value {kept.value_text()}, exploitability "
        f"{'not known' if kept.exploitability is None else format(kept.exploitability, '.2g')}"
    )
    console.print(table)


def _name_in(path: str) -> str:
    """The game of a file, if it is one of ours: a file never says which rules to run."""
    import plyforge as pf
    from plyforge.reading import read_json
    from plyforge.solve.hidden.strategy_file import LARGEST_FILE

    data = read_json(path, LARGEST_FILE, "a strategy")
    name = data.get("catalog") if isinstance(data, dict) else None
    if not isinstance(name, str) or name.partition("(")[0] not in pf.names():
        raise click.UsageError(
            f"{path} does not name a game of Plyforge: say whose strategy it is with --of GAME",
            click.get_current_context(),
        )
    return name
