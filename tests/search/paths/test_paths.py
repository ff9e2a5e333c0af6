"""A*, IDA*, real-time A* and LRTA*: best paths, held against Dijkstra's distances, at both speeds, and what they do
when time is short."""

from __future__ import annotations

import heapq
import json
import math
import random
import threading
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import pytest

import plyforge as pf
from conftest import compiles
from plyforge.contract import PathCosts
from plyforge.kernel import MAX_PLY
from plyforge.search import PATHS, Control, IdaStar, PathResult, RealTimeAStar, travel
from plyforge.search.paths import AStar, LrtaStar
from plyforge.search.paths.lrta_star import Learner
from plyforge.solve import distances

FIELDS = (
    "action",
    "value",
    "values",
    "best",
    "line",
    "nodes",
    "depth",
    "reason",
    "player",
    "using",
    "cost",
    "states",
)
HARD = "15 14 13 12/11 10 9 8/7 6 5 4/3 1 2 ."
"""The 15-puzzle backwards, as far as that can be solved: no search here ends soon."""


class Place(NamedTuple):
    node: int


class RoadsCosts(PathCosts):
    def cost(self, game, s, town):
        return float(game.roads()[0][s.node][town])

    def h(self, game, s):
        return game.knowing * truth(game.seed, game.towns)[s.node]


class ExaggeratedCosts(RoadsCosts):
    admissible = False


ROADS, EXAGGERATED = RoadsCosts(), ExaggeratedCosts()


@dataclass(frozen=True)
class Roads(pf.Game):
    """A map made by chance: towns, roads both ways with their lengths, some towns that are ends worth more or less."""

    seed: int = 0
    towns: int = 14
    knowing: float = 0.0
    """How much of the truth the heuristic says; above 1 it says too much."""

    players = 1
    min_utility, max_utility = -9.0, 3.0
    worth_compiling = False

    def roads(self):
        return _map(self.seed, self.towns)

    def start(self):
        return Place(0)

    def player(self, s):
        return pf.MAX

    def actions(self, s):
        roads, ends = self.roads()
        yield from () if s.node in ends else sorted(roads[s.node])

    def result(self, s, town):
        return Place(town)

    def terminal(self, s):
        return s.node in self.roads()[1]

    def utility(self, s):
        return self.roads()[1][s.node]

    @property
    def costs(self):
        return ROADS if self.knowing <= 1.0 else EXAGGERATED


@cache
def _map(seed, towns):
    chance = random.Random(seed)
    roads = {town: {} for town in range(towns)}
    for town in range(1, towns):
        for other in {town - 1, chance.randrange(town), chance.randrange(town)}:
            length = chance.randint(1, 9)
            roads[town][other] = roads[other][town] = length
    ends = {towns - 1: 3.0, chance.randrange(2, towns - 1): float(chance.randint(-9, 3))}
    return roads, ends


@cache
def truth(seed, towns):
    """What is to go from each town, by Dijkstra from the ends: written here, and knows nothing of Plyforge."""
    roads, ends = _map(seed, towns)
    least = dict.fromkeys(range(towns), math.inf)
    waiting = [(3.0 - worth, town) for town, worth in ends.items()]
    for distance, town in waiting:
        least[town] = distance
    heapq.heapify(waiting)
    while waiting:
        distance, town = heapq.heappop(waiting)
        for other, length in roads[town].items():
            if other not in ends and distance + length < least[other]:
                least[other] = distance + length
                heapq.heappush(waiting, (least[other], other))
    return least


# ------------------------------------------------------------ best paths
@pytest.mark.parametrize("using", PATHS)
@pytest.mark.parametrize("knowing", [0.0, 0.5, 1.0])
def test_on_random_maps_searches_finds_a_best_path(using, knowing):
    for seed in range(12):
        game = Roads(seed, knowing=knowing)
        found = pf.search(game, using=using, native=False)
        total = truth(seed, game.towns)[0]
        assert found.reason == "complete" and found.exact
        assert found.value == pytest.approx(3.0 - total)
        state = game.start()
        for action in found.line:
            assert action in pf.legal_moves(game, state)
            state = game.result(state, action)
        assert game.terminal(state)
        assert game.utility(state) - found.cost == pytest.approx(found.value)


def test_distances_are_dijkstras():
    for seed in range(6):
        found = distances(Roads(seed), native=False)
        expected = truth(seed, 14)
        for number, state in enumerate(found.graph.numbering.all()):
            assert found.distances[number] == expected[state.node]
        line = found.line
        assert sum(_map(seed, 14)[0][a][b] for a, b in zip((0, *line), line, strict=False)) <= expected[0]


