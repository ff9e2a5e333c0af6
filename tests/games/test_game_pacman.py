"""Pacman: the rules, the mazes, the two speeds; and the lectures' claims: he starves, ghosts that work together
pinch him, optimism is punished."""

from __future__ import annotations

import random

import pytest

import paths
import plyforge as pf
from plyforge.check import check
from plyforge.contract import MAX, MIN, payoffs
from plyforge.errors import BadRules, BadText, Unsuitable
from plyforge.evaluate import Linear
from plyforge.games.pacman import MAZES, Chase, Pacman
from plyforge.games.pacman.maze import FAR, read_maze
from plyforge.games.pacman.rules import CATCH, DOT, POWER, STEP
from plyforge.games.several_players.pacman_rivals import PacmanRivals

LANE = "#######/#@..*A#/#######"
"""Pacman, two dots, a pellet, a ghost."""


def random_play(game: Pacman, seed: int) -> list[Chase]:
    stream = random.Random(seed)
    states = [game.start()]
    while not game.terminal(states[-1]):
        states.append(game.result(states[-1], stream.choice(pf.legal_moves(game, states[-1]))))
    return states


# ------------------------------------------------------------------ mazes
def test_a_maze_is_squares_steps_and_distances():
    maze = read_maze("#####/#@.A#/#*#.#/#...#/#####")
    assert [maze.places[s] for s in (maze.pacman, *maze.dens)] == [(1, 1), (1, 3)]
    assert len(maze.places) == 8 and len(maze.food) == 6
    assert maze.pellets.bit_count() == 1
    assert maze.distance[maze.pacman, maze.dens[0]] == 2
    assert max(maze.distance.max(axis=1)) == 4  # a ring of eight
    assert (maze.distance == maze.distance.T).all()


def test_a_floor_at_the_edge_is_a_tunnel_and_a_pen_is_far():
    maze = read_maze("######/ @.. #/######".replace(" @.. #", "@... "[:4] + " A"))
    assert maze.distance[maze.pacman, maze.dens[0]] == 1
    pen = Pacman("corridor").plan
    assert pen.distance[pen.pacman, pen.dens[0]] == FAR


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("####/#@A#/###", "row 3 of the maze has 3 columns, row 1 has 4"),
        ("#####/#@x.#/#..A#/#####", "'x' at row 2, column 3 means nothing"),
        ("####/#.A#/####", "one @.*this one has 0"),
        ("#####/#@@.#/#A..#/#####", "one @.*this one has 2"),
        ("#####/#@..#/#####", "this one has none"),
        ("#####/#@.B#/#####", "this one has B"),
        ("#####/#@ A#/#####", "1 to 62 dots and pellets together; this one has 0"),
        ("#######/#@.#.A#/#######", "can't get to the dot at row 2, column 5"),
        ("#####/#@.##/###A#/#####", "ghost A at row 3, column 4 is walled in"),
        ("nowhere", "there is no maze 'nowhere'; there are .*trap"),
        ("#" * 70 + "/" + "#@" + "." * 66 + "A#/" + "#" * 70, "this one has 66"),
        ("@" + " " * 300 + ".A/" + "#" * 303, "there is room for 250"),
    ],
)
def test_a_maze_that_is_none_is_refused_with_the_place(text, words):
    with pytest.raises(BadRules, match=words):
        Pacman(text)


def test_the_length_of_a_game_is_bounded():
    with pytest.raises(BadRules, match="rounds, not 0"):
        Pacman("trap", 0)
    game = Pacman("corridor", rounds=7)
    states = random_play(game, 1)
    assert len(states) - 1 <= game.heuristics.plies_left(game, game.start()) == 14


# ------------------------------------------------------------------ rules
def test_pacman_moves_first_then_each_ghost_and_min_moves_several_times():
    game = Pacman("arena")
    state, movers = game.start(), []
    for _ in range(5):
        movers.append(game.player(state))
        state = game.result(state, pf.legal_moves(game, state)[-1])
    assert movers == [MAX, MIN, MIN, MIN, MAX] and game.notation.agents(game) == 4


def test_a_dot_is_worth_ten_and_a_step_costs_one():
    game = Pacman(LANE)
    state = pf.state_after(game, "east", "west")
    assert game.points(state) == DOT - STEP and state.food.bit_count() == 2


