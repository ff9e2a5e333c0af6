"""Contingent plans: complete, as good as promised, kept as text, refused when broken."""

from __future__ import annotations

import dataclasses
import functools
import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import pytest

from plyforge.contract import CHANCE, MAX, MIN, Game, legal_moves, payoffs
from plyforge.errors import BadLimits, BadText, PlyforgeError
from plyforge.games.tic_tac_toe import TicTacToe
from plyforge.games.two_players.connect4 import Connect4
from plyforge.solve import Strategy, backward_induction, make_strategy, verify
from plyforge.solve.strategy import identity


class Heap(NamedTuple):
    sticks: int
    player: int


@dataclass(frozen=True)
class Sticks(Game):
    """Take one to three sticks; whoever takes the last one wins."""

    sticks: int = 21

    def start(self) -> Heap:
        return Heap(self.sticks, MAX)

    def player(self, s: Heap) -> int:
        return s.player

    def actions(self, s: Heap) -> Iterator[int]:
        yield from range(1, min(3, s.sticks) + 1)

    def result(self, s: Heap, number: int) -> Heap:
        return Heap(s.sticks - number, 1 - s.player)

    def terminal(self, s: Heap) -> bool:
        return s.sticks == 0

    def utility(self, s: Heap) -> float:
        return -1.0 if s.player == MAX else 1.0


class VagueNotation(type(Sticks.notation)):
    def format_state(self, game, s: Heap) -> str:
        return "many" if s.sticks > 3 else "few"


@dataclass(frozen=True)
class Vague(Sticks):
    """The same, but the text of a state says only whether many sticks are left: different states share it."""

    notation = VagueNotation()


@dataclass(frozen=True)
class Again(Sticks):
    """The same, but whoever leaves an even number of sticks moves again."""

    def result(self, s: Heap, number: int) -> Heap:
        left = s.sticks - number
        return Heap(left, s.player if left % 2 == 0 and left > 0 else 1 - s.player)


@dataclass(frozen=True)
class Slippery(Sticks):
    """The same, but after each move a coin decides whether one more stick is lost. The state's player is 2 or 3 at a
    coin."""

    def player(self, s: Heap) -> int:
        return s.player if s.player < 2 else CHANCE

    def chance(self, s: Heap) -> Iterator[tuple[int, float]]:
        yield 0, 2.0 / 3.0
        yield 1, 1.0 / 3.0

    def result(self, s: Heap, number: int) -> Heap:
        left = s.sticks - number
        if s.player >= 2:
            return Heap(left, s.player - 2)
        return Heap(left, 1 - s.player + (2 if left > 0 else 0))


@dataclass(frozen=True)
class ThreeSticks(Sticks):
    """The same with three players: the last one wins."""

    players = 3
    utility_sum = 1.0
    min_utility = 0.0

    def result(self, s: Heap, number: int) -> Heap:
        return Heap(s.sticks - number, (s.player + 1) % 3)

    def utility(self, s: Heap) -> tuple[float, ...]:
        return tuple(1.0 if (p + 1) % 3 == s.player else 0.0 for p in range(3))


GAMES = [
    TicTacToe(),
    Sticks(),
    Sticks(20),
    Again(13),
    Slippery(12),
    ThreeSticks(9),
    Vague(13),
    Connect4(4, 3),
]
every_plan = pytest.mark.parametrize(
    ("game", "player", "against"),
    [(game, player, against) for game in GAMES for player in range(game.players) for against in ("any", "best")],
    ids=str,
)


@functools.cache
def plan(game: Game, player: int, against: str) -> Strategy:
    return make_strategy(game, player, against)


def payoff_against(strategy: Strategy, choose: Any) -> tuple[float, ...]:
    """Play one game: the plan against `choose(state, actions)`."""
    game, state = strategy.game, strategy.state
    while not game.terminal(state):
        mine = game.player(state) == strategy.player
        state = game.result(state, strategy(state) if mine else choose(state, legal_moves(game, state)))
    return payoffs(game, game.utility(state))