@pytest.mark.parametrize("using", PATHS)
def test_a_heuristic_that_says_too_much_is_not_taken_for_a_proof(using):
    found = pf.search(Roads(3, knowing=3.0), using=using, native=False)
    assert found.reason == "heuristic" and not found.exact
    assert found.value <= 3.0


def test_a_star_looks_again_where_a_cheaper_way_is_found_later():
    """An admissible heuristic that is not consistent: Martelli's, in small."""

    class UnevenCosts(RoadsCosts):
        admissible = True

        def h(self, game, s):
            return float({0: 0, 1: 4, 2: 0}[s.node])

    class Uneven(Roads):
        costs = UnevenCosts()

        def roads(self):
            return {0: {1: 1, 2: 3}, 1: {2: 1, 0: 1}, 2: {3: 3, 0: 3, 1: 1}, 3: {}}, {3: 3.0}

    game = Uneven()
    plan = AStar().plan(game, game.start(), native=False)
    plan.prepare()
    assert plan.search(None, None) == ""
    assert plan.best_total == 5.0 and plan.path() == [0, 1, 2]
    assert plan.memory.reopened == 1


def test_the_single_agent_tree_of_the_lecture_is_worth_eight():
    for using in (*PATHS, "minimax", "expectimax", "alpha_beta"):
        assert pf.search("tree(figure='single_agent')", using=using).value == 8


# ------------------------------------------------------------ the eight-puzzle
@pytest.mark.parametrize("using", PATHS)
def test_eight_puzzles_of_known_length(using):
    game = pf.load("slider")
    for text, length in (("1 2 3/4 5 6/7 . 8", 1), ("1 2 3/. 4 6/7 5 8", 3), ("1 2 3/4 5 6/7 8 .", 0)):
        found = pf.search(game, text, using, native=False)
        assert (found.cost, len(found.line), found.value) == (length, length, -length)
        assert isinstance(found, PathResult)


@compiles
@pytest.mark.parametrize("using", PATHS)
def test_interpreted_and_compiled_agree_to_the_node(using):
    game = pf.load("slider")
    for state, nodes in ((None, 200), ("1 8 2/. 4 3/7 6 5", None), ("1 2 3/4 5 6/7 8 .", None)):
        slow = pf.search(game, state, using, nodes=nodes, native=False)
        fast = pf.search(game, state, using, nodes=nodes, native=True)
        assert fast.native and not slow.native
        for field in FIELDS:
            assert getattr(slow, field) == getattr(fast, field), (field, state)


@compiles
def test_the_hardest_eight_puzzles_take_31_moves():
    game = pf.load("slider")
    for text, searches in (("8 6 7/2 5 4/3 . 1", PATHS), ("6 4 7/8 5 ./3 2 1", ("a_star", "ida_star"))):
        for using in searches:
            found = pf.search(game, text, using, native=True, nodes=20_000_000)
            assert (found.cost, found.reason) == (31, "complete"), using


# ------------------------------------------------------------ real time
@compiles
def test_a_trip_is_the_same_at_both_speeds_and_what_is_kept_saves_work():
    game = pf.load("slider")
    state = pf.parse_state(game, "8 6 7/2 5 4/3 . 1")
    fast = travel(game, state, nodes=60, native=True)
    slow = travel(game, state, nodes=60, native=False)
    assert (fast.actions, fast.nodes, fast.cost) == (slow.actions, slow.nodes, slow.cost)
    assert fast.ended and game.terminal(fast.state) and fast.value == -fast.cost == -len(fast.actions)
    assert max(fast.nodes) <= 60 and fast.cost >= 31
    forgetful = travel(game, state, nodes=60, native=True, search=RealTimeAStar(keep=False), most_moves=500)
    assert sum(fast.nodes) < sum(forgetful.nodes)


@compiles
def test_with_time_enough_a_trip_goes_along_a_best_path_and_thinks_once():
    game = pf.load("slider")
    trip = travel(game, "8 6 7/2 5 4/3 . 1", nodes=200_000, native=True)
    assert trip.cost == 31
    assert trip.nodes[0] > 1000 and sum(trip.nodes[1:]) == 0


def test_a_plan_that_has_moved_still_finds_best_paths():
    """After every step of a random walk, the plan's answer is that of a fresh search."""
    for seed in range(8):
        game, chance = Roads(seed, knowing=0.4), random.Random(seed)
        plan = AStar().plan(game, game.start(), native=False)
        plan.prepare()
        state = game.start()
        for _ in range(6):
            plan.search(chance.randrange(1, 8), None)
            state = game.result(state, chance.choice(pf.legal_moves(game, state)))
            if game.terminal(state):
                break
            if not plan.move(state):
                plan.begin(state)
            plan.search(chance.randrange(0, 3), None)
            assert plan.numbering[0] == state
        if game.terminal(state):
            continue
        assert plan.search(None, None) == ""
        assert plan.best_total == pytest.approx(truth(seed, game.towns)[state.node])


