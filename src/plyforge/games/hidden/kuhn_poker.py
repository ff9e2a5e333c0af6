"""Kuhn poker: three cards, one bet. The smallest game in which it pays to bluff.

The cards are a jack, a queen and a king. Both players put one chip into the pot and get one card each, which only they
see. MAX checks or bets a chip. After a check MIN checks, too, or bets; whoever is bet against calls, with a chip more,
or folds. A fold gives the pot to the other player; otherwise both show their cards, and the higher one wins.

    a check and a check    show, for 1 chip        a bet and a fold    1 chip to who bet
    a bet and a call       show, for 2 chips

Best play mixes: MAX bets a jack one time in three at the most, as a bluff. The value is -1/18 of a chip (Kuhn, "A
simplified two-person poker", Contributions to the Theory of Games 1, 1950). 58 histories, 30 of them ends, and 12
information sets.

With `players=3` there are four cards, from a ten up, and a third player: after a bet each of the others in turn calls
or folds, and the highest card of those who stayed wins all (Abou Risk and Szafron, "Using counterfactual regret
minimization to create competitive multiplayer poker agents", AAMAS 2010). 617 histories, 312 of them ends, and 48
information sets; how it is played best among three nobody can promise.

Text of a state: the players' cards, MAX's first, and what was done: `Q K check bet`. A card is `J`, `Q` or `K`, with
three players `T`, too; `-` before it is dealt, `?` if it is hidden from who looks. Actions are `check`, `bet`, `call`
and `fold`, outcomes of the deal the cards.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from plyforge.board import Board, Place, Words
from plyforge.contract import CHANCE, MAX, MIN, BoardView, Game, Notation
from plyforge.errors import BadRules, BadText
from plyforge.games.hidden.cards import deal
from plyforge.games.several_players.seats import first_of
from plyforge.kernel import below

UNDEALT, HIDDEN, ABSENT = -1, -2, -3
PASS, BET = 0, 1
"""To check or to fold; to bet or to call."""
NOBODY = -1
RANKS = "TJQK"
NOTHING = 1


class Deal(NamedTuple):
    """The cards and the bets."""

    first: int
    """MAX's card, from 0 up; UNDEALT, or HIDDEN from who looks."""
    second: int
    """MIN's card."""
    bets: int
    """What was done: a bit for each action behind a leading 1."""
    third: int = ABSENT
    """The third player's card; ABSENT where two play."""


class KuhnNotation(Notation):
    """States, observations and actions as text."""

    def format_state(self, game: KuhnPoker, s: Deal) -> str:
        return " ".join((*(game.card_name(card) for card in game.hands(s)), *game.done(s.bets)))

    def parse_state(self, game: KuhnPoker, text: str) -> Deal:
        words, players = text.split(), game.players
        names = {game.card_name(card): card for card in range(HIDDEN, game.cards)}
        cards = [names.get(word.upper(), ABSENT) for word in words[:players]]
        bets = {game.done(bets): bets for bets in game.all_bets()}.get(tuple(word.lower() for word in words[players:]))
        if len(cards) < players or ABSENT in cards or bets is None:
            which = "MAX's card, MIN's card" if players == 2 else "three cards"
            example = "Q K check bet" if players == 2 else "Q K J check bet"
            raise BadText(
                f"{text!r} is not a state of Kuhn poker: {which} ({', '.join(RANKS[-game.cards :])}, - or ?), and what "
                f"was done, as in {example!r}"
            )
        seen = [card for card in cards if card >= 0]
        if len(set(seen)) < len(seen):
            raise BadText(f"{text!r} can't arise: there is one card of each rank")
        undealt = [card == UNDEALT for card in cards]
        if undealt != sorted(undealt) or (undealt[-1] and bets != NOTHING):
            raise BadText(f"{text!r} can't arise: MAX's card is dealt first, then MIN's, and then they bet")
        return Deal(cards[0], cards[1], bets, cards[2] if players == 3 else ABSENT)

    def format_action(self, game: KuhnPoker, s: Deal, action: int) -> str:
        return game.card_name(action) if game.dealing(s) else game.word(s.bets, action)


