"""Chinese checkers: against published counts and values, and against rules written a second time on rows of text."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache

import pytest

import plyforge as pf
from conftest import compiles
from plyforge.check import check
from plyforge.contract import payoffs
from plyforge.errors import BadRules, BadText, IllegalAction
from plyforge.games.chinese_checkers import ChineseCheckers
from plyforge.games.chinese_checkers.board import board_of, hexagon_holes, point_holes
from plyforge.games.chinese_checkers.position import PASS, Star
from plyforge.games.chinese_checkers.rules import LANDINGS, NOBODY
from plyforge.solve import backward_induction, perft

BOTH = [False, pytest.param(True, marks=[compiles, pytest.mark.full])]
SMALLEST = ChineseCheckers(players=3, size=1, move_limit=0)


# ------------------------------------------------------------------ the same rules, by rows of text
Rows = dict[tuple[int, int], str]
"""Row and place across the page, neighbours in a row two apart: the letter there, or '.'."""
AROUND = ((0, 2), (0, -2), (1, 1), (1, -1), (-1, 1), (-1, -1))


def rows_of(text: str) -> Rows:
    return {
        (row, 2 * place - len(letters) + 1): letter
        for row, letters in enumerate(text.split()[0].split("/"))
        for place, letter in enumerate(letters)
    }


@cache
def regions(game: ChineseCheckers, letter: str) -> tuple[set[tuple[int, int]], set[tuple[int, int]]]:
    """Where a player may stand, and where it wants to go: the point opposite that in which it begins."""
    start = rows_of(pf.format_state(game, game.start()))
    home = {hole for hole, held in start.items() if held == letter}
    target = {(4 * game.size - row, -across) for row, across in home}
    middle = {hole for hole in start if game.size <= hole[0] <= 3 * game.size}
    middle = {(r, x) for r, x in middle if abs(x) <= 4 * game.size - abs(r - 2 * game.size) - 2 * game.size}
    return middle | home | target, target


def moves_of(game: ChineseCheckers, rows: Rows, letter: str) -> set[tuple[tuple[int, int], tuple[int, int]]]:
    allowed, _ = regions(game, letter)
    found = set()
    for origin in [hole for hole, held in rows.items() if held == letter]:
        left = {**rows, origin: "."}

        def land(hole: tuple[int, int], rows: Rows = left) -> bool:
            return rows.get(hole) == "." and hole in allowed

        ends = {(origin[0] + r, origin[1] + x) for r, x in AROUND}
        ends = {hole for hole in ends if land(hole)}
        paths = [(origin,)]
        while paths:
            path = paths.pop()
            row, across = path[-1]
            for r, x in AROUND:
                over, beyond = (row + r, across + x), (row + 2 * r, across + 2 * x)
                if left.get(over, ".") != "." and land(beyond) and beyond not in path:
                    ends.add(beyond)
                    paths.append((*path, beyond))
        found |= {(origin, end) for end in ends if end != origin}
    return found


def won(game: ChineseCheckers, rows: Rows) -> list[str]:
    names = [name[0] for name in game.notation.player_names]
    targets = {letter: regions(game, letter)[1] for letter in names}
    return [
        letter
        for letter in names
        if all(rows[hole] != "." for hole in targets[letter]) and any(rows[hole] == letter for hole in targets[letter])
    ]


def sequences(game: ChineseCheckers, rows: Rows, turn: int, depth: int) -> int:
    if depth == 0:
        return 1
    if won(game, rows):
        return 0
    letter = game.notation.player_names[turn][0]
    after = (turn + 1) % game.players
    total = 0
    for origin, end in moves_of(game, rows, letter):
        total += sequences(game, {**rows, origin: ".", end: letter}, after, depth - 1)
    return total or sequences(game, rows, after, depth - 1)


COUNTS = {
    (2, 1): [2, 4, 16, 62, 220],
    (2, 2): [6, 36, 372, 3844],
    (2, 4): [14, 196, 4648],
    (3, 1): [2, 4, 8, 28, 98],
    (3, 2): [6, 36, 216, 2232],
    (3, 3): [10, 100, 1000],
    (4, 2): [6, 36, 216, 1296],
    (6, 1): [2, 4, 7, 16, 25],
    (6, 2): [6, 36, 216],
}


@pytest.mark.parametrize("players, size", COUNTS)
def test_sequences_are_as_many_as_by_the_rules_on_rows_of_text(players: int, size: int) -> None:
    game = ChineseCheckers(players, size)
    rows = rows_of(pf.format_state(game, game.start()))
    expected = [sequences(game, rows, 0, depth) for depth in range(1, len(COUNTS[players, size]) + 1)]
    assert [perft(game, depth=depth, native=False).nodes for depth in range(1, len(expected) + 1)] == expected
    assert expected == COUNTS[players, size]


@pytest.mark.parametrize("players, size", [(2, 2), (3, 2), (4, 2), (6, 2), (3, 3), (2, 4), (6, 1)])
def test_actions_on_the_way_through_random_games_are_those_of_the_rules_on_rows_of_text(
    players: int, size: int
) -> None:
    game = ChineseCheckers(players, size)
    names = {hole: name for name, hole in _places(game).items()}
    draw = random.Random(players * 10 + size)
    for _ in range(3):
        s = game.start()
        for _ in range(40):
            rows = rows_of(pf.format_state(game, s))
            expected = {
                f"{names[origin]}-{names[end]}"
                for origin, end in moves_of(game, rows, game.notation.player_names[s.player][0])
            }
            legal = pf.legal_moves(game, s)
            assert {pf.format_action(game, s, action) for action in legal} == (expected or {"pass"})
            assert len(legal) == game.count(s) <= game.max_actions
            s = game.result(s, draw.choice(legal))
            winners = won(game, rows_of(pf.format_state(game, s)))
            assert [game.notation.player_names[game.who_won(s)][0]] == winners if winners else not game.terminal(s)
            if game.terminal(s):
                break


def _places(game: ChineseCheckers) -> dict[str, tuple[int, int]]:
    return {
        f"{chr(97 + row)}{place}": (row, 2 * place - len(holes) - 1)
        for row, holes in enumerate(game.star.rows)
        for place in range(1, len(holes) + 1)
    }


@compiles
def test_compiled_counts_are_the_interpreted_ones() -> None:
    game = ChineseCheckers()
    for depth in (4, 5):
        assert perft(game, depth=depth, native=True).nodes == {4: 2232, 5: 23136}[depth]
    assert perft(game, depth=4, native=False).nodes == 2232


# ------------------------------------------------------------------ published
def test_the_stars_have_as_many_holes_as_they_should() -> None:
    for size, holes, pieces in ((1, 13, 1), (2, 37, 3), (3, 73, 6), (4, 121, 10)):
        assert hexagon_holes(size) + 6 * point_holes(size) == holes == len(board_of(size).names)
        assert sum(map(len, board_of(size).rows)) == holes and point_holes(size) == pieces
    assert [len(row) for row in board_of(4).rows] == [
        1,
        2,
        3,
        4,
        13,
        12,
        11,
        10,
        9,
        10,
        11,
        12,
        13,
        4,
        3,
        2,
        1,
    ]


def test_the_ordinary_game_begins_with_fourteen_moves() -> None:
    assert ChineseCheckers(players=2, size=4).count(ChineseCheckers(players=2, size=4).start()) == 14


def reachable(game: ChineseCheckers) -> list[Star]:
    found = [game.start()]
    known = set(found)
    for s in found:
        for action in pf.legal_moves(game, s):
            after = game.result(s, action)
            if after not in known:
                known.add(after)
                found.append(after)
    return found


def test_three_on_the_smallest_star_have_1245_positions() -> None:
    """Liou, "Solving three-player Chinese checkers": 1,245 positions can be reached with one piece each."""
    assert len(reachable(SMALLEST)) == 1245


def test_positions_with_three_pieces_each_are_as_many_as_published() -> None:
    """The same source: 14,841,300,390 ways to place three pieces each and to say who moves."""
    from math import comb

    game = ChineseCheckers(players=3, size=2)
    middle, own = hexagon_holes(2), int(game.homes[0] | game.targets[0]).bit_count()
    total = sum(
        comb(own, 3 - a) * comb(own, 3 - b) * comb(own, 3 - c) * comb(middle, a) * comb(middle - a, b)
        * comb(middle - a - b, c)
        for a in range(4) for b in range(4) for c in range(4)
    )  # fmt: skip
    assert 3 * total == 14_841_300_390


Followers = dict[Star, list[Star]]


def forced(game: ChineseCheckers, following: Followers, team: set[int], winners: set[int]) -> bool:
    """True if `team`, whatever the others do, can bring about that one of `winners` wins."""
    sure = {s for s in following if game.who_won(s) in winners}
    before = -1
    while len(sure) > before:
        before = len(sure)
        for s, after in following.items():
            if after and (any if s.player in team else all)(t in sure for t in after):
                sure.add(s)
    return game.start() in sure


def test_no_player_can_force_a_win_any_two_can_stop_the_third_and_anybody_can_be_a_kingmaker() -> None:
    """The same source, for one piece each: what two can do together, and one alone can't."""
    game = SMALLEST
    following = {s: [game.result(s, action) for action in pf.legal_moves(game, s)] for s in reachable(game)}
    for player in range(3):
        others = {0, 1, 2} - {player}
        assert not forced(game, following, {player}, {player})
        assert forced(game, following, others, others)
        for other in others:
            assert forced(game, following, {player, other}, {other})


