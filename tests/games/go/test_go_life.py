"""Go: life beyond doubt, the bounds that follow from it, and what small boards are worth."""

from __future__ import annotations

import random
from dataclasses import dataclass

import pytest

import plyforge as pf
from conftest import compiles
from plyforge.games.go import Go
from plyforge.games.go.heuristics import GoHeuristics
from plyforge.games.go.life import beyond_doubt, living
from plyforge.games.go.points import size_of


def board(rows: str, mover: str = "b", passes: int = 0) -> tuple[Go, object]:
    """A position from its rows, the top first."""
    lines = rows.split()
    game = Go(len(lines), komi=0.0, margin=True)
    return game, pf.parse_state(game, f"{'/'.join(lines)} {mover} - {passes} {'pass' if passes else '-'}")


@pytest.mark.parametrize(
    ("rows", "black"),
    [
        (".b.b bbbb .... ....", 6),  # two eyes of one point
        (".bbb bb.b .bbb ....", 9),  # one of them in the middle
        ("b.b. bbbb .... ....", 6),
        (".bb. bbbb .... ....", 6),
        ("..bb bbbb .... ....", 0),  # one eye
        (".bw. bbw. .b.. bb..", 6),
        (".bw. bbw. .b.. ....", 0),  # the second eye is open
        (
            ".bb. bb.b .bb. ...b",
            7,
        ),  # two chains that live by the eyes they share; the stone in the corner does not
        (".bb. bb.w .bb. ...b", 0),
        (".b.b. bbbb. ..... ..... .....", 6),
        ("..b.. bbbbb ..... ..... .....", 6),  # eyes of two points: each point is a liberty
        ("...b. bbbbb ..... ..... .....", 6),  # three in a row: each is beside the chain
        ("..... bbbbb ..... ..... .....", 0),
        ("w.b.b bbbbb ..... ..... .....", 7),  # a white stone inside makes no eye
    ],
)
def test_what_benson_calls_alive(rows, black):
    game, s = board(rows)
    assert size_of(living(game, s.black, game.empty(s))) == black


def test_a_stone_inside_counts_only_if_it_can_still_be_captured():
    game, s = board("w.b.b bbbbb ..... ..... .....", "w", passes=0)
    assert beyond_doubt(game, s.black, s.white, False) == 10
    game, s = board("w.b.b bbbbb ..... ..... .....", "w", passes=1)  # White may pass, and the stone stays
    assert game.heuristics.bounds(game, s)[0] == 2 * 8 - 25
    game, s = board("w.b.b bbbbb ..... ..... .....", "b", passes=1)  # Black need not pass
    assert game.heuristics.bounds(game, s)[0] == 2 * 10 - 25


def test_everything_is_decided():
    game, s = board(".bw. bbww .bw. bbww")
    assert game.heuristics.bounds(game, s) == (0.0, 0.0)


@dataclass(frozen=True)
class Doubtful(Go):
    """Without the bounds, to judge them by."""

    heuristics = GoHeuristics()


@pytest.mark.full
@compiles
def test_bounds_are_true_on_random_positions():
    chooser = random.Random(5)
    game, plain = Go(3, komi=0.0, margin=True), Doubtful(3, komi=0.0, margin=True)
    told = 0
    for _ in range(60):
        s = game.start()
        for _ in range(chooser.randrange(4, 16)):
            after = game.result(s, chooser.choice(list(game.actions(s))))
            if game.terminal(after):
                break
            s = after
        low, high = game.heuristics.bounds(game, s)
        assert low <= high
        if (low, high) == (-9.0, 9.0):
            continue
        told += 1
        found = pf.search(plain, s, using="engine", depth=40)
        assert found.exact and low <= found.value <= high
    assert told > 5


@compiles
@pytest.mark.parametrize(("size", "value"), [pytest.param(2, 1.0, marks=pytest.mark.full), (3, 9.0)])
def test_what_small_boards_are_worth(size, value):
    """Area results without komi, from the literature."""
    game = Go(size, komi=0.0, margin=True)
    found = pf.search(game, using="engine", depth=200)
    assert found.exact and found.value == value
    if size == 3:
        assert pf.format_action(game, game.start(), found.action) == "B2"


@compiles
@pytest.mark.full
@pytest.mark.parametrize(("komi", "wins"), [(1.5, 1.0), (2.5, -1.0)])
def test_4x4_is_worth_two_points(komi, wins):
    """With a point and a half to give Black wins, with two and a half White: both proven."""
    game = Go(4, komi=komi)
    found = pf.search(game, using="engine", depth=100, table_mib=256)
    assert found.exact and found.value == wins
    if wins > 0:
        assert pf.format_action(game, game.start(), found.action) in ("B2", "B3", "C2", "C3")


@pytest.mark.full
@compiles
def test_who_wins_with_komi():
    for komi, wins in ((8.5, 1.0), (9.0, 0.0), (9.5, -1.0)):
        found = pf.search(Go(3, komi=komi), using="engine", depth=60)
        assert found.exact and found.value == wins
