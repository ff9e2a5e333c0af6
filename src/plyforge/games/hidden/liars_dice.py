"""Liar's dice: bid on what all dice show together, or call the last bid a lie.

Both players roll their dice, which only they see. They bid in turn, MAX first: "so many dice show this face". Each bid
must be higher than the last: more dice, or as many of a higher face. The highest face is wild: it counts as every face.
Whoever doesn't believe the last bid says "liar": all dice are shown, and if there are at least as many as was bid the
bidder wins, else who doubted. Whoever is faced with the highest bid of all can only doubt.

With one die each there are 2^(2 sides) sequences of bids for each die of a player: 1,024 information sets with 4 sides,
24,576 with 6. The value to the first player is 1/16 with 4 sides (by discounted CFR, to six digits).

Text of a state: MAX's dice, MIN's dice, the bids: `3 ? 1x2 1x5`. Dice are their faces, in order; `-` before they are
rolled, `?` if they are hidden from who looks. `liar` ends it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from plyforge.board import Board, Piece, Place, Words
from plyforge.contract import CHANCE, MAX, MIN, BoardView, Game, Notation
from plyforge.errors import BadRules, BadText
from plyforge.games.hidden.cards import deal
from plyforge.kernel import uniform

UNROLLED, HIDDEN = -1, -2
MOST_BIDS = 60
MOST_ROLLS = 8_000
PIPS = 6
"""Faces that dice have in a picture; more are written."""


class Cup(NamedTuple):
    """Dice and bids. Dice are a number whose digits to the base of the sides are faces less 1, never going up."""

    first: int
    """MAX's dice, or UNROLLED, or HIDDEN from who looks."""
    second: int
    """MIN's dice."""
    bids: int
    """A bit for each bid that was made: bid b is (b // sides + 1) dice of face (b % sides + 1)."""
    doubted: bool
    """True once somebody said "liar"."""


class LiarsNotation(Notation):
    """States, observations and actions as text."""

    def format_state(self, game: LiarsDice, s: Cup) -> str:
        bids = [game.bid_text(bid) for bid in range(game.bids) if s.bids >> bid & 1]
        return " ".join((game.dice_text(s.first), game.dice_text(s.second), *bids, *(["liar"] if s.doubted else [])))

    def parse_state(self, game: LiarsDice, text: str) -> Cup:
        words = text.lower().split()
        doubted = words[-1:] == ["liar"]
        dice = [game.read_dice(word) for word in words[:2]]
        bids = [game.read_bid(word) for word in words[2 : len(words) - doubted]]
        if len(dice) < 2 or None in dice or None in bids or bids != sorted(set(bids)):  # type: ignore[type-var]
            raise BadText(
                f"{text!r} is not a state of this liar's dice: MAX's dice, MIN's dice (faces, - or ?), and bids that go"
                " up, as in '3 ? 1x2 1x5'"
            )
        first, second = (each for each in dice if each is not None)
        if (first == UNROLLED and second != UNROLLED) or (second == UNROLLED and bids) or (doubted and not bids):
            raise BadText(f"{text!r} can't arise: MAX's dice are rolled first, then MIN's, then they bid, then doubt")
        return Cup(first, second, sum(1 << bid for bid in bids if bid is not None), doubted)

    def format_action(self, game: LiarsDice, s: Cup, action: int) -> str:
        if s.second == UNROLLED:
            return game.dice_text(action)
        return "liar" if action == game.bids else game.bid_text(action)


class LiarsView(BoardView):
    """The table as a picture."""

    def board(self, game: LiarsDice, s: Cup) -> Board:
        """MIN's dice above, MAX's below, the last bid between them."""
        places, words, pieces = [], [], []
        for name, y, tone, dice in (("MIN", 0.0, 3, s.second), ("MAX", 2.4, 2, s.first)):
            words.append(Words(-1.2, y, name, 0.3))
            for number, face in enumerate(game.faces(dice)):
                die = face.isdigit() and game.sides <= PIPS
                where = Place(f"{name} {number + 1}", 1.1 * number, y, "die" if die else "card", 0.9, 0.9, tone)
                places.append(where if die else where._replace(text="" if face == "-" else face))
                if die:
                    pieces.append(Piece(where.name, "die", tone - 2, int(face), f"{name}'s {face}"))
        bids = game.notation.format_state(game, s).split()[2:]
        words.append(Words(0.0, 1.2, "  ".join(bids[-3:]) or "no bids yet", 0.3))
        return Board(places, pieces, words=words, surface="felt")


