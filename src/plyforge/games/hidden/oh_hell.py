"""Oh Hell: say how many tricks you will take, and take just as many. A small pack makes it small enough to solve.

Each player gets `tricks` cards, which only they see; one more card is turned up, and its suit is trump. From the
dealer's left on, each bids a number of tricks; the dealer, who bids last, must not make the bids add up to the tricks
there are, so somebody is always wrong. Then tricks are played: whoever can must follow suit, the highest trump wins,
else the highest card of the suit that was led, and who won leads next. A trick scores 1, a bid that came true 10 more.
Utility is one's own score less the mean of the others': it adds up to nothing.

Who leads, the deal, the bids and the order of play are those of OpenSpiel's `oh_hell`, which is for three and more;
with the suits, ranks and tricks of this game it counts the same histories, ends and information sets (and one history
more: there chance draws the number of tricks first).

Cards are dealt face down, one by one, and taken up together: who remembers in which order they came?

Text of a state: the dealer, the card turned up, a hand for each player, the bids, the tricks won, the trick on the
table, cards that were played before, who can't hold which suit, who is to move: `0 Ks AsQs ? 1. 00 - - - 1`. Hands
are cards side by side, `-` an empty one, `?` one that is hidden from who looks. Bids and tricks won are digits, `.` for
no bid yet. While cards are dealt the number that were dealt stands in place of the card turned up: `0 +2 As Qs`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from plyforge.board import Board, Place, Words
from plyforge.contract import CHANCE, BoardView, Game, Notation
from plyforge.contract.value_words import short_name
from plyforge.errors import BadRules, BadText
from plyforge.games.hidden.cards import RANKS, STEP, SUITS, deal, row_of_cards
from plyforge.games.several_players.seats import first_of
from plyforge.kernel import below, popcount

MOST_CARDS = 20
MOST_PLAYERS = 5
NONE = -1
BONUS = 10.0
"""For a bid that came true."""
HOLDER = 3
"""Bits of a card's holder: 0 for nobody, or a player and 1."""
DIGIT = 4
"""Bits of a bid and 1, and of tricks won."""
PLAYED = 5
"""Bits of a card and 1 on the table."""


class Play(NamedTuple):
    """A pack of cards, and what was said."""

    dealer: int
    """NONE before the deal."""
    dealt: int
    """How many cards were dealt, the one turned up among them."""
    held: int
    """Who holds which card, HOLDER bits each."""
    trump: int
    """The card turned up, or NONE."""
    bids: int
    """A bid and 1 for each player, DIGIT bits each."""
    won: int
    """Tricks won, DIGIT bits each."""
    trick: int
    """Cards on the table, PLAYED bits each, the one that was led the highest."""
    out: int
    """Cards that were played, a bit each."""
    voids: int
    """Who was seen not to follow suit: a bit for each suit of each player."""
    turn: int
    """Who moves, once cards are dealt."""


