"""Where games of a match begin: distinct, undecided, the same for the same seed."""

from __future__ import annotations

import itertools

import pytest

import plyforge as pf
from plyforge.errors import BadText, PlyforgeError
from plyforge.play.match.openings import (
    Opening,
    decided,
    images,
    openings_digest,
    random_openings,
    read_openings,
    suitable_plies,
)

TIC_TAC_TOE, CONNECT4, OTHELLO = (pf.load(name) for name in ("tic_tac_toe", "connect4", "othello"))


@pytest.mark.parametrize(
    ("name", "plies"), [("tic_tac_toe", 3), ("connect4", 5), ("othello", 6), ("pig", 8), ("hex", 3)]
)
def test_random_openings_are_distinct_neither_over_nor_won_at_once(name, plies):
    game = pf.load(name)
    openings = list(itertools.islice(random_openings(game, plies, 1), 20))
    states = [pf.state_after(game, *opening.actions) for opening in openings]
    assert len(set(states)) == 20
    assert all(len(opening.actions) == plies for opening in openings)
    for state in states:
        assert not game.terminal(state)
        if game.player(state) != pf.CHANCE:
            for action in game.actions(state):
                after = game.result(state, action)
                if game.terminal(after):
                    gain = game.utility(after)
                    assert (gain if game.player(state) == pf.MAX else -gain) <= 0
    for one, other in itertools.combinations(states, 2):
        assert one not in images(game, other)


def test_a_seed_makes_the_same_openings_and_a_longer_match_begins_with_those_of_a_shorter():
    def first(number: int, seed: int) -> list[Opening]:
        return list(itertools.islice(random_openings(CONNECT4, 4, seed), number))

    assert first(30, 5)[:10] == first(10, 5)
    assert first(10, 5) != first(10, 6)


def test_openings_come_to_an_end():
    """Tic-tac-toe has 9 positions after one ply and 72 after two; where rules name mirror images: 3 and 12, and
    Othello's 4 first moves are one."""
    assert len(list(random_openings(TIC_TAC_TOE, 1, 1))) == 9
    assert len(list(random_openings(TIC_TAC_TOE, 2, 1))) == 72
    mirrored = pf.load("mnk(3, 3, 3)")
    assert [len(list(random_openings(mirrored, plies, 1))) for plies in (1, 2)] == [3, 12]
    assert len(list(random_openings(OTHELLO, 1, 1))) == 1
    assert len(list(itertools.islice(random_openings(TIC_TAC_TOE, 0, 1), 50))) == 50  # the start, for ever


def test_bounds_that_the_rules_know_decide_an_opening():
    won = pf.state_after(CONNECT4, "1", "7", "1", "7", "1")
    assert not decided(CONNECT4, won)  # MIN moves, and can still stop it
    assert decided(CONNECT4, pf.state_after(CONNECT4, "1", "7", "1", "7", "1", "6"))  # MAX has three in a column
    assert not decided(CONNECT4, CONNECT4.start())


def test_the_length_of_openings_where_nobody_says():
    """The first length with four times as many as are needed: tic-tac-toe has 9, 72, 252 ... positions, 9 are not
    enough for 5 pairs."""
    assert suitable_plies(TIC_TAC_TOE, 2) == 1
    assert suitable_plies(TIC_TAC_TOE, 5) == 2
    assert suitable_plies(TIC_TAC_TOE, 20) == 3
    assert suitable_plies(OTHELLO, 1) == 3  # 1, then 3, then 14 that are not images of each other
    with pytest.raises(PlyforgeError, match="too few openings for 5000 pairs"):
        suitable_plies(TIC_TAC_TOE, 5000)


# ------------------------------------------------------------------ files
def test_a_file_has_moves_or_states(tmp_path):
    file = tmp_path / "openings.txt"
    file.write_text(
        "# by hand\n\nd3 c3 c4\nf5d6c3\nf5, d6, c5\n"
        "state: ---------------------------OX------XO--------------------------- X\n"
        "-------------------X-------XX------XO--------------------------- O;\n"
        "moves: D3 E3\n"
    )
    found = read_openings(file, OTHELLO)
    assert found[:3] == [
        Opening(("d3", "c3", "c4")),
        Opening(("f5", "d6", "c3")),
        Opening(("f5", "d6", "c5")),
    ]
    assert found[3].actions == () and found[3].start is not None
    assert pf.parse_state(OTHELLO, found[4].start) == pf.state_after(OTHELLO, "d3")
    assert found[5] == Opening(("d3", "e3"))
    assert openings_digest(found) == openings_digest(list(found)) != openings_digest(found[:5])


def test_the_same_position_is_taken_once(tmp_path):
    file = tmp_path / "openings.txt"
    file.write_text("1 2 3\n3 2 1\n1 2 4\n")
    assert read_openings(file, CONNECT4) == [Opening(("1", "2", "3")), Opening(("1", "2", "4"))]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("d3\nd3 d3\n", "line 2: neither moves .*not a legal action.* nor a state"),
        ("# nothing\n", "has no opening"),
        ("moves: z9\n", "line 1: 'z9' is not a legal action"),
        ("state: XXX O\n", "line 1: a board of size 8"),
        (f"state: {'X' * 64} O\n", "line 1: the game is over there"),
    ],
)
def test_a_bad_line_is_named(tmp_path, content, words):
    file = tmp_path / "openings.txt"
    file.write_text(content)
    with pytest.raises(BadText, match=words):
        read_openings(file, OTHELLO)


def test_a_file_that_is_not_there_or_not_text_is_a_clear_error(tmp_path):
    with pytest.raises(BadText, match="can't be read"):
        read_openings(tmp_path / "nowhere", OTHELLO)
    (tmp_path / "bytes").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadText, match="not UTF-8"):
        read_openings(tmp_path / "bytes", OTHELLO)
