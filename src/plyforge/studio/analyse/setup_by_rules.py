"""Setting up a position by hand where the rules say how: `palette(place)` and `placed(pieces, player)`.

The page edits it as it edits a text (`setup_by_text.py`): there is a token for each place and one for who moves, and
the words are pieces. What these make, the rules say.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from plyforge.board import Board, Piece
from plyforge.contract import Game, defines, format_state
from plyforge.grids.hooks import board_of
from plyforge.studio.present.game_message import names

EMPTY = "-"
MOST = 64
"""Pieces that a palette may have on one place, each number of them counted: more is no palette."""


@dataclass(frozen=True)
class Placing:
    """What can be put where, by the rules' own word."""

    game: Game
    places: dict[str, int]
    """By the name of a place: its token. The last token says who moves."""
    choices: dict[str, dict[str, Piece]]
    """By the name of a place: the words of its pieces, and the pieces."""

    @classmethod
    def of(cls, game: Game) -> Placing | None:
        """None where the rules don't say."""
        board = board_of(game, game.start())
        if board is None or not defines(game.view, "palette") or not defines(game.view, "placed"):
            return None
        choices = {}
        for place in board.places:
            there = {word(piece): piece for piece in counted(game.view.palette(game, place.name))}
            if len(there) > MOST:
                return None
            if there:
                choices[place.name] = there
        return cls(game, {name: token for token, name in enumerate(choices)}, choices) if choices else None

    # ------------------------------------------------------------ for the page
    def to_json(self, game: Game, state: Any) -> dict[str, Any]:
        """What a page needs to edit `state`: tokens, places, and a palette in which what can be piled up stands
        once."""
        board = board_of(game, state) or Board(())
        tokens = [EMPTY] * len(self.places)
        for piece in board.pieces:
            if word(piece) in self.choices.get(piece.place, ()):
                tokens[self.places[piece.place]] = word(piece)
        player = int(game.player(state)) if not game.terminal(state) else 0
        kinds, meanings = self._kinds()
        return {
            "tokens": [*tokens, str(max(player, 0))],
            "places": self.places,
            "kinds": kinds,
            "seen": {name: [EMPTY, *there] for name, there in self.choices.items()},
            "board": board.to_json(),
            "words": [{"word": EMPTY, "name": "empty"}, *self._palette()],
            "meanings": meanings,
            "turn": {
                "token": len(self.places),
                "words": [[str(seat), name] for seat, name in enumerate(names(game))],
            },
            "piles": self._piles(),
        }

    def text(self, tokens: list[str]) -> str:
        """The position that the tokens make. Raises what the rules raise."""
        pieces = []
        for name, token in self.places.items():
            piece = self.choices[name].get(tokens[token]) if token < len(tokens) else None
            if piece is not None:
                pieces.append(piece._replace(place=name))
        seats = [str(seat) for seat in range(self.game.players)]
        said = tokens[len(self.places)] if len(tokens) > len(self.places) else ""
        seat = seats.index(said) if said in seats else 0
        return format_state(self.game, self.game.view.placed(self.game, pieces, seat))

    def _kinds(self) -> tuple[dict[str, int], list[dict[str, Any]]]:
        """Places with the same choices share a dictionary of what words mean."""
        kinds: dict[str, int] = {}
        found: list[dict[str, Piece]] = []
        for name, there in self.choices.items():
            if there not in found:
                found.append(there)
            kinds[name] = found.index(there)
        return kinds, [{EMPTY: [], **{each: [piece._asdict()] for each, piece in there.items()}} for there in found]

    def _palette(self) -> list[dict[str, str]]:
        single = {each: piece for there in self.choices.values() for each, piece in there.items() if piece.count == 1}
        return [{"word": each, "name": self._name(piece)} for each, piece in single.items()]

    def _name(self, piece: Piece) -> str:
        owner = f"{names(self.game)[piece.owner]} " if 0 <= piece.owner < self.game.players else ""
        return piece.name or f"{owner}{piece.look}"

    def _piles(self) -> dict[str, list[str]]:
        """By the word of one piece: the words of one, two, three of them, where there can be more than one."""
        piles: dict[str, list[str]] = {}
        for there in self.choices.values():
            for piece in there.values():
                if piece.count > 1:
                    one = word(piece._replace(count=1))
                    piles[one] = max(
                        piles.get(one, []),
                        [word(piece._replace(count=n + 1)) for n in range(piece.count)],
                        key=len,
                    )
        return piles


def counted(palette: Any) -> Iterator[Piece]:
    """The pieces of a palette; those that can be piled up once for each number."""
    for piece in palette:
        for number in range(1, min(piece.count, MOST) + 1):
            yield piece._replace(place="", count=number)


def word(piece: Piece) -> str:
    """What the page calls a piece."""
    return f"{piece.look}/{piece.owner}/{piece.count}"


__all__ = ["Placing"]