@compiles
def test_a_plan_moves_in_compiled_code_as_it_does_interpreted():
    game = pf.load("slider")
    known = []
    for native in (False, True):
        chance, state = random.Random(4), pf.parse_state(game, "8 6 7/2 5 4/3 . 1")
        plan = AStar().plan(game, state, native)
        plan.prepare()
        for _ in range(12):
            plan.search(9, None)
            state = game.result(state, chance.choice(pf.legal_moves(game, state)))
            assert plan.move(state)
            plan.search(2, None)
        known.append((plan.states, plan.best_total, plan.path(), plan.numbering.all(), int(plan.memory.nodes)))
    assert known[0] == known[1]
    assert plan.search(None, None) == ""
    assert plan.best_total == pf.search(game, state, "ida_star", native=True).cost


def test_an_engine_keeps_its_plan_from_move_to_move():
    from plyforge.play import Engine

    game = pf.load("slider")
    engine = Engine(game, native=False)
    assert engine.search.name == "real_time_a_star" and engine.anytime
    state = pf.parse_state(game, "1 8 2/. 4 3/7 6 5")
    engine.start(state, nodes=400)
    first = engine.wait()
    engine.start(game.result(state, first.action), nodes=400)
    second = engine.wait()
    assert first.reason == second.reason == "complete"
    assert second.nodes == 0 and second.cost == first.cost - 1


# ------------------------------------------------------------ learning
def test_lrta_star_gets_better_from_trial_to_trial_and_ends_with_a_best_path():
    game = pf.load("slider(width=3, height=2)")
    known = distances(game, native=False)
    state = known.farthest[0]
    learner = Learner(game, state, native=False)
    while learner.trial()[1]:
        assert learner.to_go <= known.distance_of(state)
        for other in known.graph.numbering.all()[::17]:
            learned = learner.learned_of(other)
            assert learned is None or learned <= known.distance_of(other)
    assert learner.lengths[-1] == known.distance_of(state) == 21
    assert learner.lengths[0] > 21 and learner.trials > 2


def test_lrta_star_can_be_given_a_number_of_trials():
    game = pf.load("slider(width=3, height=2)")
    state = ". 2 1/5 4 3"
    one = pf.search(game, state, LrtaStar(trials=1), native=False)
    assert one.reason == "trials" and one.nodes == one.cost == len(one.line)
    last = pf.search(game, state, LrtaStar(), native=False)
    assert last.reason == "complete" and last.cost <= one.cost


# ------------------------------------------------------------ limits
@pytest.mark.parametrize("using", PATHS)
def test_cut_short_there_is_an_action_and_an_estimate_that_is_not_too_low(using):
    game = pf.load("slider")
    for nodes in (1, 2, 37):
        found = pf.search(game, using=using, nodes=nodes, native=False)
        assert found.reason == "nodes" and found.nodes == nodes and not found.exact
        assert found.action in pf.legal_moves(game, game.start())
        assert 0 >= found.value >= -24  # the truth is -24, and an admissible heuristic hopes for more


@pytest.mark.parametrize("using", PATHS)
def test_seconds_and_a_stop_from_outside_are_kept(using):
    game = pf.load("slider(width=4, height=4)")
    found = pf.search(game, HARD, using, seconds=0.2, native=False)
    assert found.reason == "seconds" and found.seconds < 10 and found.action is not None
    control = Control()
    threading.Timer(0.2, control.stop).start()
    found = pf.search(game, HARD, using, depth=MAX_PLY, control=control, native=False)
    assert found.reason == "stopped" and found.action is not None


@compiles
def test_a_compiled_search_of_a_hard_puzzle_ends_in_time():
    found = pf.search("slider(width=4, height=4)", HARD, "ida_star", seconds=0.3, native=True)
    assert found.reason == "seconds" and found.action is not None
    # No 15-puzzle takes more than 80 moves (Brüngger and others, 1999), and the bound never says more than the truth.
    assert found.value >= -80


@compiles
def test_a_star_keeps_to_its_memory():
    found = pf.search("slider", "8 6 7/2 5 4/3 . 1", AStar(memory_mib=0.4), native=True)
    assert found.reason == "memory" and found.memory_mib <= 0.4 and 4000 < found.states <= 4096
    assert found.action is not None and -31 <= found.value < 0


def test_ida_star_takes_a_depth_and_the_others_do_not():
    game = pf.load("slider")
    assert pf.search(game, "1 2 3/. 4 6/7 5 8", "ida_star", depth=3, native=False).cost == 3
    short = pf.search(game, "1 2 3/. 4 6/7 5 8", "ida_star", depth=2, native=False)
    assert short.reason == "depth" and not short.exact
    for using in ("a_star", "real_time_a_star", "lrta_star"):
        with pytest.raises(pf.BadLimits, match="takes no depth"):
            pf.search(game, using=using, depth=5)
        assert pf.search(game, "1 2 3/. 4 6/7 5 8", using, depth=MAX_PLY, native=False).cost == 3


