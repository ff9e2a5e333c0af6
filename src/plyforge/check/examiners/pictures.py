"""The laws about pictures: a board that can be drawn, and ways that point at places of it.

Rules may use the name `board` for something of their own. What doesn't give a Board is taken for that, and noted.
"""

from __future__ import annotations

import json
import math
from typing import Any

from plyforge.board import SHAPES, Board
from plyforge.check import laws
from plyforge.check.ledger import Answers, Broken, Node
from plyforge.check.objects import is_number, is_whole, shorten
from plyforge.check.rules import Rules, describe, overrides
from plyforge.contract import CHANCE, SIMULTANEOUS

MAX_POINTED = 64
"""So many of a state's actions are pointed at."""
MANY, SELDOM = 40, 5
"""After so many pictures only one state in so many is looked at: there is more to check than how a game looks."""


class Pictures:
    """Asks for boards, and for ways to point at actions."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.ledger = rules.ledger
        self.has_board = overrides(rules.game, "view.board")
        self.states = 0

    def look(self, node: Node) -> None:
        """Look at the picture of a state. Raises Broken."""
        if not self.has_board:
            return
        self.states += 1
        if self.states > MANY and self.states % SELDOM:
            return
        board = self.board(node)
        if board is None:
            return
        names = self.places(board)
        if node.answers is not None and not node.answers.terminal:
            self.ways(node, node.answers, names)

    def board(self, node: Node) -> Board | None:
        try:
            board = self.ledger.call("view.board", node.state, node=node)
        except Exception as error:
            if overrides(self.rules.game, "view.ways") or overrides(self.rules.game, "view.choice_ways"):
                raise Broken(laws.RULES_RUN, f"board raised {describe(error)}") from None
            board = error
        if board is not None and not isinstance(board, Board):
            self.has_board = False
            self.ledger.note(
                "board(s) is no plyforge.board.Board: pages show these states as text, with a button for each action"
            )
            return None
        return board

    def places(self, board: Board) -> set[str]:
        """The names of the places of a board that can be drawn."""
        self.ledger.tested[laws.BOARD] += 1

        def broken(sentence: str) -> Broken:
            return Broken(laws.BOARD, sentence)

        names: set[str] = set()
        for place in board.places:
            if not isinstance(place.name, str) or not place.name:
                raise broken(f"a place is called {shorten(place.name)}; it needs a name")
            if place.name in names:
                raise broken(f"two places are called {place.name!r}")
            if place.shape not in SHAPES:
                raise broken(f"{place.name!r} has the shape {shorten(place.shape)}; there are {', '.join(SHAPES)}")
            names.add(place.name)
        for piece in board.pieces:
            if piece.place not in names:
                raise broken(f"{shorten(piece.look)} stands on {shorten(piece.place)}, which is no place")
            if not isinstance(piece.look, str) or not piece.look:
                raise broken(f"the piece on {piece.place!r} has the look {shorten(piece.look)}; it must be a word")
            if not is_whole(piece.count) or piece.count < 0:
                raise broken(f"there are {shorten(piece.count)} pieces on {piece.place!r}")
            if not is_whole(piece.owner) or not -1 <= piece.owner < self.rules.game.players:
                raise broken(f"the piece on {piece.place!r} is player {shorten(piece.owner)}'s, who doesn't play")
        spots: list[tuple[Any, ...]] = [(place.x, place.y, place.width, place.height) for place in board.places]
        spots += [(words.x, words.y, words.size) for words in board.words]
        spots += [(line.x1, line.y1, line.x2, line.y2) for line in board.lines]
        for spot in spots:
            if not all(is_number(number) and math.isfinite(number) for number in spot):
                raise broken(f"something lies at {shorten(spot)}")
        try:
            json.dumps(board.to_json(), allow_nan=False)
        except (TypeError, ValueError) as error:
            raise broken(f"a board is made of plain numbers and text: {error}") from None
        return names

    def ways(self, node: Node, answers: Answers, names: set[str]) -> None:
        """Every way of every action is a tuple of places."""
        if answers.player == CHANCE:
            return
        if answers.player == SIMULTANEOUS:
            questions: list[tuple[str, tuple[Any, ...]]] = [
                ("choice_ways", (player, choice))
                for player in range(self.rules.game.players)
                for choice in self.ledger.call("legal_actions", node.state, player, node=node)
            ]
        else:
            questions = [("ways", (action,)) for action in answers.actions]
        for name, asked in questions[:MAX_POINTED]:
            if not overrides(self.rules.game, f"view.{name}"):
                return
            try:
                found: list[Any] = list(self.ledger.call(f"view.{name}", node.state, *asked, node=node) or ())
            except Exception as error:
                raise Broken(laws.RULES_RUN, f"{name} raised {describe(error)}") from None
            for way in found:
                self.ledger.tested[laws.WAYS] += 1
                if not isinstance(way, tuple) or not way:
                    raise Broken(
                        laws.WAYS,
                        f"a way to {shorten(asked[-1])} is {shorten(way)}; it must be a tuple of places",
                    )
                for place in way:
                    if place not in names:
                        sentence = f"a way to {shorten(asked[-1])} goes over {shorten(place)}, which is no place"
                        raise Broken(laws.WAYS, sentence)
