"""Priors of Go: what looks promising before it is searched, the same in every mirror, and what a search makes of it."""

from __future__ import annotations

import pytest

import plyforge as pf
from conftest import compiles
from plyforge.games.go import Go, Position
from plyforge.games.go.playout import set_up
from plyforge.games.go.points import has
from plyforge.games.go.prior import OWN_EYE, USELESS_PASS, WINNING_PASS, surroundings
from plyforge.kernel import new_stream
from plyforge.kernel.storage.scratch import new_scratch
from plyforge.search.mcts import Puct, Uct


def ranked(text: str) -> list[str]:
    """All actions, the most promising first."""
    game = Go(text.split()[0].count("/") + 1)
    s = pf.parse_state(game, text)
    actions = sorted(pf.legal_moves(game, s), key=lambda action: -game.heuristics.ordering(game, s, action))
    return [pf.format_action(game, s, action) for action in actions]


def random_states(game: Go, seed: int, plies: int) -> list[Position]:
    stream, found = new_stream(seed), [game.start()]
    for _ in range(plies):
        after = game.result(found[-1], game.sample(found[-1], stream))
        if game.terminal(after):
            break
        found.append(after)
    return found


def test_captures_come_first_and_large_ones_before_small() -> None:
    assert ranked("bbbbb/bwww./bbbbb/w..../bb... b")[0] == "E4"
    assert ranked(".wb../...../..b../.bwb./..... b - 0 -")[0] == "C1"


def test_a_chain_in_atari_is_saved_where_that_helps() -> None:
    assert ranked("....../....../..w.../.wb.../..w.../...... b - 0 B3")[0] == "D3"
    game = Go(5)
    s = pf.parse_state(game, "b.w../w..../...../...../..... b - 0 A4")
    in_vain, threat = (game.heuristics.ordering(game, s, pf.parse_action(game, s, text)) for text in ("B5", "B4"))
    assert in_vain < threat


def test_own_eyes_and_useless_passes_come_last() -> None:
    game = Go(5)
    s = pf.parse_state(game, ".b.b./bbbb./...../...../..... b")
    assert game.heuristics.ordering(game, s, pf.parse_action(game, s, "A5")) == OWN_EYE
    assert game.heuristics.ordering(game, s, game.places) == USELESS_PASS
    passed = s._replace(passes=1, last=game.places)
    assert game.heuristics.ordering(game, passed, game.places) == WINNING_PASS
    assert game.heuristics.ordering(game, passed._replace(player=1), game.places) == USELESS_PASS


def test_empty_corners_look_poor_and_answers_near_the_last_move_good() -> None:
    order = ranked("........./........./........./........./....w..../........./........./........./......... b - 0 E5")
    assert order[0] in ("E4", "E6", "D5", "F5")
    assert set(order[-5:]) == {"pass", "A1", "A9", "J1", "J9"} or order[-1] == "pass"
    assert order.index("A1") > order.index("C3")


@pytest.mark.parametrize("size", [3, 5])
def test_mirror_images_promise_the_same(size: int) -> None:
    game = Go(size)
    for s in random_states(game, size, 25):
        for number, image in enumerate(game.heuristics.symmetries(game, s)):
            for action in pf.legal_moves(game, s):
                there = int(game.images[number, action])
                assert game.heuristics.ordering(game, image, there) == pytest.approx(
                    game.heuristics.ordering(game, s, action)
                )


def test_everything_has_some_promise_and_surroundings_are_those_of_playouts() -> None:
    game = Go(7)
    for s in random_states(game, 3, 60)[::6]:
        assert all(game.heuristics.ordering(game, s, action) > 0.0 for action in pf.legal_moves(game, s))
        b = new_scratch(game)
        set_up(game, b, s)
        for place in range(game.places):
            if has(game.full, place):
                assert surroundings(game, s, place) == b.around[game.origin + place]


def test_searches_with_priors_look_at_captures_at_once() -> None:
    game = Go(5, 0.5)
    s = pf.parse_state(game, "bb.ww/wwwwb/bbbb./wwww./..... b")
    for search in (Puct(simulations=20), Uct(simulations=20, rave=100.0, priors=30, exploration=0.1)):
        found = search.search(game, s, native=False)
        assert found.text(max(found.visits, key=found.visits.__getitem__)) == "C5"
    without = Uct(simulations=20, rave=100.0, exploration=0.1).search(game, s, native=False)
    assert without.visits != found.visits


def test_priors_need_a_promise_and_all_moves_as_first() -> None:
    with pytest.raises(pf.Unsuitable, match="`prior` or `ordering`"):
        Uct(rave=10.0, priors=5).search(pf.load("tic_tac_toe"), native=False)
    for priors, rave in ((-1, 10.0), (5, None), (1.5, 10.0)):
        with pytest.raises(pf.BadLimits, match="priors"):
            Uct(rave=rave, priors=priors).search(Go(3), native=False)  # type: ignore[arg-type]


@compiles
@pytest.mark.full
def test_priors_are_the_same_at_both_speeds() -> None:
    for game, search in (
        (Go(5), Uct(simulations=200, rave=300.0, priors=20, weighted=True)),
        (Go(9), Puct(simulations=200, weighted=True)),
    ):
        slow, fast = (search.search(game, native=native) for native in (False, True))
        assert (slow.values, slow.visits, slow.nodes) == (fast.values, fast.visits, fast.nodes)