@every_plan
def test_every_plan_is_verified_from_the_rules_alone(game, player, against):
    strategy = plan(game, player, against)
    assert verify(strategy) == pytest.approx(strategy.value, abs=1e-12)
    assert strategy.size == len(strategy.states) == len(strategy.moves)
    assert all(game.player(state) == player for state in strategy.states)


@every_plan
def test_a_plan_is_worth_what_the_game_is(game, player, against):
    solution = backward_induction(game, hero=player)
    assert plan(game, player, against).value == solution.value
    if game.players == 2:
        assert payoffs(game, backward_induction(game).value)[player] == pytest.approx(solution.value)


@every_plan
def test_a_plan_reads_back_as_it_was_written(game, player, against, tmp_path):
    strategy = plan(game, player, against)
    path = tmp_path / "plan.json"
    strategy.save(path)
    again = Strategy.load(path, game)
    assert again == strategy
    assert list(again.moves.items()) == list(strategy.moves.items())
    assert again.to_json() == json.loads(path.read_text())
    assert [file.name for file in tmp_path.iterdir()] == ["plan.json"]


@pytest.mark.parametrize("player", [MAX, MIN])
def test_tic_tac_toe_never_loses_whatever_the_other_does(player):
    strategy = make_strategy(TicTacToe(), player)
    stream = random.Random(player)
    won = 0
    for _ in range(300):
        payoff = payoff_against(strategy, lambda state, actions: stream.choice(actions))[player]
        assert payoff >= 0.0
        won += payoff == 1.0
    assert won > 100  # a random opponent is punished


def test_sticks_need_one_move_for_each_reply():
    strategy = make_strategy(Sticks(21))
    # 21, then whatever is left after our 20, 16, 12 ... and a reply of one to three
    assert {s.sticks for s in strategy.states} == {21, 17, 18, 19, 13, 14, 15, 9, 10, 11, 5, 6, 7, 1, 2, 3}
    assert strategy.size == 16
    assert all((s.sticks - strategy(s)) % 4 == 0 for s in strategy.states)
    assert strategy.value == 1.0
    assert make_strategy(Sticks(21), MIN).value == -1.0


def test_against_best_replies_a_unique_one_gives_a_single_branch_and_ties_all_of_theirs():
    game = TicTacToe()
    solution = backward_induction(game)
    strategy = make_strategy(game, MAX, "best")
    wanted, waiting = set(), [game.start()]
    while waiting:
        state = waiting.pop()
        if game.terminal(state):
            continue
        if game.player(state) == MAX:
            wanted.add(state)
            waiting.append(game.result(state, solution.actions[state][0]))
        else:
            waiting += [game.result(state, reply) for reply in solution.actions[state]]
    assert set(strategy.states) == wanted
    everything = make_strategy(game, MAX, "any")
    assert set(strategy.states) < set(everything.states)
    assert all(everything(state) == strategy(state) for state in strategy.states)
    replied = [state for state in strategy.states if (state.x | state.o).bit_count() == 2]
    assert [state.o for state in replied] == [1 << 4]  # against the corner the centre is the only good reply


def test_a_plan_can_begin_anywhere(tmp_path):
    strategy = make_strategy(TicTacToe(), MIN, state="x...o...x")
    assert strategy.value == 0.0
    assert strategy("x...o...x") in (1, 3, 5, 7)  # a corner would lose
    strategy.save(tmp_path / "plan.json")
    assert Strategy.load(tmp_path / "plan.json", TicTacToe()) == strategy
    over = make_strategy(TicTacToe(), MAX, state="xxxoo....")
    assert (over.size, over.value, verify(over)) == (0, 1.0, 1.0)


def test_states_that_share_a_text_are_kept_as_the_actions_that_lead_there():
    data = make_strategy(Vague(6)).to_json()
    assert data["moves"][0] == {"after": [], "move": "2"}
    assert data["moves"][1] == {"after": ["2", "1"], "move": "3"}
    with pytest.raises(BadText, match="parse_state"):
        make_strategy(Vague(6), state=Heap(5, MAX)).to_json()


