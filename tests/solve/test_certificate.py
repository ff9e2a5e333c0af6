"""Certificates: what is proven can be checked by rules alone, and what is not proven does not pass."""

from __future__ import annotations

import copy
import json
import math
import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_proof_number import Corridor

import plyforge as pf
from conftest import compiles
from plyforge.games.trees.random_tree import RandomTree
from plyforge.games.two_players.domineering import Domineering
from plyforge.games.two_players.hex import Hex
from plyforge.games.two_players.nim import Nim
from plyforge.solve import backward_induction
from plyforge.solve.proof.certificate import Certificate, make_certificate, read_certificate
from plyforge.solve.proof.verify_certificate import FORMAT, verify_certificate

GAMES = [
    (pf.load("tic_tac_toe"), 0),
    (pf.load("nim(heaps=(1, 2, 3))"), None),
    (pf.load("nim(heaps=(2, 2, 3))"), None),
    (pf.load("hexapawn"), None),
    (pf.load("connect4(width=4, height=3, connect=3)"), None),
    (pf.load("mnk(columns=4, rows=2, connect=3)"), None),
    (pf.load("kalah(houses=2, seeds=3)"), -2),
    (pf.load("kalah(houses=2, seeds=3)"), -1),
    (pf.load("dots_and_boxes(rows=1, columns=2)"), 0),
    (pf.load("dots_and_boxes(rows=1, columns=2)"), 1),
    (Hex(3), None),
    (Hex(2, swap=True), None),
    (Domineering(3, 4), None),
    (Domineering(3, 3), None),
]


def as_read(certificate: Certificate) -> Any:
    """As it comes out of a file."""
    return json.loads(json.dumps(certificate.to_json()))


def sure(game: Any, state: Any, hero: int, moves: dict[str, str]) -> float | None:
    """What MAX gets at worst (best, if the hero is MIN) when the hero plays `moves`; None where there is no legal move.

    The checker again, written as plain recursion: for trees of games that end.
    """
    if game.terminal(state):
        return float(game.utility(state))
    actions = list(game.actions(state))
    if game.player(state) == hero:
        move = moves.get(pf.format_state(game, state))
        actions = [action for action in actions if pf.format_action(game, state, action) == move]
    values = [sure(game, game.result(state, action), hero, moves) for action in actions]
    if not values or any(value is None for value in values):
        return None
    return (min if hero == pf.MAX else max)(value for value in values if value is not None)


# ------------------------------------------------------------ what is proven
@pytest.mark.parametrize(("game", "at_least"), GAMES, ids=str)
def test_a_certificate_is_made_and_accepted_for_yes_and_for_no(game: Any, at_least: float | None) -> None:
    value = pf.search(game, using="alpha_beta", native=False).value
    made = make_certificate(game, at_least=at_least, native=False)
    data = as_read(made)
    assert verify_certificate(data, game) == made.states > len(made.moves)
    assert (made.winner == pf.MAX) is (value >= made.at_least)
    worth = sure(game, game.start(), made.winner, data["moves"])
    assert worth is not None and (worth >= made.at_least) is (made.winner == pf.MAX)
    assert data["game"].startswith(type(game).__name__) and data["claim"] in str(made)


def test_random_trees_with_double_moves_are_certified() -> None:
    game = RandomTree(depth=5, branching=3, doubles=True, largest=2)
    for seed in range(60):
        root = game.root(seed)
        value = pf.search(game, root, using="minimax", native=False).value
        for at_least in (value, value + 1):
            made = make_certificate(game, root, at_least, table_mib=0.01, native=False)
            assert made.winner == (pf.MAX if at_least == value else pf.MIN)
            assert verify_certificate(as_read(made), game) == made.states
            assert verify_certificate(as_read(made), game, root) == made.states


@pytest.mark.parametrize("table_mib", [1e-9, 0.002])
def test_what_the_table_has_lost_is_proven_again(table_mib: float) -> None:
    for game, at_least in (
        (Domineering(3, 4), None),
        (pf.load("kalah(houses=2, seeds=2)"), -2),
        (Hex(2), None),
    ):
        made = make_certificate(game, at_least=at_least, table_mib=table_mib, native=False)
        assert verify_certificate(as_read(made), game) == made.states


@compiles
def test_the_first_players_win_on_four_by_four_hex_is_certified() -> None:
    made = make_certificate(Hex(4), native=True)
    assert made.claim == "Red wins" and made.winner == pf.MAX
    assert verify_certificate(as_read(made), Hex(4)) == made.states
    with pytest.raises(pf.BadText):
        verify_certificate(as_read(made), Hex(3))


