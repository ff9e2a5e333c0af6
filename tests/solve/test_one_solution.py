"""`pf.solve` is one answer for all games: known values by every method, and `plyforge solve` says the same."""

from __future__ import annotations

import json
import math
from functools import reduce
from operator import xor
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import plyforge as pf
from known.connect4 import WINNERS
from known.small_games import DOTS_AND_BOXES, HEXAPAWN, KALAH
from plyforge.cli import plyforge_command
from plyforge.solve import METHODS, Solution, choose
from plyforge.solve.hidden.solution import WAYS

# ------------------------------------------------------------ truths
KNOWN: list[tuple[str, str, float]] = [
    ("tic_tac_toe", "search", 0.0),
    ("connect4(width=4, height=4, graded=True)", "search", WINNERS[4, 4]),
    ("kalah(houses=2, seeds=2)", "search", KALAH[2, 2]),
    ("dots_and_boxes(rows=2, columns=2)", "search", DOTS_AND_BOXES[2, 2]),
    ("hexapawn", "search", 1.0 if HEXAPAWN[3, 3] == "F" else -1.0),
    ("nim(heaps=(1, 2, 3))", "search", -1.0 if reduce(xor, (1, 2, 3)) == 0 else 1.0),
    ("nim(heaps=(3, 4, 5))", "search", -1.0 if reduce(xor, (3, 4, 5)) == 0 else 1.0),
    ("three_mens_morris", "retrograde", 1.0),  # whoever begins wins by the centre
    ("pig(goal=2)", "value_iteration", 2 * 6 / 7 - 1),  # six games of seven
    ("slider(width=2, height=2)", "distances", -2.0),  # two moves away
    ("three_nim(sticks=1)", "backward_induction", (1.0, 0.0, 0.5)),  # type: ignore[list-item]
    ("matrix", "stage_equilibrium", 0.0),  # rock, paper, scissors
]


@pytest.mark.parametrize(("spec", "using", "value"), KNOWN)
def test_known_values_are_found_by_the_method_that_suits_the_game(spec: str, using: str, value: Any) -> None:
    found = pf.solve(spec, native=False)
    assert found.using == using and found.exact and found.value == pytest.approx(value, abs=1e-9)
    assert found.value_of(found.state) == found.value and found.best_of(found.state) == found.best


def test_kuhn_poker_is_worth_a_loss_of_an_eighteenth() -> None:
    assert pf.solve("kuhn_poker", using="lp", native=False).value == pytest.approx(-1 / 18, abs=1e-9)
    near = pf.solve("kuhn_poker", iterations=200, native=False)
    assert near.using == "cfr_plus" and not near.exact and near.value == pytest.approx(-1 / 18, abs=1e-3)
    assert near.best == () and "MAX who sees K ?" in dict(near.rows())


@pytest.mark.parametrize("using", ["search", "retrograde", "backward_induction", "value_iteration"])
def test_four_methods_agree_on_hexapawn_and_on_every_state_after_one_move(using: str) -> None:
    game = pf.load("hexapawn")
    found, truth = pf.solve(game, using=using, native=False), pf.solve.backward_induction(game)
    assert found.using == using and found.value == -1.0
    for action in game.actions(game.start()):
        after = game.result(game.start(), action)
        assert found.value_of(after) == found.value_of(pf.format_state(game, after)) == truth.value_of(after)
        assert set(found.best_of(after)) <= set(truth.best_of(after))


def test_the_distance_is_that_of_best_play() -> None:
    by_search, from_the_ends = (pf.solve("hexapawn", using=using, native=False) for using in ("search", "retrograde"))
    assert by_search.distance == from_the_ends.distance == len(from_the_ends.line) == 6
    game = pf.load("hexapawn")
    for action in game.actions(game.start()):
        after = game.result(game.start(), action)
        assert by_search.distance_of(after) == from_the_ends.distance_of(after)


