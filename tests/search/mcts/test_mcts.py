"""Monte Carlo searches: right on solved games, honest about their errors, the same at both speeds, and stoppable.

All random numbers follow from seeds, so no test passes on one day and fails on another.
"""

from __future__ import annotations

import json
import threading
import time
from dataclasses import dataclass

import pytest

import plyforge as pf
from conftest import compiles
from patience import PATIENCE
from plyforge.contract import Game, Heuristics, HistoryRules, drawn_payoffs, payoffs
from plyforge.games.go import Go
from plyforge.games.tic_tac_toe import TicTacToe
from plyforge.games.trees.random_tree import RandomTree, RandomTree3
from plyforge.games.two_players.nim import Nim
from plyforge.play import Engine, GameSession
from plyforge.search import make_search
from plyforge.search.core.limits import Limits
from plyforge.search.mcts import Flat, MonteCarloResult, Puct, Tree, Uct
from plyforge.search.running.runner import Progress
from plyforge.search.time.clock import Clock

FIELDS = (
    "action", "value", "values", "best", "line", "nodes", "depth", "reason", "player", "visits", "errors", "proven",
    "simulations",
)  # fmt: skip
TREES = [Uct, Puct]
ALL = [Flat, Uct, Puct]
FULL = [compiles, pytest.mark.full]
TALL = "xx.oo...."  # X to move wins at once, in cell 3


class HintedHeuristics(Heuristics):
    def ordering(self, game, s, cell):
        return 8.0 if cell == 4 else 0.0 if cell == 8 else 1.0


@dataclass(frozen=True)
class Hinted(TicTacToe):
    """Tic-tac-toe whose rules say that the centre is promising and that cell 9 is not."""

    heuristics = HintedHeuristics()


def exact(game, state):
    return pf.search(game, state, using="max_n", native=False)


# ---------------------------------------------------------------- draws by the rules of play
class PatienceHistory(HistoryRules):
    repetition = False

    def rule_draw(self, game, s):
        return s >= game.patience and s < 9


@dataclass(frozen=True)
class Patience(Game):
    """A counter goes up by one or two; at nine MAX wins. Play is drawn from `patience` on, but the state goes on."""

    history = PatienceHistory()

    patience: int = 5

    def start(self):
        return 0

    def player(self, s):
        return s % 2

    def actions(self, s):
        yield 1
        yield 2

    def result(self, s, action):
        return s + action

    def terminal(self, s):
        return s >= 9

    def utility(self, s):
        return 1.0


@pytest.mark.parametrize("search", ALL)
@pytest.mark.parametrize("native", [False, pytest.param(True, marks=[compiles, pytest.mark.full])])
def test_what_play_calls_a_draw_is_one_and_proves_nothing(search, native):
    found = search(simulations=200).search(Patience(), native=native)
    assert found.value == 0.0 and set(found.values.values()) == {0.0}
    assert not found.exact and not found.proven
    assert found.simulations == 200
    assert found.depth <= 5  # nothing grows beyond the draw


@pytest.mark.parametrize("search", ALL)
def test_where_play_is_not_drawn_the_same_game_is_won(search):
    found = search(simulations=200).search(Patience(patience=9), native=False)
    assert found.value == 1.0


@pytest.mark.parametrize("search", TREES)
def test_a_search_from_a_drawn_state_still_finds_an_action(search):
    found = search(simulations=50).search(Patience(), 6, native=False)
    assert found.values == {1: 0.0, 2: 0.0} and sum(found.visits.values()) == 50
    assert search(simulations=50).search(Patience(), 8, native=False).value == 1.0  # the next state is the end


class WaltzHistory(HistoryRules):
    repetition = True