def test_a_certificate_may_begin_anywhere_and_at_the_end() -> None:
    game = pf.load("tic_tac_toe")
    made = make_certificate(game, "xx.oo....", native=False)
    assert made.moves == {"xx.oo....": "3"} and made.states == 2
    over = make_certificate(game, "xxxoo....", native=False)
    assert over.moves == {} and over.states == 1
    with pytest.raises(pf.BadText, match=r"start is 'xx\.oo"):
        verify_certificate(as_read(made), game, game.start())


def test_a_certificate_is_kept_in_a_file(tmp_path: Path) -> None:
    game = pf.load("nim(heaps=(1, 2, 2))")
    made = make_certificate(game, native=False)
    made.save(tmp_path / "nim.json")
    assert [file.name for file in tmp_path.iterdir()] == ["nim.json"]
    data = read_certificate(tmp_path / "nim.json")
    assert data == made.to_json() and data["format"] == FORMAT
    assert verify_certificate(data, game) == made.states
    with pytest.raises(pf.PlyforgeError, match="can't be written"):
        made.save(tmp_path / "nowhere" / "nim.json")


# ------------------------------------------------------------ what is not
@pytest.fixture(scope="module")
def tic_tac_toe() -> dict[str, Any]:
    """O never loses."""
    return as_read(make_certificate(pf.load("tic_tac_toe"), native=False))


def test_no_move_may_be_missing(tic_tac_toe: dict[str, Any]) -> None:
    game = pf.load("tic_tac_toe")
    for state in list(tic_tac_toe["moves"])[::3]:
        broken = copy.deepcopy(tic_tac_toe)
        del broken["moves"][state]
        with pytest.raises(pf.BadText, match=f"after [1-9 ]+: no legal move is given for {state}"):
            verify_certificate(broken, game)


def test_no_losing_move_passes(tic_tac_toe: dict[str, Any]) -> None:
    game = pf.load("tic_tac_toe")
    solution = backward_induction(game)
    tried = 0
    for text, move in list(tic_tac_toe["moves"].items())[::2]:
        state = pf.parse_state(game, text)
        for action in game.actions(state):
            if pf.format_action(game, state, action) != move:
                worse = solution.value_of(game.result(state, action)) > 0
                broken = {
                    **tic_tac_toe,
                    "moves": {**tic_tac_toe["moves"], text: pf.format_action(game, state, action)},
                }
                if worse:
                    tried += 1
                    with pytest.raises(pf.BadText, match=r"after [1-9 ]+: "):
                        verify_certificate(broken, game)
    assert tried > 50


def test_random_moves_pass_exactly_where_they_keep_the_claim() -> None:
    """The checker against plain recursion, on plans that nobody has proven anything about."""
    game, dice, accepted = RandomTree(depth=4, branching=3, doubles=True, largest=2), random.Random(3), 0
    for seed in range(400):
        hero, root = dice.choice((pf.MAX, pf.MIN)), game.root(seed)
        moves: dict[str, str] = {}
        waiting = [root]
        while waiting:
            state = waiting.pop()
            if game.terminal(state):
                continue
            actions = list(game.actions(state))
            if game.player(state) == hero:
                moves[pf.format_state(game, state)] = pf.format_action(game, state, dice.choice(actions))
            waiting += [game.result(state, action) for action in actions]
        worth = sure(game, root, hero, moves)
        assert worth is not None
        for bound in (worth - 1, worth, worth + 1):
            data = {
                "format": FORMAT,
                "start": pf.format_state(game, root),
                "winner": ("MAX", "MIN")[hero],
                "at_least": bound,
                "moves": moves,
            }
            if worth >= bound if hero == pf.MAX else worth < bound:
                assert verify_certificate(data, game) >= 1
                accepted += 1
            else:
                with pytest.raises(pf.BadText, match="the game is over, and MAX has"):
                    verify_certificate(data, game)
    assert accepted >= 400


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"format": "plyforge certificate 2"}, "not a certificate"),
        ({"start": None}, "text of a state"),
        ({"start": "xxxxxxxxx"}, "xxxxxxxxx"),
        ({"winner": "X"}, "'MAX' or 'MIN'"),
        ({"winner": "MAX"}, "no legal move is given"),
        ({"winner": 1}, "'MAX' or 'MIN'"),
        ({"at_least": "0"}, "finite number"),
        ({"at_least": True}, "finite number"),
        ({"at_least": math.nan}, "finite number"),
        ({"at_least": -math.inf}, "finite number"),
        ({"at_least": -(10**400)}, "after [1-9 ]+: the game is over, and MAX has"),
        ({"at_least": 0.0}, "after [1-9 ]+: the game is over, and MAX has 0"),
        ({"moves": []}, "moves an object"),
        ({"moves": {}}, "after 9: no legal move is given for ........x"),
    ],
)
def test_a_certificate_that_is_malformed_or_claims_too_much_is_refused(
    tic_tac_toe: dict[str, Any], change: dict[str, Any], says: str
) -> None:
    with pytest.raises(pf.BadText, match=says):
        verify_certificate({**tic_tac_toe, **change}, pf.load("tic_tac_toe"))


