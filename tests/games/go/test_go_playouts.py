"""Playouts of Go: the board of arrays against the rules, whom patterns attract, what skilled players answer, and
both speeds alike."""

from __future__ import annotations

import random
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import pytest

import plyforge as pf
from conftest import compiles
from plyforge.games.go import Go, Position
from plyforge.games.go.patterns import BLACK, EMPTY, EYE, FOR_MOVER, RING, SHAPES, WHITE, pattern_table
from plyforge.games.go.playout import (
    NOWHERE,
    answers,
    final_score,
    in_atari,
    is_legal,
    is_sensible,
    liberties_after,
    put_stone,
    set_up,
    shapes,
)
from plyforge.games.go.points import around, both, has, point, size_of, spread
from plyforge.kernel import Constant, kernel, mix, new_stream
from plyforge.kernel.entry import coerce, native_function
from plyforge.kernel.storage.scratch import new_scratch
from plyforge.play.engine import Engine
from plyforge.search.mcts import Flat, Puct, Uct


class Log:
    """Remembers what it is told."""

    def __init__(self) -> None:
        self.told: list[tuple[int, int]] = []

    def note(self, memory: Any, player: int, action: int) -> None:
        self.told.append((player, action))


def board_of(game: Go, s: Position) -> Any:
    b = new_scratch(game)
    set_up(game, b, s)
    return b


def random_game(game: Go, seed: int, plies: int) -> list[tuple[Position, int]]:
    """States with the action taken there."""
    stream, s, seen = new_stream(seed), game.start(), []
    for _ in range(plies):
        if game.terminal(s):
            break
        action = game.sample(s, stream)
        seen.append((s, action))
        s = game.result(s, action)
    return seen


def chain_liberties(game: Go, stones: Any, empty: Any, place: int) -> int:
    return size_of(both(around(game, spread(game, point(game, place), stones)), empty))


def examine(game: Go, b: Any, s: Position) -> None:
    """All that the arrays say is what the rules say."""
    empty = game.empty(s)
    for place in range(game.places):
        cell = game.origin + place
        if not has(game.full, place):
            continue
        colour = BLACK if has(s.black, place) else WHITE if has(s.white, place) else EMPTY
        assert b.colour[cell] == colour
        code = sum(b.colour[cell + int(step)] << 2 * number for number, step in enumerate(game.ring))
        assert b.around[cell] == code
        if colour != EMPTY:
            stones = s.black if colour == BLACK else s.white
            assert in_atari(b, b.chain[cell]) == (chain_liberties(game, stones, empty, place) == 1)
            assert b.stones[b.chain[cell]] == size_of(spread(game, point(game, place), stones))
            continue
        for player in (0, 1):
            if player != s.player and s.ko == place:
                continue  # ko binds only whoever moves now
            legal = has(game.legal_points(s._replace(player=player)), place)
            assert is_legal(game, b, cell, BLACK + player) == legal
            if legal:
                after = game.result(s._replace(player=player), place)
                own = after.black if player == 0 else after.white
                liberties = chain_liberties(game, own, game.empty(after), place)
                assert min(liberties, 2) == liberties_after(game, b, cell, BLACK + player)
    assert sorted(b.free[: b.free_count]) == [game.origin + place for place in range(game.places) if has(empty, place)]
    assert b.ko == (NOWHERE if s.ko < 0 else game.origin + s.ko)
    assert final_score(game, b) == game.score(s)


# ------------------------------------------------------------ the board of arrays
@pytest.mark.parametrize(("size", "seed"), [(2, 1), (3, 2), (3, 3), (5, 4), (5, 5), (9, 6)])
def test_the_arrays_say_what_the_rules_say_after_every_stone(size: int, seed: int) -> None:
    game = Go(size)
    b = board_of(game, game.start())
    for ply, (s, action) in enumerate(random_game(game, seed, 90)):
        if size < 9 or ply % 12 == 0:
            examine(game, b, s)
            examine(game, board_of(game, s), s)
        if action == game.places:
            b.ko = NOWHERE
        else:
            put_stone(game, b, game.origin + action, BLACK + s.player)


