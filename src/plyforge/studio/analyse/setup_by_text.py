"""Setting up a position by hand, in any game whose text shows its board. Nothing here knows a game.

Some games are played at random for a moment. In each of their positions the text is cut into tokens, and the board says
what stands where. A token whose word always goes with what stands on one place, one to one, in all these positions, is
that place's token; the words are then a palette of pieces. A token that goes with who is to move is the turn's. Places
where nothing ever happened get the tokens between those of their neighbours. If nearly all places have a token, a
position can be edited as text by pointing at places: whether the result is a position the rules say, when they read it.

Games whose text is something else (the moves so far, lists of squares, a code) can't be edited so, and `Layout.of` says
None.
"""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any

from plyforge.board import Board, Piece
from plyforge.contract import CHANCE, Game, format_state, legal_moves, parse_state
from plyforge.grids.hooks import board_of
from plyforge.studio.present.game_message import names

SAMPLES = 160
"""Positions that are looked at."""
FEWEST = 6
"""With fewer than this nothing is sure."""
LONGEST = 3.0
"""Seconds for that."""
PLAYS = 12
"""Games that are played at random."""
MOST_WORDS = 64
"""Words of a palette."""
ENOUGH = 0.6
"""The part of all places that must have a token; others follow from them, as boxes do from their edges."""

RUNS = {str(number) for number in range(2, 27)}
"""Numbers of empty cells in a row of a grid."""

Standing = tuple[tuple[str, int, int], ...]
"""What stands on a place: looks, owners and counts."""


def expanded(text: str) -> list[str]:
    """Tokens of a text whose first word is a grid, with numbers for so many empty cells: the cells one by one, the
    other words whole."""
    first, *rest = re.split(r"(\s+)", text)
    cells = [cell for part in re.findall(r"\d+|.", first) for cell in (["1"] * int(part) if part in RUNS else [part])]
    return [*cells, *rest]


def joined(tokens: list[str]) -> str:
    """Such tokens as a text again: empty cells in a row are counted."""
    end = next((place for place, token in enumerate(tokens) if token.isspace()), len(tokens))
    cells = re.sub("1+", lambda run: str(len(run[0])), "".join(tokens[:end]))
    return cells + "".join(tokens[end:])


def letters(text: str) -> list[str]:
    """Tokens of a text whose first word is a grid of letters; the other words whole."""
    first, *rest = re.split(r"(\s+)", text)
    return [*first, *rest]


def numbers(text: str) -> list[str]:
    """Tokens of any text: numbers whole, everything else letter by letter."""
    return re.findall(r"\d+|.", text)


@dataclass(frozen=True)
class Cut:
    """A way to cut texts into tokens, and to put them together again."""

    apart: Callable[[str], list[str]]
    together: Callable[[list[str]], str]


CUTS = (Cut(letters, "".join), Cut(expanded, joined), Cut(numbers, "".join))


@dataclass(frozen=True)
class Sample:
    """One position: its text, what stands where, who moves."""

    text: str
    standing: dict[str, Standing]
    player: int


