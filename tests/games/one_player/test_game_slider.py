"""The slider puzzle: known counts, known distances, parity, and three heuristics that are held against the truth."""

from __future__ import annotations

import random
from functools import cache

import numpy as np
import pytest

import plyforge as pf
from conftest import compiles
from plyforge.contract import defines
from plyforge.games.one_player.slider import HEURISTICS
from plyforge.solve import distances

# How many positions of the 8-puzzle are 0, 1, 2 ... moves from the goal with the blank in a corner (A. Reinefeld,
# "Complete solution of the eight-puzzle and the benefit of node ordering in IDA*", IJCAI 1993).
EIGHT = [
    1, 2, 4, 8, 16, 20, 39, 62, 116, 152, 286, 396, 748, 1024, 1893, 2512, 4485, 5638, 9529, 10878, 16993, 17110, 23952,
    20224, 24047, 15578, 14560, 6274, 3910, 760, 221, 2,
]  # fmt: skip
# The same for the 15-puzzle, up to 12 moves (R. Korf and P. Schultze, "Large-scale parallel breadth-first search", AAAI
# 2005).
FIFTEEN = [1, 2, 4, 10, 24, 54, 107, 212, 446, 946, 1948, 3938, 7808]
# From Korf's hundred random 15-puzzles ("Depth-first iterative-deepening", Artificial Intelligence 27, 1985): the
# number, the tiles with the blank first in the goal, the length of a shortest solution.
KORF = {
    79: ("0 1 9 7 11 13 5 3 14 12 4 2 8 6 10 15", 42),
    12: ("14 1 9 6 4 8 12 5 7 2 3 0 10 11 13 15", 45),
    42: ("4 5 7 2 9 14 12 13 0 3 6 11 8 1 15 10", 42),
    55: ("13 8 14 3 9 1 0 7 15 5 4 10 12 2 6 11", 41),
    85: ("4 7 13 10 1 2 9 6 12 8 14 5 3 0 11 15", 44),
}
KORFS_FIRST = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3"
KORF_LONG = {KORFS_FIRST: 57, "3 14 9 11 5 4 8 2 13 12 6 7 10 1 15 0": 46, "13 14 6 12 4 5 1 0 9 3 10 2 15 11 8 7": 52}


def turned(text: str) -> str:
    """A position of Korf's, with the blank last in the goal: half a turn of the board, and tile n called 16 - n."""
    tiles = [int(word) for word in text.split()][::-1]
    return " ".join(str(16 - tile) if tile else "." for tile in tiles)


@cache
def eight():
    return distances(pf.load("slider"), native=True)


# ------------------------------------------------------------ truths
@compiles
def test_the_eight_puzzle_has_the_known_number_of_positions_at_every_distance():
    found = eight()
    assert found.states == 181_440
    assert list(found.counts.items()) == list(enumerate(map(int, EIGHT)))
    assert found.longest == 31 and found.native
    texts = {pf.format_state(pf.load("slider"), state) for state in found.farthest}
    assert texts == {"8 6 7/2 5 4/3 . 1", "6 4 7/8 5 ./3 2 1"}


def test_the_fifteen_puzzle_has_the_known_number_of_positions_near_the_goal():
    game = pf.load("slider(width=4, height=4, heuristic='manhattan')")
    # A solved puzzle has no actions, so count backwards by hand: moves can be taken back.
    level = {
        pf.parse_state(game, "1 2 3 4/5 6 7 8/9 10 11 12/13 14 . 15"),
        pf.parse_state(game, "1 2 3 4/5 6 7 8/9 10 11 ./13 14 15 12"),
    }
    before, counts = {pf.parse_state(game, "1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 .")}, [1]
    while len(counts) < 9:
        counts.append(len(level))
        after = {game.result(s, cell) for s in level for cell in game.actions(s)}
        before, level = level, after - before
    assert counts == FIFTEEN[:9]


@compiles
@pytest.mark.parametrize("number", KORF)
def test_korfs_fifteen_puzzles_have_the_published_lengths(number):
    text, length = KORF[number]
    game = pf.load("slider(width=4, height=4)")
    found = pf.search(game, turned(text), "ida_star")
    assert (found.cost, found.value, len(found.line), found.reason) == (length, -length, length, "complete")
    state = pf.parse_state(game, turned(text))
    for action in found.line:
        assert action in pf.legal_moves(game, state)
        state = game.result(state, action)
    assert game.terminal(state)


@compiles
@pytest.mark.full
@pytest.mark.parametrize("heuristic", ["manhattan", "linear_conflict"])
@pytest.mark.parametrize("text", KORF_LONG)
def test_korfs_longer_puzzles(text, heuristic):
    game = pf.load(f"slider(width=4, height=4, heuristic='{heuristic}')")
    assert pf.search(game, turned(text), "ida_star").cost == KORF_LONG[text]


def test_korfs_first_puzzle_has_the_known_manhattan_distance():
    game = pf.load("slider(width=4, height=4, heuristic='manhattan')")
    assert pf.parse_state(game, turned(KORFS_FIRST)).estimate == 41


def test_the_two_by_two_puzzle_is_a_ring_of_twelve():
    found = distances(pf.load("slider(width=2, height=2)"), native=False)
    assert found.counts == {0: 1, 1: 2, 2: 2, 3: 2, 4: 2, 5: 2, 6: 1}


def test_half_of_all_arrangements_can_be_solved():
    found = distances(pf.load("slider(width=3, height=2)"), native=False)
    assert found.states == 360 and found.longest == 21  # 6! / 2, and the longest of the 2 x 3 puzzle