# ------------------------------------------------------------ the command says the same
FEW: dict[str, Any] = {"limit": 200}
LEARN: dict[str, Any] = {"iterations": 3}
SPECS: dict[str, tuple[str, str | None, dict[str, Any]]] = {
    "backgammon": ("backgammon", "AQAABAAAAAAAAA X", {}),
    "backgammon_match": ("backgammon_match(points=3)", None, FEW),
    "blackjack": ("blackjack", None, FEW),
    "checkers": ("checkers", "W:W18:B15", {}),
    "chess": ("chess", None, FEW),
    "chinese_checkers": ("chinese_checkers(players=2, size=1, move_limit=2)", None, {}),
    "connect4": ("connect4(width=3, height=3, connect=3)", None, {}),
    "dark_hex": ("dark_hex(size=2)", None, LEARN),
    "domineering": ("domineering(rows=3, columns=3)", None, {}),
    "dots_and_boxes": ("dots_and_boxes(rows=1, columns=2)", None, {}),
    "go": ("go(size=2)", None, {}),
    "goofspiel": ("goofspiel(cards=2)", None, {}),
    "hex": ("hex(size=2)", None, {}),
    "hexapawn": ("hexapawn", None, {}),
    "hidden_goofspiel": ("hidden_goofspiel(cards=2)", None, LEARN),
    "kalah": ("kalah(houses=2, seeds=1)", None, {}),
    "kuhn_poker": ("kuhn_poker", None, LEARN),
    "leduc_poker": ("leduc_poker", None, {"iterations": 1}),
    "liars_dice": ("liars_dice(sides=2)", None, LEARN),
    "matrix": ("matrix", None, {}),
    "mnk": ("mnk(columns=3, rows=2, connect=2)", None, {}),
    "nim": ("nim(heaps=(1, 2))", None, {}),
    "oh_hell": ("oh_hell", None, FEW),
    "othello": ("othello(size=4)", None, {}),
    "pacman": ("pacman(maze='ring', rounds=1)", None, {}),
    "pacman_rivals": ("pacman_rivals(maze='ring', rounds=1)", None, {}),
    "phantom_tic_tac_toe": ("phantom_tic_tac_toe", None, FEW),
    "pig": ("pig(goal=4)", None, {}),
    "pursuit": ("pursuit(steps=1)", None, {}),
    "random_tree": ("random_tree(depth=3, branching=2)", None, {}),
    "repeated_prisoners_dilemma": ("repeated_prisoners_dilemma(rounds=2)", None, {}),
    "slider": ("slider(width=2, height=2)", None, {}),
    "slippery": ("slippery(battery=3)", None, {}),
    "three_mens_morris": ("three_mens_morris", None, {}),
    "three_nim": ("three_nim", None, {}),
    "tic_tac_toe": ("tic_tac_toe", "xo.x.....", {}),
    "tree": ("tree([[3, 12, 8], [2, 4, 6], [14, 5, 2]])", None, {}),
}
"""Every game of the catalogue, small, or near its end; a state; options."""
TOO_MANY = {name for name, (_, _, options) in SPECS.items() if options is FEW}
"""Games that have more states than are allowed here: both refuse them."""
VARIES = ("seconds", "rate", "seconds_in_all", "proofs", "certificate", "stopped")


def by_command(spec: str, state: str | None, options: dict[str, Any]) -> dict[str, Any] | str:
    """What `plyforge solve` says: its JSON, or the error."""
    words = ["solve", spec, *([] if state is None else [state]), "--interpreted", "--json"]
    for name, value in options.items():
        words += [f"--{name.replace('_', '-')}", str(value)]
    done = CliRunner().invoke(plyforge_command, words)
    if done.exception is not None:
        assert isinstance(done.exception, pf.PlyforgeError), done.exception
        return str(done.exception)
    said: dict[str, Any] = json.loads(done.stdout)
    return said


def by_library(spec: str, state: str | None, options: dict[str, Any]) -> dict[str, Any] | str:
    try:
        found: dict[str, Any] = json.loads(json.dumps(pf.solve(spec, state, native=False, **options).to_json()))
    except pf.PlyforgeError as error:
        return str(error)
    return found


def test_every_game_of_the_catalogue_is_here() -> None:
    assert sorted(SPECS) == pf.names()


@pytest.mark.parametrize("name", SPECS)
def test_the_command_and_the_library_agree(name: str) -> None:
    said, found = by_command(*SPECS[name]), by_library(*SPECS[name])
    if name in TOO_MANY:
        assert said == found and isinstance(said, str) and "more than 200" in said
        return
    assert isinstance(said, dict) and isinstance(found, dict), (said, found)
    assert {key: value for key, value in said.items() if key not in VARIES} == {
        key: value for key, value in found.items() if key not in VARIES
    }


