"""Cards as pictures: ranks and suits, red and black, backs for what is hidden from who looks."""

from __future__ import annotations

import pytest

import plyforge as pf
from plyforge.contract import MAX, MIN, PUBLIC
from plyforge.games.hidden.cards import deal


def test_hands_in_the_terminal_stand_in_rows() -> None:
    assert deal(["MAX", "open"], [["Ks", "?"], ["-"]], ["bets"]).split("\n") == [
        "      ╭───╮ ╭───╮",
        "MAX   │K♠ │ │▒▒▒│  bets",
        "      ╰───╯ ╰───╯",
        "      ╭───╮",
        "open  │   │",
        "      ╰───╯",
    ]


@pytest.mark.parametrize(
    ("game", "state", "own"),
    [("kuhn_poker", "Q K bet", "Q"), ("leduc_poker", "Ks Qh -", "K♠"), ("liars_dice", "3 5", "3")],
)
def test_a_hand_is_shown_to_its_owner_alone(game: str, state: str, own: str) -> None:
    rules = pf.load(game)
    s = pf.parse_state(rules, state)
    for player, backs, faces in ((MAX, 1, 1), (MIN, 1, 0), (PUBLIC, 2, 0)):
        seen = rules.observe(s, player)
        shown, board = rules.show(seen), rules.view.board(rules, seen)
        assert shown.count("▒▒▒") == backs == sum(place.text == "?" for place in board.places)
        assert shown.count(f"{own:^3}") == faces, shown
        assert board.to_svg().count('class="back"') == backs


def test_suits_are_drawn_in_two_colours() -> None:
    rules = pf.load("leduc_poker")
    svg = rules.view.board(rules, pf.parse_state(rules, "Ks Qh -")).to_svg()
    spade, heart = (next(line for line in svg.split("\n") if f">{sign}<" in line) for sign in "♠♥")
    assert "#c2342b" in heart and "#c2342b" not in spade and ">K<" in spade and ">Q<" in heart


def test_dice_are_dice_and_cups_are_closed() -> None:
    rules = pf.load("liars_dice(sides=6, dice=2)")
    s = pf.parse_state(rules, "23 45")
    board = rules.view.board(rules, rules.observe(s, MIN))
    assert [(piece.look, piece.count) for piece in board.pieces] == [("die", 4), ("die", 5)]
    nine = pf.load("liars_dice(sides=9)")
    assert not nine.view.board(nine, pf.parse_state(nine, "7 8")).pieces, "no die has so many pips: it is written"