def test_the_first_of_two_wins_on_the_smallest_star() -> None:
    """Sturtevant 2019: every board he solved is won by whoever begins; 3 by 3 holes are the star of size 1."""
    solution = backward_induction(ChineseCheckers(players=2, size=1, move_limit=8))
    assert solution.value == 1.0


# ------------------------------------------------------------------ who has won
TWO = ChineseCheckers(players=2, size=2)


def test_a_piece_that_stays_at_home_does_not_block() -> None:
    s = pf.parse_state(TWO, "./../......./....../RGG../....../....R../R./G R 0")
    assert TWO.winner(s) is None and not TWO.terminal(s)
    s = pf.state_after(TWO, "g5-h2", state=s)
    assert TWO.winner(s) == 0 and TWO.terminal(s) and TWO.utility(s) == 1.0
    assert pf.format_state(TWO, s) == "./../......./....../RGG../....../......./RR/G G 1"


def test_whoever_fills_an_enemys_target_has_lost() -> None:
    s = pf.parse_state(TWO, "./../......./....../.RR../....../..GG.../.R/G G 1")
    assert TWO.winner(pf.state_after(TWO, "g4-g5", state=s)) is None
    assert TWO.winner(pf.state_after(TWO, "g3-h1", state=s)) == 0


def test_a_target_that_is_full_of_others_is_not_won() -> None:
    assert TWO.who_won(TWO.start()) == NOBODY and not TWO.terminal(TWO.start())


