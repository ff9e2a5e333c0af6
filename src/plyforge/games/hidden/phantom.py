"""Phantom games: stones are placed on a common board, and nobody sees the other's. What all of them share.

Whoever moves names a cell that looks free. If it is, the own stone lies there and the other player moves. If the
other's stone lies there, that stone is found: it is seen from now on, and the same player names another cell. Nobody is
told when the other finds a stone. When the game is over the board is uncovered.

Who looks at a state is told by what is hidden in it: of the two sets of found stones a player sees the own one, and
everybody (PUBLIC) sees no stones at all.

Invariant: players place one stone each in turn, so from the own stones and from whose turn it is everybody knows how
many the other has. Any set of one's own stones may have been found by the other, who had a turn since each was placed,
or has it now.

Text of a state: the cells in order, then who moves. A stone is a small letter, a large one once the other has found it,
`.` is a free cell: `xO.....x. o`. Of an observation: `?` for all that lies under cover, own stones small, found ones
large, then who moves, then who looks: `xO?????x? o x`, or `public`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from plyforge.contract import MAX, MIN, PUBLIC, Game, Heuristics, HistoryRules, Notation
from plyforge.errors import BadText
from plyforge.kernel import below, popcount

UNKNOWN = -1
"""In place of a set of found stones: who looks can't know it."""


class Covered(NamedTuple):
    """A board on which stones lie under cover; sets of cells, one bit a cell."""

    first: int
    """MAX's stones."""
    second: int
    """MIN's stones."""
    first_found: int
    """MAX's stones that MIN has found, or UNKNOWN."""
    second_found: int
    """MIN's stones that MAX has found, or UNKNOWN."""
    player: int
    """Who moves."""


class PhantomNotation(Notation):
    """States and observations as text, two letters for the stones."""

    letters = "xo"

    def looker(self, s: Covered) -> int | None:
        """Whose observation it is; None: nobody's, the state itself."""
        if s.first_found == UNKNOWN:
            return PUBLIC if s.second_found == UNKNOWN else MAX
        return MIN if s.second_found == UNKNOWN else None

    def format_state(self, game: Phantom, s: Covered) -> str:
        eyes = self.looker(s)
        cells = ""
        for cell in range(game.cells):
            sign = "." if eyes is None else "?"
            for stones, found, letter in zip(s[:2], s[2:4], self.letters, strict=True):
                if stones >> cell & 1:
                    sign = letter.upper() if found != UNKNOWN and found >> cell & 1 else letter
            cells += sign
        names = {None: "", PUBLIC: " public", MAX: f" {self.letters[MAX]}", MIN: f" {self.letters[MIN]}"}
        return f"{cells} {self.letters[s.player]}{names[eyes]}"

    def parse_state(self, game: Phantom, text: str) -> Covered:
        words = text.split()
        eyes = {**dict(zip(self.letters, (MAX, MIN), strict=True)), "public": PUBLIC}
        signs = set(self.letters + self.letters.upper() + (".?" if len(words) == 2 else "?"))
        if (
            not 2 <= len(words) <= 3
            or len(words[0]) != game.cells
            or set(words[0]) - signs
            or words[1].lower() not in self.letters
            or words[-1].lower() not in eyes
            or (len(words) == 2 and "?" in words[0])
        ):
            raise BadText(
                f"{text!r} is not a state of {game.title}: {game.cells} cells, each {self.letters[0]}, "
                f"{self.letters[1]} (large once it is found) or '.', then who moves; or what somebody sees, with '?' "
                "for what is covered, and who looks"
            )
        board, player = words[0], self.letters.index(words[1].lower())
        stones, found = [0, 0], [0, 0]
        for cell, sign in enumerate(board):
            if sign.lower() in self.letters:
                owner = self.letters.index(sign.lower())
                stones[owner] |= 1 << cell
                found[owner] |= int(sign.isupper()) << cell
        s = Covered(stones[0], stones[1], found[0], found[1], player)
        looker = eyes[words[2].lower()] if len(words) == 3 else None
        seen = s if looker is None else game.mask(s, looker)
        wrong = self.wrong(game, s, looker)
        if wrong or (seen.first, seen.second) != (s.first, s.second):
            raise BadText(f"{text!r} can't arise: {wrong or 'nobody sees that'}")
        return seen

    def wrong(self, game: Phantom, s: Covered, eyes: int | None) -> str:
        """What is wrong with stones of this number; empty if nothing is."""
        first, second = popcount(s.first), popcount(s.second)
        if eyes is not None and any(
            found >> cell & 1 for found in s[2:4][eyes : eyes + 1] for cell in range(game.cells)
        ):
            return "nobody is told which own stones are found"
        if eyes == MAX:
            short = second > first - s.player
        elif eyes == MIN:
            short = first > second + s.player
        else:
            short = eyes is None and first - second != s.player
        if short:
            return f"{self.letters[0]} begins and stones are placed in turn"
        last = 1 - s.player
        if game.wins(s[s.player], s.player) or (eyes == last and game.wins(s[last], last)):
            return "somebody moved after the game was won"
        return ""

    def format_action(self, game: Phantom, s: Covered, cell: int) -> str:
        return game.cell_name(cell)


