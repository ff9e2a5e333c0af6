"""Go: how many positions are legal, captures, ko and seki made by hand, chains against a naive walk, and the text
form."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import plyforge as pf
from conftest import compiles
from plyforge.check import check
from plyforge.evaluate.installed import installed_file
from plyforge.games.go import NO_POINT, Go, Position
from plyforge.games.go.points import either, has, joined, nth_of, point, size_of, without
from plyforge.kernel import kernel, new_stream
from plyforge.kernel.entry import native_function
from plyforge.learn.folder import rules_of
from plyforge.play.match.openings import Opening
from plyforge.play.match.referee import Referee, TimeRules
from plyforge.play.players.player import Choice, RandomPlayer
from plyforge.play.session import GameSession
from plyforge.solve.table_file import rules_digest

LEGAL_POSITIONS = {2: 57, 3: 12_675, 4: 24_318_165}
"""Tromp and Farneback, "Combinatorics of Go" (2007)."""


@kernel
def legal_positions(game: Any, points: Any) -> int:
    """Of all ways to colour the board, those in which every chain has a liberty, by the rules' own flood fill."""
    number = 0
    for colouring in range(3 ** (game.size * game.size)):
        black = white = game.nothing
        rest = colouring
        for place in points:
            if rest % 3 == 1:
                black = either(black, point(game, place))
            elif rest % 3 == 2:
                white = either(white, point(game, place))
            rest //= 3
        empty = without(game.full, either(black, white))
        if game.alive(black, empty) and game.alive(white, empty):
            number += 1
    return number


def count_legal(size: int) -> int:
    game = Go(size)
    points = np.array([place for place in range(game.places) if has(game.full, place)])
    return int(native_function(legal_positions, game, points)(game, points))


def board(text: str) -> tuple[Go, Position]:
    """A position, and the game of its size."""
    game = Go(text.split()[0].count("/") + 1, 0.0, True)
    return game, pf.parse_state(game, text)


def stones(game: Go, s: Position) -> str:
    return pf.format_state(game, s).split()[0]


def naive_chain(cells: dict[Any, str], place: Any) -> tuple[set[Any], set[Any]]:
    """The chain of a stone, and its liberties, by walking from point to point."""
    chain, liberties, waiting = {place}, set(), [place]
    while waiting:
        row, column = waiting.pop()
        for near in ((row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)):
            if cells.get(near) == ".":
                liberties.add(near)
            elif near in cells and near not in chain and cells[near] == cells[place]:
                chain.add(near)
                waiting.append(near)
    return chain, liberties


class NaiveGo:
    """Go with a dict for a board: the rules as one would tell them."""

    def __init__(self, size: int) -> None:
        self.cells = {(row, column): "." for row in range(size) for column in range(size)}
        self.ko: Any = None

    def after(self, place: Any, colour: str) -> tuple[dict[Any, str], Any] | None:
        """The cells and the ko point after a stone; None if it may not be played."""
        if self.cells[place] != "." or place == self.ko:
            return None
        cells = self.cells | {place: colour}
        row, column = place
        taken: set[Any] = set()
        for near in ((row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)):
            if cells.get(near) not in (None, ".", colour):
                chain, liberties = naive_chain(cells, near)
                if not liberties:
                    taken |= chain
        for gone in taken:
            cells[gone] = "."
        chain, liberties = naive_chain(cells, place)
        if not liberties:
            return None
        return cells, min(taken) if len(taken) == len(chain) == len(liberties) == 1 else None

    def legal(self, colour: str) -> set[Any]:
        return {place for place in self.cells if self.after(place, colour) is not None}


# ------------------------------------------------------------ known truths
@pytest.mark.parametrize("size", [2, 3])
def test_as_many_positions_are_legal_as_tromp_and_farneback_counted(size: int) -> None:
    assert count_legal(size) == LEGAL_POSITIONS[size]


@compiles
@pytest.mark.full
def test_as_many_positions_are_legal_on_four_by_four() -> None:
    assert count_legal(4) == LEGAL_POSITIONS[4]


