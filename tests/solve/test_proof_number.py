"""Proof-number search: a second, independent prover. It agrees with alpha-beta, with theorems and with known values."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import pytest

import plyforge as pf
from conftest import compiles
from patience import PATIENCE
from plyforge.games.trees.random_tree import RandomTree
from plyforge.games.two_players.domineering import Domineering
from plyforge.games.two_players.hex import Hex
from plyforge.search.running.speed import bind_for
from plyforge.solve import backward_induction
from plyforge.solve.proof import proof_number
from plyforge.solve.proof.proof_number import Prover, df_pn, prove, win

DOUBLES = RandomTree(depth=6, branching=4, doubles=True, largest=2)
TURNS = RandomTree(depth=7, branching=3, largest=1)

SMALL = [
    "tic_tac_toe",
    "nim(heaps=(1, 2, 3))",
    "nim(heaps=(2, 2, 3), misere=True)",
    "hexapawn",
    "hexapawn(width=2, height=5)",
    "hexapawn(width=4, height=3)",
    "connect4(width=4, height=3, connect=3)",
    "connect4(width=3, height=4, connect=3)",
    "mnk(columns=4, rows=2, connect=3)",
    "kalah(houses=2, seeds=2)",
    "kalah(houses=2, seeds=3)",
    "kalah(houses=3, seeds=1)",
    "dots_and_boxes(rows=1, columns=1)",
    "dots_and_boxes(rows=1, columns=2)",
    "tree([[3, 12, 8], [2, 4, 6], [14, 5, 2]])",
]
SMALL_GAMES = [
    *map(pf.load, SMALL),
    Hex(2),
    Hex(2, swap=True),
    Domineering(3, 3),
    Domineering(2, 4, "horizontal"),
]


# ------------------------------------------------------------ it agrees with alpha-beta
@pytest.mark.parametrize("game", SMALL_GAMES, ids=str)
def test_it_proves_the_value_of_alpha_beta_and_refutes_any_more(game: Any) -> None:
    value = pf.search(game, using="alpha_beta", native=False).value
    assert prove(game, at_least=value, native=False).proven is True
    assert prove(game, at_least=math.nextafter(value, math.inf), native=False).proven is False
    assert prove(game, native=False).proven is (value > 0.5 * game.utility_sum)


def test_hundreds_of_random_trees_are_right_at_both_speeds_with_the_same_nodes() -> None:
    game = DOUBLES
    provers = [
        (at_least, Prover(game, at_least, 1, native=True), Prover(game, at_least, 1, native=False))
        for at_least in (0.0, 1.0)
    ]
    for seed in range(250):
        root = game.root(seed)
        value = pf.search(game, root, using="alpha_beta", native=False).value
        for at_least, fast, slow in provers:
            found, again = fast.prove(root), slow.prove(root)
            assert found.proven is again.proven is (value >= at_least), seed
            assert found.nodes == again.nodes, seed
            assert not again.native and (found.native or found.nodes == 1)


@compiles
def test_it_is_compiled_for_one_signature() -> None:
    """A second one would crash the next process that loads the kernel from disk."""
    for at_least in (0, 1.5):
        prove(DOUBLES, DOUBLES.root(5), at_least=at_least, nodes=20, native=True)
    from numba import typeof

    signatures = [s for s in df_pn.native.overloads if s[0] == typeof(DOUBLES)]
    assert len(signatures) == 1


def test_random_trees_where_players_take_turns_are_right() -> None:
    for at_least in (0.0, 1.0):
        prover = Prover(TURNS, at_least, 1, native=False)
        for seed in range(50):
            value = pf.search(TURNS, TURNS.root(seed), using="alpha_beta", native=False).value
            assert prover.prove(TURNS.root(seed)).proven is (value >= at_least), seed


def test_every_ninth_state_of_tic_tac_toe_is_right() -> None:
    game = pf.load("tic_tac_toe")
    solution = backward_induction(game)
    for at_least in (0.0, 1.0):
        prover = Prover(game, at_least, 4, native=False)
        for state in list(solution.values)[::9]:
            assert prover.prove(state).proven is (solution.value_of(state) >= at_least)


def test_every_state_of_kalah_is_right_for_every_margin() -> None:
    """Double moves, many thresholds, states that are reached on many ways."""
    game = pf.load("kalah(houses=2, seeds=2)")
    solution = backward_induction(game)
    for at_least in range(-8, 9, 2):
        prover = Prover(game, at_least, 1, native=False)
        for state, value in solution.values.items():
            assert prover.prove(state).proven is (value >= at_least)


@pytest.mark.parametrize("misere", [False, True])
def test_it_finds_boutons_theorem(misere: bool) -> None:
    game = pf.load(f"nim(heaps=(3, 3, 3), misere={misere})")
    for heaps in [(1, 2, 3), (1, 1, 1), (3, 3, 0), (2, 3, 3), (1, 1, 0), (1, 0, 0), (0, 2, 3)]:
        a, b, c = heaps
        odd_one_out = misere and max(heaps) < 2
        wins = (a + b + c) % 2 == 0 if odd_one_out else a ^ b ^ c != 0
        assert prove(game, f"{a} {b} {c} max", native=False).proven is wins
        assert prove(game, f"{a} {b} {c} min", native=False).proven is (not wins)


# ------------------------------------------------------------ known values
@compiles
def test_the_four_winning_first_moves_of_hex_are_the_short_diagonal() -> None:
    game = Hex(4)
    prover = Prover(game, native=True)
    assert prover.prove().proven is True
    winning = [a for a in game.actions(game.start()) if prover.prove(game.result(game.start(), a)).proven]
    assert [pf.format_action(game, game.start(), a) for a in winning] == ["d1", "c2", "b3", "a4"]


@compiles
@pytest.mark.full
def test_the_first_player_wins_on_five_by_five_hex() -> None:
    assert prove(Hex(5), table_mib=512, native=True).proven is True


@compiles
@pytest.mark.full
@pytest.mark.parametrize(
    ("rows", "columns", "vertical_begins", "horizontal_begins"),
    [(4, 5, True, True), (5, 4, False, False), (5, 5, False, True), (6, 6, True, False)],
)
def test_domineering_is_won_by_who_is_known_to_win(
    rows: int, columns: int, vertical_begins: bool, horizontal_begins: bool
) -> None:
    """On 6x6 whoever begins wins: Breuker, Uiterwijk and van den Herik, "Solving 8 x 8 Domineering" (2000)."""
    assert prove(Domineering(rows, columns), table_mib=256, native=True).proven is vertical_begins
    other = Domineering(rows, columns, "horizontal")
    assert prove(other, table_mib=256, native=True).proven is horizontal_begins


KNOWN = [  # the values of the literature, or of exhaustive search
    ("mnk(3, 5, 4)", 0.0),
    ("mnk(4, 4, 4)", 0.0),
    ("mnk(4, 4, 3)", 1.0),
    ("kalah(1, 6)", 0.0),
    ("kalah(2, 4)", -10.0),
    ("kalah(2, 6)", 8.0),
    ("kalah(3, 2)", 4.0),
    ("kalah(3, 3)", 2.0),
    ("kalah(4, 1)", 2.0),
    ("kalah(4, 2)", 6.0),
    ("dots_and_boxes(1, 3)", -1.0),
    ("dots_and_boxes(1, 5)", -1.0),
    ("dots_and_boxes(2, 2)", 2.0),
    ("dots_and_boxes(2, 3)", -2.0),
    ("hexapawn(width=5, height=4)", -1.0),
    ("hexapawn(width=4, height=5)", -1.0),
    ("hexapawn(width=5, height=5)", 1.0),
    ("connect4(width=4, height=4)", 0.0),
    ("connect4(width=5, height=4)", 0.0),
    ("connect4(width=5, height=5)", 0.0),
]


@compiles
@pytest.mark.full
@pytest.mark.parametrize(("spec", "value"), KNOWN)
def test_solved_games_have_their_known_values(spec: str, value: float) -> None:
    game = pf.load(spec)
    assert prove(game, at_least=value, table_mib=256, native=True).proven is True
    assert prove(game, at_least=value + 0.5, table_mib=256, native=True).proven is False


# ------------------------------------------------------------ the table
@pytest.mark.parametrize("table_mib", [1e-9, 0.001, 1])
def test_a_table_that_forgets_makes_it_slower_and_never_wrong(table_mib: float) -> None:
    game = pf.load("kalah(houses=2, seeds=2)")
    for at_least, proven in ((-2, True), (-1, False)):
        assert prove(game, at_least=at_least, table_mib=table_mib, native=False).proven is proven
    assert prove(Hex(2), table_mib=table_mib, native=False).proven is True
    for seed in range(30):
        root = TURNS.root(seed)
        value = pf.search(TURNS, root, using="alpha_beta", native=False).value
        assert prove(TURNS, root, 1.0, table_mib, native=False).proven is (value >= 1.0)


def test_what_a_prover_has_found_it_does_not_prove_again() -> None:
    prover = Prover(pf.load("tic_tac_toe"), 0.0, native=False)
    assert prover.known(prover.game.start()) is None
    first, again = prover.prove(), prover.prove()
    assert first.proven is again.proven is True
    assert first.nodes > 100 and again.nodes == 1
    assert prover.known(prover.game.start()) is True


# ------------------------------------------------------------ limits
def test_node_limits_are_kept_and_leave_the_question_open() -> None:
    game = pf.load("tic_tac_toe")
    for limit in (1, 2, 77):
        found = prove(game, nodes=limit, native=False)
        assert (found.proven, found.winner, found.nodes, found.reason) == (None, None, limit, "nodes")
    assert "open (nodes) whether X wins" in str(found)
    assert prove(game, nodes=100_000, native=False).reason == "complete"


def test_a_search_that_was_cut_short_can_be_taken_up_again() -> None:
    prover = Prover(pf.load("tic_tac_toe"), native=False)
    rounds = 0
    while prover.prove(nodes=150).proven is None:
        rounds += 1
        assert rounds < 200
    assert rounds > 2
    assert prover.prove().proven is False


def test_time_is_kept() -> None:
    began = time.perf_counter()
    found = prove(Hex(5), seconds=0.2, native=False)
    assert found.reason == "seconds" and found.proven is None
    assert time.perf_counter() - began < PATIENCE


def test_it_can_be_stopped_and_refuses_a_second_question_meanwhile() -> None:
    prover = Prover(Hex(5), native=False)
    answers: list[Any] = []
    thread = threading.Thread(target=lambda: answers.append(prover.prove()))
    thread.start()
    deadline = time.perf_counter() + PATIENCE
    while prover._memory.nodes == 0 and time.perf_counter() < deadline:
        time.sleep(0.005)
    with pytest.raises(pf.PlyforgeError, match="at work in another thread"):
        prover.prove()
    prover.stop()
    thread.join(PATIENCE)
    assert not thread.is_alive()
    assert answers[0].reason == "stopped" and answers[0].proven is None


def test_a_stop_while_it_compiles_is_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    prover = Prover(Hex(5))

    def stopped_meanwhile(*arguments: Any, **more: Any) -> Any:
        prover.stop()
        return bind_for(*arguments, **more)

    with monkeypatch.context() as patch:
        patch.setattr(proof_number, "bind_for", stopped_meanwhile)
        stopped = prover.prove(nodes=1000)
    assert (stopped.proven, stopped.reason, stopped.nodes) == (None, "stopped", 0)
    prover.native = False
    assert prover.prove(nodes=1000).reason == "nodes"


def test_ctrl_c_ends_it() -> None:
    def interrupt(progress: Any) -> None:
        raise KeyboardInterrupt

    prover = Prover(Hex(5), native=False)
    with pytest.raises(KeyboardInterrupt):
        prover.prove(on_progress=interrupt)
    assert prover._memory.stop != 0
    assert prover.prove(nodes=10).reason == "nodes"  # and the prover is usable


# ------------------------------------------------------------ questions and answers
def test_a_win_is_more_than_the_other_player_gets() -> None:
    assert 0 < win(pf.load("tic_tac_toe")) < 1e-300
    found = prove(pf.load("kalah(houses=2, seeds=3)"), native=False)
    assert found.proven is False and found.winner == pf.MIN
    assert str(found).startswith("Kalah: MAX does not win; ")
    held = prove(pf.load("kalah(houses=2, seeds=3)"), at_least=-2, native=False)
    assert held.winner == pf.MAX and "MAX gets at least -2" in str(held)
    assert held.to_json()["proven"] is True and held.to_json()["state"] == "3,3:0/3,3:0 max"


def test_a_state_may_be_given_as_text_and_may_be_the_end_of_the_game() -> None:
    game = pf.load("tic_tac_toe")
    assert prove(game, "xx.oo....", native=False).proven is True
    over = prove(game, "xxxoo....", native=False)
    assert (over.proven, over.nodes, over.reason) == (True, 1, "complete")
    assert prove(game, "xx.ooo.x.", native=False).proven is False
    assert prove(game, "xx.ooo.x.", at_least=-1, native=False).proven is True


@pytest.mark.parametrize("at_least", [math.nan, math.inf, 10**400, "1", True])
def test_a_question_that_is_no_number_is_refused(at_least: Any) -> None:
    with pytest.raises(pf.BadLimits, match="at_least"):
        prove(pf.load("tic_tac_toe"), at_least=at_least)


@pytest.mark.parametrize("table_mib", [0, -1, math.nan, math.inf, "64"])
def test_a_table_of_no_size_is_refused(table_mib: Any) -> None:
    with pytest.raises(pf.BadLimits, match="table_mib"):
        prove(pf.load("tic_tac_toe"), table_mib=table_mib)


def test_memory_that_cannot_be_had_is_an_error_in_words() -> None:
    with pytest.raises(pf.PlyforgeError, match="MiB of memory can't be had"):
        prove(pf.load("tic_tac_toe"), table_mib=1e15)


def test_limits_out_of_range_are_refused() -> None:
    with pytest.raises(pf.BadLimits, match="nodes"):
        prove(pf.load("tic_tac_toe"), nodes=0)
    with pytest.raises(pf.BadLimits, match="seconds"):
        prove(pf.load("tic_tac_toe"), seconds=-1)


# ------------------------------------------------------------ games that it can't prove things about
@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("pig(goal=10)", "chance moves in it"),
        ("three_nim(sticks=5)", "3 players"),
        ("random_tree(dice=True)", "chance moves in it"),
    ],
)
def test_chance_and_third_players_are_refused(spec: str, says: str) -> None:
    with pytest.raises(pf.Unsuitable, match=says):
        prove(pf.load(spec))


class Place(NamedTuple):
    """On a line."""

    square: int
    player: int


@dataclass(frozen=True)
class Corridor(pf.Game):
    """Step left or right on a line for ever; `goal` squares to the right MAX wins, as many to the left MIN does."""

    goal: int = 3
    exit: bool = False
    """True: MAX may also leave at once, and win."""

    def start(self) -> Place:
        return Place(0, pf.MAX)

    def player(self, s: Place) -> int:
        return s.player

    def actions(self, s: Place) -> Iterator[int]:
        yield 1
        yield -1
        if self.exit and s.player == pf.MAX:
            yield self.goal - s.square

    def result(self, s: Place, step: int) -> Place:
        return Place(s.square + step, 1 - s.player)

    def terminal(self, s: Place) -> bool:
        return abs(s.square) >= self.goal

    def utility(self, s: Place) -> float:
        return 1.0 if s.square > 0 else -1.0


def test_a_game_that_can_repeat_is_given_no_value_by_repetition() -> None:
    with pytest.raises(pf.TooDeep, match="come back to a state"):
        prove(Corridor(), native=False)
    assert prove(Corridor(), nodes=200, native=False).proven is None
    assert prove(Corridor(exit=True), native=False).proven is True  # a win that needs no repetition is found
    assert prove(Corridor(goal=1), native=False).proven is True


@dataclass(frozen=True)
class Stuck(Corridor):
    """Not terminal, and no actions."""

    def actions(self, s: Place) -> Iterator[int]:
        for step in range(1 if s.square == 0 else 0):
            yield step + 1


@dataclass(frozen=True)
class Miscounting(RandomTree):
    """Says that no state has actions, or more than there are."""

    says: int = 0

    def count(self, s: Any) -> int:
        return self.says

    def actions(self, s: Any) -> Iterator[int]:
        for action in range(1 + self.draw(s, 1, self.branching)):
            yield action


@pytest.mark.parametrize("says", [0, -5, 1 << 40])
def test_a_count_that_is_wrong_proves_nothing_wrong(says: int) -> None:
    game, right = Miscounting(5, 3, doubles=True, says=says), RandomTree(5, 3, doubles=True)
    for seed in range(30):
        value = pf.search(right, right.root(seed), using="alpha_beta", native=False).value
        assert prove(game, game.root(seed), at_least=value, table_mib=1, native=False).proven is True
        assert prove(game, game.root(seed), at_least=value + 1, table_mib=1, native=False).proven is False


def test_rules_that_break_their_contract_are_an_error_in_words() -> None:
    with pytest.raises(pf.BadRules, match="not terminal, and has no actions"):
        prove(Stuck(), native=False)


def test_a_game_of_900_plies_is_not_too_long() -> None:
    game = RandomTree(depth=900, branching=1, doubles=True)
    value = pf.search(game, game.root(8), using="alpha_beta", native=False).value
    assert prove(game, game.root(8), at_least=value, native=False).proven is True
    assert prove(game, game.root(8), at_least=value + 1, native=False).proven is False


def test_a_state_with_more_actions_than_fit_is_refused() -> None:
    game = RandomTree(depth=2, branching=1000)
    seed = next(seed for seed in range(100) if game.count(game.root(seed)) > 512)
    with pytest.raises(pf.Unsuitable, match="up to 512 actions"):
        prove(game, game.root(seed), at_least=99, native=False)