@dataclass(frozen=True)
class LiarsDice(Game):
    """Liar's dice for two: `liars_dice(sides=6, dice=1)`. The highest face is wild."""

    notation = LiarsNotation()
    view = LiarsView()

    min_utility = -1.0
    max_utility = 1.0

    sides: int = 6
    dice: int = 1
    """How many dice each player has."""

    def __post_init__(self) -> None:
        if not 2 <= self.sides <= 9 or self.dice < 1 or 2 * self.dice * self.sides > MOST_BIDS:
            raise BadRules(
                f"liar's dice needs 2 to 9 sides, and at most {MOST_BIDS} bids: sides x dice x 2; not "
                f"{self.sides} sides and {self.dice} dice"
            )
        if self.sides**self.dice > MOST_ROLLS:
            raise BadRules(f"{self.dice} dice of {self.sides} sides can fall in more than {MOST_ROLLS:,} ways")

    @property
    def bids(self) -> int:
        """How many bids there are."""
        return 2 * self.dice * self.sides

    @property
    def rolls(self) -> int:
        return self.sides**self.dice

    @property
    def max_actions(self) -> int:  # type: ignore[override]
        return self.bids + 1

    # ------------------------------------------------------------ the rules
    def start(self) -> Cup:
        return Cup(UNROLLED, UNROLLED, 0, False)

    def player(self, s: Cup) -> int:
        if s.second == UNROLLED:
            return CHANCE
        turn, bids = MAX, s.bids
        while bids:
            turn ^= bids & 1
            bids >>= 1
        return turn

    def ways(self, roll: int) -> int:
        """In how many orders dice fall so; 0 for faces that are not in order."""
        found, same, last, rest = 1, 1, roll % self.sides, roll // self.sides
        for number in range(2, self.dice + 1):
            face = rest % self.sides
            rest //= self.sides
            if face > last:
                return 0
            same = same + 1 if face == last else 1
            found = found * number // same
            last = face
        return found

    def chance(self, s: Cup) -> Iterator[tuple[int, float]]:
        """MAX's dice, then MIN's."""
        for roll in range(self.rolls):
            ways = self.ways(roll)
            if ways > 0:
                yield roll, ways / self.rolls

    def last_bid(self, bids: int) -> int:
        """The highest bid; -1 before the first."""
        last = -1
        while bids:
            bids >>= 1
            last += 1
        return last

    def actions(self, s: Cup) -> Iterator[int]:
        """All higher bids; then to doubt the last one."""
        last = self.last_bid(s.bids)
        for bid in range(last + 1, self.bids):
            yield bid
        if last >= 0:
            yield self.bids

    def result(self, s: Cup, action: int) -> Cup:
        """`action` is a bid, or `bids` for "liar"; while dice are rolled, how they fall."""
        if s.first == UNROLLED:
            return Cup(action, UNROLLED, 0, False)
        if s.second == UNROLLED:
            return Cup(s.first, action, 0, False)
        if action == self.bids:
            return Cup(s.first, s.second, s.bids, True)
        return Cup(s.first, s.second, s.bids | 1 << action, s.doubted)

    def terminal(self, s: Cup) -> bool:
        return s.doubted

    def utility(self, s: Cup) -> float:
        bid = self.last_bid(s.bids)
        face, there = bid % self.sides, 0
        one, other = s.first, s.second
        for _ in range(self.dice):
            there += int(one % self.sides == face or one % self.sides == self.sides - 1)
            there += int(other % self.sides == face or other % self.sides == self.sides - 1)
            one //= self.sides
            other //= self.sides
        sign = 1.0 if there > bid // self.sides else -1.0
        return -sign if self.player(s) == MAX else sign

    # ------------------------------------------------------------ who sees what
    def observe(self, s: Cup, player: int) -> Cup:
        if s.doubted:
            return s
        first = s.first if player == MAX or s.first == UNROLLED else HIDDEN
        second = s.second if player == MIN or s.second == UNROLLED else HIDDEN
        return Cup(first, second, s.bids, s.doubted)

    def determinize(self, observation: Cup, player: int, stream: Any) -> Cup:
        """Hidden dice fall as dice fall."""
        first, second = observation.first, observation.second
        if first == HIDDEN:
            first = self.roll(stream)
        if second == HIDDEN:
            second = self.roll(stream)
        return Cup(first, second, observation.bids, observation.doubted)

    def roll(self, stream: Any) -> int:
        left, found = uniform(stream) * self.rolls, 0
        for roll in range(self.rolls):
            ways = self.ways(roll)
            if ways > 0 and left >= 0.0:
                found = roll
            left -= ways
        return found

    # ------------------------------------------------------------ text
    def dice_text(self, dice: int) -> str:
        if dice < 0:
            return "-" if dice == UNROLLED else "?"
        faces = [dice // self.sides**number % self.sides + 1 for number in range(self.dice)]
        return "".join(str(face) for face in sorted(faces))

    def faces(self, dice: int) -> list[str]:
        """What each die shows: `?` for one under a cup, `-` for one that was not rolled."""
        text = self.dice_text(dice)
        return [text] * self.dice if dice < 0 else list(text)

    def bid_text(self, bid: int) -> str:
        return f"{bid // self.sides + 1}x{bid % self.sides + 1}"

    def read_dice(self, word: str) -> int | None:
        if word in ("-", "?"):
            return UNROLLED if word == "-" else HIDDEN
        if not re.fullmatch(rf"[1-{self.sides}]{{{self.dice}}}", word, re.ASCII):
            return None
        faces = sorted((int(face) - 1 for face in word), reverse=True)
        return sum(face * self.sides**number for number, face in enumerate(faces))

    def read_bid(self, word: str) -> int | None:
        found = re.fullmatch(r"([1-9]\d?)x([1-9])", word, re.ASCII)
        if not found or int(found[1]) > 2 * self.dice or int(found[2]) > self.sides:
            return None
        return (int(found[1]) - 1) * self.sides + int(found[2]) - 1

    def show(self, s: Cup) -> str:
        bids = self.notation.format_state(self, s).split()[2:]
        return (
            f"{deal(('MAX', 'MIN'), [self.faces(s.first), self.faces(s.second)])}\nbids {' '.join(bids) or 'none yet'}"
        )