class Phantom(Game):
    """A game of placing stones in which nobody sees the other's. Say `cells`, `wins` and `cell_name`."""

    heuristics = Heuristics()
    history = HistoryRules()

    title: str
    """What messages call it."""

    @property
    def cells(self) -> int:
        """How many there are."""
        raise NotImplementedError

    @property
    def covered_board(self) -> int:
        """All cells."""
        return (1 << self.cells) - 1

    @property
    def max_actions(self) -> int:  # type: ignore[override]
        return self.cells

    def wins(self, stones: int, player: int) -> bool:
        """True if these stones of a player win."""
        raise NotImplementedError

    def cell_name(self, cell: int) -> str:
        """What a cell is called."""
        raise NotImplementedError

    # ------------------------------------------------------------ the rules
    def start(self) -> Covered:
        return Covered(0, 0, 0, 0, MAX)

    def player(self, s: Covered) -> int:
        return s.player

    def actions(self, s: Covered) -> Iterator[int]:
        """All cells but the own stones and those of the other that were found."""
        known = s.first | s.second_found if s.player == MAX else s.second | s.first_found
        for cell in range(self.cells):
            if not known >> cell & 1:
                yield cell

    def result(self, s: Covered, cell: int) -> Covered:
        """The stone lies there, or what lies there is found."""
        if s.player == MAX:
            if s.second >> cell & 1:
                return Covered(s.first, s.second, s.first_found, s.second_found | 1 << cell, MAX)
            return Covered(s.first | 1 << cell, s.second, s.first_found, s.second_found, MIN)
        if s.first >> cell & 1:
            return Covered(s.first, s.second, s.first_found | 1 << cell, s.second_found, MIN)
        return Covered(s.first, s.second | 1 << cell, s.first_found, s.second_found, MAX)

    def terminal(self, s: Covered) -> bool:
        won = self.wins(s.second, MIN) if s.player == MAX else self.wins(s.first, MAX)
        return won or s.first | s.second == self.covered_board

    def utility(self, s: Covered) -> float:
        if self.wins(s.first, MAX):
            return 1.0
        return -1.0 if self.wins(s.second, MIN) else 0.0

    def count(self, s: Covered) -> int:
        known = s.first | s.second_found if s.player == MAX else s.second | s.first_found
        return self.cells - popcount(known)

    def sample(self, s: Covered, stream: Any) -> int:
        """Cells are drawn until one looks free."""
        known = s.first | s.second_found if s.player == MAX else s.second | s.first_found
        cell = below(stream, self.cells)
        while known >> cell & 1:
            cell = below(stream, self.cells)
        return cell

    def evaluate(self, s: Covered) -> float:
        return 0.0

    # ------------------------------------------------------------ who sees what
    def observe(self, s: Covered, player: int) -> Covered:
        if self.terminal(s):
            return s
        return self.mask(s, player)

    def mask(self, s: Covered, player: int) -> Covered:
        """What is not under cover from these eyes."""
        if player == MAX:
            return Covered(s.first, s.second & s.second_found, UNKNOWN, s.second_found, s.player)
        if player == MIN:
            return Covered(s.first & s.first_found, s.second, s.first_found, UNKNOWN, s.player)
        return Covered(0, 0, UNKNOWN, UNKNOWN, s.player)

    def determinize(self, observation: Covered, player: int, stream: Any) -> Covered:
        """The other's stones lie anywhere under cover where they don't win; own stones are found or not."""
        s = observation
        if player == MAX:
            number = popcount(s.first) - s.player
            second = self.draw_stones(s.second, number, self.covered_board ^ (s.first | s.second), MIN, stream)
            return Covered(s.first, second, self.draw_found(s.first, stream), s.second_found, s.player)
        number = popcount(s.second) + s.player
        first = self.draw_stones(s.first, number, self.covered_board ^ (s.first | s.second), MAX, stream)
        return Covered(first, s.second, s.first_found, self.draw_found(s.second, stream), s.player)

    def draw_stones(self, known: int, number: int, free: int, player: int, stream: Any) -> int:
        """So many stones, those that are known among them, which don't win: all such sets equally likely."""
        while True:
            stones, left = known, number - popcount(known)
            cell, open_cells = 0, popcount(free)
            while left > 0:
                if free >> cell & 1:
                    if below(stream, open_cells) < left:
                        stones |= 1 << cell
                        left -= 1
                    open_cells -= 1
                cell += 1
            if not self.wins(stones, player):
                return stones

    def draw_found(self, stones: int, stream: Any) -> int:
        """Some of them."""
        found = 0
        for cell in range(self.cells):
            if stones >> cell & 1 and below(stream, 2) == 1:
                found |= 1 << cell
        return found