@dataclass(frozen=True)
class Layout:
    """Which token of a position's text belongs to which place."""

    cut: Cut
    places: dict[str, int]
    """By the name of a place: its token."""
    meanings: list[dict[str, Standing]]
    """What words put on a place: places of one kind share a dictionary."""
    kinds: dict[str, int]
    """By the name of a place: which of them."""
    seen: dict[str, list[str]]
    """By the name of a place: the words that it was seen with. Of words that mean the same, a place wants its own."""
    turn: tuple[int, dict[str, int]] | None
    """The token that says who moves, and its words; None if the text does not say it in one word."""

    @classmethod
    def of(cls, game: Game) -> Layout | None:
        """The layout of a game's text; None where there is none to be found."""
        if board_of(game, game.start()) is None:
            return None
        samples = sample(game)
        if len(samples) < FEWEST:
            return None
        for cut in CUTS:
            found = cls._by(game, cut, samples)
            if found is not None:
                return found
        return None

    @classmethod
    def _by(cls, game: Game, cut: Cut, samples: list[Sample]) -> Layout | None:
        rows = [cut.apart(each.text) for each in samples]
        if len({len(row) for row in rows}) > 1 or not reads_back(game, cut, samples):
            return None
        columns = list(zip(*rows, strict=True))
        moving = [column for column in range(len(columns)) if len(set(columns[column])) > 1]
        candidates: dict[str, dict[int, dict[str, Standing]]] = {}
        quiet: dict[str, Standing] = {}
        for place in samples[0].standing:
            seen = [each.standing[place] for each in samples]
            if len(set(seen)) == 1:
                quiet[place] = seen[0]
                continue
            ways = {column: one_to_one(columns[column], seen) for column in moving}
            candidates[place] = {column: way for column, way in ways.items() if way is not None}
        chosen = settle({place: ways for place, ways in candidates.items() if ways})
        if chosen is None or not chosen:
            return None
        known = {place: dict(candidates[place][column]) for place, column in chosen.items()}
        words = {word for means in known.values() for word in means}
        order = list(samples[0].standing)
        for place, column in between(order, chosen, columns, words, quiet).items():
            chosen[place], known[place] = column, {columns[column][0]: quiet[place]}
        if len(words) > MOST_WORDS or len(chosen) < ENOUGH * len(order):
            return None
        meanings, kinds = share(known)
        left = [column for column in moving if column not in chosen.values()]
        seen_with = {place: list(means) for place, means in known.items()}
        return cls(cut, chosen, meanings, kinds, seen_with, turn_token(columns, left, samples))

    # ------------------------------------------------------------ for the page
    def to_json(self, game: Game, state: Any) -> dict[str, Any]:
        """What a page needs to edit `state`: its tokens, the places, the palette."""
        board = board_of(game, state) or Board(())
        words = sorted({word for means in self.meanings for word in means}, key=self._rank)
        return {
            "tokens": self.cut.apart(format_state(game, state)),
            "places": self.places,
            "kinds": self.kinds,
            "seen": self.seen,
            "board": board.to_json(),
            "words": [{"word": word, "name": self.name_of(game, word)} for word in words],
            "meanings": [
                {word: [_piece(*each) for each in what] for word, what in means.items()} for means in self.meanings
            ],
            "turn": None if self.turn is None else self._turn_json(game),
        }

    def text(self, tokens: list[str]) -> str:
        """What the tokens make."""
        return self.cut.together(tokens)

    def _rank(self, word: str) -> tuple[Any, ...]:
        """Nothing first, then by who it belongs to; numbers by size."""
        what = next(means[word] for means in self.meanings if word in means)
        return (len(what) > 0, int(word) if word.isdigit() else -1, [owner for _, owner, _ in what], word)

    def _turn_json(self, game: Game) -> dict[str, Any]:
        assert self.turn is not None
        token, words = self.turn
        return {"token": token, "words": [[word, names(game)[player]] for word, player in words.items()]}

    def name_of(self, game: Game, word: str) -> str:
        """What to call what a word puts on a place."""
        meant = [means[word] for means in self.meanings if word in means]
        if not any(meant):
            return "empty"
        if len(set(meant)) > 1:  # the pieces of whoever the place belongs to, so many of them
            return word
        parts = []
        for look, owner, count in meant[0]:
            who = f"{names(game)[owner]} " if 0 <= owner < game.players else ""
            parts.append(f"{who}{look}" if count == 1 else f"{count} {look}")
        return ", ".join(parts)


def _piece(look: str, owner: int, count: int) -> dict[str, Any]:
    return Piece("", look, owner, count)._asdict()


