"""Nim: take as many sticks as you like from one heap; whoever takes the last stick wins.

The game that started the theory of games without chance: the player to move loses exactly if the heaps, written in
binary, add up to zero without carry (Bouton, "Nim, a game with a complete mathematical theory", Annals of
Mathematics 3, 1901). With `misere=True` whoever takes the last stick loses; the same sum decides, until no heap
has two sticks: then the player to move wins exactly if an even number of heaps is left.

The heaps are packed into one number, each in as many bits as the largest one needs. `(3, 4, 5)`, three bits a heap:

    bits   8 7 6   5 4 3   2 1 0
           heap c  heap b  heap a
            = 5     = 4     = 3

Text of a state: the sticks of each heap, then who moves, as in `3 4 5 max`; without the last word, MAX does. An action
is a heap and a number of sticks: `b3` takes three sticks from the second heap.

Invariant: no heap ever has more sticks than it began with.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from string import ascii_lowercase as LETTERS
from typing import NamedTuple

from plyforge.board import Board, Piece, Place, Words
from plyforge.contract import MAX, MIN, BoardView, Game, HistoryRules, Notation, format_state
from plyforge.errors import BadRules, BadText

LONGEST_ROW = 40
"""Heaps of more sticks have no picture."""
STICK = 0.5
"""How wide a stick is in it."""


class Heaps(NamedTuple):
    """What is left."""

    sticks: int
    """All heaps, `Nim.bits` bits each, the first heap in the lowest ones."""
    player: int
    """Who moves."""


class Take(NamedTuple):
    """An action."""

    heap: int
    """Which heap, counted from 0."""
    number: int
    """How many sticks, at least one."""


class NimHistory(HistoryRules):
    """What depends on the past."""

    draws_possible = False


class NimNotation(Notation):
    """States and actions as text."""

    def format_state(self, game: Nim, s: Heaps) -> str:
        sizes = " ".join(str(game.size(s, heap)) for heap in range(len(game.heaps)))
        return f"{sizes} {'max' if s.player == MAX else 'min'}"

    def parse_state(self, game: Nim, text: str) -> Heaps:
        words = text.lower().replace(",", " ").split()
        player = MAX
        if words and words[-1] in ("max", "min"):
            player = MAX if words.pop() == "max" else MIN
        if len(words) != len(game.heaps):
            example = format_state(game, game.start())
            raise BadText(f"{text!r} has {len(words)} heaps, this game has {len(game.heaps)}: write it like {example}")
        sticks = 0
        for heap, (word, most) in enumerate(zip(words, game.heaps, strict=True)):
            if not (word.isascii() and word.isdigit()):
                raise BadText(f"heap {LETTERS[heap]} of {text!r} is {word!r}, which is not a number of sticks")
            if len(word) > 20 or int(word) > most:
                raise BadText(
                    f"heap {LETTERS[heap]} of {text!r} has {word} sticks, but it began with {most}; "
                    f"for larger heaps load another game, as in nim(heaps=(7, 8, 9))"
                )
            sticks |= int(word) << (heap * game.bits)
        return Heaps(sticks, player)

    def format_action(self, game: Nim, s: Heaps, action: Take) -> str:
        return f"{LETTERS[action.heap]}{action.number}"


class NimView(BoardView):
    """The picture to point at."""

    def board(self, game: Nim, s: Heaps) -> Board | None:
        """A row of sticks for each heap. Heaps too long to be seen are left to text."""
        if max(game.heaps) > LONGEST_ROW:
            return None
        places, pieces, words = [], [], []
        for heap, largest in enumerate(game.heaps):
            words.append(Words(-0.1, heap * 1.3, LETTERS[heap], 0.28))
            for stick in range(1, largest + 1):
                name = f"{LETTERS[heap]} stick {stick}"
                places.append(Place(name, stick * STICK, heap * 1.3, "spot", STICK, 1.1))
                if stick <= game.size(s, heap):
                    pieces.append(Piece(name, "bar", name="stick"))
        return Board(places, pieces, words=words, surface="felt")

    def ways(self, game: Nim, s: Heaps, action: Take) -> Iterator[tuple[str, ...]]:
        """Point at a stick to take it and all to its right."""
        yield (f"{LETTERS[action.heap]} stick {game.size(s, action.heap) - action.number + 1}",)


@dataclass(frozen=True)
class Nim(Game):
    """Take any number of sticks from one heap; whoever takes the last one wins: `nim(heaps=(3, 4, 5))`."""

    notation = NimNotation()
    view = NimView()

    history = NimHistory()

    heaps: tuple[int, ...] = (3, 4, 5)
    """How many sticks each heap has at the start."""
    misere: bool = False
    """True: whoever takes the last stick loses."""

    def __post_init__(self) -> None:
        heaps = tuple(self.heaps) if isinstance(self.heaps, list) else self.heaps
        object.__setattr__(self, "heaps", heaps)
        if not isinstance(heaps, tuple) or not heaps or any(type(size) is not int or size < 1 for size in heaps):
            raise BadRules(f"nim needs heaps of at least one stick each, as in nim((3, 4, 5)), not {heaps!r}")
        if len(heaps) > len(LETTERS):
            raise BadRules(f"nim has room for {len(LETTERS)} heaps, not {len(heaps)}")
        if len(heaps) * self.bits > 63:
            raise BadRules(
                f"these heaps are too large: {len(heaps)} heaps of {self.bits} bits (up to {max(heaps)} sticks) "
                "need more than 63 bits; take fewer or smaller heaps"
            )

    @property
    def bits(self) -> int:
        """How many bits a heap has in `Heaps.sticks`."""
        return max(self.heaps).bit_length()

    @property
    def mask(self) -> int:
        """The lowest `bits` bits."""
        return (1 << self.bits) - 1

    def start(self) -> Heaps:
        sticks = 0
        for heap in range(len(self.heaps)):
            sticks |= self.heaps[heap] << (heap * self.bits)
        return Heaps(sticks, MAX)

    def player(self, s: Heaps) -> int:
        return s.player

    def actions(self, s: Heaps) -> Iterator[Take]:
        for heap in range(len(self.heaps)):
            for number in range(1, self.size(s, heap) + 1):
                yield Take(heap, number)

    def result(self, s: Heaps, action: Take) -> Heaps:
        return Heaps(s.sticks - (action.number << (action.heap * self.bits)), 1 - s.player)

    def terminal(self, s: Heaps) -> bool:
        return s.sticks == 0

    def utility(self, s: Heaps) -> float:
        """The player to move is the one who did not take the last stick."""
        return 1.0 if (s.player == MAX) == self.misere else -1.0

    def size(self, s: Heaps, heap: int) -> int:
        """How many sticks a heap has."""
        return s.sticks >> (heap * self.bits) & self.mask

    def evaluate(self, s: Heaps) -> float:
        """Who should win by Bouton's theorem. Half a point, not a whole one: it is an opinion, not the end of the
        game."""
        nim_sum, large = 0, 0
        for heap in range(len(self.heaps)):
            nim_sum ^= self.size(s, heap)
            if self.size(s, heap) > 1:
                large += 1
        wins = nim_sum != 0
        if self.misere and large == 0:
            wins = nim_sum == 0
        return 0.5 if wins == (s.player == MAX) else -0.5

    def count(self, s: Heaps) -> int:
        number = 0
        for heap in range(len(self.heaps)):
            number += self.size(s, heap)
        return number

    # ------------------------------------------------------------ text

    def show(self, s: Heaps) -> str:
        """A line for each heap: its sticks in fives, and what to type to take some."""
        pictures = [_picture(self.size(s, heap)) for heap in range(len(self.heaps))]
        width = max(len(picture) for picture in pictures)
        lines = []
        for heap, picture in enumerate(pictures):
            size, letter = self.size(s, heap), LETTERS[heap]
            choice = "empty" if size == 0 else f"{letter}1" if size == 1 else f"{letter}1 to {letter}{size}"
            lines.append(f"{letter}  {picture:<{width}}  {choice}")
        return "\n".join(lines)


def _picture(size: int) -> str:
    if size > 50:
        return f"{size} sticks"
    fives, rest = divmod(size, 5)
    return " ".join(["|||||"] * fives + (["|" * rest] if rest else []))