def test_the_plan_says_why_it_has_no_move():
    strategy = make_strategy(TicTacToe(), MAX, "best")
    with pytest.raises(PlyforgeError, match="the game is over"):
        strategy("xxxoo....")
    with pytest.raises(PlyforgeError, match=r"there MIN moves, and the plan is for MAX"):
        strategy("x........")
    with pytest.raises(PlyforgeError, match=r"covers only best replies\. Make a new plan"):
        strategy("xo.......")
    with pytest.raises(PlyforgeError, match="covers only states that arise when it is followed"):
        make_strategy(TicTacToe())(".x..o....")


# ------------------------------------------------------------ plans that are wrong
def changed(strategy: Strategy, **fields: Any) -> Strategy:
    return dataclasses.replace(strategy, **fields)


@pytest.mark.parametrize("against", ["any", "best"])
def test_verify_finds_a_state_without_a_move(against):
    strategy = make_strategy(TicTacToe(), MIN, against)
    for state in random.Random(1).sample(strategy.states, 20):
        moves = {s: move for s, move in strategy.moves.items() if s != state}
        with pytest.raises(PlyforgeError, match="the plan has no move for"):
            verify(changed(strategy, moves=moves))


@pytest.mark.parametrize("against", ["any", "best"])
def test_verify_finds_any_single_blunder(against):
    game = TicTacToe()
    strategy, solution = make_strategy(game, MIN, against), backward_induction(game)
    blunders = [
        (state, action)
        for state in strategy.states
        for action in game.actions(state)
        if solution.values[game.result(state, action)] > 0.0 == solution.values[state]
    ]
    assert len(blunders) > 100
    for state, action in random.Random(2).sample(blunders, 30):
        with pytest.raises(PlyforgeError, match=r"no move for|promises MIN 0, and may get -1: after \d"):
            verify(changed(strategy, moves={**strategy.moves, state: action}))


def test_verify_shows_how_a_blunder_is_punished():
    strategy = make_strategy(Sticks(5))
    blunder = changed(strategy, moves={**strategy.moves, Heap(3, MAX): 1})
    with pytest.raises(PlyforgeError, match="promises MAX 1, and may get -1: after 1 1 1 2"):
        verify(blunder)


def test_verify_finds_illegal_moves_and_empty_promises():
    strategy = make_strategy(TicTacToe())
    with pytest.raises(PlyforgeError, match=r"move 77 is not legal in \.{9}"):
        verify(changed(strategy, moves={**strategy.moves, TicTacToe().start(): 77}))
    with pytest.raises(PlyforgeError, match="promises MAX 1, and may get 0"):
        verify(changed(strategy, value=1.0))
    assert verify(changed(strategy, value=-1.0)) == 0.0  # at least the value


def test_verify_and_make_strategy_respect_the_limit():
    with pytest.raises(BadLimits, match="more than 50"):
        make_strategy(TicTacToe(), limit=50)
    with pytest.raises(BadLimits, match="more than 50"):
        verify(make_strategy(TicTacToe()), limit=50)


@pytest.mark.parametrize(("player", "against"), [(2, "any"), (-1, "any"), (True, "any"), (MAX, "all"), (MAX, None)])
def test_a_plan_for_nobody_or_against_nothing_is_refused(player, against):
    with pytest.raises(PlyforgeError, match=r"player is|against is"):
        make_strategy(TicTacToe(), player, against)


# ------------------------------------------------------------ files that are wrong
def broken(**fields: Any) -> Callable[[], dict[str, Any]]:
    """A plan with other fields. It is made when a test runs, and once: not whenever tests are collected."""
    return lambda: sound_plan() | fields


@functools.cache
def sound_plan() -> dict[str, Any]:
    return make_strategy(TicTacToe(), MIN, "best").to_json()