def test_two_by_two_reaches_every_position_that_is_legal() -> None:
    game = Go(2, 0.0)
    seen, waiting = {game.start()}, [game.start()]
    while waiting:
        s = waiting.pop()
        for action in pf.legal_moves(game, s):
            after = game.result(s, action)
            if after not in seen:
                seen.add(after)
                waiting.append(after)
    assert len({(s.black, s.white) for s in seen}) == LEGAL_POSITIONS[2]


# ------------------------------------------------------------ the rules
@pytest.mark.parametrize(("size", "seeds"), [(2, 6), (3, 6), (5, 4), (7, 2), (9, 2), (13, 1)])
def test_random_games_are_those_of_naive_rules(size: int, seeds: int) -> None:
    game = Go(size)
    for seed in range(seeds):
        dice, naive, s = random.Random(seed), NaiveGo(size), game.start()
        for _ in range(min(3 * size * size, 200)):
            if game.terminal(s):
                break
            colour = "bw"[s.player]
            legal = {divmod(place, game.stride) for place in game.actions(s) if place != game.places}
            assert legal == naive.legal(colour)
            assert game.count(s) == len(legal) + 1
            action = dice.choice(pf.legal_moves(game, s))
            if action == game.places:
                naive.ko = None
            else:
                naive.cells, naive.ko = naive.after(divmod(action, game.stride), colour)  # type: ignore[misc]
            s = game.result(s, action)
            rows = ["".join(naive.cells[row, column] for column in range(size)) for row in range(size)]
            assert stones(game, s) == "/".join(reversed(rows))
            assert (None if s.ko == NO_POINT else divmod(s.ko, game.stride)) == naive.ko
        assert pf.parse_state(game, pf.format_state(game, s)) == s


def test_a_stone_without_liberties_is_captured_in_the_middle_at_the_edge_and_in_the_corner() -> None:
    for before, move, after in (
        (".b./bw./.b. b", "C2", ".b./b.b/.b."),
        ("wb./.../... b", "A2", ".b./b../..."),
        ("bbw/.w./... w", "A2", "..w/ww./..."),
        ("bw./bw./... w", "A1", ".w./.w./w.."),
    ):
        game, s = board(before)
        assert stones(game, pf.state_after(game, move, state=s)) == after


def test_one_stone_captures_several_chains_at_once() -> None:
    game, s = board(".ww../wbbw./wb.bw/.wbbw/..ww. w")
    after = pf.state_after(game, "C3", state=s)
    assert stones(game, after) == ".ww../w..w./w.w.w/.w..w/..ww."
    assert game.score(after) == -25


def test_suicide_is_forbidden_for_one_stone_and_for_many() -> None:
    game, s = board(".b./b.b/.b. w")
    with pytest.raises(pf.IllegalAction, match="suicide"):
        pf.parse_action(game, s, "B2")
    game, s = board("ww.b/bbbb/..../.... w")
    with pytest.raises(pf.IllegalAction, match="suicide"):
        pf.parse_action(game, s, "C4")
    pf.parse_action(game, pf.parse_state(game, "ww.b/bbbb/..../.... b"), "C4")


def test_a_stone_that_captures_has_a_liberty_and_is_no_suicide() -> None:
    game, s = board(".bw./b.bw/.bw./.... w")
    after = pf.state_after(game, "B3", state=s)
    assert stones(game, after) == ".bw./bw.w/.bw./...."


def test_ko_forbids_to_recapture_at_once_and_no_longer() -> None:
    game, s = board(".bw./b.bw/.bw./.... w")
    taken = pf.state_after(game, "B3", state=s)
    assert pf.format_action(game, taken, taken.ko) == "C3"
    with pytest.raises(pf.IllegalAction, match="ko"):
        pf.parse_action(game, taken, "C3")
    elsewhere = pf.state_after(game, "D1", "A1", state=taken)
    assert elsewhere.ko == NO_POINT
    assert stones(game, pf.state_after(game, "C3", state=elsewhere)) == ".bw./b.bw/.bw./w..b"
    assert pf.state_after(game, "pass", "pass", state=taken).ko == NO_POINT


