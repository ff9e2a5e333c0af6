"""Matrix games: tables read strictly, and a lawful game of one state in which all choose at once."""

from __future__ import annotations

import json

import numpy as np
import pytest

import plyforge as pf
from plyforge.check import check
from plyforge.games.simultaneous.matrix import MAX_CELLS, Matrix


def test_a_table_of_numbers_is_zero_sum_and_the_first_players() -> None:
    game = Matrix([[3, -1], [-2, 1]])
    assert (game.players, game.utility_sum, game.min_utility, game.max_utility) == (2, 0.0, -3.0, 3.0)
    assert game.player(game.start()) == pf.SIMULTANEOUS
    assert pf.legal_moves(game, game.start()) == [(0, 0), (0, 1), (1, 0), (1, 1)]
    end = game.result(game.start(), (1, 0))
    assert game.terminal(end) and game.utility(end) == -2.0
    assert game.payoffs[1, 0].tolist() == [-2.0, 2.0]


def test_two_payoffs_that_add_up_to_the_same_are_constant_sum() -> None:
    game = Matrix([[(1, 4), (2, 3)], [(5, 0), (0, 5)]])
    assert game.utility_sum == 5.0 and game.utility(game.result(game.start(), (0, 1))) == 2.0
    assert game.payoffs.tolist() == [[[1, 4], [2, 3]], [[5, 0], [0, 5]]]


def test_names_are_read_and_written() -> None:
    game = Matrix(name="prisoners dilemma")
    start = game.start()
    assert pf.format_action(game, start, (0, 1)) == "cooperate, defect"
    assert pf.parse_action(game, start, "Defect, cooperate") == (1, 0)
    assert pf.parse_choice(game, start, 0, "defect") == 1
    end = game.result(start, (1, 1))
    assert pf.format_state(game, end) == "defect, defect" and pf.parse_state(game, "defect, defect") == end
    assert pf.parse_state(game, "-") == start
    assert Matrix.from_json(game.to_json()) == game
    with pytest.raises(pf.BadText, match="not a state"):
        pf.parse_state(game, "talk")
    with pytest.raises(pf.IllegalAction, match="legal: cooperate, defect"):
        pf.parse_choice(game, start, 1, "talk")


def test_three_players() -> None:
    game = pf.load("matrix(name='odd_one_out')")
    assert game.players == 3 and len(pf.legal_moves(game, game.start())) == 8
    assert game.utility(game.result(game.start(), (0, 1, 0))) == (-1.0, 2.0, -1.0)


def test_a_file_is_read(tmp_path) -> None:
    path = tmp_path / "table.json"
    path.write_text(
        json.dumps({"payoffs": [["1/3", 0], [0, "1/3"]], "actions": [["a", "b"], ["c", "d"]], "players": ["x", "y"]})
    )
    game = Matrix(file=str(path))
    assert game.payoffs[0, 0, 0] == 1 / 3 and game.notation.player_names == ("x", "y") and game.title == "table"


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ([[1, 2], [3]], r"payoffs\[1\] has 1 entries"),
        ([[1, 2], 3], r"payoffs\[1\] is 3"),
        ([1, 2], "single list"),
        ([[]], "empty list"),
        ([[1, "x"]], "not a number"),
        ([[1, True]], "not a number"),
        ([[1, float("nan")]], "must be numbers from"),
        ([[1, 10**400]], "must be numbers from"),
        ([[(1, 2, 3), (1, 2, 3)]], "each of 2 players"),
        ({"payofs": [[1]]}, "did you mean 'payoffs'"),
        ({"players": ["a", "b"]}, "needs 'payoffs'"),
        ({"payoffs": [[1, 2]], "players": ["a"]}, "list of 2 names"),
        ({"payoffs": [[1, 2]], "actions": [["a"], ["b"]]}, "must name 2"),
        ({"payoffs": [[1, 2]], "actions": [["a"], ["b", "B"]]}, "name twice"),
        ({"payoffs": [[1, 2]], "actions": [["a"], ["b", "c,d"]]}, "without commas"),
        (np.zeros((150, 150)), f"at most {MAX_CELLS:,}"),
        (np.zeros((1,) * 9 + (9,)), "at most 8"),
    ],
)
def test_a_table_that_is_none_is_refused_in_words(table, words) -> None:
    with pytest.raises(pf.BadRules, match=words):
        Matrix.of(table)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[[1, NaN]]", "NaN"),
        ("[[1, -Infinity]]", "finite"),
        ("[[1, 2]", "line 1, column"),
        ("7", "list of lists"),
        ('{"payoffs": [[1]], "payoffs": [[2]]}', "twice"),
        ("[" * 100_000, "too deep|not JSON"),
    ],
)
def test_json_is_read_strictly(text, words) -> None:
    with pytest.raises(pf.BadText, match=words):
        Matrix.from_json(text)


def test_what_is_not_there_is_named(tmp_path) -> None:
    with pytest.raises(pf.BadRules, match="did you mean chicken"):
        pf.load("matrix(name='chickn')")
    with pytest.raises(pf.BadText, match="can't be read"):
        Matrix(file=str(tmp_path / "none.json"))
    with pytest.raises(pf.BadRules, match="not several"):
        Matrix([[1]], name="chicken")


@pytest.mark.parametrize(
    "name", ["matrix(name='chicken')", "matrix(name='odd_one_out')", "matrix([[1, 2, 3], [4, 5, 6]])"]
)
def test_it_is_lawful(name) -> None:
    report = check(pf.load(name), native=False)
    assert report.ok and not report.warnings, str(report)
