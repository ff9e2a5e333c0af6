"""The one table of hooks: everything that has to know all hooks knows all of them, and the guide's table is made from
it.

PYTHONPATH=tests:tests/support python tests/contract/test_hook_table.py     writes the table into
docs/guides/write-a-game.md
"""

from __future__ import annotations

import re

import pytest
from click.testing import CliRunner

import paths
import plyforge as pf
from plyforge.check.trial.compiled import BASIC, MORE
from plyforge.cli.rules.check import command
from plyforge.contract import HOOKS, Game, Heuristics
from plyforge.contract.hooks import askers, companions
from plyforge.kernel.compiling.asked import ASKED

GUIDE = paths.DOCS / "guides" / "write-a-game.md"
TABLE = re.compile(r"(<!-- hooks: .*? -->\n).*?(<!-- end of hooks -->)", re.DOTALL)
COMPARED = {name for group in (*BASIC, *MORE) for name in group}
NOT_COMPARED = {
    "heuristics.rollout": "a search of the rules' own, which takes as long as it takes",
    "heuristics.solve_endgame": "the same",
    "tablebase.state_at": "asked by number: the tests of tablebases compare it",
    "tablebase.index_valid": "the same",
    "tablebase.canonical": "what is compared is the slice and the number of its answer",
}


def table() -> str:
    """What the guide says of companions."""
    rows = ["", "| hook | compiled | |", "|---|---|---|"]
    for hook in HOOKS:
        if hook.companion:
            call = f"{hook.name}({', '.join(('game', *hook.arguments))})"
            rows.append(f"| `{hook.companion}`: `{call}` | {'yes' if hook.compiled else 'no'} | {hook.says} |")
    return "\n".join([*rows, "", ""])


def test_the_guide_has_the_table_of_the_contract() -> None:
    text = GUIDE.read_text()
    assert TABLE.search(text)
    assert text == TABLE.sub(lambda m: m[1] + table() + m[2], text), (
        "run PYTHONPATH=tests:tests/support python tests/contract/test_hook_table.py"
    )


@pytest.mark.parametrize("hook", [h for h in HOOKS if h.compiled and h.companion], ids=lambda h: h.path)
def test_every_compiled_hook_is_compared_at_both_speeds(hook) -> None:
    assert (hook.path in COMPARED) != (hook.path in NOT_COMPARED)


@pytest.mark.parametrize("hook", [h for h in HOOKS if h.companion], ids=lambda h: h.path)
def test_every_hook_says_what_it_is_and_somebody_asks_it(hook) -> None:
    assert hook.says.endswith((".", ":", ",")) or len(hook.says) > 20
    assert askers(hook), "a hook that nobody asks is no hook"


def test_the_compiler_knows_the_compiled_ones() -> None:
    assert [hook for hook in HOOKS if hook.compiled] == ASKED


def test_companions_have_defaults_that_say_nothing() -> None:
    assert set(companions()) == {"heuristics", "history", "tablebase", "notation", "view", "costs", "encoding"}
    assert not any(
        hook.defined_by(pf.load("tic_tac_toe")) for hook in HOOKS if hook.companion not in ("", "notation", "view")
    )


def test_a_hook_that_a_game_defines_is_listed_with_who_asks_it() -> None:
    told = CliRunner().invoke(command, ["chess", "--hooks"]).output
    defined, _, others = told.partition("They could also say:")
    assert "heuristics.see_loss(s, action)" in defined and "asked by search/engine/steps/pruning" in defined
    assert "costs.h(s)" in others and "costs.h(s)" not in defined


def test_a_companion_that_is_none_is_told_in_a_sentence(tmp_path) -> None:
    rules = tmp_path / "odd.py"
    rules.write_text("import plyforge as pf\n\nclass Odd(pf.Game):\n    heuristics = 3\n")
    error = CliRunner().invoke(command, [str(rules), "--hooks"]).exception
    assert isinstance(error, pf.BadRules) and "`heuristics` is a name that Plyforge asks" in str(error)


def test_a_class_defines_what_it_gives_a_body_of_its_own() -> None:
    class Own(Heuristics):
        def ordering(self, game, s, action):
            return 2.0

    class Mine(Game):
        heuristics = Own()

    defined = [hook.path for hook in HOOKS if hook.companion and hook.defined_by(Mine())]
    assert defined == ["heuristics.ordering"]


if __name__ == "__main__":
    GUIDE.write_text(TABLE.sub(lambda m: m[1] + table() + m[2], GUIDE.read_text()))