def test_a_stone_thrown_in_takes_back_more_than_it_costs() -> None:
    """Snapback: whoever captures the one stone is captured at once, and no ko forbids it."""
    game, s = board("..wb./wwwb./bbbb./...../..... b")
    taken = pf.state_after(game, "B5", "A5", state=s)
    assert stones(game, taken) == "w.wb./wwwb./bbbb./...../....." and taken.ko == NO_POINT
    assert stones(game, pf.state_after(game, "B5", state=taken)) == ".b.b./...b./bbbb./...../....."


def test_points_that_reach_both_colours_are_nobodys() -> None:
    """Seki: whoever plays at D6 or D7 first is captured at the other, so both chains live and the points stay empty."""
    game, s = board("bww.bbw/bbw.bww/.bbbww./bbbbwww/..bbww./..bbw../..bbw.. w")
    assert stones(game, pf.state_after(game, "D6", "D7", state=s)).startswith("b..bbbw/bb..bww/")
    black, white = game.areas(s)
    for text in ("D6", "D7"):
        shared = pf.parse_action(game, s, text)
        assert not has(black, shared) and not has(white, shared)
    assert size_of(black) == 26 and size_of(white) == 21 and game.score(s) == 5


def test_the_empty_board_belongs_to_nobody_and_one_stone_owns_all() -> None:
    game = Go(9)
    s = pf.state_after(game, "pass", "pass")
    assert game.terminal(s) and game.score(s) == 0 and game.utility(s) == -1.0
    assert not list(game.actions(s))
    s = pf.state_after(game, "E5", "pass", "pass")
    assert game.score(s) == 81 and game.utility(s) == 1.0


def test_komi_decides_and_whole_komi_can_tie() -> None:
    line = ["B2", "pass", "pass"]
    for komi, value in ((8.5, 1.0), (9.0, 0.0), (-3.0, 1.0), (9, 0.0)):
        game = Go(3, komi)
        assert game.utility(pf.state_after(game, *line)) == value
    game = Go(3, 2.5, margin=True)
    assert game.utility(pf.state_after(game, *line)) == 6.5
    assert (game.min_utility, game.max_utility) == (-11.5, 6.5)


def test_superko_forbids_every_board_that_was_there_before_but_no_pass() -> None:
    beyond_ko = 0
    for size, seed in ((2, 1), (2, 2), (2, 3), (3, 4)):
        game, dice = Go(size), random.Random(seed)
        history = [game.start()]
        for _ in range(60):
            s = history[-1]
            boards = {stones(game, before) for before in history}
            for action in pf.legal_moves(game, s):
                repeated = action != game.places and stones(game, game.result(s, action)) in boards
                assert ("superko" in game.history.forbidden(game, history, action)) == repeated
                beyond_ko += repeated
            history.append(game.result(s, dice.choice(pf.legal_moves(game, s)[1:] or [game.places])))
            if game.terminal(history[-1]):
                break
    assert beyond_ko > 10


SUPERKO = ["B2", "B1", "A1", "pass", "A2", "B1"]
"""On two by two: White has captured three stones, and Black at B2 would bring back the board after the second move."""


def test_sessions_refuse_what_superko_forbids() -> None:
    session = GameSession(Go(2))
    for text in SUPERKO:
        session.play_text(text)
    game, again = session.game, pf.parse_action(session.game, session.state, "B2")
    assert again in pf.legal_moves(game, session.state) and again not in session.legal
    assert "superko" in session.forbidden(again)
    for attempt in (
        lambda: session.play(again),
        lambda: session.play_text("B2"),
        lambda: session.play_text("b2"),
    ):
        with pytest.raises(pf.IllegalAction, match="superko"):
            attempt()
    session.play_text("pass")