def test_moves_for_a_whole_game_prove_its_later_states_too(tic_tac_toe: dict[str, Any]) -> None:
    game = pf.load("tic_tac_toe")
    whole = verify_certificate(tic_tac_toe, game)
    assert 10 < verify_certificate({**tic_tac_toe, "start": "x........"}, game) < whole


@pytest.mark.parametrize("junk", [None, [], 3, "text", {}, {"format": None}])
def test_junk_is_refused(junk: Any) -> None:
    with pytest.raises(pf.BadText, match="not a certificate"):
        verify_certificate(junk, pf.load("tic_tac_toe"))


@pytest.mark.parametrize("move", [None, 3, "", "10", "1 2", ["1"], "x"])
def test_a_move_that_is_none_is_refused(move: Any) -> None:
    game = pf.load("tic_tac_toe")
    data = as_read(make_certificate(game, "xx.oo....", native=False))
    with pytest.raises(pf.BadText, match=r"at the start: no legal move is given for xx\.oo"):
        verify_certificate({**data, "moves": {"xx.oo....": move}}, game)


def test_a_file_that_is_no_json_is_refused(tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_text('{"format": ')
    with pytest.raises(pf.BadText, match=r"bad\.json is not JSON"):
        read_certificate(tmp_path / "bad.json")
    with pytest.raises(pf.BadText, match=r"none\.json can't be read"):
        read_certificate(tmp_path / "none.json")


def test_moves_that_go_in_circles_prove_nothing() -> None:
    game = Corridor(exit=True)
    here, there = pf.format_state(game, game.start()), pf.format_state(game, game.result(game.start(), 1))
    data = {"format": FORMAT, "start": here, "winner": "MAX", "at_least": 1.0, "moves": {here: "1"}}
    with pytest.raises(pf.BadText, match="after 1 -1: the state has come back"):
        verify_certificate(data, game)
    assert there not in data["moves"]
    assert verify_certificate({**data, "moves": {here: "3"}}, game) == 2


def test_dice_and_third_players_are_refused() -> None:
    for spec, says in (("pig(goal=10)", "no legal move is given"), ("three_nim(sticks=5)", "has 3")):
        game = pf.load(spec)
        data = {
            "format": FORMAT,
            "start": pf.format_state(game, game.start()),
            "winner": "MIN",
            "at_least": 9.0,
            "moves": {},
        }
        with pytest.raises(pf.BadText, match=says):
            verify_certificate(data, game)
        with pytest.raises(pf.Unsuitable):
            make_certificate(game, native=False)


@dataclass(frozen=True)
class Colliding(Nim):
    """Nim with a key that takes many states for the same one."""

    shades: int = 8

    def key(self, s: Any) -> np.uint64:
        return np.uint64((int(s.sticks) * 7 + s.player) % self.shades)


def test_equal_keys_of_different_states_never_make_a_wrong_certificate() -> None:
    certified = refused = 0
    for shades in (1, 2, 3, 8, 20, 50, 1000):
        for heaps in ((1, 2, 3), (3, 3), (2, 3, 1), (1, 1, 3), (3, 2, 2)):
            game = Colliding(heaps, False, shades)
            try:
                made = make_certificate(game, native=False)
            except pf.PlyforgeError:
                refused += 1
                continue
            certified += 1
            right = pf.search(Nim(heaps), using="alpha_beta", native=False).value > 0
            assert (made.winner == pf.MAX) is right
            assert verify_certificate(as_read(made), Nim(heaps)) == made.states
    assert certified > 3 and refused > 3


def test_a_question_that_stays_open_makes_no_certificate() -> None:
    with pytest.raises(pf.PlyforgeError, match=r"not decided within the limit \(nodes\)"):
        make_certificate(pf.load("tic_tac_toe"), nodes=10, native=False)
    with pytest.raises(pf.BadLimits, match="more than 5 distinct states"):
        make_certificate(pf.load("tic_tac_toe"), limit=5, native=False)


class MumblingNotation(type(Nim.notation)):
    def format_state(self, game, s: Any) -> str:
        return "some heaps"


@dataclass(frozen=True)
class Mumbling(Nim):
    """All states have the same text."""

    notation = MumblingNotation()


def test_states_without_a_text_of_their_own_are_refused() -> None:
    with pytest.raises(pf.BadText, match="the text of two states"):
        make_certificate(Mumbling((1, 2, 2)), native=False)