@dataclass(frozen=True)
class Waltz(Game):
    """Two take turns to step on or to give up. After two steps everything is as it was."""

    history = WaltzHistory()

    def start(self):
        return 0

    def player(self, s):
        return s % 2

    def actions(self, s):
        yield 0
        yield 1

    def result(self, s, action):
        return 1 - s if action == 0 else 2 + s

    def terminal(self, s):
        return s >= 2

    def utility(self, s):
        return -1.0 if s == 2 else 1.0


@pytest.mark.parametrize(
    ("search", "native"),
    [(Uct, False), (Puct, False), pytest.param(Uct, True, marks=compiles), pytest.param(Puct, True, marks=FULL)],
)
def test_coming_back_to_a_state_is_a_draw_and_proves_nothing(search, native):
    found = search(simulations=400).search(Waltz(), native=native)
    assert found.action == 0 and 0.0 <= found.value < 0.2 and not found.exact
    assert found.nodes == 5 and found.depth == 2  # no tree grows beyond a state that was there before
    assert found.proven == (1,) and found.values[1] == -1.0


@pytest.mark.parametrize("search", ALL)
def test_a_state_of_the_game_so_far_is_a_draw_too(search):
    tree = search(simulations=100).start(Waltz(), native=False)
    assert tree.think(1, history=[0]).values == {0: 0.0, 1: 1.0}
    tree = search(simulations=100).start(Waltz(), native=False)
    assert tree.think(1).values[0] != 0.0


@pytest.mark.parametrize("search", ALL)
def test_a_tree_without_room_to_grow_ends_although_nodes_alone_limit_it(search):
    found = search().search(Waltz(), None, Limits(nodes=100), native=False)
    assert found.reason == "simulations" and found.simulations == 10_000


def test_a_tree_that_reaches_every_end_and_may_not_prove_ends_too():
    state = pf.parse_state(TicTacToe(), "xoxoxo...")
    found = Uct(solve=False).search(TicTacToe(), state, Limits(nodes=3000), native=False)
    assert found.reason == "simulations" and found.simulations == 12_000


def test_a_tree_is_kept_where_play_went_on_and_forgotten_where_the_past_is_another():
    game = pf.load("three_mens_morris")
    states = [game.start()]
    for _ in range(3):
        states.append(game.result(states[-1], pf.legal_moves(game, states[-1])[0]))
    tree = Uct(simulations=2000, solve=False).start(game, native=False)
    tree.think(states[0])
    on = tree.think(states[2], history=states[:2])
    assert sum(on.visits.values()) > 2000
    same = tree.think(states[2], history=states[:2])
    assert sum(same.visits.values()) > sum(on.visits.values())
    other = tree.think(states[2], history=[states[1], states[1]])
    assert sum(other.visits.values()) == 2000
    none = tree.think(states[2])
    assert sum(none.visits.values()) == 2000
    assert sum(tree.think(states[2]).visits.values()) > 2000  # and from there on no past is the same one


def test_a_tree_that_knows_of_returns_is_forgotten_where_there_is_no_past():
    game = pf.load("chess")
    states = [game.start()]
    for text in ("Nf3", "Nf6", "Ng1", "Ng8"):
        states.append(game.result(states[-1], pf.parse_action(game, states[-1], text)))
    tree = Uct(simulations=30).start(game, native=False)
    assert sum(tree.think(states[-1], history=states[:-1]).visits.values()) == 30
    assert sum(tree.think(states[-1], history=states[:-1]).visits.values()) == 60
    assert sum(tree.think(states[-1]).visits.values()) == 30


def test_a_tree_of_another_past_does_not_hide_a_return():
    tree = Uct(simulations=100).start(Waltz(), native=False)
    assert tree.think(1).values[0] != 0.0
    assert tree.think(1, history=[0]).values == {0: 0.0, 1: 1.0}


def test_the_engine_tells_flat_of_the_game_so_far():
    engine = Engine(Waltz(), "flat", simulations=50, native=False)
    engine.start(1, history=[0])
    assert engine.wait().values == {0: 0.0, 1: 1.0}