class KuhnView(BoardView):
    """The table as a picture."""

    def board(self, game: KuhnPoker, s: Deal) -> Board:
        """MAX's card below, the others' above, the pot between them."""
        seats = (("MAX", 0.0, 2.2), ("MIN", 0.0, 0.0), ("player 2", 3.0, 0.0))[: game.players]
        places, words = [], []
        for number, ((name, x, y), card) in enumerate(zip(seats, game.hands(s), strict=True)):
            text = "" if card == UNDEALT else game.card_name(card)
            places.append(Place(name, x, y, "card", 0.9, 1.3, 2 + number, text))
            words.append(Words(x - 1.2, y, name, 0.3))
        words.append(Words(0.0, 1.1, f"pot {game.pot(s.bets)}", 0.3))
        words.append(Words(0.0, 3.2, ", ".join(game.done(s.bets)) or "no bets yet", 0.3))
        return Board(places, words=words, surface="felt")


@dataclass(frozen=True)
class KuhnPoker(Game):
    """Kuhn poker, `kuhn_poker(players=2)`: a card each for two or three, and one bet. Each sees only the own card."""

    notation = KuhnNotation()
    view = KuhnView()

    players: int = 2

    def __post_init__(self) -> None:
        if not 2 <= self.players <= 3:
            raise BadRules(f"Kuhn poker is for 2 or 3 players, not {self.players}")

    @property
    def cards(self) -> int:
        """There is one more than players."""
        return self.players + 1

    @property
    def min_utility(self) -> float:  # type: ignore[override]
        return -2.0

    @property
    def max_utility(self) -> float:  # type: ignore[override]
        return 2.0 * (self.players - 1)

    @property
    def max_actions(self) -> int:  # type: ignore[override]
        return 2

    # ------------------------------------------------------------ what was done
    def acted(self, bets: int) -> int:
        """How many actions were taken."""
        number = -1
        while bets:
            bets >>= 1
            number += 1
        return number

    def bettor(self, bets: int) -> int:
        """Who bet; NOBODY if all checked so far."""
        acted = self.acted(bets)
        for number in range(acted):
            if bets >> (acted - 1 - number) & 1:
                return number
        return NOBODY

    def over(self, bets: int) -> bool:
        """True if all have checked, or all have answered the bet."""
        bettor = self.bettor(bets)
        return self.acted(bets) == (self.players if bettor == NOBODY else bettor + self.players)

    def stays(self, bets: int, player: int) -> bool:
        """True if who plays there has bet or called; or nobody has bet."""
        bettor = self.bettor(bets)
        if bettor == NOBODY or player == bettor:
            return True
        answer = bettor + (player - bettor) % self.players
        return answer < self.acted(bets) and bets >> (self.acted(bets) - 1 - answer) & 1 == BET

    def stay(self, bets: int) -> int:
        """How many do."""
        number = 0
        for player in range(self.players):
            number += int(self.stays(bets, player))
        return number

    # ------------------------------------------------------------ the rules
    def start(self) -> Deal:
        return Deal(UNDEALT, UNDEALT, NOTHING, UNDEALT if self.players == 3 else ABSENT)

    def dealing(self, s: Deal) -> bool:
        """True until everybody has a card."""
        return s.second == UNDEALT or s.third == UNDEALT

    def player(self, s: Deal) -> int:
        return CHANCE if self.dealing(s) else self.acted(s.bets) % self.players

    def chance(self, s: Deal) -> Iterator[tuple[int, float]]:
        """MAX's card, then MIN's, then the third player's."""
        left = self.cards - int(s.first != UNDEALT) - int(s.second != UNDEALT)
        for card in range(self.cards):
            if card != s.first and card != s.second:
                yield card, 1.0 / left

    def actions(self, s: Deal) -> Iterator[int]:
        yield PASS
        yield BET

    def result(self, s: Deal, action: int) -> Deal:
        """`action` is PASS or BET; while cards are dealt, the card."""
        if s.first == UNDEALT:
            return Deal(action, s.second, s.bets, s.third)
        if s.second == UNDEALT:
            return Deal(s.first, action, s.bets, s.third)
        if s.third == UNDEALT:
            return Deal(s.first, s.second, s.bets, action)
        return Deal(s.first, s.second, 2 * s.bets + action, s.third)

    def terminal(self, s: Deal) -> bool:
        return self.over(s.bets)

    def utility(self, s: Deal) -> Any:
        six = (self.won(s, 0), self.won(s, 1), self.won(s, 2), 0.0, 0.0, 0.0)
        return first_of(self, six)

    def card_of(self, s: Deal, player: int) -> int:
        """The card of a player."""
        return s.first if player == MAX else s.second if player == MIN else s.third

    def paid(self, bets: int, player: int) -> float:
        """The chips of a player in the pot."""
        return 2.0 if self.bettor(bets) != NOBODY and self.stays(bets, player) else 1.0

    def won(self, s: Deal, player: int) -> float:
        """What a player wins: the pot without the own chips, if the own card is the highest of those who stay."""
        best, total = player, 0.0
        for other in range(self.players):
            total += self.paid(s.bets, other)
            if self.stays(s.bets, other) and self.card_of(s, other) > self.card_of(s, best):
                best = other
        own = self.paid(s.bets, player)
        return total - own if self.stays(s.bets, player) and best == player else -own

    # ------------------------------------------------------------ who sees what
    def seen(self, s: Deal, owner: int, player: int) -> int:
        """The card of `owner` as `player` sees it: those who stay show them at the end, if they are several."""
        card = self.card_of(s, owner)
        shown = self.over(s.bets) and self.stay(s.bets) > 1 and self.stays(s.bets, owner)
        return card if shown or owner == player or card in (UNDEALT, ABSENT) else HIDDEN

    def observe(self, s: Deal, player: int) -> Deal:
        return Deal(self.seen(s, 0, player), self.seen(s, 1, player), s.bets, self.seen(s, 2, player))

    def determinize(self, observation: Deal, player: int, stream: Any) -> Deal:
        """The others' cards are among those that are left, equally likely."""
        first, second, third = observation.first, observation.second, observation.third
        if first == HIDDEN:
            first = self.draw(second, third, stream)
        if second == HIDDEN:
            second = self.draw(first, third, stream)
        if third == HIDDEN:
            third = self.draw(first, second, stream)
        return Deal(first, second, observation.bets, third)

    def draw(self, one: int, other: int, stream: Any) -> int:
        """A card that is neither of these."""
        left, found = below(stream, self.cards - int(one >= 0) - int(other >= 0)), 0
        for card in range(self.cards):
            if card != one and card != other:
                if left == 0:
                    found = card
                left -= 1
        return found

    # ------------------------------------------------------------ text
    def hands(self, s: Deal) -> tuple[int, ...]:
        """The players' cards."""
        return (s.first, s.second, s.third)[: self.players]

    def card_name(self, card: int) -> str:
        return {UNDEALT: "-", HIDDEN: "?"}.get(card) or RANKS[card - self.cards]

    def word(self, bets: int, action: int) -> str:
        """What an action is called after these bets."""
        if self.bettor(bets) != NOBODY:
            return "call" if action == BET else "fold"
        return "bet" if action == BET else "check"

    def done(self, bets: int) -> tuple[str, ...]:
        """The words for what was done."""
        return () if bets == NOTHING else (*self.done(bets >> 1), self.word(bets >> 1, bets & 1))

    def all_bets(self, bets: int = NOTHING) -> Iterator[int]:
        """All that can have been done."""
        yield bets
        if not self.over(bets):
            yield from self.all_bets(2 * bets)
            yield from self.all_bets(2 * bets + 1)

    def pot(self, bets: int) -> int:
        """The chips on the table: one from each, and one for each bet and call."""
        return self.players + bin(bets).count("1") - 1

    def show(self, s: Deal) -> str:
        names = ("MAX", "MIN", "2")[: self.players]
        cards = deal(names, [[self.card_name(card)] for card in self.hands(s)])
        return "\n".join([cards, f"pot  {self.pot(s.bets)}   done: {', '.join(self.done(s.bets)) or 'nothing yet'}"])
