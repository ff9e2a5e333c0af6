"""Chess: checkmate the enemy's king.

    chess()                  the game that people play
    chess(chess960=True)     Fischer's: castling from wherever king and rooks began

The pieces and squares are drawn in `board.py`. A game ends where the mover has no legal move: lost in check, otherwise
a draw (stalemate). Draws by repetition, by fifty moves without progress and for want of material belong to play, not to
a position: see `draw_reason` and `rule_draw`. So numbers of sequences (perft) are everybody's, and proofs go by the
position alone.

Claim: `actions` gives the legal moves and no others, without making a move to see whether it leaves the king in check.
What gives check and what is pinned is found once for a position: then a piece may go where it blocks or captures the
one that gives check, along the line if it is pinned, and the king to squares that are not attacked. Only en passant,
where two pawns leave a rank at once, is tried out.

Castling is king takes rook inside, whatever the text says: `castling` in a position is the set of rooks that still may,
so that Chess960 has no code of its own.

Shannon, "Programming a computer for playing chess" (1950), names almost all that this package has.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from plyforge.contract import MAX, Game
from plyforge.games.chess.attacks import (
    BETWEEN,
    KING_STEPS,
    KNIGHT_STEPS,
    PAWN_TAKES,
    THROUGH,
    UPWARDS,
    attacked,
    attackers,
    checks_and_pins,
    diagonal_attacks,
    jumped,
    passant_takers,
    straight_attacks,
    taken_by_pawns,
)
from plyforge.games.chess.board import (
    ALL,
    CASTLING,
    DARK,
    DOUBLE_STEP,
    EN_PASSANT,
    KEY_BLACK,
    KEY_DIAGONALS,
    KEY_KINGS,
    KEY_KNIGHTS,
    KEY_PAWNS,
    KEY_RIGHTS,
    KEY_STRAIGHTS,
    KEY_WHITE,
    KIND,
    LAST_RANKS,
    MOST_ACTIONS,
    NEXT_TO_LAST,
    ONE,
    PLAIN,
    SQUARE,
    TARGET,
    TO_BISHOP,
    TO_KNIGHT,
    TO_QUEEN,
    TO_ROOK,
    ZERO,
    Position,
)
from plyforge.games.chess.fen import START, parse_fen
from plyforge.games.chess.heuristics import ChessHeuristics, ChessHistory
from plyforge.games.chess.legal import castled, castling_rooks, count_moves, pawn_steps, sides
from plyforge.games.chess.notation import ChessNotation, picture
from plyforge.games.chess.see import exchange_value
from plyforge.games.chess.tablebase import ChessTablebase
from plyforge.games.chess.unranking import move_at
from plyforge.games.chess.view import ChessView
from plyforge.games.opinions import encoding_of
from plyforge.kernel import below, lowest, minus, mix, popcount


@cache
def _start(chess960: bool) -> Position:
    """Read once: every call without a state begins there."""
    return parse_fen(START, chess960)


@dataclass(frozen=True)
class Chess(Game):
    """Chess: checkmate the king. `chess(chess960=True)`: castling as in Fischer's chess, written as king takes rook."""

    notation = ChessNotation()
    view = ChessView()

    history = ChessHistory()
    heuristics = ChessHeuristics()
    tablebase = ChessTablebase()

    max_actions = MOST_ACTIONS

    chess960: bool = False
    """True: rooks may castle from any square of the first rank, and text says so."""

    def start(self) -> Position:
        return _start(self.chess960)

    def player(self, s: Position) -> int:
        return s.player

    # ------------------------------------------------------------ legal moves
    def actions(self, s: Position) -> Iterator[int]:
        for action in self.moves(s, True):
            yield action

    def moves(self, s: Position, everything: bool) -> Iterator[int]:
        """All legal moves; not everything: captures and promotions to a queen only, but in check all of them."""
        own, enemy = sides(s)
        occupied = own | enemy
        king = lowest(s.kings & own)
        checkers, pinned = checks_and_pins(s, own, enemy, king)
        everything = everything or checkers != ZERO
        goals = ~own if everything else enemy
        saving = BETWEEN[king, lowest(checkers)] | checkers if checkers else ALL
        takers = passant_takers(s, s.passant, s.player) if s.passant else ZERO
        movers = own
        if checkers & minus(checkers, ONE):  # two checks at once can't be blocked
            movers &= s.kings
        elif not everything:  # pawns that can capture, and those before the last rank
            movers &= ~s.pawns | taken_by_pawns(enemy, 1 - s.player) | NEXT_TO_LAST | takers
        # One loop with one yield: a compiled generator is the faster the less there is to remember where it goes on.
        while movers:
            square = lowest(movers)
            bit = movers & minus(ZERO, movers)
            movers ^= bit
            is_pawn, is_king = bit & s.pawns != ZERO, square == king
            if is_pawn:
                targets = pawn_steps(s.player, bit, ~occupied)
                if not everything:
                    targets &= LAST_RANKS
                targets = (targets | PAWN_TAKES[s.player, square] & enemy) & saving
                if bit & takers:
                    targets |= s.passant
            elif bit & s.knights:
                targets = KNIGHT_STEPS[square] & goals & saving
            elif is_king:
                targets = KING_STEPS[king] & goals
                if targets:
                    targets &= ~attacked(s, enemy, occupied ^ bit)
                if everything and checkers == ZERO and s.castling & own:
                    targets |= castling_rooks(s)
            else:
                targets = ZERO
                if bit & s.diagonals:
                    targets = diagonal_attacks(square, occupied)
                if bit & s.straights:
                    targets |= straight_attacks(square, occupied)
                targets &= goals & saving
            if bit & pinned:
                targets &= THROUGH[king, square]
            while targets:
                target = lowest(targets)
                arrive = targets & minus(ZERO, targets)
                targets ^= arrive
                kind, last_kind = PLAIN, PLAIN
                if is_pawn:
                    if arrive & LAST_RANKS:
                        kind, last_kind = TO_KNIGHT if everything else TO_QUEEN, TO_QUEEN
                    elif arrive & s.passant:
                        kind, last_kind = EN_PASSANT, EN_PASSANT
                    elif abs(target - square) == 16:
                        kind, last_kind = DOUBLE_STEP, DOUBLE_STEP
                elif is_king and arrive & own:
                    kind, last_kind = CASTLING, CASTLING
                while last_kind >= kind:  # the queen comes first
                    yield square | target << TARGET | last_kind << KIND
                    last_kind -= 1

    def count(self, s: Position) -> int:
        number: int = count_moves(s)
        return number

    def sample(self, s: Position, stream: Any) -> int:
        """A number is drawn, and then the move that has it: none of the others is made."""
        action: int = move_at(s, below(stream, count_moves(s)))
        return action

    def terminal(self, s: Position) -> bool:
        """No legal move. Almost always a pawn or a knight that the king doesn't see shows at a glance that there is
        one."""
        own, enemy = sides(s)
        occupied = own | enemy
        king = lowest(s.kings & own)
        straight, diagonal = straight_attacks(king, occupied), diagonal_attacks(king, occupied)
        checkers = (PAWN_TAKES[s.player, king] & s.pawns | KNIGHT_STEPS[king] & s.knights) & enemy
        checkers |= (straight & s.straights | diagonal & s.diagonals) & enemy
        if checkers == ZERO:
            free = own & ~(straight | diagonal)
            if pawn_steps(s.player, s.pawns & free, ~occupied) | jumped(s.knights & free) & ~own:
                return False
        return count_moves(s) == 0

    def result(self, s: Position, action: int) -> Position:
        source, target, kind = action & SQUARE, action >> TARGET & SQUARE, action >> KIND
        from_shift, to_shift = np.uint64(source), np.uint64(target)
        leave, arrive = ONE << from_shift, ONE << to_shift
        own, enemy = sides(s)
        if kind == CASTLING:
            return castled(s, source, target)

        stay = ~(leave | arrive)
        pawns = s.pawns & stay | (s.pawns >> from_shift & ONE) << to_shift
        knights = s.knights & stay | (s.knights >> from_shift & ONE) << to_shift
        diagonals = s.diagonals & stay | (s.diagonals >> from_shift & ONE) << to_shift
        straights = s.straights & stay | (s.straights >> from_shift & ONE) << to_shift
        kings = s.kings & stay | (s.kings >> from_shift & ONE) << to_shift
        progress = (s.pawns & leave | enemy & arrive) != ZERO
        castling = s.castling & (enemy if s.kings & leave else ALL) & stay
        own = own & stay | arrive
        enemy = enemy & stay
        passant = ZERO
        if kind != PLAIN:
            if kind == DOUBLE_STEP:
                passant = ONE << np.uint64((source + target) >> 1)
            elif kind == EN_PASSANT:
                victim = arrive >> UPWARDS if s.player == MAX else arrive << UPWARDS
                pawns ^= victim
                enemy ^= victim
            else:
                pawns ^= arrive
                if kind == TO_KNIGHT:
                    knights |= arrive
                if kind in (TO_BISHOP, TO_QUEEN):
                    diagonals |= arrive
                if kind in (TO_ROOK, TO_QUEEN):
                    straights |= arrive
        white, black = (own, enemy) if s.player == MAX else (enemy, own)
        after = Position(
            white,
            black,
            pawns,
            knights,
            diagonals,
            straights,
            kings,
            castling,
            ZERO,
            1 - s.player,
            0 if progress else s.quiet + 1,
            s.moves + s.player,
        )
        if passant and passant_takers(after, passant, 1 - s.player):
            return Position(
                white,
                black,
                pawns,
                knights,
                diagonals,
                straights,
                kings,
                castling,
                passant,
                1 - s.player,
                0,
                s.moves + s.player,
            )
        return after

    # ------------------------------------------------------------ the end
    def in_check(self, s: Position) -> bool:
        """True if the mover's king is attacked."""
        own, enemy = sides(s)
        attacking = attackers(s, lowest(s.kings & own), own | enemy) & enemy
        return attacking != ZERO

    def utility(self, s: Position) -> float:
        if not self.in_check(s):
            return 0.0
        return -1.0 if s.player == MAX else 1.0

    def lacks_material(self, s: Position) -> bool:
        """True if nobody can be mated any more, however badly they play: a knight alone, or bishops that are all on
        one colour."""
        if s.pawns | s.straights:
            return False
        if s.knights:
            return popcount(s.white | s.black) == 3
        return s.diagonals & DARK == ZERO or s.diagonals & ~DARK == ZERO

    # ------------------------------------------------------------ what searches are told
    def key(self, s: Position) -> Any:
        """Of all that tells two positions apart in play; not of the numbers of moves. Castling rooks and en passant
        are never on one rank."""
        return (
            mix(KEY_WHITE if s.player == MAX else KEY_BLACK, s.white)
            ^ mix(KEY_PAWNS, s.pawns)
            ^ mix(KEY_KNIGHTS, s.knights)
            ^ mix(KEY_DIAGONALS, s.diagonals)
            ^ mix(KEY_STRAIGHTS, s.straights)
            ^ mix(KEY_KINGS, s.kings)
            ^ mix(KEY_RIGHTS, s.castling | s.passant)
        )

    def see(self, s: Position, action: int) -> float:
        """Static exchange evaluation, in pawns: what the move wins on the square where it ends."""
        won: float = exchange_value(s, action)
        return won

    # ------------------------------------------------------------ opinions: see evaluate/chess
    encoding = encoding_of("chess.encoding")

    def evaluate(self, s: Position) -> float:
        """A weighted sum of features, with the weights that come with the game: a pawn is 0.01."""
        estimate: float = self.encoding.estimate(self, s)
        return estimate

    # ------------------------------------------------------------ text: see fen.py and notation.py

    def show(self, s: Position) -> str:
        return picture(s)