@dataclass(frozen=True)
class Uneven(Waltz):
    """A win is worth more than a loss costs."""

    max_utility = 3.0

    def utility(self, s):
        return -1.0 if s == 2 else 3.0


def test_searches_and_referees_agree_on_what_a_draw_is_worth():
    assert drawn_payoffs(Waltz()) == (0.0, 0.0) and drawn_payoffs(Uneven()) == (1.0, -1.0)
    assert drawn_payoffs(RandomTree3()) == (drawn_payoffs(RandomTree3())[0],) * 3
    assert Uct(simulations=100).start(Uneven(), native=False).think(1, history=[0]).values[0] == 1.0
    session = GameSession(pf.load("chess"), state=pf.parse_state(pf.load("chess"), "7k/8/8/8/8/8/8/K7 w - - 0 1"))
    assert session.outcome is not None and session.outcome.utilities == (0.0, 0.0)


def test_threads_know_of_coming_back():
    found = Uct(simulations=2000, threads=2).search(Waltz(), native=False)
    assert found.nodes == 5 and found.action == 0


@pytest.mark.parametrize("search", ALL)
def test_rollouts_of_chess_end_by_the_fifty_moves(search):
    """A rook wins, but not any more: every move but a mate is the hundredth without progress."""
    game = pf.load("chess")
    state = pf.parse_state(game, "7k/8/4K3/8/8/8/8/6R1 w - - 99 120")
    found = search(simulations=300).search(game, state, native=False)
    assert found.value == 0.0 and not found.exact and len(found.values) > 10
    assert set(found.values.values()) == {0.0}


# ---------------------------------------------------------------- solved games
@pytest.mark.parametrize("search", TREES)
@pytest.mark.parametrize("text", [TALL, "x.x.oo.x.", "xo.xo....", "xox.o..x.", "x...o...x"])
def test_tic_tac_toe_positions_are_proven(search, text):
    game = pf.load("tic_tac_toe")
    state = pf.parse_state(game, text)
    truth = pf.search(game, state, using="minimax", native=False)
    found = search(simulations=3000).search(game, state, native=False)
    assert found.exact and found.reason == "complete"
    assert found.value == truth.value and found.action in truth.best
    for action in found.proven:
        assert found.values[action] == truth.values[action] and found.errors[action] == 0.0


@compiles
def test_the_draw_of_tic_tac_toe_is_proven_from_the_start():
    found = Uct(simulations=100_000).search(pf.load("tic_tac_toe"), native=True)
    assert found.exact and found.value == 0.0
    assert found.simulations < 60_000
    assert len(found.best) == 9  # every first move draws
    assert sum(found.visits.values()) == found.simulations


@pytest.mark.parametrize("search", TREES)
def test_a_win_in_one_is_taken_and_a_lost_action_avoided(search):
    game = pf.load("tic_tac_toe")
    found = search(simulations=40).search(game, pf.parse_state(game, TALL), native=False)
    assert found.action == 2 and found.value == 1.0 and found.exact
    # MIN wins at once, too: values are MAX's.
    found = search(simulations=40).search(game, pf.state_after(game, "1", "4", "9", "5", "8"), native=False)
    assert found.action == 5 and found.value == -1.0 and found.exact
    # O has 5 and 6: whatever X does but take 4 loses at once, and is proven to.
    found = search(simulations=60).search(game, pf.parse_state(game, "x...oo..x"), native=False)
    assert found.action == 3
    assert len(found.proven) >= 3 and all(found.values[action] == -1.0 for action in found.proven if action != 3)


@pytest.mark.parametrize("search", TREES)
def test_proofs_are_exact_on_random_trees_with_dice_double_moves_and_three_players(search):
    for game in (
        RandomTree(depth=4, doubles=True),
        RandomTree(depth=4, doubles=True, dice=True),
        RandomTree3(depth=3, doubles=True, dice=True),
    ):
        proven = 0
        for seed in range(8):
            state = game.root(seed)
            truth = exact(game, state)
            found = search(simulations=2000).search(game, state, native=False)
            if found.exact:
                proven += 1
                value = payoffs(game, found.value)
                assert value == pytest.approx(truth.value, abs=1e-9)
            for action in found.proven:
                # Below the root, too, max^n's rule holds: the first of equally good actions.
                assert payoffs(game, found.values[action]) == pytest.approx(truth.values[action], abs=1e-9)
        assert proven >= 6