def test_a_ghost_on_his_square_ends_the_game_whoever_went_there():
    game = Pacman("######/#@.A.#/######")
    walked_in = pf.state_after(game, "wait", "west", "east")
    assert game.terminal(walked_in) and game.winner(walked_in) == MIN
    assert walked_in.food.bit_count() == 2  # who runs into a ghost eats nothing there
    assert game.utility(walked_in) == -500 - 2 * STEP
    caught = pf.state_after(game, "east", "west")
    assert game.terminal(caught) and game.utility(caught) == -500 + DOT - STEP


def test_the_last_dot_wins():
    game = Pacman("######/#@.  #/####A#/#### #/######")
    won = pf.state_after(game, "east")
    assert game.terminal(won) and game.winner(won) == MAX and game.utility(won) == 500 + DOT - STEP


def test_still_hungry_at_the_end_is_lost():
    game = Pacman("corridor", rounds=2)
    state = pf.state_after(game, "wait", "east", "wait", "east")
    assert game.terminal(state) and game.utility(state) == -500 - 2 * STEP


def test_under_power_a_ghost_is_caught_and_sits_in_its_den_until_it_has_gone():
    game = Pacman("#########/#.@* A  #/#########")
    state = pf.state_after(game, "east", "west", "east")  # the pellet; the ghost comes; he catches it
    assert state.catches == 1 and state.caught == 1
    assert game.ghost_square(state, 0) == game.plan.dens[0]
    assert game.points(state) == DOT + CATCH - 2 * STEP
    assert pf.legal_moves(game, state) == [0]  # it waits
    for _ in range(POWER - 2):
        state = pf.state_after(game, "wait", "wait", state=state)
    assert state.power == 1 and state.caught == 1
    state = pf.state_after(game, "wait", state=state)
    assert (state.power, state.caught) == (0, 0) and game.player(state) == MAX
    assert [
        pf.format_action(game, state, a) for a in pf.legal_moves(game, pf.state_after(game, "wait", state=state))
    ] == [
        "west",
        "east",
    ]


def test_a_ghost_that_walks_into_power_is_caught_as_well():
    game = Pacman("#########/#.@*A   #/#########")
    state = pf.state_after(game, "east", "west")
    assert state.catches == 1 and not game.terminal(state)


def test_who_stands_in_the_den_when_the_power_goes_is_lost():
    game = Pacman("#########/#.@*A   #/#########")
    state = pf.state_after(game, "east", "west", "east", "wait")  # into the den of the caught ghost
    assert not game.terminal(state)
    while state.power:
        state = pf.state_after(game, "wait", "wait", state=state)
    assert game.got_him(state) and game.utility(state) < 0


@pytest.mark.parametrize("name", MAZES)
def test_won_is_above_nothing_lost_below_and_all_within_the_bounds(name):
    game = Pacman(name)
    assert game.stake > game.most_points and game.stake > STEP * game.rounds
    for seed in range(5):
        states = random_play(game, seed)
        value = game.utility(states[-1])
        assert (value > 0) == (game.winner(states[-1]) == MAX) and game.min_utility < value < game.max_utility
        for s in states[:-1]:
            assert game.min_utility < game.evaluate(s) < game.max_utility
            assert game.count(s) == len(pf.legal_moves(game, s)) and game.heuristics.plies_left(game, s) > 0


# ------------------------------------------------------------------ text
@pytest.mark.parametrize("name", MAZES)
def test_text_is_read_back(name):
    game = Pacman(name)
    for seed in range(3):
        for s in random_play(game, seed):
            assert pf.parse_state(game, pf.format_state(game, s)) == s


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("@1,1", "@0,0", "no floor"),
        ("A5,1", "B5,1", "expected A"),
        ("food=..*", "food=...", "food of this maze is"),
        ("power=0", "power=3", "no pellet was eaten"),
        ("power=0", "power=x", "whole number"),
        ("caught=-", "caught=A", "come out when"),
        ("caught=-", "caught=B", "letters of A"),
        ("catches=0", "catches=1", "can't have been caught"),
        ("round=0", "round=999", "ends after"),
        ("turn=@", "turn=C", "one of @, A"),
        ("@1,1", "@2,1", "has eaten what is on his square"),
        ("food=..*", "food=-.*", "nobody eats 1 in 0 moves"),
        (" turn=@", "", "write it like"),
    ],
)
def test_text_that_is_no_state_is_refused(old, new, words):
    game = Pacman(LANE)
    text = pf.format_state(game, game.start())
    assert old in text
    with pytest.raises(BadText, match=words):
        pf.parse_state(game, text.replace(old, new))