@pytest.mark.parametrize(
    ("spec", "options", "says"),
    [
        ("tic_tac_toe", {"using": "magic"}, "there is no method 'magic' to solve a game; there are search, retrograde"),
        ("tic_tac_toe", {"using": "lp"}, "lp is for games of hidden information"),
        ("three_nim", {"using": "search"}, "it has 3 players"),
        ("kuhn_poker", {"using": "retrograde"}, "players don't see everything in it"),
        ("pig(goal=2)", {"using": "retrograde"}, "can't look back through chance"),
        ("pig(goal=2)", {"using": "backward_induction"}, "can go on for ever"),
        ("three_nim", {"threads": 2}, "threads is an option of search; ThreeNim is solved by backward induction"),
        ("kuhn_poker", {"player": 0}, "player is who sees the observation"),
        ("checkers", {"table": "no_such_folder"}, "there is no folder no_such_folder"),
    ],
    ids=str,
)
def test_both_refuse_in_the_same_words(spec: str, options: dict[str, Any], says: str) -> None:
    said, found = by_command(spec, None, options), by_library(spec, None, options)
    assert said == found and says in str(said)


def test_what_only_python_can_ask_is_refused_in_a_sentence() -> None:
    with pytest.raises(pf.BadLimits, match="colour is no option of any method; TicTacToe is solved by search"):
        pf.solve("tic_tac_toe", colour=1)
    with pytest.raises(pf.BadLimits, match="give one of both"):
        pf.solve("tic_tac_toe", using="retrograde", strongly=True)
    with pytest.raises(pf.Unsuitable, match="nobody sees the states"):
        pf.solve("kuhn_poker", strongly=True)


# ------------------------------------------------------------ choosing
def test_who_names_no_method_gets_another_where_the_first_finds_out_that_it_can_not() -> None:
    class Walk(pf.Game):
        """To and fro on five fields; who steps off at the far end wins. It says nothing of states that come back."""

        def start(self) -> tuple[int, int]:
            return (2, 0)

        def player(self, s: tuple[int, int]) -> int:
            return s[1]

        def actions(self, s: tuple[int, int]) -> Any:
            yield -1
            yield 1

        def result(self, s: tuple[int, int], step: int) -> tuple[int, int]:
            return (s[0] + step, 1 - s[1])

        def terminal(self, s: tuple[int, int]) -> bool:
            return s[0] in (0, 4)

        def utility(self, s: tuple[int, int]) -> float:
            return 1.0 if s[0] == 0 else -1.0

    assert choose(Walk()).method.name == "search"
    found = pf.solve(Walk(), native=False)
    assert found.using == "retrograde" and found.value == 0.0 and found.distance is None
    with pytest.raises(pf.TooDeep):
        pf.solve(Walk(), using="search", native=False)


def test_strongly_asks_for_every_state_wherever_chance_does_not_move() -> None:
    found = pf.solve("tic_tac_toe", strongly=True, native=False)
    assert found.using == "retrograde" and found.value_of("xo.x.....") == 1.0
    assert pf.solve("pig(goal=2)", strongly=True, native=False).using == "value_iteration"


def test_every_choice_says_why() -> None:
    for name in pf.names():
        method, why = choose(pf.load(name))
        assert METHODS[method.name] is method and len(why) > 10
    assert set(WAYS) < set(METHODS)


def test_a_table_is_kept_read_and_never_mistaken(tmp_path: Path) -> None:
    file = str(tmp_path / "morris.solved")
    made = pf.solve("three_mens_morris", native=False, table=file)
    read = pf.solve("three_mens_morris", native=False, table=file)
    assert (read.value, read.distance, read.best) == (made.value, made.distance, made.best)
    assert not made.to_json()["read"] and read.to_json()["read"]
    with pytest.raises(pf.BadText, match="is about"):
        pf.solve("three_mens_morris(flying=True)", native=False, table=file)


# ------------------------------------------------------------ how it looks
@pytest.mark.parametrize("name", sorted(set(SPECS) - TOO_MANY))
def test_it_is_shown_as_text_as_json_and_in_a_notebook(name: str) -> None:
    spec, state, options = SPECS[name]
    found = pf.solve(spec, state, native=False, **options)
    assert isinstance(found, Solution) and found.method in repr(found) and found.words and found.proof
    told = json.loads(json.dumps(found.to_json(), allow_nan=False))
    assert told["using"] == found.using and told["game"] == str(found.game)
    rows = dict(found.rows())
    assert rows["value"].endswith(found.words) and rows["proof"] == found.proof
    assert ("best" in rows) == (not found.mixed)
    html = found._repr_html_()
    assert html.count("<tr>") == len(found.rows()) and "<script" not in html
    assert (found.distance is None) or math.isfinite(found.distance)