# ---------------------------------------------------------------- seeds
@pytest.mark.parametrize("search", ALL)
def test_the_same_seed_makes_the_same_search_and_another_one_another(search):
    game = pf.load("connect4(width=5, height=4)")
    one, two = (search(simulations=200, seed=3).search(game, native=False) for _ in range(2))
    other = search(simulations=200, seed=4).search(game, native=False)
    assert one.values == two.values and one.visits == two.visits
    assert one.values != other.values


# ---------------------------------------------------------------- priors, rollouts, all moves as first
def test_promise_steers_puct():
    plain = Puct(simulations=60, solve=False).search(TicTacToe(), native=False)
    hinted = Puct(simulations=60, solve=False).search(Hinted(), native=False)
    assert hinted.visits[4] > 3 * plain.visits[4] / 2
    assert 8 not in hinted.visits  # a promise of zero: never tried
    assert list(plain.visits) == list(range(9))


def test_weighted_rollouts_follow_the_prior():
    # After X's 1 and O's reply, rollouts rush to the centre; cell 9 comes last of all.
    state = pf.state_after(TicTacToe(), "1")
    uniform = Flat(simulations=1600).search(Hinted(), state, native=False)
    weighted = Flat(simulations=1600, weighted=True).search(Hinted(), state, native=False)
    assert weighted.values != uniform.values
    with pytest.raises(pf.Unsuitable, match="`prior` or `ordering`"):
        Flat(weighted=True).search(TicTacToe(), state)


@pytest.mark.parametrize("search", ALL)
def test_a_cut_off_rollout_ends_in_an_estimate(search):
    game = pf.load("tic_tac_toe")
    found = search(simulations=90, rollout_depth=0).search(game, native=False)
    estimates = {game.evaluate(game.result(game.start(), action)) for action in range(9)}
    if search is Flat:
        assert set(found.values.values()) == estimates
    # X's marks leave 8 lines open to X, and 5, 6 or 4 to O: the centre looks best.
    assert found.action == 4


@pytest.mark.parametrize("search", ALL)
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("rollout_depth", [0, 1])
def test_an_evaluation_is_asked_where_a_rollout_is_cut_off_also_in_games_with_their_own(
    search, weighted, rollout_depth
):
    game = Go(size=5, komi=0.5)
    how = search(simulations=26, rollout_depth=rollout_depth, weighted=weighted)
    found = make_search(how, game, evaluate=lambda s: -0.875).search(game, native=False)
    # After a pass the game may end, and count as it is.
    assert {value for action, value in found.values.items() if action != game.places} == {-0.875}


@pytest.mark.parametrize("search", ALL)
def test_an_evaluation_that_is_given_speaks_in_place_of_rollouts(search):
    game, asked = pf.load("connect4(width=5, height=4)"), []

    def middle(s):
        asked.append(s)
        return 0.125

    found = pf.search(game, using=search.name, evaluate=middle, simulations=30, native=False)
    assert set(found.values.values()) == {0.125}
    once = search is not Flat  # to see whether it gives priors
    assert len(asked) == 30 + once
    # With a rollout depth, it is asked only where a rollout is cut off: here never.
    asked.clear()
    whole = pf.search(game, using=search.name, evaluate=middle, rollout_depth=20, simulations=30, native=False)
    plain = pf.search(game, using=search.name, simulations=30, native=False)
    assert len(asked) == once
    assert whole.values == plain.values