def test_the_picture_shows_everybody_and_small_letters_under_power():
    game = Pacman("#########/#.@*A   #/#########")
    assert game.show(game.start()).split("\n")[1] == "#.@*A   #"
    under_power = pf.state_after(game, "east", "east")
    assert game.show(under_power).split("\n")[1:] == [
        "#. @ a  #",
        "#########",
        f"points 9, round 1 of 300, power for {POWER - 1}",
    ]


# ------------------------------------------------------------------ searches
def test_the_checker_finds_nothing():
    for game in (Pacman("small", rounds=20), PacmanRivals("arena", rounds=10)):
        report = check(game, states=150, native=False)
        assert report.ok, report


def test_minimax_lets_the_ghosts_move_in_succession():
    """Alpha-beta is minimax, and max^n of two sides is, too."""
    game = Pacman("ring")
    found = {using: pf.search(game, using=using, depth=6, native=False) for using in ("minimax", "alpha_beta", "max_n")}
    assert found["minimax"].value == found["alpha_beta"].value == found["max_n"].value[0]
    assert found["minimax"].action == found["alpha_beta"].action == found["max_n"].action


def test_a_reflex_a_best_response_and_simulations_choose_too():
    """A dot to the west, a ghost that comes from the east: everybody eats, and the last dot ends it."""
    game = Pacman("########/#.@   A#/########")
    searches = {"alpha_beta": {"depth": 1}, "expectimax": {"depth": 4}, "uct": {"simulations": 60, "seed": 1}}
    for using, limits in searches.items():
        found = pf.search(game, using=using, native=False, **limits)
        assert found.text(found.action) == "west", using
    assert pf.search(game, using="alpha_beta", depth=1, native=False).value == game.stake + DOT - STEP


def test_depth_is_told_in_plies_and_in_rounds():
    from plyforge.play import SearchPlayer, explain

    game = Pacman("ring")
    assert SearchPlayer("minimax", depth=6).words(game) == "minimax, 6 plies (2 rounds) ahead"
    assert "6 plies (2 rounds) ahead" in explain(pf.search(game, depth=6, native=False))
    assert SearchPlayer("minimax", depth=6).words(pf.load("kalah")) == "minimax, 6 plies ahead"


def test_rivals_want_the_catch_for_themselves():
    game = PacmanRivals("######/#@.AB#/#    #/######")
    assert game.players == 3
    with pytest.raises(Unsuitable, match="3 players"):
        pf.search(game, using="alpha_beta", depth=3)
    caught = pf.state_after(game, "wait", "west", "west", "wait", "west")
    assert game.terminal(caught) and game.winner(caught) == 1
    mine, ours, theirs = payoffs(game, game.utility(caught))
    assert mine + ours + theirs == pytest.approx(0.0) and ours - theirs == game.stake
    found = pf.search(game, pf.state_after(game, "wait", "west", "west", "wait"), using="max_n", depth=2, native=False)
    assert found.text(found.action) == "west" and found.value[1] == max(found.value)
    with pytest.raises(BadRules, match="two ghosts"):
        PacmanRivals("trap")


# ------------------------------------------------------------------ the lectures' claims
def example(name: str):
    """A program of the examples, as a module."""
    import importlib.util

    path = paths.EXAMPLES / f"{name}.py"
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_pacman_starves_where_the_evaluation_cannot_tell_now_from_later_and_a_better_one_cures_it():
    """CE417, slide 51, at its depth of 2: replanning, he puts off for ever what he could eat now."""
    starves = example("pacman_starves")
    game = Pacman("corridor", rounds=30)
    moves, end = starves.play(game, Linear.of(game, {"points": 1.0}), native=False)
    assert end.round == 30 and moves[:28] == "w" + "." * 27  # one step, then beside the dot
    moves, end = starves.play(game, None, native=False)
    assert end.food == 0 and moves == "wweeeeeee"


def test_ghosts_that_plan_together_pinch_him_where_greedy_ones_follow():
    """CE417, slide 52."""
    ghosts = example("pacman_ghosts")
    game = Pacman("ring", rounds=60)
    teams = ghosts.teams(game, native=False)
    first = pf.legal_moves(game, game.start())[0]
    assert ghosts.play(game, teams["each the shortest way"], first, native=False).food == 0
    pinched = ghosts.play(game, teams["together, 3 rounds ahead"], first, native=False)
    assert game.got_him(pinched) and pinched.round < 10
    around = {game.ghost_square(pinched, ghost) for ghost in range(2)}
    beside = {int(there) for there in game.steps[pinched.pacman] if there >= 0}
    assert len(around) == 2 and around & beside  # not one behind the other on one side
