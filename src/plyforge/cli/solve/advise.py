"""`plyforge advise`: what to do in a situation that somebody typed in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from plyforge.cli import options

if TYPE_CHECKING:
    from plyforge.contract import Game
    from plyforge.solve.hidden.advice import Advice

MOST_WORLDS = 12
"""So many worlds are shown."""


@click.command("advise")
@options.GAME
@click.option("--observation", required=True, metavar="TEXT", help="What is seen, in the game's own text.")
@click.option("--player", type=int, metavar="N", help="Who sees it, from 0. Default: who moves there.")
@click.option("--strategy", metavar="FILE", help="Ask a kept strategy, instead of solving.")
@click.option("--iterations", type=int, metavar="N", help="Solve by so many of CFR+. Default: 1000.")
@options.speed
@options.JSON
def command(
    game: str,
    observation: str,
    player: int | None,
    strategy: str | None,
    iterations: int | None,
    native: str | None,
    as_json: bool,
) -> None:
    """Say what to do in a situation of GAME, a game of hidden information: how often to take each action, what each is
    worth, and which worlds fit what is seen, with how likely they are.

    \b
    plyforge advise kuhn_poker --observation "Q ? check bet"
    plyforge solve leduc_poker --using dcfr --strategy leduc.json
    plyforge advise leduc_poker --strategy leduc.json --observation "Ks ? -"

    A small game is solved for it, or --strategy gives what all players do. How likely a world is hangs on chance and on
    what the others did before, by that strategy. An action is worth what its player gets who goes on as well as can be.
    """
    import plyforge as pf
    from plyforge.solve.hidden.strategy_file import observation_of

    rules = pf.load(game)
    if not rules.hidden_information:
        raise pf.Unsuitable(f"{game} hides nothing: `plyforge search` says what to do in it")
    if player is None:
        seen = pf.parse_state(rules, observation)
        player = -1 if rules.terminal(seen) else int(rules.player(seen))
        if player < 0:
            raise pf.BadText(f"{observation!r}: no player moves there")
    if not 0 <= player < rules.players:
        raise pf.BadLimits(f"player is {player}; it must be from 0 to {rules.players - 1}")
    seen = observation_of(rules, observation, player)
    found = _advice(rules, seen, player, strategy, iterations, options.as_native(native))
    if as_json:
        options.print_json(
            {
                "game": str(rules),
                "observation": observation,
                "player": player,
                "advice": [_json(rules, each) for each in found],
            }
        )
        return
    from plyforge.cli.report import print_rows

    for number, each in enumerate(found, 1):
        rows = [("remembered", f"way {number} of {len(found)} in which it can come to this")] if len(found) > 1 else []
        print_rows(rules, seen, rows + _rows(rules, each))


def _advice(
    game: Game, seen: Any, player: int, strategy: str | None, iterations: int | None, native: bool | None
) -> list[Advice]:
    """By a kept strategy, or by solving; where there is a tree, with what actions are worth."""
    import plyforge as pf
    from plyforge.cli.solve.solve import SolveLine
    from plyforge.solve.hidden import advice, hidden_equilibrium, history_tree
    from plyforge.solve.hidden.solution import evaluated
    from plyforge.solve.hidden.strategy_file import MixedStrategy

    if strategy is not None:
        kept = MixedStrategy.load(strategy, game)
        try:
            if kept.exploitability is None:
                raise pf.PlyforgeError("the strategy was learned without a tree")
            tree = history_tree(game, native=native)
        except pf.PlyforgeError as error:
            click.echo(f"note: worlds are drawn, and nothing is known of what actions are worth: {error}", err=True)
            return advice.advise_from(kept, seen, player)
        return advice.advise(evaluated(tree, kept.profile(tree), native), seen, player)
    progress = SolveLine()
    try:
        with options.quiet_fallback():
            solved = hidden_equilibrium(game, iterations=iterations, native=native, on_progress=progress)
    finally:
        progress.clear()
    return advice.advise(solved, seen, player)


def _rows(game: Game, each: Advice) -> list[tuple[str, str]]:
    from plyforge.contract import format_action
    from plyforge.contract.naming import text_of

    rows = []
    for action, share in each.mix.items():
        worth = "" if each.values is None else f"   worth {each.values[action]:+.4f}"
        rows.append((format_action(game, each.observation, action), f"{share:.4f}{worth}"))
    if each.likely == 0.0:
        rows.append(("note", "the others never let it come to this: worlds are as chance alone makes them"))
    for state, weight in each.worlds[:MOST_WORLDS]:
        rows.append((f"{100 * weight:.1f} %", text_of(game, state)))
    if len(each.worlds) > MOST_WORLDS:
        rows.append(("...", f"{len(each.worlds) - MOST_WORLDS:,} more worlds"))
    return rows


def _json(game: Game, each: Advice) -> dict[str, Any]:
    from plyforge.contract import format_action
    from plyforge.contract.naming import text_of

    text = {action: format_action(game, each.observation, action) for action in each.mix}
    return {
        "mix": {text[action]: share for action, share in each.mix.items()},
        "values": None if each.values is None else {text[action]: worth for action, worth in each.values.items()},
        "worlds": [{"state": text_of(game, state), "weight": weight} for state, weight in each.worlds],
        "likely": each.likely,
    }