def test_where_no_end_can_be_reached_a_star_says_so():
    game = pf.load("slider(width=3, height=2)")
    hopeless = game.with_tiles([2, 1, 3, 4, 5, 0])
    with pytest.raises(pf.NoPath, match="all 360 states"):
        pf.search(game, hopeless, "a_star", native=False)
    assert distances(game, hopeless, native=False).distance is None


def test_ida_star_says_when_it_goes_round_in_circles():
    class FreeCosts(RoadsCosts):
        def cost(self, game, s, town):
            return 0.0

    class Free(Roads):
        costs = FreeCosts()

        def terminal(self, s):
            return False

        def actions(self, s):
            yield (s.node + 1) % 5

    with pytest.raises(pf.TooDeep, match="a_star"):
        pf.search(Free(), using="ida_star", native=False)


# ------------------------------------------------------------ what they refuse
@pytest.mark.parametrize("using", PATHS)
def test_games_of_two_players_and_games_of_chance_are_refused(using):
    with pytest.raises(pf.Unsuitable, match=r"it has 2 players\. Use 'alpha_beta' or 'engine'"):
        pf.search("connect4", using=using)
    with pytest.raises(pf.Unsuitable, match=r"chance moves in it\. Use 'expectiminimax'"):
        pf.search("slippery", using=using)
    with pytest.raises(pf.Unsuitable, match="to_go"):
        pf.search("slider", using=using, evaluate=lambda s: 0.0)


def test_the_searches_that_suit_a_puzzle():
    assert pf.search.suitable(pf.load("slider")) == "a_star"
    assert pf.search.suitable(pf.load("slippery")) == "expectiminimax"
    assert pf.search.suitable(pf.load("tree(figure='single_agent')")) == "alpha_beta"
    with pytest.raises(pf.Unsuitable, match="2 players"):
        distances(pf.load("nim"))
    with pytest.raises(pf.BadLimits, match="memory_mib"):
        pf.search("slider", using=AStar(memory_mib=0))


# ------------------------------------------------------------ watching
def test_ida_star_can_be_drawn_and_the_others_say_why_not():
    tree = pf.record(pf.load("slider"), pf.parse_state(pf.load("slider"), "1 2 3/4 . 5/7 8 6"), "ida_star", depth=4)
    assert tree.result.value == -2 and "-2" in pf.draw(tree, format="txt")
    for using in ("a_star", "real_time_a_star", "lrta_star"):
        with pytest.raises(pf.Unsuitable, match="ida_star"):
            pf.record(pf.load("slider"), None, using)


def test_progress_tells_the_bound():
    told = []
    found = pf.search("slider", using=IdaStar(), native=False, on_progress=told.append)
    assert found.exact
    assert all(-24 <= progress.value <= 0 for progress in told)


# ------------------------------------------------------------ the command line
def said(*arguments, typed=""):
    from click.testing import CliRunner

    from plyforge.cli import plyforge_command

    done = CliRunner().invoke(plyforge_command, list(arguments), input=typed, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


@pytest.mark.parametrize("using", PATHS)
def test_the_command_line_searches(using):
    found = json.loads(
        said("search", "slider", "--state", "1 2 3/. 4 6/7 5 8", "--using", using, "--interpreted", "--json")
    )
    assert (found["cost"], found["line"], found["reason"]) == (3.0, ["4", "5", "8"], "complete")


def test_the_command_line_shows_what_a_path_costs():
    shown = said("search", "slider", "--nodes", "20", "--interpreted")
    assert "not to the end" in shown and "states held" in shown and "the node limit: the best found so far" in shown


def test_the_command_line_solves_a_puzzle_by_a_census():
    found = json.loads(said("solve", "slider(width=2, height=2)", "--interpreted", "--json"))
    assert (found["states"], found["longest"], found["using"]) == (12, 6.0, "distances")
    assert found["distance"] == len(found["line"]) == -found["value"]
    shown = said("solve", "slider(width=2, height=2)", "--interpreted")
    assert "farthest  1 at 6" in shown and "2 at 5" in shown


def test_a_person_solves_a_puzzle_in_the_terminal_and_gets_a_hint():
    shown = said("play", "slider", "--state", "1 2 3/4 . 5/7 8 6", "--interpreted", typed="hint\n5\n6\nquit\n")
    assert "Hint: 5" in shown and "−2, proven" in shown
    assert "The actions cost 2." in shown


def test_a_trip_takes_the_name_of_a_game():
    assert pf.search.travel("slider(width=2, height=2)", nodes=50, native=False).ended
