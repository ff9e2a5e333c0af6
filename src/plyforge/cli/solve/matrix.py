"""`plyforge matrix`: what there is to say about a payoff table."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from plyforge.cli import options

if TYPE_CHECKING:
    from plyforge.games.simultaneous.matrix import Matrix

LARGEST_DENOMINATOR = 1000
SHOWN_EQUILIBRIA = 20


@click.command("matrix")
@click.argument("table", metavar="NAME_OR_FILE", required=False)
@click.option("--list", "only_list", is_flag=True, help="What tables there are by name.")
@options.JSON
def command(table: str | None, only_list: bool, as_json: bool) -> None:
    """A game of one shot in which all choose at once: its table, dominance, and equilibria.

    NAME_OR_FILE is one of the classics (--list), a JSON file, or a table as it would stand in one:

    \b
    plyforge matrix prisoners_dilemma
    plyforge matrix my_table.json --json
    plyforge matrix "[[3, -1], [-2, 1]]"                      zero-sum: the first player's payoffs
    plyforge matrix "[[[3,3], [0,4]], [[4,0], [1,1]]]"        a payoff for each player
    plyforge matrix "{\\"payoffs\\": [[1, -1], [-1, 1]], \\"actions\\": [[\\"a\\", \\"b\\"], [\\"a\\", \\"b\\"]]}"

    What is shown: choices that are strictly dominated, by another choice or by a mix, left out one after the other;
    pure equilibria; mixed ones, of two players by linear programming where the sum is constant, else by support
    enumeration and by Lemke and Howson's paths, of more by Newton's method, which may miss some. Regret is what
    somebody could still gain by leaving: of an equilibrium 0, but for rounding.
    """
    from plyforge.games.simultaneous.classics import CLASSICS

    if only_list:
        if as_json:
            options.print_json({"tables": list(CLASSICS)})
        else:
            click.echo("\n".join(CLASSICS))
        return
    if table is None:
        raise click.UsageError("name a table, or give a file; --list shows the names", click.get_current_context())
    game = read_table(table)
    facts = look(game)
    if as_json:
        options.print_json(facts)
    else:
        show(game, facts)


def read_table(text: str) -> Matrix:
    """The game that is meant: JSON, a file, or a name."""
    from plyforge.games.simultaneous.matrix import Matrix

    if text.lstrip().startswith(("[", "{")):
        return Matrix.from_json(text)
    if text.endswith(".json") or "/" in text or Path(text).is_file():
        return Matrix(file=text)
    return Matrix(name=text)


def look(game: Matrix) -> dict[str, Any]:
    """Everything, as plain JSON values."""
    from plyforge.errors import Unsuitable
    from plyforge.solve import equilibria

    strict, weak = equilibria.eliminate(game), equilibria.eliminate(game, weak=True)
    facts: dict[str, Any] = {
        "name": game.title,
        "players": [who(game, player) for player in range(game.players)],
        "actions": [list(names) for names in game.choice_names],
        "payoffs": game.payoffs.tolist(),
        "zero_sum": game.players == 2 and game.utility_sum == 0.0,
        "dominance": [step_facts(game, step) for step in strict.steps],
        "weak_dominance": [step_facts(game, step) for step in weak.steps],
        "left": [[game.choice_names[p][choice] for choice in own] for p, own in enumerate(strict.left)],
        "pure": [equilibrium_facts(game, one) for one in equilibria.pure_equilibria(game)],
        "value": None,
        "mixed": [],
        "method": None,
        "complete": False,
    }
    if game.players > 2:
        try:
            many = equilibria.many_players(game)
        except Unsuitable as reason:
            facts["method"] = f"nothing: {reason}"
            return facts
        facts["mixed"] = [equilibrium_facts(game, one) for one in many if not one.pure]
        facts["method"] = "Newton's method on every combination of supports"
        return facts
    found: list[Any] = []
    methods = []
    if game.utility_sum is not None:
        one = equilibria.zero_sum(game)
        facts["value"] = one.values[0]
        found.append(one)
        methods.append("linear programming")
    try:
        listed = equilibria.support_enumeration(game)
        facts["complete"] = not listed.degenerate
        found += listed.equilibria
        methods.append("support enumeration")
    except Unsuitable:
        pass
    try:
        found += equilibria.lemke_howson_all(game)
        methods.append("Lemke and Howson")
    except Unsuitable:
        pass
    distinct: list[Any] = []
    for one in found:
        if equilibria.is_new(distinct, one.profile):
            distinct.append(one)
    facts["mixed"] = [equilibrium_facts(game, one) for one in distinct if not one.pure]
    facts["method"] = ", ".join(methods)
    return facts


def who(game: Matrix, player: int) -> str:
    if game.notation.player_names:
        return game.notation.player_names[player]
    return ("row", "column")[player] if game.players == 2 else f"player {player}"


def step_facts(game: Matrix, step: Any) -> dict[str, Any]:
    names = game.choice_names[step.player]
    return {
        "player": who(game, step.player),
        "choice": names[step.choice],
        "by": {names[choice]: share for choice, share in step.by},
        "strict": step.strict,
    }


def equilibrium_facts(game: Matrix, one: Any) -> dict[str, Any]:
    return {
        "mixes": [
            dict(zip(names, mix, strict=True)) for names, mix in zip(game.choice_names, one.profile, strict=True)
        ],
        "values": list(one.values),
        "regret": one.regret,
    }


# ------------------------------------------------------------ for people
def number(value: float) -> str:
    """A number, as a fraction where it is a simple one."""
    near = Fraction(value).limit_denominator(LARGEST_DENOMINATOR)
    return str(near) if abs(float(near) - value) <= 1e-12 * max(1.0, abs(value)) else f"{value:.6g}"


def mix_text(mix: dict[str, float]) -> str:
    taken = {name: share for name, share in mix.items() if share > 0.0}
    if len(taken) == 1:
        return next(iter(taken))
    return ", ".join(f"{name} {number(share)}" for name, share in taken.items())


def step_text(step: dict[str, Any]) -> str:
    how = "strictly" if step["strict"] else "weakly"
    by = mix_text(step["by"]) if len(step["by"]) == 1 else f"the mix {mix_text(step['by'])}"
    return f"{step['choice']} of {step['player']} is {how} dominated by {by}"


def show(game: Matrix, facts: dict[str, Any]) -> None:
    """The table, then what is known of it."""
    lines = [facts["name"] or "a payoff table", "", game.show(game.start()), ""]
    if game.players == 2:
        first, second = facts["players"]
        lines += [
            f"{first} chooses the row, {second} the column"
            + ("; payoffs are the first's" if facts["zero_sum"] else ""),
            "",
        ]
    lines += _dominance(facts)
    pure = [
        ", ".join(mix_text(mix) for mix in one["mixes"]) + f"   worth {_worth(facts, one)}" for one in facts["pure"]
    ]
    lines += ["Pure equilibria", *(f"  {line}" for line in pure or ["none"])]
    if facts["method"] is not None:
        lines += ["", *_mixed(facts)]
    click.echo("\n".join(lines))


def _dominance(facts: dict[str, Any]) -> list[str]:
    lines = ["Dominance", *(f"  {step_text(step)}" for step in facts["dominance"])]
    if not facts["dominance"]:
        lines.append("  no choice is strictly dominated")
    elif all(len(own) == 1 for own in facts["left"]):
        lines.append(f"  left: {', '.join(own[0] for own in facts['left'])}, so this is the only equilibrium")
    else:
        lines.append("  left: " + "; ".join(", ".join(own) for own in facts["left"]))
    weak = [step for step in facts["weak_dominance"] if not step["strict"]]
    lines += [f"  and then, {step_text(step)}" for step in weak]
    return [*lines, ""]


def _worth(facts: dict[str, Any], one: dict[str, Any]) -> str:
    if facts["zero_sum"]:
        return number(one["values"][0])
    return ", ".join(number(value) for value in one["values"])


def _mixed(facts: dict[str, Any]) -> list[str]:
    lines = ["Mixed equilibria"]
    for one in facts["mixed"][:SHOWN_EQUILIBRIA]:
        mixes = [f"{player}: {mix_text(mix)}" for player, mix in zip(facts["players"], one["mixes"], strict=True)]
        lines.append(f"  {'; '.join(mixes)}   worth {_worth(facts, one)}")
    if len(facts["mixed"]) > SHOWN_EQUILIBRIA:
        lines.append(f"  and {len(facts['mixed']) - SHOWN_EQUILIBRIA} more (--json has all)")
    if not facts["mixed"]:
        lines.append("  none")
    worst = max((one["regret"] for one in [*facts["pure"], *facts["mixed"]]), default=0.0)
    said = "all there are" if facts["complete"] else "there may be more"
    lines.append(f"  by {facts['method']}: {said}; the largest regret is {worst:.1g}")
    if facts["value"] is not None:
        lines.append(f"  value of the game: {number(facts['value'])}")
    return lines
