"""Goofspiel with hidden bids: nobody is told what the other bid, only who won.

As in goofspiel both players hold the cards 1 to n, prizes are turned up one by one, and the higher of two bids wins the
prize; equal bids win nothing. But bids lie face down, and stay so: both are told who won the prize, and see of the
other nothing else until the end. MAX puts a card down first, then MIN, who doesn't see it. With one card left there is
nothing to choose: the last round plays itself.

Prizes come in a random order (chance turns them up), or in a fixed one that both know: `order` is "random",
"descending" or "ascending". With `scoring` "win", who has more points gets 1; with "difference" the points count.

Lanctot et al., "Monte Carlo sampling and regret minimization for equilibrium computation and decision-making in large
extensive form games", JAIR 51 (2014), uses it. With four cards 1,077 histories and 162 information sets if prizes come
down from 4, 26,773 and 3,608 if at random. What one player can do the other can, too: the value is 0.

Text of a state: prizes as they came, MAX's bids, MIN's bids, who won each, whose turn it is: `4,3 1 ? - MAX`. A list is
its numbers with commas, `-` if it is empty, `?` if it is hidden from who looks. A prize is won by MAX (`+`), by MIN
(`-`) or by nobody (`=`); `.` stands for none yet. Turns are `MAX`, `MIN`, `chance` and `over`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from plyforge.board import Board, Place, Words
from plyforge.contract import CHANCE, MAX, MIN, BoardView, Game, Notation
from plyforge.errors import BadRules, BadText
from plyforge.kernel import below

MAX_CARDS = 12
ORDERS = ("random", "descending", "ascending")
SCORINGS = ("win", "difference")
HIDDEN = -1
BASE = 16
"""Cards that were played are the digits of a number to this base, the first the highest."""
TURNS = {MAX: "MAX", MIN: "MIN", CHANCE: "chance"}
NOBODY, ONE, OTHER = 1, 2, 3
"""Who won a prize, as digits to the base 4."""


class Rounds(NamedTuple):
    """What was played."""

    prizes: int
    """As they came."""
    mine: int
    """MAX's bids, or HIDDEN from who looks."""
    theirs: int
    """MIN's."""
    won: int
    """Who won each prize."""
    turn: int
    """Whose turn it is: MAX, MIN, or CHANCE."""
    rounds: int
    """How many are over."""


class GoofspielNotation(Notation):
    """States and actions as text."""

    def format_state(self, game: HiddenGoofspiel, s: Rounds) -> str:
        won = "".join("=+-"[digit - 1] for digit in _digits(s.won, 4))
        turn = "over" if game.terminal(s) else TURNS[s.turn]
        return f"{_cards(s.prizes)} {_cards(s.mine)} {_cards(s.theirs)} {won or '.'} {turn}"

    def parse_state(self, game: HiddenGoofspiel, text: str) -> Rounds:
        words = text.split()
        wrong = BadText(
            f"{text!r} is not a state of hidden goofspiel: prizes as they came, MAX's bids, MIN's bids, who won each, "
            "whose turn it is, as in '4,3 1 ? - MAX'"
        )
        turns = {name.lower(): turn for turn, name in TURNS.items()} | {"over": CHANCE}
        if len(words) != 5 or not (words[3] == "." or set(words[3]) <= set("+-=")) or words[4].lower() not in turns:
            raise wrong
        lists = [game.read_cards(word) for word in words[:3]]
        if None in lists or lists[0] == HIDDEN:
            raise wrong
        prizes, mine, theirs = (each for each in lists if each is not None)
        won = 0
        for sign in words[3].replace(".", ""):
            won = 4 * won + "=+-".index(sign) + 1
        s = Rounds(prizes, mine, theirs, won, turns[words[4].lower()], len(words[3].replace(".", "")))
        if (words[4].lower() == "over") != game.terminal(s) or not game.can_be(s):
            raise BadText(f"{text!r} can't arise: bids, prizes and who won them don't fit each other")
        return s

    def format_action(self, game: HiddenGoofspiel, s: Rounds, action: int) -> str:
        return str(action)


class GoofspielView(BoardView):
    """The table as a picture."""

    def board(self, game: HiddenGoofspiel, s: Rounds) -> Board:
        """A column for each round: MIN's bid above, the prize, MAX's bid below."""
        places, words = [], []
        for name, y, tone, number in (("MIN", 0.0, 3, s.theirs), ("prize", 1.6, 0, s.prizes), ("MAX", 3.2, 2, s.mine)):
            words.append(Words(-1.3, y, name, 0.3))
            cards = _digits(number, BASE) if number >= 0 else ["?"] * s.rounds
            for column in range(game.cards):
                text = str(cards[column]) if column < len(cards) else ""
                kind = "card" if text else "tray"
                places.append(Place(f"{name} {column + 1}", 1.05 * column, y, kind, 0.9, 1.3, tone, text))
        return Board(places, words=words, surface="felt")


