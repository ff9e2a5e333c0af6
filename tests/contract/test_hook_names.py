"""Names of the rules that mean something else here are noticed by what they take and what they are, before anything
runs."""

from __future__ import annotations

import functools
import subprocess
import sys
from dataclasses import dataclass
from typing import Any, NamedTuple

import pytest

import paths
import plyforge as pf
from patience import FOR_A_PROCESS
from plyforge import MAX, BadRules, Game
from plyforge.check import check
from plyforge.contract import Encoding, Heuristics, HistoryRules
from plyforge.contract.collisions import Declared, asked_of, collisions, require_names
from plyforge.games import load
from plyforge.games.catalog import CATALOG, find, make

BROKEN = paths.BROKEN_RULES / "count_of_a_cell.py"


class State(NamedTuple):
    board: tuple[int, ...]
    player: int


class Cells(Game):
    """Fill a cell of three in turn; whoever has the middle one wins. Nothing hides anything."""

    def start(self) -> Any:
        return State((0, 0, 0), MAX)

    def player(self, s: Any) -> Any:
        return s.player

    def actions(self, s: Any) -> Any:
        return [cell for cell in range(3) if s.board[cell] == 0]

    def result(self, s: Any, cell: Any) -> Any:
        return State((*s.board[:cell], s.player + 1, *s.board[cell + 1 :]), 1 - s.player)

    def terminal(self, s: Any) -> Any:
        return 0 not in s.board

    def utility(self, s: Any) -> Any:
        return 1.0 if s.board[1] == 1 else -1.0


def rules(**members: Any) -> Game:
    return type("Mine", (Cells,), members)()


def sentences(game: Game) -> list[str]:
    return [each.sentence for each in collisions(game)]


# ------------------------------------------------------------ what hides a name
HIDING = {
    "a helper": ({"count": lambda self, board, r, c: 0}, "count", "yours takes (board, r, c)"),
    "a helper of one more": ({"evaluate": lambda self, s, depth: 0.0}, "evaluate", "yours takes (s, depth)"),
    "a helper of one less": ({"rewards": lambda self, s: 0.0}, "rewards", "let it take (s, action)"),
    "a helper without a state": ({"count": lambda self: 0}, "count", "yours takes nothing"),
    "a static helper": ({"sample": staticmethod(lambda board: 0)}, "sample", "yours takes (board)"),
    "a class method": ({"key": classmethod(lambda cls: 0)}, "key", "yours takes nothing"),
    "a constant": ({"sample": ((0, 1), (2, 3))}, "sample", "yours is a tuple, ((0, 1), (2, 3))"),
    "a table": ({"key": {"a": 1}}, "key", "yours is a dict"),
    "nothing": ({"chance": None}, "chance", "None: rename it"),
    "a property": ({"legal_actions": property(lambda self: (1, 2))}, "legal_actions", "yours is a property"),
    "a cached property": ({"moves": 1, "show": functools.cached_property(len)}, "show", "a property"),
    "no self": ({"terminal": lambda s: True}, "terminal", "write terminal(self, s)"),
    "an action in two": ({"result": lambda self, s, r, c: s}, "result", "yours takes (s, r, c)"),
    "a function for a fact": ({"utility_sum": lambda self, s: 0}, "utility_sum", "a function that takes (s)"),
    "a function for a trait": (
        {"has_rewards": lambda self, s: 0},
        "has_rewards",
        "a function that takes (s)",
    ),
}


@pytest.mark.parametrize("case", HIDING)
def test_what_hides_a_name_is_refused_in_a_sentence(case: str) -> None:
    members, name, words = HIDING[case]
    game = rules(**members)
    (sentence,) = sentences(game)
    assert sentence.startswith(f"`{name}` is a name that Plyforge asks ({name}")
    assert words in sentence
    with pytest.raises(BadRules, match=f"Mine: `{name}`"):
        require_names(game)
    report = check(game, native=False)
    assert [violation.law for violation in report.violations] == ["names are what they are asked for"]
    assert report.states == 0 and sentence in str(report)