def test_who_can_not_move_passes() -> None:
    game = ChineseCheckers(players=6, size=1)
    s = pf.state_after(game, "a1-b2", "b4-b3", "d4-d3", "e1-c1", "d1-d2")
    assert game.show(s).splitlines()[1] == "b  V R O ."
    assert pf.legal_moves(game, s) == [PASS] and pf.format_action(game, s, PASS) == "pass"
    after = pf.state_after(game, "pass", state=s)
    assert (after.player, after.ply) == (0, 6) and game.count(s) == 1


def test_after_the_last_move_everybody_has_an_equal_share() -> None:
    game = ChineseCheckers(players=4, size=1, move_limit=1)
    s = pf.state_after(game, "a1-b2", "b4-b3", "e1-d2", "d1-c1")
    assert game.terminal(s) and game.utility(s) == (0.25, 0.25, 0.25, 0.25)
    assert game.heuristics.plies_left(game, game.start()) == 4


@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_everybody_can_win_and_gets_one(players: int) -> None:
    game = ChineseCheckers(players, 1)
    for player in range(players):
        inner, outer = [0] * players, [0] * players
        for other in range(players):
            inner[other] = 1 << other
        inner[player], outer[player] = 0, int(game.targets[player])
        s = Star(tuple(inner), tuple(outer), 0, 0)
        assert game.winner(s) == player
        gains = payoffs(game, game.utility(s))
        assert gains[player] == 1.0 and sum(gains) == game.utility_sum
        assert sum(payoffs(game, game.evaluate(s))) == pytest.approx(1.0)
        assert max(payoffs(game, game.evaluate(s))) == payoffs(game, game.evaluate(s))[player]