def test_referees_refuse_what_superko_forbids() -> None:
    game = Go(2)

    class Stubborn(RandomPlayer):
        def choose(self, game: Any, state: Any, **more: Any) -> Choice:
            return Choice(pf.parse_action(game, state, "B2"))

    players = [Stubborn(1), Stubborn(1)]
    played = Referee(game, players, TimeRules()).play(0, "A", Opening(tuple(SUPERKO)), 1)
    assert (played.forfeited, played.reason) == ("A", "illegal") and "superko" in played.message
    history = [pf.state_after(game, *SUPERKO[:ply]) for ply in range(len(SUPERKO) + 1)]
    dice, drawn = RandomPlayer(5), set()
    for _ in range(30):
        drawn.add(pf.format_action(game, history[-1], dice.choose(game, history[-1], history=history[:-1]).action))
    assert drawn == {"pass", "A1", "A2"}


# ------------------------------------------------------------ hooks
def test_all_legal_actions_are_drawn_equally_often() -> None:
    game, s = board(".bw./b.bw/.bw./w..b w")
    stream, seen = new_stream(5), dict.fromkeys(pf.legal_moves(game, s), 0)
    for _ in range(3000):
        seen[game.sample(s, stream)] += 1
    assert min(seen.values()) > 0.7 * 3000 / len(seen)
    assert max(seen.values()) < 1.3 * 3000 / len(seen)


def test_images_have_the_same_score_and_as_many_actions() -> None:
    game, stream = Go(5), new_stream(2)
    s = game.start()
    for _ in range(30):
        s = game.result(s, game.sample(s, stream))
        if game.terminal(s):
            break
        images = list(game.heuristics.symmetries(game, s))
        assert len(images) == 7
        assert {(game.score(image), game.count(image)) for image in images} == {(game.score(s), game.count(s))}
        assert {pf.parse_state(game, pf.format_state(game, image)) for image in images} == set(images)


def test_keys_tell_stones_mover_ko_and_passes_but_not_the_last_move() -> None:
    game, s = board(".bw./b.bw/.bw./.... w")
    assert game.key(s) == game.key(s._replace(last=pf.parse_action(game, s, "B3")))
    others = [
        s._replace(player=0),
        s._replace(ko=5),
        s._replace(passes=1),
        pf.state_after(game, "A1", state=s),
    ]
    assert len({int(game.key(other)) for other in [s, *others]}) == 5
    assert game.history.superko_key(game, s) == game.history.superko_key(game, s._replace(player=0))


@pytest.mark.parametrize("text", ["go(size=2, komi=0)", "go(size=4, komi=0.5, margin=True)"])
def test_the_laws_hold(text: str) -> None:
    report = check(pf.load(text), states=100, native=False)
    assert report.ok, str(report)


@compiles
def test_both_speeds_agree_on_boards_of_two_words() -> None:
    """Boards of one word are among the games of test_two_speeds.py."""
    game = Go(8)
    slow, fast = (pf.search(game, using="alpha_beta", depth=2, native=native) for native in (False, True))
    assert fast.native and not slow.native
    for field in ("value", "action", "nodes", "line"):
        assert getattr(slow, field) == getattr(fast, field), field


# ------------------------------------------------------------ text
def test_vertices_have_no_column_i() -> None:
    game = Go(19)
    s = game.start()
    assert pf.format_action(game, s, 8) == "J1" and pf.format_action(game, s, game.places - 2) == "T19"
    assert pf.parse_action(game, s, "j1") == 8 and pf.parse_action(game, s, " PASS ") == game.places
    for wrong in ("I5", "A0", "A20", "U1", "", "5", "A", "A01", "A1x", "D٤", "pas", "A111"):
        with pytest.raises(pf.IllegalAction):
            pf.parse_action(game, s, wrong)