def test_a_playout_is_a_game_by_the_rules_to_its_end() -> None:
    for skilled in (False, True):
        for seed in range(8):
            game, stream, log = Go(5, margin=True), new_stream(seed), Log()
            s = random_game(game, seed, 12)[-1][0]
            ahead = game.heuristics.rollout(game, s, stream, skilled, log, None, 1000)
            assert game.min_utility <= ahead <= game.max_utility and (ahead + game.komi) == int(ahead + game.komi)
            places = [action for _, action in log.told]
            assert len(set(places)) == len(places) and all(has(game.full, place) for place in places)
            assert log.told[0][0] == s.player
            assert all(has(game.legal_points(s), action) for player, action in log.told[:1])


def test_a_playout_stops_after_as_many_plies_as_it_may_make() -> None:
    game, log = Go(9), Log()
    game.heuristics.rollout(game, game.start(), new_stream(1), False, log, None, 10)
    assert len(log.told) == 10


def test_simple_playouts_begin_anywhere_but_in_eyes() -> None:
    game = Go(5)
    s = pf.parse_state(game, ".b.b./bbbb./..bww/ww.w./.w.w. b")
    sensible = {
        place
        for place in range(game.places)
        if has(game.legal_points(s), place) and is_sensible(game, board_of(game, s), False, game.origin + place, BLACK)
    }
    eyes = {pf.parse_action(game, s, "A5")}
    assert sensible == {place for place in pf.legal_moves(game, s) if place != game.places} - eyes - {
        pf.parse_action(game, s, "C5")
    }
    seen = dict.fromkeys(sensible, 0)
    stream = new_stream(4)
    for _ in range(200 * len(sensible)):
        log = Log()
        game.heuristics.rollout(game, s, stream, False, log, None, 1)
        seen[log.told[0][1]] += 1
    assert min(seen.values()) > 130 and max(seen.values()) < 280


# ------------------------------------------------------------ shapes
def surroundings(text: str) -> int:
    """A drawing of three rows with X for Black and O for White, as a code."""
    rows = text.split("/")
    return sum(".XO#".index(rows[1 + row][1 + column]) << 2 * n for n, (row, column) in enumerate(RING))


def test_shapes_attract_in_all_directions_and_colours() -> None:
    table = pattern_table()
    for drawing in ("XOX/.../...", "OXO/.../...", ".../.../XOX", "X../O../X..", "..X/..O/..X"):
        assert table[surroundings(drawing)] & 3 == BLACK | WHITE, drawing
    for drawing in (".../.../...", "XXX/.../...", "XXX/X.X/XXX", "###/#../#.."):
        assert table[surroundings(drawing)] & 3 == 0, drawing
    assert table[surroundings("XOO/.../...")] & 3 == BLACK
    assert table[surroundings("OXX/.../...")] & 3 == WHITE
    assert table[surroundings("OX./X.O/###")] & 3 == BLACK | WHITE


def test_every_shape_is_three_rows_around_an_empty_point() -> None:
    for name, shape in (SHAPES | FOR_MOVER).items():
        rows = shape.split("/")
        assert [len(row) for row in rows] == [3, 3, 3] and rows[1][1] == ".", name


def test_eyes_are_told_by_neighbours_and_corners() -> None:
    table = pattern_table()
    for drawing, colour, eye in (
        ("XXX/X.X/XXX", BLACK, True),
        ("OXX/X.X/XXX", BLACK, True),
        ("OXX/X.X/XXO", BLACK, False),
        ("OXX/X.X/###", BLACK, False),
        (".X./X.X/###", BLACK, True),
        ("#O./#.O/###", WHITE, True),
        ("#OX/#.O/###", WHITE, False),
        ("XXX/X.X/XXX", WHITE, False),
    ):
        assert bool(table[surroundings(drawing)] & colour * EYE) == eye, drawing


# ------------------------------------------------------------ skill
def candidates(text: str, find: Any) -> set[str]:
    game = Go(text.split()[0].count("/") + 1)
    s = pf.parse_state(game, text)
    b = board_of(game, s)
    b.found = 0
    find(game, b, game.origin + s.last, BLACK + s.player)
    return {pf.format_action(game, s, cell - game.origin) for cell in b.candidates[: b.found]}