WRONG = {
    "players": "2",
    "min_utility": "-1",
    "utility_sum": (0.0,),
    "max_actions": 9.5,
    "has_chance": 1,
}


@pytest.mark.parametrize("name", WRONG)
def test_a_fact_of_the_wrong_type_is_refused(name: str) -> None:
    game = rules(**{name: WRONG[name]})
    (sentence,) = sentences(game)
    assert f"yours is {WRONG[name]!r}: it must be" in sentence
    report = check(game, native=False)
    assert [violation.law for violation in report.violations] == ["the claims make sense"]


def test_fields_of_the_game_are_seen_whatever_they_hold() -> None:
    @dataclass(frozen=True)
    class Wide(Cells):
        count: int = 3
        players: Any = 2

    (sentence,) = sentences(Wide())
    assert "`count`" in sentence and "yours is a field, 3" in sentence
    assert len(sentences(Wide(players="2"))) == 2, "one game of a class may be right and another wrong"
    assert len(sentences(Wide())) == 1


def test_the_sentence_says_what_is_asked_what_is_there_and_what_to_do() -> None:
    assert sentences(rules(count=lambda self, board, r, c: 0)) == [
        "`count` is a name that Plyforge asks (count(s): how many actions there are); "
        "yours takes (board, r, c): rename it, or let it take (s)"
    ]


def test_all_of_them_are_told_at_once() -> None:
    game = rules(count=lambda self, a, b: 0, actions=(), show={})
    with pytest.raises(BadRules, match=r"`actions`.*`count`.*`show`"):
        require_names(game)


# ------------------------------------------------------------ what hides nothing
@pytest.mark.parametrize("name", sorted(CATALOG))
def test_no_game_of_the_catalog_is_accused(name: str) -> None:
    assert collisions(find(name)) == ()


FINE = {
    "defaults": {"count": lambda self, s, kind=0: 3},
    "any number": {"evaluate": lambda self, *given: 0.0},
    "static": {"evaluate": staticmethod(lambda s: 0.0)},
    "a property for a fact": {"players": property(lambda self: 2)},
    "whole numbers for bounds": {"min_utility": -2, "max_utility": 2, "utility_sum": 0},
    "no total": {"utility_sum": None},
    "names of pictures and texts": {"board": ((0, 1), (2, 3)), "legal": (), "ways": lambda self, r, c: 0},
    "names of its own": {"cells": (1, 2), "lines": lambda self, board, r, c: 0},
    "a trait by hand": {"has_chance": False},
    "a convenience": {"play": lambda self, s, cell: s},
    "names of companions' hooks": {"index": {"a": 1}, "bounds": (0, 2), "rollout": lambda self: 0},
}


@pytest.mark.parametrize("case", FINE)
def test_what_takes_what_it_is_given_is_not_accused(case: str) -> None:
    assert sentences(rules(**FINE[case])) == []


def test_every_name_of_the_contract_is_known_with_its_meaning() -> None:
    asked = asked_of(Game)
    assert {"start", "count", "players", "has_chance", "fingerprint"} < set(asked)
    assert all(each.says for each in asked.values()), [each.name for each in asked.values() if not each.says]
    assert asked["utility_sum"].text.startswith("utility_sum: what the players' utilities add up to")
    assert set(asked_of(Declared)) == {"winner", "moves_again"}
    assert not set(asked_of(Declared)) & set(asked)


# ------------------------------------------------------------ companions
def test_a_hook_of_a_companion_with_other_arguments_is_refused() -> None:
    class Own(Heuristics):
        def ordering(self, s: Any, action: Any) -> float:  # type: ignore[override]
            return 1.0

    (sentence,) = sentences(rules(heuristics=Own()))
    assert sentence.startswith("Own: `ordering` is a name that Plyforge asks (ordering(game, s, action): ")
    assert "yours takes (s, action)" in sentence


def test_a_fact_of_a_companion_of_the_wrong_type_is_refused() -> None:
    class Own(HistoryRules):
        repetition = "often"  # type: ignore[assignment]

    (sentence,) = sentences(rules(history=Own()))
    assert "`repetition`" in sentence and "yours is 'often': it must be True or False" in sentence


