"""Boards and ways: what games say of how they look, held to the games themselves."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

import plyforge as pf
from plyforge.board import Board
from plyforge.contract import CHANCE, SIMULTANEOUS, BoardView
from plyforge.games.catalog import CATALOG
from plyforge.grids.hooks import board_of, ways_of

WITHOUT = {"tree", "random_tree"}
"""Games whose states are shown as text: a tree has a view of its own."""
PLIES = 30


def ways_by_text(game: Any, s: Any) -> dict[str, list[tuple[str, ...]]]:
    return {
        pf.format_action(game, s, action): list(game.view.ways(game, s, action)) for action in pf.legal_moves(game, s)
    }


@pytest.mark.parametrize("name", sorted(set(CATALOG) - WITHOUT))
def test_every_state_has_a_board_and_every_action_a_way_or_a_button(name: str) -> None:
    game = pf.load(name)
    rng = random.Random(7)
    s = game.start()
    for _ in range(PLIES):
        board = game.view.board(game, s)
        assert isinstance(board, Board)
        names = {place.name for place in board.places}
        assert len(names) == len(board.places)
        assert {piece.place for piece in board.pieces} <= names
        json.dumps(board.to_json(), allow_nan=False)
        if game.terminal(s):
            break
        mover = game.player(s)
        if mover == SIMULTANEOUS:
            for player in range(game.players):
                seen: set[tuple[str, ...]] = set()
                for choice in game.legal_actions(s, player):
                    ways = list(game.view.choice_ways(game, s, player, choice))
                    assert ways and set().union(*ways) <= names
                    assert not seen & set(ways), "two choices of one player share a way"
                    seen |= set(ways)
        elif mover != CHANCE:
            for way in (way for ways in ways_by_text(game, s).values() for way in ways):
                assert way and set(way) <= names
        s = game.result(s, rng.choice(pf.legal_moves(game, s)))


def test_games_without_a_board_have_none() -> None:
    for name in WITHOUT:
        assert board_of(pf.load(name), pf.load(name).start()) is None


def test_what_is_called_board_but_is_none_is_no_picture() -> None:
    class Field:
        board = (1, 2, 3)
        ways = 7

    class HelperView(BoardView):
        def board(self, game, tiles: Any, width: int) -> Any:
            return tiles

        def ways(self, game, s: Any) -> Any:
            return 3

    class Helper:
        view = HelperView()

    for game in (Field(), Helper(), object()):
        assert board_of(game, 0) is None
        assert ways_of(game, 0, 0) == []


# ------------------------------------------------------------ some games, by what everybody knows of them
def test_chess_is_set_up_and_pointed_at_from_square_to_square() -> None:
    game = pf.load("chess")
    board = game.view.board(game, game.start())
    assert len(board.places) == 64 and len(board.pieces) == 32
    at = {piece.place: (piece.look, piece.owner) for piece in board.pieces}
    assert at["e1"] == ("king", 0) and at["d8"] == ("queen", 1) and at["g1"] == ("knight", 0)
    tones = {place.name: place.tone for place in board.places}
    assert tones["a1"] == 1 and tones["h1"] == 0 and tones["d8"] == 1
    assert ways_by_text(game, game.start())["Nf3"] == [("g1", "f3")]


def test_promotions_share_a_way_and_differ_by_text() -> None:
    game = pf.load("chess")
    s = pf.parse_state(game, "8/4P1k1/8/8/8/8/8/4K3 w - - 0 1")
    ways = {text: way for text, way in ways_by_text(game, s).items() if way == [("e7", "e8")]}
    assert len(ways) == 4


def test_a_king_castles_by_its_goal_or_by_its_rook() -> None:
    game = pf.load("chess")
    s = pf.parse_state(game, "4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    assert set(ways_by_text(game, s)["O-O"]) == {("e1", "g1"), ("e1", "h1")}


def test_a_stone_of_connect_four_is_dropped_anywhere_in_its_column() -> None:
    game = pf.load("connect4")
    ways = ways_by_text(game, pf.state_after(game, "4", "4"))["4"]
    assert len(ways) == 6 and ways[0] == ("column 4 row 3",), "where it comes to lie is first"


def test_a_stick_of_nim_is_taken_with_all_to_its_right() -> None:
    game = pf.load("nim")
    assert ways_by_text(game, game.start())["c3"] == [("c stick 3",)], "five less three is two: sticks 3, 4 and 5"


def test_hops_of_checkers_are_pointed_at_one_by_one_or_at_their_ends() -> None:
    game = pf.load("checkers")
    s = pf.parse_state(game, "B:W6,7,14:B2")
    texts = ways_by_text(game, s)
    double = next(text for text in texts if text.count("x") == 2)
    squares = tuple(double.split("x"))
    assert squares in texts[double] and (squares[0], squares[-1]) in texts[double]


def test_backgammon_is_played_checker_by_checker_in_either_order() -> None:
    game = pf.load("backgammon")
    s = pf.parse_state(game, "4HPwATDgc/ABMA X 31")
    ways = ways_by_text(game, s)
    assert set(ways["8/5 6/5"]) == {("8", "5", "6", "5"), ("6", "5", "8", "5")}
    assert set(ways["24/20"]) == {("24", "21", "21", "20"), ("24", "20")} or set(ways["24/20"]) == {
        ("24", "23", "23", "20"),
        ("24", "20"),
    }


def test_o_points_at_the_same_places_as_x() -> None:
    game = pf.load("backgammon")
    s = pf.parse_state(game, "4HPwATDgc/ABMA O 31")
    assert ("17", "20", "19", "20") in ways_by_text(game, s)["8/5 6/5"], "O's eight point is X's 17"


def test_the_bar_comes_first_and_nobody_bears_off_too_early() -> None:
    game = pf.load("backgammon")
    rng = random.Random(3)
    entered = borne_off = 0
    s = game.start()
    for _ in range(800):
        if game.terminal(s):
            s = game.start()
        if game.player(s) != CHANCE:
            bar = any(piece.place == f"bar {'XO'[s.player]}" for piece in game.view.board(game, s).pieces)
            for ways in ways_by_text(game, s).values():
                for way in ways:
                    assert len(way) % 2 == 0
                    entered += bar
                    borne_off += any(place.startswith("off") for place in way)
                    assert not bar or way[0] == f"bar {'XO'[s.player]}"
        s = game.result(s, rng.choice(pf.legal_moves(game, s)))
    assert entered and borne_off