def test_the_last_stone_is_captured_if_it_can_be() -> None:
    assert candidates("...../..b../.bw../..b../..... b - 0 C3", answers) == {"D3"}


def test_a_chain_in_atari_extends_only_where_it_gets_two_liberties() -> None:
    assert candidates("...../..w../.wb../..w../..... b - 0 B3", answers) == {"D3"}
    assert candidates("b..../w..../...../...../..... b - 0 A4", answers) == {"B5"}
    assert candidates("bw.../...../...../...../..... b - 0 B5", answers) == {"A4"}
    assert candidates("b.w../w..../...../...../..... b - 0 A4", answers) == set()


def test_a_chain_in_atari_is_saved_by_capturing_what_encloses_it() -> None:
    assert candidates("bwwb./bbwb./w..../...../..... b - 0 A3", answers) == {"B3", "C3"}
    assert candidates("bwwb./bbwb./w.w../.w.../..... b - 0 A3", answers) == set()


def test_shapes_are_looked_for_around_the_last_stone() -> None:
    assert "C2" in candidates("...../...../.bwb./...../..... b - 0 C3", shapes)
    assert candidates("...../...../..w../...../..... b - 0 C3", shapes) == set()


def test_skilled_players_see_what_simple_ones_overlook() -> None:
    """Black has just put three stones into atari: whoever sees that saves them, and White is ahead."""
    game = Go(5, 0.0)
    s = pf.parse_state(game, "..b../.bwb./.bwb./.bw../..b.. w - 0 D3")
    first = {}
    for skilled in (False, True):
        stream, log = new_stream(9), Log()
        for _ in range(30):
            game.heuristics.rollout(game, s, stream, skilled, log, None, 1)
        first[skilled] = {pf.format_action(game, s, action) for _, action in log.told}
    assert first[True] == {"D2"} and len(first[False]) > 5


# ------------------------------------------------------------ in a search
@dataclass(frozen=True)
class Sum(Constant):
    """Adds up what it is told, each with its place, so that the order counts."""

    def note(self, memory: Any, player: int, action: int) -> None:
        memory.state = mix(memory.state, 2 * action + player)


@kernel
def several_playouts(game: Any, log: Any, skilled: bool, memory: Any, stream: Any, s: Any, number: int) -> float:
    total = 0.0
    for _ in range(number):
        total += game.heuristics.rollout(game, s, stream, skilled, log, memory, 1000)
    return total


@compiles
@pytest.mark.parametrize("skilled", [pytest.param(False, marks=pytest.mark.full), True])
def test_playouts_are_the_same_at_both_speeds(skilled: bool) -> None:
    game = Go(9, 6.5, margin=True)
    s = coerce(pf.state_after(game, "E5", "E4", "D4", "D3"))
    found = []
    for native in (False, True):
        stream, memory = new_stream(3), new_stream(4)
        args = (game, Sum(), skilled, memory, stream, s, 12)
        run = native_function(several_playouts, *args) if native else several_playouts
        found.append((run(*args), int(memory.state), int(stream.state)))
    assert found[0] == found[1]


@compiles
@pytest.mark.full
def test_the_tree_is_the_same_at_both_speeds_with_skill_and_all_moves_as_first() -> None:
    search, game = Uct(simulations=60, weighted=True, rave=50.0), Go(4, 0.5)
    slow, fast = (search.search(game, native=native) for native in (False, True))
    assert fast.native and not slow.native
    for field in ("action", "value", "values", "visits", "errors", "nodes", "line", "depth"):
        assert getattr(slow, field) == getattr(fast, field), field


@compiles
@pytest.mark.full
def test_playouts_are_the_same_at_both_speeds_on_large_boards() -> None:
    for game, search in (
        (Go(9), Uct(simulations=300)),
        (Go(19), Uct(simulations=30, weighted=True)),
        (Go(13), Uct(simulations=30, rave=300.0)),
    ):
        slow, fast = (search.search(game, native=native) for native in (False, True))
        assert (slow.values, slow.visits) == (fast.values, fast.visits)