# ------------------------------------------------------------------ what it adds
def test_a_jump_goes_on_as_long_as_it_likes_and_over_anybody() -> None:
    game = ChineseCheckers(players=3, size=2)
    s = pf.parse_state(game, "R/.R/...Y.../....../..BB./....R./B....YY/../. R 0")
    ends = {pf.format_action(game, s, action) for action in pf.legal_moves(game, s)}
    assert {"f5-d4", "f5-b1"} <= ends  # over e4, and on over c4
    assert {"b2-d3", "b2-f4", "b2-d5"} <= ends  # over c4, e3 and e4
    assert "b2-c4" not in ends


def test_features_are_the_race() -> None:
    game = ChineseCheckers(players=3, size=2)
    s = game.start()
    assert [game.encoding.race(game, s, player) for player in range(3)] == [(20.0, 7.0, 3.0)] * 3
    assert game.encoding.features(game, s) == (0.0, 0.0, 0.0) and len(game.encoding.feature_names) == 3
    nearer = pf.state_after(game, "a1-c3")
    assert game.encoding.race(game, nearer, 0) == (18.0, 6.0, 3.0) and game.encoding.features(game, nearer)[0] < 0
    assert game.evaluate(nearer)[0] > game.evaluate(nearer)[1] == game.evaluate(nearer)[2]
    assert game.heuristics.ordering(game, s, pf.parse_action(game, s, "a1-c3")) == 3.0
    assert game.heuristics.ordering(game, nearer, PASS) == 1.0


def test_no_more_actions_than_promised() -> None:
    for size in range(1, 5):
        holes = [
            (x, y)
            for x in range(-2 * size, 2 * size + 1)
            for y in range(-2 * size, 2 * size + 1)
            if max(x, y, -x - y) <= size or min(x, y, -x - y) >= -size
        ]
        assert max(Counter((x % 2, y % 2) for x, y in holes).values()) - 1 == LANDINGS[size]


def test_a_turn_can_be_handed_to_anybody() -> None:
    game = ChineseCheckers(players=4, size=2)
    s = pf.state_after(game, "a1-c3", "c6-d5")
    for player in range(4):
        t = game.heuristics.with_turn(game, s, player)
        assert t.player == player and t.ply == s.ply + (player - s.player) % 4
        assert pf.format_state(game, t).split()[0] == pf.format_state(game, s).split()[0]
    assert game.heuristics.with_turn(game, s, s.player) == s


# ------------------------------------------------------------------ text
@pytest.mark.parametrize("players, size", [(2, 1), (3, 2), (4, 3), (6, 4)])
def test_text_is_read_back(players: int, size: int) -> None:
    game = ChineseCheckers(players, size, move_limit=20)
    draw = random.Random(size)
    s = game.start()
    for _ in range(25):
        assert pf.parse_state(game, pf.format_state(game, s)) == s
        assert pf.parse_state(game, pf.format_state(game, s).lower()) == s
        if game.terminal(s):
            break
        legal = pf.legal_moves(game, s)
        for action in legal[:5]:
            assert pf.parse_action(game, s, pf.format_action(game, s, action)) == action
        s = game.result(s, draw.choice(legal))