def sample(game: Game) -> list[Sample]:
    """Positions of games played at random."""
    chooser = random.Random(7)
    found: list[Sample] = []
    seen: set[str] = set()
    end = time.monotonic() + LONGEST
    for _ in range(PLAYS):
        state = game.start()
        for _ in range(300):
            if time.monotonic() > end or len(found) >= SAMPLES:
                return found
            text = format_state(game, state)
            over = bool(game.terminal(state))
            player = CHANCE if over else int(game.player(state))
            board = board_of(game, state)
            if board is not None and text not in seen and (player >= 0 or over):
                seen.add(text)
                found.append(Sample(text, standing(board), player))
            legal = legal_moves(game, state)
            if over or not legal:
                break
            state = game.result(state, chooser.choice(legal))
    return found


def standing(board: Board) -> dict[str, Standing]:
    """What stands on each place of a board."""
    there: dict[str, list[tuple[str, int, int]]] = {place.name: [] for place in board.places}
    for piece in board.pieces:
        if piece.place in there:
            there[piece.place].append((piece.look, piece.owner, piece.count))
    return {name: tuple(pieces) for name, pieces in there.items()}


def reads_back(game: Game, cut: Cut, samples: list[Sample]) -> bool:
    """True if the rules read what the tokens make as the same position."""
    some = samples[:: max(1, len(samples) // 8)]
    try:
        return all(
            format_state(game, parse_state(game, cut.together(cut.apart(each.text)))) == each.text for each in some
        )
    except Exception:
        return False


def one_to_one(words: tuple[str, ...], seen: list[Standing]) -> dict[str, Standing] | None:
    """What each word goes with; None if they don't go together one to one."""
    there: dict[str, Standing] = {}
    back: dict[Hashable, str] = {}
    for word, what in zip(words, seen, strict=True):
        if there.setdefault(word, what) != what or back.setdefault(what, word) != word:
            return None
    return there


def settle(candidates: dict[str, dict[int, Any]]) -> dict[str, int] | None:
    """A token for each place, no token twice; those that have the fewest to choose from come first. None if that
    can't be done."""
    chosen: dict[str, int] = {}
    taken: set[int] = set()
    for place in sorted(candidates, key=lambda name: len(candidates[name])):
        free = [column for column in candidates[place] if column not in taken]
        if not free:
            return None
        chosen[place] = free[0]
        taken.add(free[0])
    return chosen


def between(
    order: list[str],
    chosen: dict[str, int],
    columns: list[tuple[str, ...]],
    words: set[str],
    quiet: dict[str, Standing],
) -> dict[str, int]:
    """Tokens of places where nothing ever happened: those between the tokens of their neighbours, where there are
    just as many."""
    found: dict[str, int] = {}
    taken = set(chosen.values())
    asked: list[str] = []
    before = -1
    for place in [*order, None]:
        if place in quiet:
            asked.append(place)
            continue
        if place is not None and place not in chosen:
            continue
        after = len(columns) if place is None else chosen[place]
        free = [n for n in range(before + 1, after) if n not in taken and set(columns[n]) <= words]
        if asked and len(free) == len(asked):
            found |= dict(zip(asked, free, strict=True))
        asked, before = [], after
    return found


def share(known: dict[str, dict[str, Standing]]) -> tuple[list[dict[str, Standing]], dict[str, int]]:
    """Dictionaries for all places, as few as possible: places share one where none of their words means different
    things."""
    meanings: list[dict[str, Standing]] = []
    kinds: dict[str, int] = {}
    for place, means in known.items():
        for number, others in enumerate(meanings):
            if all(others.get(word, what) == what for word, what in means.items()):
                others |= means
                kinds[place] = number
                break
        else:
            kinds[place] = len(meanings)
            meanings.append(dict(means))
    return meanings, kinds


def turn_token(
    columns: list[tuple[str, ...]], left: list[int], samples: list[Sample]
) -> tuple[int, dict[str, int]] | None:
    """The token that goes with who moves."""
    alive = [number for number, each in enumerate(samples) if each.player >= 0]
    for column in left:
        words: dict[str, int] = {}
        fits = all(words.setdefault(columns[column][n], samples[n].player) == samples[n].player for n in alive)
        if fits and len(words) > 1 and len(set(words.values())) == len(words):
            return column, words
    return None


__all__ = ["Layout"]