@compiles
@pytest.mark.full
def test_threads_have_boards_of_their_own() -> None:
    game = Go(9)
    found = Uct(simulations=20_000, weighted=True, rave=300.0, threads=2).search(game, native=True)
    assert found.simulations == 20_000
    assert -0.6 < found.value < 0.6


def test_all_moves_as_first_learns_from_playouts() -> None:
    game = Go(5, 0.5)
    plain, told = (Uct(simulations=40, rave=rave).search(game, native=False) for rave in (None, 50.0))
    assert plain.visits != told.visits


def test_interpreted_scratch_has_the_fields_of_its_type() -> None:
    game = Go(3)
    b = new_scratch(game)
    assert isinstance(b, SimpleNamespace) and set(vars(b)) == set(game.scratch.names)
    assert len(b.colour) == game.cells


def test_random_playouts_of_a_won_position_are_won() -> None:
    game = Go(5, 0.5)
    s = pf.parse_state(game, ".b.b./bbbbb/bbbbb/bbbbb/.bbb. w")
    dice = random.Random(1)
    assert all(
        game.heuristics.rollout(game, s, new_stream(dice.randrange(99)), False, Log(), None, 1000) == 1.0
        for _ in range(9)
    )


# ------------------------------------------------------------ superko in trees
SUPERKO = ["B2", "B1", "A1", "pass", "A2", "B1"]
"""On two by two: Black at B2 would bring back the board after the second move."""


@pytest.mark.parametrize("search", [Uct(simulations=300), Puct(simulations=300), Flat(simulations=50)])
def test_trees_leave_out_what_superko_forbids(search: Any) -> None:
    game = Go(2, 0.5)
    history = [pf.state_after(game, *SUPERKO[:ply]) for ply in range(len(SUPERKO) + 1)]
    state, again = history[-1], pf.parse_action(game, history[-1], "B2")
    known = search.start(game, False).think(state, history=history[:-1])
    assert again not in known.visits and known.action != again and known.visits
    unknown = search.start(game, False).think(state)
    assert again in unknown.visits


def test_a_kept_tree_does_not_carry_what_is_forbidden_into_another_game() -> None:
    """With these moves behind it White may not take back and has lost; without them it wins. A proof of the one is
    none of the other."""
    game = Go(2, 0.5)
    moves = ["A2", "B2", "A1", "B1", "A2", "pass", "A1"]
    history = [pf.state_after(game, *moves[:ply]) for ply in range(len(moves) + 1)]
    searcher = Uct(simulations=2000).start(game, False)
    with_past = searcher.think(history[-1], history=history[:-1])
    assert with_past.exact and with_past.value == 1.0
    without = searcher.think(history[-1])
    assert without.exact and without.value == -1.0
    again = searcher.think(history[-1], history=history[:-1])
    assert again.exact and again.value == 1.0


def test_a_tree_forbids_what_its_own_simulations_would_bring_back() -> None:
    """Two by two without komi is a win for Black by one point, but only since no board may come back."""
    found = Uct(simulations=3000, exploration=0.5).search(Go(2, 0.0), native=False)
    assert found.value == 1.0 and found.exact


def test_engines_tell_the_tree_what_was_played() -> None:
    game = Go(2, 0.5)
    history = [pf.state_after(game, *SUPERKO[:ply]) for ply in range(len(SUPERKO) + 1)]
    engine = Engine(game, using="uct", native=False)
    engine.start(history[-1], simulations=100, history=history[:-1])
    assert pf.format_action(game, history[-1], engine.wait().action) != "B2"
    assert pf.parse_action(game, history[-1], "B2") not in engine.wait().visits


def test_trees_that_expand_later_are_smaller() -> None:
    game = Go(5)
    sizes = [Uct(simulations=150, expand_at=visit).search(game, native=False).nodes for visit in (2, 4, 8)]
    assert sizes[0] > sizes[1] > sizes[2] > 25
    with pytest.raises(pf.BadLimits, match="expand_at"):
        Uct(expand_at=1).search(game, native=False)