START = {"state": "x........", "move": "5"}


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ([], "not a strategy"),
        (None, "not a strategy"),
        ({}, "not a strategy"),
        (broken(format="plyforge strategy 99"), "not a strategy"),
        (broken(game="Chess()"), r"is for Chess\(\), not for TicTacToe\(\)"),
        (broken(game=["TicTacToe()"]), "not for TicTacToe"),
        (broken(player=2), "player is 2"),
        (broken(player=True), "player is True"),
        (broken(player="1"), "player is '1'"),
        (broken(against="some"), "against is 'some'"),
        (broken(against=[]), "against is"),
        (broken(value="0"), "value is 0; it must be a number"),
        (broken(value=float("nan")), "NaN is not a number"),
        (broken(value=10**400), "must be a number"),
        (broken(value=None), "must be a number"),
        (broken(start=5), "start: the state must be text"),
        (broken(start="xyz"), "start: 'xyz' can't be read as a state"),
        (broken(moves={}), "moves must be a list"),
        (broken(size=3), "as many entries as size"),
        (broken(moves=[5], size=1), "move 1 must be an object"),
        (broken(moves=[{"state": "x........"}], size=1), "move 1 must be an object"),
        (broken(moves=[{"move": "5"}], size=1), "move 1: the state must be text"),
        (broken(moves=[{"state": "x........", "move": 5}], size=1), "move 1 must be an object"),
        (broken(moves=[{"state": "?", "move": "5"}], size=1), "move 1: '.' can't be read as a state"),
        (broken(moves=[START | {"move": "1"}], size=1), r"move 1, in x\.{8}: '1' is not a legal action"),
        (broken(moves=[START, START], size=2), r"move 2: x\.{8} has a move already"),
        (broken(moves=[{"state": "xo.......", "move": "5"}], size=1), "MIN does not move in xo"),
        (broken(moves=[{"state": "xxxoo....", "move": "9"}], size=1), "MIN does not move in xxxoo"),
        (broken(moves=[{"after": "1", "move": "5"}], size=1), "after must be a list"),
        (broken(moves=[{"after": [1], "move": "5"}], size=1), "after must be a list"),
        (broken(moves=[{"after": ["1", "1", "2"], "move": "5"}], size=1), "'1' is not a legal action"),
    ],
)
def test_a_file_that_is_no_plan_for_this_game_is_refused_with_the_reason(data, reason, tmp_path):
    path = tmp_path / "plan.json"
    path.write_text(json.dumps(data() if callable(data) else data))
    with pytest.raises(BadText, match=reason) as caught:
        Strategy.load(path, TicTacToe())
    assert str(path) in str(caught.value)


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe\x00", b"[" * 100_000, b"\x80\x04\x95pickle"])
def test_a_file_that_is_not_json_is_refused(content, tmp_path):
    path = tmp_path / "plan.json"
    path.write_bytes(content)
    with pytest.raises(BadText, match=r"can't be read|is not JSON"):
        Strategy.load(path, TicTacToe())


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(BadText, match="no file of that name"):
        Strategy.load(tmp_path / "none.json", TicTacToe())
    with pytest.raises(PlyforgeError, match="can't be written"):
        make_strategy(Sticks(5)).save(tmp_path / "no" / "folder" / "plan.json")


def test_a_failed_save_leaves_the_old_file_alone(tmp_path, monkeypatch):
    path = tmp_path / "plan.json"
    make_strategy(Sticks(5)).save(path)
    before = path.read_bytes()
    with monkeypatch.context() as patched:
        patched.setattr(
            "pathlib.Path.replace", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left on device"))
        )
        with pytest.raises(PlyforgeError, match="No space left"):
            make_strategy(Sticks(9)).save(path)
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["plan.json"]


def test_the_same_game_with_other_parameters_is_another_game(tmp_path):
    make_strategy(Sticks(5)).save(tmp_path / "plan.json")
    with pytest.raises(BadText, match=r"is for Sticks\(sticks=5\), not for Sticks\(sticks=6\)"):
        Strategy.load(tmp_path / "plan.json", Sticks(6))
    assert identity(Connect4(4, 3)) == "Connect4(width=4, height=3, connect=4, graded=False)"

    @dataclass(frozen=True)
    class Large(Sticks):
        table: tuple[int, ...] = tuple(range(500))

    assert len(identity(Large())) < 40
    assert identity(Large()) != identity(Large(table=(*range(499), 7)))


def test_the_summary_says_whose_plan_it_is_and_what_it_is_worth():
    assert str(make_strategy(TicTacToe(), MIN)).startswith(
        "TicTacToe: a plan for MIN against any replies, worth 0, a move for"
    )
    assert "moves" not in repr(make_strategy(TicTacToe(), MIN))