def test_the_picture_is_a_star() -> None:
    assert ChineseCheckers(players=3, size=1).show(ChineseCheckers(players=3, size=1).start()).split("\n") == [
        "a     R",
        "b  . . . .",
        "c   . . .",
        "d  B . . Y",
        "e     .",
    ]


@pytest.mark.parametrize(
    "text, why",
    [
        ("", "is not a state"),
        ("R/RR/......./....../...../B....Y/BB...YY/../. R", "is not a state"),
        ("R/RR/......./....../...../B....Y/BB...YY/../. G 0", "who moves is one of R, Y, B"),
        ("R/RR/......./....../...../B....Y/BB...YY/../. R x", "not a number"),
        ("R/RR/......./....../...../B....Y/BB...YY/../. R 1", "it is the turn of Y"),
        ("R/RR/......./....../...../B....Y/BB...YY/../. R 303", "more than this game has"),
        ("R/RR/......./....../...../B....Y/BB...YY/.. R 0", "has 8 rows"),
        ("R/RR/....../....../...../B....Y/BB...YY/../. R 0", "row 3 has 7 holes"),
        ("R/RG/......./....../...../B....Y/BB...YY/../. R 0", "'G' is not one of"),
        ("R/R./......./....../...../B....Y/BB...YY/../. R 0", "R has 2 pieces instead of 3"),
        ("R/R./R....../....../...../B....Y/BB...YY/../. R 0", "R can't be in c1, the point of others"),
    ],
)
def test_text_that_is_no_state_is_refused(text: str, why: str) -> None:
    with pytest.raises(BadText, match=why):
        pf.parse_state(ChineseCheckers(), text)


def test_a_state_with_two_winners_is_refused() -> None:
    with pytest.raises(BadText, match="Red and Green have won"):
        pf.parse_state(TWO, "G/GR/......./....../...../....../......./RR/G R 0")


def test_an_action_that_is_not_legal_is_refused() -> None:
    with pytest.raises(IllegalAction, match="a1-c5"):
        pf.state_after(ChineseCheckers(), "a1-a1")


@pytest.mark.parametrize("arguments", ["players=5", "players=1", "size=0", "size=5", "move_limit=-1"])
def test_stars_that_make_no_game_are_refused(arguments: str) -> None:
    with pytest.raises(BadRules, match="chinese_checkers"):
        pf.load(f"chinese_checkers({arguments})")


# ------------------------------------------------------------------ laws, and both speeds
@pytest.mark.parametrize("players, size", [(2, 1), (3, 1), (6, 1), (4, 2)])
def test_the_laws_hold(players: int, size: int) -> None:
    report = check(ChineseCheckers(players, size, move_limit=6), states=400, native=False)
    assert report.ok, report


@compiles
@pytest.mark.full
@pytest.mark.parametrize("players, size", [(2, 2), (3, 2), (4, 3), (6, 4)])
def test_the_laws_hold_compiled(players: int, size: int) -> None:
    report = check(ChineseCheckers(players, size), native=True)
    assert report.ok, report


@pytest.mark.parametrize("native", BOTH)
def test_simulations_with_tuples_find_the_win_that_is_there(native: bool) -> None:
    """One step from home, uct proves (1, 0, 0); a step of somebody else's decides between the others."""
    game = ChineseCheckers(players=3, size=1)
    s = pf.parse_state(game, "./.Y../.B./..R./. R 0")
    found = pf.search(game, s, using="uct", simulations=200, native=native)
    assert found.text(found.action) == "d3-e1" and found.value == (1.0, 0.0, 0.0)