def test_bad_positions_are_refused_with_the_reason() -> None:
    game = Go(3)
    for text, reason in (
        ("", "write the rows"),
        (".../... b", "2 rows"),
        (".../..../... b", "4 points"),
        (".../.x./... b", "must be b, w"),
        (".../.../... x", "who moves"),
        (".../.../... b B2 0 -", "exactly one"),
        (".../.../... b - 3 -", "0, 1 or 2"),
        (".../.../... b - 1 -", "pass"),
        (".../.../... b - 0 Z9", "no point"),
        (".../.../... b - 0 B2", "opponent"),
        (".w./wbw/.w. b - 0 -", "no liberty"),
        (".../.../... b - 0 - x", "write the rows"),
    ):
        with pytest.raises(pf.BadText, match=reason):
            pf.parse_state(game, text)
    assert pf.parse_state(game, ".../.../...") == game.start()


def test_the_picture_has_coordinates_and_marks_the_last_stone() -> None:
    game = Go(3)
    lines = game.show(pf.state_after(game, "B2", "C3")).splitlines()
    assert lines == ["   A B C", " 3 . .(O)3", " 2 . X . 2", " 1 . . . 1", "   A B C"]


def test_sizes_and_komi_that_make_no_sense_are_refused() -> None:
    for size, komi in ((1, 0.0), (20, 7.5), (5, float("inf")), (5, float("nan"))):
        with pytest.raises(pf.BadRules):
            Go(size, komi)


@pytest.mark.parametrize("komi", [7.5, 300.0, -300.0, 1e6, -1e300])
def test_a_komi_that_decides_the_game_stays_within_its_bounds(komi: float) -> None:
    for margin in (False, True):
        game = Go(2, komi, margin)
        for s in (game.start(), pf.state_after(game, "A1"), pf.state_after(game, "A1", "pass", "pass")):
            assert game.min_utility <= game.evaluate(s) <= game.max_utility
            assert game.heuristics.bounds(game, s)[0] <= game.heuristics.bounds(game, s)[1]
        assert game.min_utility <= game.utility(pf.state_after(game, "pass", "pass")) <= game.max_utility
    found = pf.search(Go(2, komi), using="engine", depth=2, native=False)
    assert found.value == (-1.0 if komi > 0 else 1.0)


def test_sets_of_points_find_their_nth() -> None:
    game = Go(19)
    places = [3, 64, 70, 200, 378]
    found = game.nothing
    for place in places:
        found = either(found, point(game, place))
    assert [nth_of(found, n) for n in range(5)] == places
    assert joined(found) == sum(1 << place for place in places)


# ------------------------------------------------------------------ komi
@kernel
def worth(game: Any, s: Any) -> float:
    return game.utility(s)


@compiles
def test_another_komi_compiles_nothing_and_is_heeded() -> None:
    """Whole points may be made up for exactly, and bounds of margins hang on komi: those are compiled for."""
    board = Go(size=3)
    s = board.start()
    s = board.result(board.result(s, pf.parse_action(board, s, "B2")), board.places)
    found = []
    for komi in (0.5, 8.5, 9.5, -20.5):
        game = Go(size=3, komi=komi)
        found.append(native_function(worth, game, s)(game, s))
        assert found[-1] == game.utility(s)
    assert found == [1.0, 1.0, -1.0, 1.0] and len(worth.native.overloads) == 1
    whole = Go(size=3, komi=9)
    assert native_function(worth, whole, s)(whole, s) == whole.utility(s) == 0.0
    assert len(worth.native.overloads) == 2
    for komi in (0.5, 1.5):
        game = Go(size=3, komi=komi, margin=True)
        assert native_function(worth, game, s)(game, s) == game.utility(s) == 9 - komi
    assert len(worth.native.overloads) == 4


def test_files_tell_another_komi_apart() -> None:
    """Fingerprints don't, since they say what is compiled."""
    one, other = Go(size=3, komi=0.5), Go(size=3, komi=1.5)
    assert one.fingerprint() == other.fingerprint() != Go(size=3, komi=1).fingerprint()
    assert rules_digest(one) != rules_digest(other) and rules_of(one) != rules_of(other)
    assert installed_file(one) != installed_file(other), "a network that was learned for one speaks for no other"
    assert rules_of(one).startswith("plyforge.games.go.rules.Go(size=3, komi=0.5, margin=False)#")