class OhHellNotation(Notation):
    """States, observations and actions as text."""

    def format_state(self, game: OhHell, s: Play) -> str:
        seats = range(game.players)
        dealer = "-" if s.dealer == NONE else str(s.dealer)
        hands = [self.cards(game, game.hand(s, seat)) or "-" for seat in seats]
        if s.trump == NONE:
            hands = ["?" if s.dealt and not s.held else hand for hand in hands]
            return " ".join([dealer, f"+{s.dealt}", *hands])
        hidden = [game.size_of_hand(s, seat) > 0 and not game.hand(s, seat) for seat in seats]
        hands = ["?" if under else hand for under, hand in zip(hidden, hands, strict=True)]
        bids = "".join("." if not game.digit(s.bids, seat) else str(game.digit(s.bids, seat) - 1) for seat in seats)
        won = "".join(str(game.digit(s.won, seat)) for seat in seats)
        trick = "".join(self.card(game, card) for card in game.on_table(s))
        before = s.out & ~sum(1 << card for card in game.on_table(s))
        voids = [
            f"{seat}{SUITS[suit]}" for seat in seats for suit in range(game.suits) if s.voids >> seat * 4 + suit & 1
        ]
        words = [bids, won, trick or "-", self.cards(game, before) or "-", ",".join(voids) or "-", str(s.turn)]
        return " ".join([dealer, self.card(game, s.trump), *hands, *words])

    def parse_state(self, game: OhHell, text: str) -> Play:
        words, n = text.split(), game.players
        wrong = BadText(
            f"{text!r} is not a state of this oh hell: the dealer, the card turned up, {n} hands, bids, tricks won, "
            f"the trick, cards played before, voids, who moves, as in {self.format_state(game, self.example(game))!r}"
        )
        seats = {str(seat): seat for seat in range(n)}
        if len(words) == n + 2 and re.fullmatch(r"\+[0-9]{1,2}", words[1]):
            return self.parse_deal(game, text, words)
        if len(words) != n + 8 or words[0] not in seats or words[-1] not in seats:
            raise wrong
        hands = [self.read_cards(game, word) for word in words[2 : n + 2]]
        trump, trick, before = (self.read_cards(game, word) for word in (words[1], words[n + 4], words[n + 5]))
        voids = [] if words[n + 6] == "-" else words[n + 6].split(",")
        bids, won = words[n + 2], words[n + 3]
        if (
            not trump
            or len(trump) != 1
            or trick is None
            or before is None
            or not re.fullmatch(rf"[0-9.]{{{n}}}", bids)
            or not re.fullmatch(rf"[0-9]{{{n}}}", won)
            or any(len(void) != 2 or void[0] not in seats or void[1] not in SUITS[: game.suits] for void in voids)
            or any(hand is None and word != "?" for hand, word in zip(hands, words[2 : n + 2], strict=True))
        ):
            raise wrong
        s = Play(
            seats[words[0]],
            n * game.tricks + 1,
            sum(seat + 1 << HOLDER * card for seat, hand in enumerate(hands) for card in hand or ()),
            trump[0],
            sum(int(bid) + 1 << DIGIT * seat for seat, bid in enumerate(bids) if bid != "."),
            sum(int(number) << DIGIT * seat for seat, number in enumerate(won)),
            sum(card + 1 << PLAYED * (len(trick) - 1 - place) for place, card in enumerate(trick)),
            sum(1 << card for card in (*trick, *before)),
            sum({1 << seats[void[0]] * 4 + SUITS.index(void[1]) for void in voids}),
            seats[words[-1]],
        )
        known = [card for hand in hands for card in hand or ()] + trump + trick + before
        if len(set(known)) < len(known) or not self.can_be(game, s, hands):
            raise BadText(f"{text!r} can't arise: hands, bids and tricks don't fit each other")
        return s

    def parse_deal(self, game: OhHell, text: str, words: list[str]) -> Play:
        """A state in which cards are dealt."""
        dealt, hands = int(words[1]), [self.read_cards(game, word) for word in words[2:]]
        known = [card for hand in hands for card in hand or ()]
        dealer = NONE if words[0] == "-" else int(words[0]) if words[0] in map(str, range(game.players)) else None
        sizes = [len(range(seat, dealt, game.players)) for seat in range(game.players)]
        covered = words[2:] == ["?"] * game.players
        fits = covered or [len(hand or ()) for hand in hands] == sizes
        if (
            dealer is None
            or (dealer == NONE and dealt)
            or not fits
            or (covered and not dealt)
            or (None in hands and not covered)
            or len(set(known)) < len(known)
            or dealt > game.players * game.tricks
        ):
            raise BadText(f"{text!r} can't arise: cards are dealt one by one, MAX's first, as in '0 +1 As -'")
        held = sum(seat + 1 << HOLDER * card for seat, hand in enumerate(hands) for card in hand or ())
        return Play(dealer, dealt, held, NONE, 0, 0, 0, 0, 0, NONE)

    def can_be(self, game: OhHell, s: Play, hands: list[list[int] | None]) -> bool:
        """True if numbers of cards, bids and tricks fit each other."""
        n, seats = game.players, range(game.players)
        table, done = len(game.on_table(s)), sum(game.digit(s.won, seat) for seat in seats)
        made = [game.digit(s.bids, seat) for seat in seats]
        order = [(s.dealer + 1 + place) % n for place in seats]
        said = [made[seat] > 0 for seat in order]
        if table >= n or popcount(s.out) != n * done + table or done > game.tricks or max(made) > game.tricks + 1:
            return False
        if said != sorted(said, reverse=True) or (all(said) and sum(made) - n == game.tricks):
            return False
        if not all(said) and (s.out or s.voids or s.turn != order[sum(said)]):
            return False
        if all(said) and not s.out and s.turn != order[0]:
            return False
        sizes = [game.size_of_hand(s, seat) for seat in seats]
        seen = [hand is not None for hand, size in zip(hands, sizes, strict=True) if size > 0]
        if sum(seen) not in (0, 1, len(seen)):
            return False
        fits = all(hand is None or len(hand) == size for hand, size in zip(hands, sizes, strict=True))
        return fits and all(hand is not None or size > 0 for hand, size in zip(hands, sizes, strict=True))

    def example(self, game: OhHell) -> Play:
        """Some state, for messages."""
        s = game.start()
        while game.player(s) == CHANCE:
            s = game.result(s, next(iter(game.chance(s)))[0])
        return s

    def card(self, game: OhHell, card: int) -> str:
        return RANKS[card % game.ranks - game.ranks] + SUITS[card // game.ranks]

    def cards(self, game: OhHell, cards: int) -> str:
        """A set of cards, high ones first."""
        within = [card for card in range(game.pack) if cards >> card & 1]
        return "".join(self.card(game, card) for card in sorted(within, key=lambda c: (c // game.ranks, -c)))

    def read_cards(self, game: OhHell, word: str) -> list[int] | None:
        """Cards side by side; None if they are none."""
        names = {self.card(game, card).lower(): card for card in range(game.pack)}
        pairs = [] if word == "-" else [word[at : at + 2].lower() for at in range(0, len(word), 2)]
        return [names[pair] for pair in pairs] if all(pair in names for pair in pairs) else None

    def format_action(self, game: OhHell, s: Play, action: int) -> str:
        if s.dealer == NONE or (s.trump != NONE and not game.all_bid(s)):
            return str(action)
        return self.card(game, action)


class OhHellView(BoardView):
    """The table as a picture."""

    def board(self, game: OhHell, s: Play) -> Board:
        """A row for each player, MAX's the lowest; the trick and the card turned up on the right."""
        places: list[Place] = []
        words: list[Words] = []
        note = game.notation
        for seat in range(game.players):
            name, y = short_name(game, seat), 1.6 * (game.players - 1 - seat)
            size = game.size_of_hand(s, seat)
            hand = [note.card(game, card) for card in range(game.pack) if game.hand(s, seat) >> card & 1]
            places += row_of_cards(name, hand[::-1] or ["?"] * size, 0.0, y, 2 + seat)
            bid = game.digit(s.bids, seat)
            told = name if not bid else f"{name} ({game.digit(s.won, seat)} of {bid - 1})"
            words.append(Words(-1.7, y, told, 0.25))
        right = STEP * (game.tricks + 1)
        if s.trump != NONE:
            places += row_of_cards("trump", [note.card(game, s.trump)], right, 0.0)
            words.append(Words(right, -0.9, "trump", 0.25))
        trick = [note.card(game, card) for card in game.on_table(s)]
        places += row_of_cards("trick", trick, right, 1.6)
        return Board(places, words=words, surface="felt")

    def ways(self, game: OhHell, s: Play, action: int) -> Iterator[tuple[str, ...]]:
        """Point at the card in one's hand; a bid is a button."""
        if game.all_bid(s):
            yield (f"{short_name(game, s.turn)} {game.notation.card(game, action)}",)


@dataclass(frozen=True)
class OhHell(Game):
    """Bid tricks and take just as many: `oh_hell(players=2, suits=2, ranks=3, tricks=2)`."""

    notation = OhHellNotation()
    view = OhHellView()

    players: int = 2
    suits: int = 2
    ranks: int = 3
    """The highest of a suit: with 3 the queen, the king and the ace."""
    tricks: int = 2
    """Cards in a hand."""

    def __post_init__(self) -> None:
        if not 2 <= self.players <= MOST_PLAYERS or not 1 <= self.suits <= 4 or not 2 <= self.ranks <= 13:
            raise BadRules(
                f"oh hell needs 2 to {MOST_PLAYERS} players, 1 to 4 suits and 2 to 13 ranks, not {self.players}, "
                f"{self.suits} and {self.ranks}"
            )
        if self.pack > MOST_CARDS:
            raise BadRules(f"oh hell has room for {MOST_CARDS} cards, not {self.pack}")
        if not 1 <= self.tricks <= min(9, (self.pack - 1) // self.players):
            raise BadRules(
                f"a pack of {self.pack} cards is not enough for {self.players} hands of {self.tricks} and a card turned"
                " up; a hand has 1 to 9 cards"
            )

    @property
    def pack(self) -> int:
        """How many cards there are; card c is of suit c // ranks."""
        return self.suits * self.ranks

    @property
    def all_cards(self) -> int:
        return (1 << self.pack) - 1

    @property
    def max_utility(self) -> float:  # type: ignore[override]
        return self.tricks + BONUS

    @property
    def min_utility(self) -> float:  # type: ignore[override]
        return -(self.tricks + BONUS)

    @property
    def max_actions(self) -> int:  # type: ignore[override]
        return self.tricks + 1

    # ------------------------------------------------------------ reading a state
    def digit(self, numbers: int, seat: int) -> int:
        return numbers >> DIGIT * seat & 15

    def hand(self, s: Play, seat: int) -> int:
        """The cards that are seen to be in that hand, a bit each."""
        found = 0
        for card in range(self.pack):
            if s.held >> HOLDER * card & 7 == seat + 1:
                found |= 1 << card
        return found

    def suit_of(self, suit: int) -> int:
        """The cards of a suit."""
        return ((1 << self.ranks) - 1) << self.ranks * suit

    def table_size(self, s: Play) -> int:
        """How many cards lie on the table."""
        number, trick = 0, s.trick
        while trick:
            trick >>= PLAYED
            number += 1
        return number

    def led(self, s: Play) -> int:
        """The card that was led."""
        return (s.trick >> PLAYED * (self.table_size(s) - 1)) - 1

    def on_table(self, s: Play) -> list[int]:
        """The cards on the table in their order."""
        number = self.table_size(s)
        return [(s.trick >> PLAYED * (number - 1 - place) & 31) - 1 for place in range(number)]

    def all_bid(self, s: Play) -> bool:
        """True once everybody has bid."""
        for seat in range(self.players):
            if self.digit(s.bids, seat) == 0:
                return False
        return True

    def size_of_hand(self, s: Play, seat: int) -> int:
        """How many cards that player holds, seen or not."""
        if s.trump == NONE:
            return (s.dealt + self.players - 1 - seat) // self.players
        table = self.table_size(s)
        leader = (s.turn - table) % self.players
        done = (popcount(s.out) - table) // self.players
        return self.tricks - done - int((seat - leader) % self.players < table)

    # ------------------------------------------------------------ the rules
    def start(self) -> Play:
        return Play(NONE, 0, 0, NONE, 0, 0, 0, 0, 0, NONE)

    def player(self, s: Play) -> int:
        return CHANCE if s.trump == NONE else s.turn

    def chance(self, s: Play) -> Iterator[tuple[int, float]]:
        """The dealer, then a card after the other."""
        if s.dealer == NONE:
            for seat in range(self.players):
                yield seat, 1.0 / self.players
        else:
            for card in range(self.pack):
                if s.held >> HOLDER * card & 7 == 0:
                    yield card, 1.0 / (self.pack - s.dealt)

    def actions(self, s: Play) -> Iterator[int]:
        if not self.all_bid(s):
            total, missing = 0, 0
            for seat in range(self.players):
                total += max(0, self.digit(s.bids, seat) - 1)
                missing += int(self.digit(s.bids, seat) == 0)
            for bid in range(self.tricks + 1):
                if missing > 1 or bid + total != self.tricks:
                    yield bid
        else:
            cards = self.hand(s, s.turn)
            if s.trick and cards & self.suit_of(self.led(s) // self.ranks):
                cards &= self.suit_of(self.led(s) // self.ranks)
            for card in range(self.pack):
                if cards >> card & 1:
                    yield card

    def result(self, s: Play, action: int) -> Play:
        """`action` is the dealer, a card that is dealt, a bid, or a card that is played."""
        if s.dealer == NONE:
            return Play(action, 0, 0, NONE, 0, 0, 0, 0, 0, NONE)
        if s.trump == NONE:
            if s.dealt == self.players * self.tricks:
                turn = (s.dealer + 1) % self.players
                return Play(s.dealer, s.dealt + 1, s.held, action, 0, 0, 0, 0, 0, turn)
            held = s.held | s.dealt % self.players + 1 << HOLDER * action
            return Play(s.dealer, s.dealt + 1, held, NONE, 0, 0, 0, 0, 0, NONE)
        if not self.all_bid(s):
            bids, turn = s.bids | action + 1 << DIGIT * s.turn, (s.turn + 1) % self.players
            return Play(s.dealer, s.dealt, s.held, s.trump, bids, 0, 0, 0, 0, turn)
        return self.play(s, action)

    def play(self, s: Play, card: int) -> Play:
        """A card comes to the table; the last one ends the trick."""
        suit, voids = card // self.ranks, s.voids
        if s.trick and self.led(s) // self.ranks != suit:
            voids |= 1 << s.turn * 4 + self.led(s) // self.ranks
        held = s.held & ~(7 << HOLDER * card)
        trick, out = s.trick << PLAYED | card + 1, s.out | 1 << card
        turn = (s.turn + 1) % self.players
        if self.table_size(s) + 1 < self.players:
            return Play(s.dealer, s.dealt, held, s.trump, s.bids, s.won, trick, out, voids, turn)
        winner = (turn + self.winning_place(trick, s.trump // self.ranks)) % self.players
        won = s.won + (1 << DIGIT * winner)
        return Play(s.dealer, s.dealt, held, s.trump, s.bids, won, 0, out, voids, winner)

    def winning_place(self, trick: int, trumps: int) -> int:
        """Which card of a whole trick wins it, from 0 for the one that was led."""
        best, place = (trick >> PLAYED * (self.players - 1) & 31) - 1, 0
        for number in range(1, self.players):
            card = (trick >> PLAYED * (self.players - 1 - number) & 31) - 1
            same = card // self.ranks == best // self.ranks
            if (same and card > best) or (not same and card // self.ranks == trumps):
                best, place = card, number
        return place

    def terminal(self, s: Play) -> bool:
        return popcount(s.out) == self.players * self.tricks

    def score(self, s: Play, seat: int) -> float:
        """A player's points."""
        if seat >= self.players:
            return 0.0
        won = self.digit(s.won, seat)
        return won + (BONUS if won + 1 == self.digit(s.bids, seat) else 0.0)

    def ahead(self, s: Play, seat: int) -> float:
        """By how much a player has more points than the others on average."""
        total = 0.0
        for other in range(self.players):
            total += self.score(s, other)
        own = self.score(s, seat)
        return own - (total - own) / (self.players - 1)

    def utility(self, s: Play) -> Any:
        six = (self.ahead(s, 0), self.ahead(s, 1), self.ahead(s, 2), self.ahead(s, 3), self.ahead(s, 4), 0.0)
        return first_of(self, six)

    # ------------------------------------------------------------ who sees what
    def observe(self, s: Play, player: int) -> Play:
        if self.terminal(s):
            return s
        held = 0
        if s.trump != NONE:
            for card in range(self.pack):
                if s.held >> HOLDER * card & 7 == player + 1:
                    held |= player + 1 << HOLDER * card
        return Play(s.dealer, s.dealt, held, s.trump, s.bids, s.won, s.trick, s.out, s.voids, s.turn)

    def determinize(self, observation: Play, player: int, stream: Any) -> Play:
        """The others hold any cards that were not seen, of suits in which they were not seen to be void."""
        s = observation
        if s.trump == NONE or self.terminal(s):
            return s
        while True:
            held, fits = s.held, True
            gone = s.out | 1 << s.trump
            for seat in range(self.players):
                if seat != player:
                    for _ in range(self.size_of_hand(s, seat)):
                        card = below(stream, self.pack)
                        while gone >> card & 1 or held >> HOLDER * card & 7:
                            card = below(stream, self.pack)
                        held |= seat + 1 << HOLDER * card
                        fits = fits and not s.voids >> seat * 4 + card // self.ranks & 1
            if fits:
                return Play(s.dealer, s.dealt, held, s.trump, s.bids, s.won, s.trick, s.out, s.voids, s.turn)

    # ------------------------------------------------------------ text
    def show(self, s: Play) -> str:
        names, hands, notes, note = [], [], [], self.notation
        for seat in range(self.players):
            cards = note.cards(self, self.hand(s, seat))
            bid = self.digit(s.bids, seat)
            names.append(short_name(self, seat))
            hands.append([cards[at : at + 2] for at in range(0, len(cards), 2)] or ["?"] * self.size_of_hand(s, seat))
            notes.append(f"bid {bid - 1}, won {self.digit(s.won, seat)}" if bid else "no bid yet")
        trump = ["-"] if s.trump == NONE else [note.card(self, s.trump)]
        trick = [note.card(self, card) for card in self.on_table(s)]
        return deal([*names, "trump", "trick"], [*hands, trump, trick or ["-"]], notes)