@pytest.mark.parametrize(
    ("name", "value"), [("feature_names", (1, 2)), ("outcome_levels", ("won", "lost")), ("input_count", "2")]
)
def test_a_fact_of_an_encoding_of_the_wrong_type_is_refused(name: str, value: Any) -> None:
    (sentence,) = sentences(rules(encoding=type("Own", (Encoding,), {name: value})()))
    assert f"`{name}`" in sentence and f"yours is {value!r}: it must be" in sentence


@pytest.mark.parametrize(("value", "words"), [(Heuristics, "must be Heuristics()"), (3, "yours is 3"), ([], "[]")])
def test_a_companion_that_is_none_is_refused(value: Any, words: str) -> None:
    (sentence,) = sentences(rules(heuristics=value))
    assert "`heuristics` is a name that Plyforge asks" in sentence and words in sentence


def test_a_hook_that_is_written_on_the_game_is_noticed() -> None:
    game = rules(ordering=lambda self, s, action: 1.0)
    assert sentences(game) == []
    (warning,) = check(game, native=False).warnings
    assert "write ordering(self, game, s, action) in a class of Heuristics" in warning.sentence


# ------------------------------------------------------------ where it is noticed
def test_searching_loading_and_counting_refuse_before_anything_runs() -> None:
    game = rules(count=lambda self, board, r, c: 0, start=lambda self: pytest.fail("it ran"))
    for use in (lambda: load(game), lambda: pf.search(game), lambda: pf.solve.perft(game, depth=2)):
        with pytest.raises(BadRules, match="`count` is a name that Plyforge asks"):
            use()
    with pytest.raises(BadRules, match="`count`"):
        load(BROKEN)
    with pytest.raises(BadRules, match="`count`"):
        make(type(find(BROKEN)), "row")


def test_the_command_line_says_it_and_check_reports_it() -> None:
    def plyforge(verb: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "plyforge", verb, str(BROKEN)]
        return subprocess.run(command, capture_output=True, text=True, timeout=FOR_A_PROCESS)

    report = plyforge("check")
    assert report.returncode == 1
    assert "broken: names are what they are asked for: `count` is a name" in report.stdout
    refused = plyforge("search")
    assert refused.returncode == 2
    assert "Row: `count` is a name that Plyforge asks" in refused.stderr


# ------------------------------------------------------------ helpers that take what a hook takes
def test_a_helper_with_the_name_of_a_fact_for_the_checker_is_not_asked() -> None:
    game = rules(winner=lambda self, board, piece: piece in board)
    require_names(game)
    report = check(game, native=False)
    assert report.ok, str(report)
    assert [warning.law for warning in report.warnings] == ["names are what they are asked for"]
    assert "winner(s): the player who has won" in report.warnings[0].sentence
    assert report.laws["utility fits the winner"] == 0


def test_a_parameter_called_as_a_field_of_the_state_is_doubted() -> None:
    def show(self: Any, board: Any) -> str:
        return str(board)

    report = check(rules(show=show), native=False)
    assert report.ok, str(report)
    assert "yours takes (board), and so is a field of the state called" in report.warnings[0].sentence

    def result(self: Any, board: Any, cell: Any) -> Any:
        return Cells.result(self, board, cell)

    assert check(rules(show=show, result=result), native=False).warnings == (), "so these rules call a state"


def test_a_helper_that_takes_a_board_is_no_fact_for_the_checker() -> None:
    """Rules call their states `s`, and a helper asks a part of one for the winner."""
    game = rules(winner=lambda self, board: board.items())
    report = check(game, native=False)
    assert report.ok, str(report)
    assert "yours takes (board), where result takes (s)" in str(report)
    assert report.laws["utility fits the winner"] == 0


def test_a_winner_that_is_no_player_is_said_to_have_a_name_of_ours() -> None:
    report = check(rules(winner=lambda self, s: "X"), native=False)
    assert not report.ok and "if yours says something else, rename it" in str(report)