def test_more_rollouts_for_a_state_scatter_less():
    game = pf.load("connect4(width=5, height=4)")
    one = Flat(simulations=500).search(game, native=False)
    five = Flat(simulations=500, rollouts=5).search(game, native=False)
    assert five.errors[2] < 0.6 * one.errors[2]


def test_all_moves_as_first_finds_a_proven_best_action_too():
    game = pf.load("tic_tac_toe")
    for text in (TALL, "x.x.oo.x.", "x...o...x"):
        state = pf.parse_state(game, text)
        truth = pf.search(game, state, using="minimax", native=False)
        found = Uct(simulations=3000, rave=200.0).search(game, state, native=False)
        assert found.exact and found.action in truth.best and found.value == truth.value


# ---------------------------------------------------------------- limits
def test_simulations_nodes_and_depth_are_kept():
    game = pf.load("connect4")
    assert Uct(simulations=77).search(game, native=False).simulations == 77
    found = Uct().search(game, limits=Limits(nodes=100), native=False)
    assert found.nodes <= 100 and found.reason == "nodes" and found.action is not None
    found = Uct(simulations=500).search(game, limits=Limits(depth=2), native=False)
    assert found.depth == 2 and found.nodes == 1 + 7 + 49
    assert Uct().search(pf.load("nim(heaps=(1, 1))"), native=False).exact


def test_without_any_limit_there_are_ten_thousand_simulations():
    found = Flat(rollout_depth=0).search(pf.load("nim(heaps=(1, 2))"), native=False)
    assert found.simulations == 10_000 and found.reason == "simulations"


@pytest.mark.parametrize("native", [False, pytest.param(True, marks=compiles)])
def test_seconds_are_kept(native):
    game = pf.load("tic_tac_toe")
    search = Uct(solve=False)
    search.search(game, limits=Limits(nodes=50), native=native)  # compile
    began = time.perf_counter()
    found = search.search(game, limits=Limits(seconds=0.3), native=native)
    assert time.perf_counter() - began < PATIENCE  # how exactly, test_time.py asks
    assert found.reason == "seconds" and found.simulations > 10


@pytest.mark.parametrize("search", ALL)
def test_the_first_limit_that_is_reached_ends_the_search(search):
    game = pf.load("tic_tac_toe")
    for limits, simulations, reason in (
        (Limits(seconds=30.0, nodes=100_000), 50, "simulations"),
        (Limits(seconds=0.1, nodes=1_000_000), 10**9, "seconds"),
        (Limits(clock=Clock(2.0)), 10**9, "seconds"),  # 2 / 31 seconds for a move
        (Limits(clock=Clock(100.0), seconds=0.1), None, "seconds"),
        (Limits(clock=Clock(100.0), seconds=20.0), 60, "simulations"),
    ):
        parameters = {} if search is Flat else {"solve": False}
        began = time.perf_counter()
        found = search(simulations=simulations, **parameters).search(game, None, limits, native=False)
        assert found.reason == reason
        assert time.perf_counter() - began < PATIENCE / 2
        assert sum(found.visits.values()) == found.simulations > 0
    if search is not Flat:
        found = search(simulations=10**9).search(game, None, Limits(seconds=30.0, nodes=300), native=False)
        assert found.reason == "nodes" and found.nodes <= 300


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("native", [False, pytest.param(True, marks=[compiles, pytest.mark.full])])
def test_progress_says_how_the_tree_stands(native, threads):
    game = pf.load("tic_tac_toe")
    search = Uct(solve=False, threads=threads)
    search.search(game, limits=Limits(nodes=50), native=native)  # compile
    reports: list[Progress] = []
    search.search(game, limits=Limits(seconds=0.7), native=native, on_progress=reports.append)
    assert len(reports) >= 1
    for report in reports:
        assert report.nodes > 10 and report.rate > 0 and report.depth >= 2
        assert -1.0 <= report.value <= 1.0
        state = game.start()
        for action in report.line:
            assert action in pf.legal_moves(game, state)
            state = game.result(state, action)
        assert len(report.line) >= 1


