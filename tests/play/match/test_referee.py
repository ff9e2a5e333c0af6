"""The referee: clocks, forfeits, draws and dice, one game at a time."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import pytest

import plyforge as pf
from plyforge.contract import MAX, Game, HistoryRules
from plyforge.errors import BadLimits, BadText
from plyforge.play.match.openings import Opening
from plyforge.play.match.played import PlayedGame
from plyforge.play.match.referee import Referee, TimeRules, Watch
from plyforge.play.players.given import contestant
from plyforge.play.players.player import Budget, Choice, Player, Resigned
from plyforge.play.players.search_player import HOPELESS_MOVES, SearchPlayer
from plyforge.play.players.spec import parse_player
from plyforge.search import Clock

TIC_TAC_TOE = pf.load("tic_tac_toe")


class Scripted(Player):
    """A player that does what a test says."""

    def __init__(self, choose: Any, limited: bool = False, seconds: float | None = None) -> None:
        self._choose, self.limited, self.seconds = choose, limited, seconds
        self.seen: list[Budget] = []
        self.seeds: list[int] = []

    def new_game(self, seat: int, start: Any, seed: int) -> None:
        self.seeds.append(seed)

    def choose(self, game: Game, state: Any, *, budget: Budget | None = None, **more: Any) -> Choice:
        assert budget is not None
        self.seen.append(budget)
        return Choice(self._choose(state))


def first(state: Any) -> Any:
    return pf.legal_moves(TIC_TAC_TOE, state)[0]


SLOW = 0.2
"""Seconds that a slow player takes for a move."""
ENOUGH = 3.0
"""Seconds that a busy machine never holds up a move that takes no time."""


def slow(state: Any) -> Any:
    time.sleep(SLOW)
    return first(state)


def too_slow(state: Any) -> Any:
    time.sleep(ENOUGH + SLOW)
    return first(state)


def play(a: Any, b: Any, rules: TimeRules | None = None, **more: Any) -> PlayedGame:
    order = {"number": 0, "first": "A", "opening": Opening(), "seed": 1} | more
    opponents = [Scripted(player) if callable(player) else player for player in (a, b)]
    return Referee(TIC_TAC_TOE, opponents, rules or TimeRules()).play(**order)


def test_the_winner_is_who_the_rules_say_whoever_sits_where():
    as_first = play(first, first)  # 1 2 3 4 5 6 7: X has a diagonal
    as_second = play(first, first, first="B")
    assert (as_first.winner, as_second.winner) == ("A", "B")
    assert as_first.actions == as_second.actions == tuple("1234567")
    assert as_first.utilities == (1.0, -1.0) and as_first.moves == (4, 3)
    assert as_first.points() == 1.0 and as_second.points() == 0.0


def test_an_opening_is_played_first_and_costs_no_time():
    played = play(first, first, opening=Opening(("9", "8")))
    assert played.actions[:2] == ("9", "8") and played.opening == 2
    assert played.seconds[:2] == (None, None) and None not in played.seconds[2:]
    state = pf.format_state(TIC_TAC_TOE, pf.state_after(TIC_TAC_TOE, "9", "8"))
    other = play(first, first, opening=Opening(start=state))
    assert other.actions == played.actions[2:] and other.start == state


def test_a_late_move_loses_on_time():
    played = play(first, too_slow, TimeRules(seconds=ENOUGH, tolerance=0.02))
    assert (played.forfeited, played.reason, played.winner) == ("B", "time", None)
    assert played.late[1] is not None and played.late[1] >= SLOW - 0.01
    assert played.late[0] is not None and played.late[0] < 0
    assert played.actions == ("1",)


def test_a_late_move_within_the_tolerance_counts_and_is_told():
    played = play(first, slow, TimeRules(seconds=0.05, tolerance=20.0))
    assert played.forfeited is None and played.late[1] is not None and played.late[1] > 0.05


def test_limits_of_its_own_go_before_those_of_the_match():
    rules = TimeRules(seconds=ENOUGH, tolerance=0.01)
    played = play(first, Scripted(slow, limited=True), rules)
    assert played.forfeited is None and played.late[1] is None
    assert played.late[0] is not None and -ENOUGH <= played.late[0] < 0
    played = play(first, Scripted(slow, limited=True, seconds=0.1), rules)
    assert (played.forfeited, played.reason) == ("B", "time")


@pytest.mark.parametrize("wrong", [0, 42, None, "x"])
def test_an_illegal_action_loses(wrong):
    played = play(first, lambda state: wrong)
    assert (played.forfeited, played.reason) == ("B", "illegal")
    assert "is not legal; legal: 2, 3" in played.message


def test_a_player_that_raises_loses_by_a_crash():
    def fail(state: Any) -> Any:
        raise ZeroDivisionError("no more ideas")

    played = play(fail, first)
    assert (played.forfeited, played.reason) == ("A", "crash")
    assert played.message == "ZeroDivisionError: no more ideas"


def test_a_search_without_an_answer_stalls_and_is_stopped():
    game = pf.load("connect4")
    player = contestant("alpha_beta:depth=42", game, native=False)
    assert isinstance(player, SearchPlayer)
    other = contestant("random", game)
    for opponent in (player, other):
        opponent.prepare(game)
    played = Referee(game, [player, other], TimeRules(patience=0.3)).play(0, "A", Opening(), 1)
    assert (played.forfeited, played.reason) == ("A", "stall")
    assert not player.spoilt, "a search polls its stop flag"


# ------------------------------------------------------------------ clocks
def test_a_clock_runs_down_and_gets_its_increment():
    watch = Watch(TimeRules(clock=Clock(10.0, 1.0)), limited=False, own_seconds=None)
    assert watch.spend(4.0) == -6.0 and watch.remaining == 7.0
    assert watch.budget().clock == Clock(7.0, 1.0)
    assert watch.spend(7.5) == 0.5, "half a second too late"
    assert watch.remaining == pytest.approx(1.0, abs=0.01), "what the tolerance forgives is not owed"


def test_a_clock_for_so_many_moves_is_filled_up_again():
    watch = Watch(TimeRules(clock=Clock(10.0, 0.0, 3)), limited=False, own_seconds=None)
    left = []
    for _ in range(4):
        clock = watch.budget().clock
        assert clock is not None
        left.append((clock.remaining, clock.moves_to_go))
        watch.spend(2.0)
    assert left == [(10.0, 3), (8.0, 2), (6.0, 1), (14.0, 3)]


def test_players_are_told_what_is_on_the_clock():
    player = Scripted(slow)
    play(player, first, TimeRules(clock=Clock(5.0, 0.0), tolerance=5.0))
    left = [seen.clock.remaining for seen in player.seen if seen.clock is not None]
    assert left[0] == 5.0 and all(later <= earlier - 0.15 for earlier, later in itertools.pairwise(left))


@pytest.mark.parametrize("text", ["engine", "uct", "alpha_beta"])
def test_our_searches_keep_to_a_clock(text):
    clock = Clock(1.5, 0.02)
    player = contestant(text, TIC_TAC_TOE, clock=clock, native=False)
    other = contestant("random", TIC_TAC_TOE, clock=clock)
    for opponent in (player, other):
        opponent.prepare(TIC_TAC_TOE)
    rules = TimeRules(clock=clock, tolerance=5.0)
    played = Referee(TIC_TAC_TOE, [player, other], rules).play(0, "A", Opening(), 1)
    assert played.forfeited is None and played.used[0] < 3.0


def test_what_can_not_be_is_refused():
    for wrong in ({"seconds": 0.0}, {"tolerance": -1.0}, {"patience": 0.0}, {"plies_limit": 0}):
        with pytest.raises(BadLimits):
            TimeRules(**wrong)  # type: ignore[arg-type]
    with pytest.raises(BadLimits, match="not both"):
        TimeRules(seconds=1.0, clock=Clock(1.0))
    with pytest.raises(BadText, match="a person can't play in a match"):
        contestant("human", TIC_TAC_TOE)


# ------------------------------------------------------------------ draws of play
class Place(NamedTuple):
    where: int
    player: int


class PacingHistory(HistoryRules):
    def draw_reason(self, game, history: list[Place]) -> str:
        return "repetition" if game.times and history.count(history[-1]) >= game.times else ""


@dataclass(frozen=True)
class Pacing(Game):
    """Walk to and fro for ever; a position that comes for the third time is a draw."""

    history = PacingHistory()

    worth_compiling = False
    times: int = 3

    def start(self) -> Place:
        return Place(0, MAX)

    def player(self, s: Place) -> int:
        return s.player

    def actions(self, s: Place) -> Iterator[int]:
        yield 1 - s.where

    def result(self, s: Place, to: int) -> Place:
        return Place(to, 1 - s.player)

    def terminal(self, s: Place) -> bool:
        return False

    def utility(self, s: Place) -> float:
        return 0.0


def test_what_the_rules_call_a_draw_of_play_ends_the_game():
    game = Pacing()
    players = [Scripted(lambda state: 1 - state.where) for _ in "AB"]
    played = Referee(game, players, TimeRules()).play(0, "A", Opening(), 1)
    assert (played.winner, played.reason, len(played.actions)) == ("draw", "repetition", 4)
    assert played.points() == 0.5


def test_a_game_without_end_is_drawn_at_the_limit_of_plies():
    game = Pacing(times=0)
    players = [Scripted(lambda state: 1 - state.where) for _ in "AB"]
    played = Referee(game, players, TimeRules(plies_limit=31)).play(0, "A", Opening(), 1)
    assert (played.winner, played.reason, len(played.actions)) == ("draw", "limit of plies", 31)


# ------------------------------------------------------------------ dice, seeds, truth
def test_both_games_of_a_pair_have_the_same_dice_and_their_own_random_players():
    game = pf.load("pig(goal=12)")

    def hold_late(state: Any) -> Any:
        return pf.legal_moves(game, state)[0]

    games = []
    players = [Scripted(hold_late), Scripted(hold_late)]
    for number, seat in ((0, "A"), (1, "B")):
        games.append(Referee(game, players, TimeRules(plies_limit=40)).play(number, seat, Opening(), 77))
    assert games[0].actions == games[1].actions, "the same moves meet the same dice"
    other = Referee(game, players, TimeRules(plies_limit=40)).play(0, "A", Opening(), 78)
    assert other.actions != games[0].actions
    assert len({*players[0].seeds[:2], *players[1].seeds[:2]}) == 4, "no two players draw the same numbers"


@pytest.mark.parametrize(("text", "games"), [("alpha_beta:depth=9", 18), ("engine:depth=9", 6)])
def test_a_perfect_player_never_loses_tic_tac_toe(text, games):
    """The game is a draw: from the start, and after every first move."""
    perfect = contestant(text, TIC_TAC_TOE, native=False)
    other = contestant("random", TIC_TAC_TOE)
    for opponent in (perfect, other):
        opponent.prepare(TIC_TAC_TOE)
    referee = Referee(TIC_TAC_TOE, [perfect, other], TimeRules())
    played = [
        referee.play(number, "AB"[number % 2], Opening((str(1 + number % 9),)), number) for number in range(games)
    ]
    assert all(one.winner in ("A", "draw") for one in played)
    assert sum(one.winner == "A" for one in played) > games // 2
    assert len({one.actions for one in played}) > games // 2, "random players vary"


def test_the_same_seed_plays_the_same_game_again_whatever_was_played_before():
    def run(numbers: list[int]) -> dict[int, tuple[str, ...]]:
        players = [contestant(text, TIC_TAC_TOE, native=False) for text in ("uct:simulations=50", "random")]
        for player in players:
            player.prepare(TIC_TAC_TOE)
        referee = Referee(TIC_TAC_TOE, players, TimeRules())
        return {n: referee.play(n, "AB"[n % 2], Opening(), 5 + n // 2).actions for n in numbers}

    games = run([0, 1, 2, 3])
    assert run([3, 1])[3] == games[3] and run([1])[1] == games[1]
    assert len(set(games.values())) > 1


def test_a_game_is_read_back_from_its_json():
    import json

    for played in (
        play(first, slow, TimeRules(seconds=0.05, tolerance=0.02)),
        play(first, first, opening=Opening(("9",))),
    ):
        assert PlayedGame.from_json(json.loads(json.dumps(played.to_json()))) == played
    data = played.to_json()
    for name, wrong in {"number": -1, "winner": "C", "actions": [1], "late": [0.0], "first": None}.items():
        with pytest.raises(BadText, match=name):
            PlayedGame.from_json(data | {name: wrong})
    with pytest.raises(BadText, match="fields"):
        PlayedGame.from_json({})


# ---------------------------------------------------------------- resigning
WHITE_OWNS = ".www./wwwww/ww.ww/.wwww/bwww. {} - 0 -"
"""Go on 5 x 5: Black has one stone."""


def at_move(opponent: str, seat: int, moves: int) -> int | None:
    """The move at which an opponent resigns a game that stands still; None if it doesn't in so many."""
    game = pf.load("go(size=5)")
    state = pf.parse_state(game, WHITE_OWNS.format("bw"[seat]))
    player = contestant(opponent, game, native=False)
    player.prepare(game)
    for _ in range(2):  # what the game before looked like does not count
        player.new_game(seat, None, 1)
        for move in range(moves):
            try:
                player.choose(game, state, budget=Budget())
            except Resigned:
                return move + 1
    return None


def test_a_search_resigns_a_hopeless_game_only_where_it_was_told_to():
    assert at_move("uct:simulations=250,resign=0.05", 0, HOPELESS_MOVES) == HOPELESS_MOVES
    assert at_move("uct:simulations=250,resign=0.05", 0, HOPELESS_MOVES - 1) is None
    assert at_move("uct:simulations=250,resign=0.05", 1, HOPELESS_MOVES) is None  # White wins
    assert at_move("uct:simulations=250", 0, HOPELESS_MOVES) is None


def test_when_to_resign_is_said_in_matches_only():
    assert parse_player("uct:resign=0.05", TIC_TAC_TOE, resigns=True).description == "uct:seconds=1,resign=0.05"
    with pytest.raises(BadText, match=r"'resign=0\.05' is not understood"):
        parse_player("uct:resign=0.05", TIC_TAC_TOE)
    with pytest.raises(BadLimits, match="resign is 2; it must be a part"):
        contestant("uct:resign=2", TIC_TAC_TOE)


def test_a_resigned_game_is_won_by_the_other():
    def give_up(state: Any) -> Any:
        raise Resigned("enough")

    played = play(first, give_up)
    assert (played.winner, played.reason, played.forfeited) == ("A", "resigned", None)