@dataclass(frozen=True)
class HiddenGoofspiel(Game):
    """Goofspiel with hidden bids: `hidden_goofspiel(cards=4, order='random', scoring='win')`."""

    notation = GoofspielNotation()
    view = GoofspielView()

    cards: int = 4
    order: str = "random"
    """How the prizes come: "random", "descending" or "ascending"."""
    scoring: str = "win"
    """What counts in the end: "win" or "difference"."""

    def __post_init__(self) -> None:
        if not 2 <= self.cards <= MAX_CARDS:
            raise BadRules(f"hidden goofspiel needs 2 to {MAX_CARDS} cards, not {self.cards}")
        if self.order not in ORDERS:
            raise BadRules(f"order is {self.order!r}; it must be one of {', '.join(ORDERS)}")
        if self.scoring not in SCORINGS:
            raise BadRules(f"scoring is {self.scoring!r}; it must be one of {', '.join(SCORINGS)}")

    # ------------------------------------------------------------ what the game is
    @property
    def has_chance(self) -> bool:
        return self.order == "random"

    @property
    def by_wins(self) -> bool:
        return self.scoring == "win"

    @property
    def descending(self) -> bool:
        return self.order == "descending"

    @property
    def max_utility(self) -> float:  # type: ignore[override]
        return 1.0 if self.by_wins else float(self.cards * (self.cards + 1) // 2)

    @property
    def min_utility(self) -> float:  # type: ignore[override]
        return -self.max_utility

    @property
    def max_actions(self) -> int:  # type: ignore[override]
        return self.cards

    # ------------------------------------------------------------ the rules
    def start(self) -> Rounds:
        return self.turn_up(Rounds(0, 0, 0, 0, CHANCE, 0))

    def used(self, played: int) -> int:
        """The cards that were played, as bits: card c is 1 << c."""
        found = 0
        while played > 0:
            found |= 1 << played % BASE
            played //= BASE
        return found

    def left(self, used: int) -> int:
        """The lowest card that was not played."""
        card = 1
        while used >> card & 1:
            card += 1
        return card

    def turn_up(self, s: Rounds) -> Rounds:
        """The next prize, where it is known which; the last round plays itself."""
        if s.rounds == self.cards - 1:
            prizes = BASE * s.prizes + self.left(self.used(s.prizes))
            mine = BASE * s.mine + self.left(self.used(s.mine))
            return self.bid(Rounds(prizes, mine, s.theirs, s.won, MIN, s.rounds), self.left(self.used(s.theirs)))
        if self.has_chance:
            return Rounds(s.prizes, s.mine, s.theirs, s.won, CHANCE, s.rounds)
        prize = self.cards - s.rounds if self.descending else s.rounds + 1
        return Rounds(BASE * s.prizes + prize, s.mine, s.theirs, s.won, MAX, s.rounds)

    def bid(self, s: Rounds, card: int) -> Rounds:
        """MIN's bid: who wins the prize?"""
        mine = s.mine % BASE
        winner = ONE if mine > card else OTHER if mine < card else NOBODY
        return Rounds(s.prizes, s.mine, BASE * s.theirs + card, 4 * s.won + winner, CHANCE, s.rounds + 1)

    def player(self, s: Rounds) -> int:
        return s.turn

    def chance(self, s: Rounds) -> Iterator[tuple[int, float]]:
        """The next prize."""
        used = self.used(s.prizes)
        for card in range(1, self.cards + 1):
            if not used >> card & 1:
                yield card, 1.0 / (self.cards - s.rounds)

    def actions(self, s: Rounds) -> Iterator[int]:
        used = self.used(s.mine if s.turn == MAX else s.theirs)
        for card in range(1, self.cards + 1):
            if not used >> card & 1:
                yield card

    def result(self, s: Rounds, action: int) -> Rounds:
        """`action` is a card: the prize that is turned up, or a bid."""
        if s.turn == CHANCE:
            return Rounds(BASE * s.prizes + action, s.mine, s.theirs, s.won, MAX, s.rounds)
        if s.turn == MAX:
            return Rounds(s.prizes, BASE * s.mine + action, s.theirs, s.won, MIN, s.rounds)
        return self.turn_up(self.bid(s, action))

    def terminal(self, s: Rounds) -> bool:
        return s.rounds == self.cards

    def utility(self, s: Rounds) -> float:
        lead, prizes, won = 0, s.prizes, s.won
        while won > 0:
            lead += prizes % BASE * (int(won % 4 == ONE) - int(won % 4 == OTHER))
            prizes //= BASE
            won //= 4
        return float(int(lead > 0) - int(lead < 0)) if self.by_wins else float(lead)

    # ------------------------------------------------------------ who sees what
    def observe(self, s: Rounds, player: int) -> Rounds:
        if s.rounds == self.cards:
            return s
        mine = s.mine if player == MAX else HIDDEN
        theirs = s.theirs if player == MIN else HIDDEN
        return Rounds(s.prizes, mine, theirs, s.won, s.turn, s.rounds)

    def determinize(self, observation: Rounds, player: int, stream: Any) -> Rounds:
        """The other's bids: drawn card by card so that who won each prize fits, and anew where that fails."""
        s = observation
        if s.rounds == self.cards:
            return s
        if player == MAX:
            theirs = self.draw_bids(s.mine, s.rounds, int(s.turn == MIN), s.won, True, stream)
            return Rounds(s.prizes, s.mine, theirs, s.won, s.turn, s.rounds)
        mine = self.draw_bids(s.theirs, s.rounds, 0, s.won, False, stream)
        if s.turn == MIN:
            mine = BASE * mine + self.any_card(self.used(mine), stream)
        return Rounds(s.prizes, mine, s.theirs, s.won, s.turn, s.rounds)

    def any_card(self, used: int, stream: Any) -> int:
        """One of the cards that are left."""
        number = 0
        for card in range(1, self.cards + 1):
            number += 1 - (used >> card & 1)
        left, found = below(stream, number), 0
        for card in range(1, self.cards + 1):
            if not used >> card & 1:
                if left == 0:
                    found = card
                left -= 1
        return found

    def draw_bids(self, known: int, rounds: int, pending: int, won: int, of_min: bool, stream: Any) -> int:
        """Bids of the other that fit who won against `known` bids, the last `pending` of which are not answered."""
        while True:
            drawn = used = done = 0
            while done < rounds:
                card = self.any_card(used, stream)
                bid = known // BASE ** (rounds - 1 - done + pending) % BASE
                mine, theirs = (bid, card) if of_min else (card, bid)
                winner = ONE if mine > theirs else OTHER if mine < theirs else NOBODY
                if winner != won // 4 ** (rounds - 1 - done) % 4:
                    break
                drawn, used, done = BASE * drawn + card, used | 1 << card, done + 1
            if done == rounds:
                return drawn

    # ------------------------------------------------------------ text
    def read_cards(self, word: str) -> int | None:
        """A list of cards; None if it is none."""
        if word in ("-", "?"):
            return 0 if word == "-" else HIDDEN
        found = 0
        seen: set[int] = set()
        for part in word.split(","):
            if not (part.isascii() and part.isdigit() and len(part) < 3) or not 1 <= int(part) <= self.cards:
                return None
            if int(part) in seen:
                return None
            seen.add(int(part))
            found = BASE * found + int(part)
        return found

    def can_be(self, s: Rounds) -> bool:
        """True if this was played, or is what somebody sees of it."""
        came, wins = _digits(s.prizes, BASE), _digits(s.won, 4)
        mine, theirs = (_digits(each, BASE) if each != HIDDEN else None for each in (s.mine, s.theirs))
        if self.terminal(s):
            fits = len(came) == s.rounds and mine is not None and theirs is not None
        else:
            fits = len(came) == s.rounds + int(s.turn != CHANCE) and s.rounds < self.cards - 1
            fits = fits and (s.turn != CHANCE or self.has_chance)
        if not fits or (mine is not None and len(mine) != s.rounds + int(s.turn == MIN)):
            return False
        if theirs is not None and len(theirs) != s.rounds:
            return False
        fixed = list(range(self.cards, 0, -1)) if self.descending else list(range(1, self.cards + 1))
        if not self.has_chance and came != fixed[: len(came)]:
            return False
        if mine is None or theirs is None:
            known = theirs if mine is None else mine
            return known is None or self.can_answer(known, wins, mine is not None)
        pairs = zip(mine, theirs, wins, strict=False)
        return all(winner == (ONE if a > b else OTHER if a < b else NOBODY) for a, b, winner in pairs)

    def can_answer(self, known: list[int], wins: list[int], of_max: bool) -> bool:
        """True if the other can have bid so that who won each prize fits `known` bids: by the cards used so far."""
        hands = {0}
        for card, winner in zip(known, wins, strict=False):
            higher = winner == (OTHER if of_max else ONE)
            hands = {
                hand | 1 << other
                for hand in hands
                for other in range(1, self.cards + 1)
                if not hand >> other & 1 and (other == card if winner == NOBODY else (other > card) == higher)
                and (winner == NOBODY or other != card)
            }  # fmt: skip
        return bool(hands)

    def show(self, s: Rounds) -> str:
        won = " ".join({NOBODY: "nobody", ONE: "MAX", OTHER: "MIN"}[digit] for digit in _digits(s.won, 4))
        return f"prizes  {_cards(s.prizes)}\nMAX     {_cards(s.mine)}\nMIN     {_cards(s.theirs)}\nwon by  {won or '-'}"


def _digits(number: int, base: int) -> list[int]:
    found: list[int] = []
    while number > 0:
        found.insert(0, number % base)
        number //= base
    return found


def _cards(played: int) -> str:
    return "?" if played == HIDDEN else ",".join(map(str, _digits(played, BASE))) or "-"