def test_an_endless_rollout_is_stopped():
    """Nobody ever holds in this pig, so only the bound of rollouts and the stop flag end one."""

    @dataclass(frozen=True)
    class Hesitant(TicTacToe):
        def actions(self, s):
            time.sleep(0.002)
            yield 0

        def terminal(self, s):
            return False

        def result(self, s, cell):
            return s

        def count(self, s):
            return 1

    began = time.perf_counter()
    found = Uct().search(Hesitant(), limits=Limits(seconds=0.2), native=False)
    assert time.perf_counter() - began < PATIENCE
    assert found.reason == "seconds" and found.action == 0


def test_a_full_tree_stops_growing_and_the_search_goes_on():
    game = pf.load("connect4")
    tree = Uct(simulations=600, memory_mib=1).start(game, native=False)
    tree.action_bytes = 1 << 14  # so that little fits
    found = tree.think()
    assert found.simulations == 600 and found.reason == "simulations"
    assert found.nodes <= (1 << 20) // tree.bytes_per_node < 70
    assert sum(found.visits.values()) == 600


def test_memory_for_a_node_is_reported():
    assert Uct(simulations=5).search(pf.load("connect4"), native=False).node_bytes == 48
    assert Uct(simulations=5, rave=10.0).search(pf.load("connect4"), native=False).node_bytes == 72
    assert Uct(simulations=5).search(pf.load("three_nim"), native=False).node_bytes == 96


@pytest.mark.parametrize(
    "parameters",
    [
        {"simulations": 0},
        {"rollouts": 0},
        {"rollout_depth": -1},
        {"memory_mib": 0},
        {"exploration": -1.0},
        {"rave": 0.0},
        {"simulations": 10**30},
        {"rollouts": 10**30},
        {"rollout_depth": 10**30},
        {"seed": "one"},
    ],
    ids=str,
)
def test_parameters_out_of_range_are_refused(parameters):
    with pytest.raises(pf.BadLimits, match=next(iter(parameters))):
        Uct(**parameters).search(pf.load("nim"), native=False)


@pytest.mark.parametrize("search", [Uct(rollouts=10**7), Flat(rollouts=10**7)], ids=lambda s: s.name)
def test_rollouts_without_number_end_when_time_is_up(search):
    began = time.perf_counter()
    found = search.search(pf.load("tic_tac_toe"), None, Limits(seconds=0.1), native=False)
    assert found.reason == "seconds" and time.perf_counter() - began < PATIENCE


def test_a_state_without_actions_is_the_rules_fault():
    @dataclass(frozen=True)
    class Stuck(TicTacToe):
        def actions(self, s):
            for cell in range(2):
                if not (s.x | s.o) >> cell & 1:
                    yield cell

    with pytest.raises(pf.BadRules, match="has no actions"):
        Uct(simulations=50).search(Stuck(), native=False)


def test_a_watcher_is_refused():
    with pytest.raises(pf.Unsuitable, match="watched"):
        Uct().search(pf.load("nim"), watch=object())


# ---------------------------------------------------------------- results
@pytest.mark.parametrize("search", ALL)
def test_terminal_and_chance_states_have_values_and_no_choice(search):
    game = pf.load("tic_tac_toe")
    over = search(simulations=10).search(game, pf.parse_state(game, "xxxoo...."), native=False)
    assert over.action is None and over.value == 1.0 and over.reason == "complete" and over.visits == {}
    pig = pf.load("pig(goal=10)")
    rolling = search(simulations=300).search(pig, pf.parse_state(pig, "0 0 0 max rolling"), native=False)
    assert rolling.action is None and rolling.values == {} and -1.0 < rolling.value < 1.0