# ------------------------------------------------------------ heuristics
def counted_from_scratch(game, tiles, heuristic):
    """The heuristics as their definitions read, with nothing kept up to date."""
    width, total = game.width, 0
    for cell, tile in enumerate(tiles):
        if tile:
            home = tile - 1
            steps = abs(cell // width - home // width) + abs(cell % width - home % width)
            total += min(1, steps) if heuristic == "misplaced" else steps
    if heuristic != "linear_conflict":
        return total
    rows = [(range(row * width, (row + 1) * width)) for row in range(game.height)]
    columns = [range(column, game.size, width) for column in range(width)]
    for line in [line for lines in (rows, columns) for line in lines if len(line) <= 4]:
        ours = [tiles[cell] for cell in line if tiles[cell] and tiles[cell] - 1 in line]
        most = 0
        for chosen in range(1 << len(ours)):
            kept = [tile for place, tile in enumerate(ours) if chosen >> place & 1]
            if kept == sorted(kept):
                most = max(most, len(kept))
        total += 2 * (len(ours) - most)
    return total


@pytest.mark.parametrize("heuristic", HEURISTICS)
@pytest.mark.parametrize("size", [(3, 3), (4, 4), (2, 3), (5, 3), (2, 8)])
def test_what_is_kept_up_to_date_is_what_the_definition_says(heuristic, size):
    game = pf.load(f"slider(width={size[0]}, height={size[1]}, heuristic='{heuristic}')")
    chance, state = random.Random(7), game.start()
    for _ in range(60):
        state = game.result(state, chance.choice(pf.legal_moves(game, state)))
        assert state.estimate == counted_from_scratch(game, game.tiles(state), heuristic)
        assert state == game.with_tiles(game.tiles(state))


@compiles
def test_every_heuristic_is_admissible_and_consistent_in_every_position_of_the_eight_puzzle():
    found = eight()
    states, truth = found.graph.numbering.all(), found.distances
    edges = np.repeat(np.arange(found.states), np.diff(found.graph.first_edge))
    before = np.zeros(found.states)
    for heuristic in HEURISTICS:
        game = pf.load(f"slider(heuristic='{heuristic}')")
        parts = np.array(game.parts).reshape(16, 16)
        cells = np.array([int(state.cells) for state in states])
        if heuristic == "linear_conflict":
            estimate = np.array([state.estimate for state in states])
        else:
            estimate = sum(parts[cells >> (4 * cell) & 15, cell] for cell in range(9))
        assert np.all(estimate <= truth)
        assert np.all(estimate[edges] <= 1 + estimate[found.graph.successor])
        assert np.all(estimate >= before)  # each is at least as good as the one before
        before = estimate


# ------------------------------------------------------------ rules
def test_the_solved_puzzle_is_the_end_and_worth_nothing():
    game = pf.load("slider")
    solved = pf.parse_state(game, "1 2 3/4 5 6/7 8 .")
    assert game.terminal(solved) and game.utility(solved) == 0 and pf.legal_moves(game, solved) == []
    assert game.players == 1 and defines(game.costs, "cost") and not game.has_chance


def test_only_tiles_beside_the_blank_slide():
    game = pf.load("slider")
    texts = {
        ". 1 2/3 4 5/6 7 8": ["1", "3"],
        "1 2 3/4 . 5/7 8 6": ["2", "4", "5", "8"],
        "1 2 3/. 4 6/7 5 8": ["1", "4", "7"],
    }
    for text, tiles in texts.items():
        state = pf.parse_state(game, text)
        assert [pf.format_action(game, state, cell) for cell in pf.legal_moves(game, state)] == tiles
        assert game.count(state) == len(tiles)


@pytest.mark.parametrize("seed", range(6))
def test_every_seed_is_a_puzzle_that_can_be_solved(seed):
    game = pf.load(f"slider(seed={seed})")
    assert pf.parse_state(game, pf.format_state(game, game.start())) == game.start()
    assert not game.terminal(game.start())
    assert len({pf.load(f"slider(seed={seed})").start() for seed in range(6)}) == 6


# ------------------------------------------------------------ text
def test_a_puzzle_that_can_not_be_solved_is_refused_with_the_reason():
    game = pf.load("slider")
    with pytest.raises(pf.BadText, match=r"can't be solved.*odd permutation.*0 steps from its corner"):
        pf.parse_state(game, "1 2 3/4 5 6/8 7 .")
    with pytest.raises(pf.BadText, match=r"even permutation.*1 steps"):
        pf.parse_state(game, "1 2 3/4 5 6/8 . 7")
    famous = "1 2 3 4/5 6 7 8/9 10 11 12/13 15 14 ."  # Loyd's prize puzzle
    with pytest.raises(pf.BadText, match="Exchange any two tiles"):
        pf.parse_state(pf.load("slider(width=4, height=4)"), famous)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1 2 3",
        "1 2 3/4 5 6/7 8 9",
        "1 2 3/4 5 6/7 7 .",
        "1 2 3 4/5 6 7/8 .",
        "1 2 3/4 5 6/7 x .",
        "1 2 3/4 5 6/7 8 -1",
    ],
)
def test_what_is_no_board_is_refused(text):
    with pytest.raises(pf.BadText):
        pf.parse_state(pf.load("slider"), text)


def test_the_blank_and_the_slashes_may_be_written_in_several_ways():
    game = pf.load("slider")
    state = pf.parse_state(game, "1 2 3/4 . 5/7 8 6")
    assert pf.parse_state(game, "1 2 3 4 0 5 7 8 6") == pf.parse_state(game, "1 2 3/4 _ 5/7 8 6") == state
    assert game.show(state) == "1 2 3\n4 . 5\n7 8 6"


@pytest.mark.parametrize("text", ["slider(1, 5)", "slider(5, 4)", "slider(heuristic='good')"])
def test_boards_that_do_not_fit_are_refused(text):
    with pytest.raises(pf.BadRules):
        pf.load(text)