@pytest.mark.parametrize("search", ALL)
def test_results_become_json(search):
    game = pf.load("three_nim")
    found = search(simulations=30).search(game, native=False)
    assert isinstance(found, MonteCarloResult)
    data = json.loads(json.dumps(found.to_json(), allow_nan=False))
    assert data["simulations"] == found.simulations and set(data["visits"]) <= {"1", "2", "3"}
    assert len(data["value"]) == 3 and data["player"] is None
    one = search(simulations=1).search(pf.load("connect4"), native=False)
    assert json.loads(json.dumps(one.to_json(), allow_nan=False))["errors"] == {"1": None}


def test_the_line_can_be_played():
    game = pf.load("connect4")
    found = Uct(simulations=800).search(game, native=False)
    state = game.start()
    for action in found.line:
        assert action in pf.legal_moves(game, state)
        state = game.result(state, action)
    assert found.line[0] == found.action and len(found.line) >= 2


# ---------------------------------------------------------------- a tree kept between moves
@pytest.mark.parametrize("native", [False, pytest.param(True, marks=compiles)])
def test_a_tree_is_kept_between_moves(native):
    game = pf.load("tic_tac_toe")
    tree = Uct(simulations=800, solve=False).start(game, native=native)
    assert isinstance(tree, Tree)
    first = tree.think()
    reply = first.line[1]
    state = game.result(game.result(game.start(), first.action), reply)
    known = int(tree.blocks.nodes[tree.find(state)].visits)
    second = tree.think(state)
    assert second.simulations == 800
    assert sum(second.visits.values()) == known - 1 + 800  # all but the visit that made the node
    assert second.nodes < 2 * first.nodes
    # Elsewhere nothing is known.
    other = tree.think(pf.parse_state(game, "x...o...x"))
    assert sum(other.visits.values()) == 800


@pytest.mark.parametrize("native", [False, pytest.param(True, marks=compiles)])
@pytest.mark.parametrize("threads", [1, 2])
def test_a_kept_tree_has_the_node_limit_of_each_search(native, threads):
    tree = Uct(simulations=3000, solve=False, threads=threads).start(TicTacToe(), native=native)
    small = tree.think(None, Limits(nodes=50))
    assert small.nodes <= 50 and small.reason == "nodes"
    large = tree.think(None, Limits())
    assert large.nodes > 500 and large.reason == "simulations"
    assert sum(large.visits.values()) > 3000  # nothing was forgotten
    again = tree.think(None, Limits(nodes=100))
    assert 50 < again.nodes <= 100 and again.reason == "nodes"  # here it had to be


@pytest.mark.parametrize("game", [RandomTree3(depth=6, doubles=True, dice=True), Nim((2, 3, 2))], ids=["tuples", "nim"])
def test_a_part_of_a_tree_says_the_same_as_the_whole(game):
    tree = Uct(simulations=500, rave=20.0).start(game, native=False)
    tree.think()
    blocks = tree.blocks
    child = max(range(blocks.nodes[0].first, blocks.nodes[0].first + blocks.nodes[0].children),
                key=lambda c: blocks.nodes[c].visits)  # fmt: skip
    action = pf.legal_moves(game, game.start())[child - blocks.nodes[0].first]
    grandchildren = range(blocks.nodes[child].first, blocks.nodes[child].first + blocks.nodes[child].children)
    before = [(blocks.nodes[c].visits, blocks.nodes[c].value, blocks.actions[c].visits) for c in grandchildren]
    tree.move_to(game.result(game.start(), action))
    blocks = tree.blocks
    after = [
        (blocks.nodes[c].visits, blocks.nodes[c].value, blocks.actions[c].visits)
        for c in range(1, 1 + blocks.nodes[0].children)
    ]
    assert before == after and len(before) >= 1


def test_searches_run_beside_each_other():
    game = pf.load("hexapawn")
    expected = Uct(simulations=30).search(game, native=False).visits
    found: list[dict] = []
    threads = [
        threading.Thread(target=lambda: found.append(Uct(simulations=30).search(game, native=False).visits))
        for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 3
