"""A match of backgammon: games to so many points, with the doubling cube.

The games are those of `backgammon`. Each is played for one point, times 2 for a gammon or 3 for a backgammon, times
what the cube shows. Before a roll, but not before the opening roll, whoever is to throw may double: the other side
takes, and the game goes on for twice as much with the cube in its hands, or drops, and loses what the cube showed. At
first either side may double, after that only the one that took last. When a side is one point short of the match for
the first time, there is one game without the cube: Crawford's game. Whoever has the points first has won the match,
which is all that counts: utilities are 1 and -1.

A cube that can't matter to whoever holds it, because the points that it shows already would be enough, is not turned:
the rules allow it, and it is never of use. The cube goes up to MOST.

The estimate is the chance to win the match from the score after this game, by Janowski's formula, with the game judged
by the evaluation of `backgammon`.

Text of a state: that of the position, then `cube` and who may double (X, O, or both as -), the score of X and O, and,
where it is so, `crawford` or `after` it, and `decide` or `offered`:

    4HPwATDgc/ABMA opening cube 1 - score 0-0
    4HPwATDgc/ABMA X cube 2 X score 3-1 decide

Actions are plays and rolls as in `backgammon`, and `roll`, `double`, `take`, `drop`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple

from plyforge.board import Board, Place, Words
from plyforge.contract import (
    MAX,
    MIN,
    BoardView,
    Game,
    HistoryRules,
    Notation,
    format_action,
    format_state,
    parse_action,
    parse_state,
)
from plyforge.errors import BadRules, BadText
from plyforge.games.backgammon.board import OPENING, TO_ROLL, Position
from plyforge.games.backgammon.plays import MOST_PLAYS
from plyforge.games.backgammon.rules import Backgammon
from plyforge.games.backgammon.text import NAMES
from plyforge.games.backgammon.view import HEIGHT, SPIKE
from plyforge.games.backgammon.view import board as picture_board
from plyforge.games.backgammon.view import ways as picture_ways
from plyforge.kernel import below

MOST = 64
"""What the cube shows at most."""
MOST_POINTS = 99
BOTH = -1
"""As owner of the cube: it lies in the middle."""
PLAYING, DECIDING, OFFERED = 0, 1, 2
"""What `cube_phase` says: dice and plays, whether to double, whether to take."""
NOT_YET, CRAWFORD, AFTER = 0, 1, 2
"""Crawford's game is still to come, is this one, is past."""
ROLL, DOUBLE = 0, 1
TAKE, DROP = 0, 1
INSIDE = 0.999
_TEXT = re.compile(
    r"(.*?)(?<!\s)\s++cube\s++(\d{1,9})\s++([XO-])\s++score\s++(\d{1,9})-(\d{1,9})(?:\s+(crawford|after))?(?:\s+(decide|offered))?",
    re.I,
)


class Stand(NamedTuple):
    """How a match stands."""

    board: Position
    """The position, and the dice."""
    cube: int
    """What this game is played for."""
    owner: int
    """Who may double: MAX, MIN or BOTH."""
    cube_phase: int
    """PLAYING, DECIDING or OFFERED. The board's player is who has the turn, not who answers a double."""
    max_score: int
    min_score: int
    crawford: int
    """NOT_YET, CRAWFORD or AFTER."""


class BackgammonMatchHistory(HistoryRules):
    """What depends on the past."""

    draws_possible = False


class BackgammonMatchNotation(Notation):
    """States and actions as text."""

    player_names = ("X", "O")

    def format_state(self, game: BackgammonMatch, s: Stand) -> str:
        owner = "-" if s.owner == BOTH else NAMES[s.owner]
        words = [format_state(game.rules, s.board), f"cube {s.cube} {owner} score {s.max_score}-{s.min_score}"]
        words += [("", "crawford", "after")[s.crawford]] if s.crawford else []
        words += [("", "decide", "offered")[s.cube_phase]] if s.cube_phase else []
        return " ".join(words)

    def parse_state(self, game: BackgammonMatch, text: str) -> Stand:
        match = _TEXT.fullmatch(text.strip())
        if match is None:
            raise BadText(
                f"{text[:80]!r} is not a state of a match: the position, the cube and who may double, and the score, as"
                " in '4HPwATDgc/ABMA X 31 cube 2 O score 3-1'"
            )
        board = parse_state(game.rules, match[1])
        cube, scores = int(match[2]), (int(match[4]), int(match[5]))
        owner = BOTH if match[3] == "-" else NAMES.index(match[3].upper())
        crawford = ("", "crawford", "after").index((match[6] or "").lower())
        phase = ("", "decide", "offered").index((match[7] or "").lower())
        s = Stand(board, cube, owner, phase, *scores, crawford)
        why = game.impossible(s)
        if why:
            raise BadText(f"{text[:80]!r} can't be: {why}")
        return s

    def format_action(self, game: BackgammonMatch, s: Stand, action: int) -> str:
        if s.cube_phase == DECIDING:
            return ("roll", "double")[action]
        if s.cube_phase == OFFERED:
            return ("take", "drop")[action]
        return format_action(game.rules, s.board, action)

    def parse_action(self, game: BackgammonMatch, s: Stand, text: str) -> int:
        if s.cube_phase == PLAYING:
            return parse_action(game.rules, s.board, text)
        names = ("roll", "double") if s.cube_phase == DECIDING else ("take", "drop")
        if text.strip().lower() not in names:
            raise BadText(f"{text[:40]!r} is not an action here: write {names[0]} or {names[1]}")
        return names.index(text.strip().lower())


class BackgammonMatchView(BoardView):
    """The picture to point at."""

    def board(self, game: BackgammonMatch, s: Stand) -> Board:
        """The board of the game that is played, with the cube and the score between the halves."""
        drawn = picture_board(s.board)
        last = "" if s.crawford != CRAWFORD else ", Crawford's game"
        score = Words(6.0, HEIGHT + 1.0, f"X {s.max_score} : {s.min_score} O, to {game.points}{last}", 0.4)
        if not game.cube or s.crawford == CRAWFORD:
            return replace(drawn, words=[*drawn.words, score])
        y = {MAX: HEIGHT - SPIKE - 0.1, MIN: SPIKE + 0.1, BOTH: HEIGHT / 2}[s.owner]
        who = "in the middle" if s.owner == BOTH else f"with {NAMES[s.owner]}"
        cube = Place("cube", 13.3, y, "card", 0.8, 0.8, text=str(s.cube))
        told = Words(13.3, HEIGHT + 1.0, f"cube {who}", 0.3)
        return replace(drawn, places=[*drawn.places, cube], words=[*drawn.words, score, told])

    def ways(self, game: BackgammonMatch, s: Stand, action: int) -> Iterator[tuple[str, ...]]:
        if s.cube_phase == PLAYING:
            yield from picture_ways(s.board, action)
        elif s.cube_phase == DECIDING and action == DOUBLE:
            yield ("cube",)


@dataclass(frozen=True)
class BackgammonMatch(Game):
    """Backgammon to so many points, with the doubling cube: `backgammon_match(points=7, cube=True, crawford=True)`."""

    notation = BackgammonMatchNotation()
    view = BackgammonMatchView()

    history = BackgammonMatchHistory()

    max_actions = MOST_PLAYS
    rules: ClassVar[Backgammon] = Backgammon()

    points: int = 7
    """To be won."""
    cube: bool = True
    """Whether there is one."""
    crawford: bool = True
    """Whether there is Crawford's game."""

    def __post_init__(self) -> None:
        if not 1 <= self.points <= MOST_POINTS:
            raise BadRules(f"a match goes to 1 to {MOST_POINTS} points, not to {self.points}")

    # ------------------------------------------------------------ the six functions
    def start(self) -> Stand:
        first = CRAWFORD if self.crawford and self.points == 1 else NOT_YET
        return Stand(self.rules.start(), 1, BOTH, PLAYING, 0, 0, first)

    def player(self, s: Stand) -> int:
        if s.cube_phase == DECIDING:
            return s.board.player
        if s.cube_phase == OFFERED:
            return MIN if s.board.player == MAX else MAX
        return self.rules.player(s.board)

    def actions(self, s: Stand) -> Iterator[int]:
        if s.cube_phase != PLAYING:
            yield ROLL  # or TAKE
            yield DOUBLE  # or DROP
        else:
            for action in self.rules.actions(s.board):
                yield action

    def chance(self, s: Stand) -> Iterator[tuple[int, float]]:
        for outcome, probability in self.rules.chance(s.board):
            yield outcome, probability

    def result(self, s: Stand, action: int) -> Stand:
        if s.cube_phase == DECIDING:
            phase = OFFERED if action == DOUBLE else PLAYING
            return Stand(s.board, s.cube, s.owner, phase, s.max_score, s.min_score, s.crawford)
        if s.cube_phase == OFFERED:
            if action == DROP:
                return self.scored(s, s.board.player, s.cube)
            taker = MIN if s.board.player == MAX else MAX
            return Stand(s.board, 2 * s.cube, taker, PLAYING, s.max_score, s.min_score, s.crawford)
        board = self.rules.result(s.board, action)
        if self.rules.terminal(board):
            won = int(self.rules.utility(board))
            return self.scored(s, MAX if won > 0 else MIN, s.cube * abs(won))
        after = Stand(board, s.cube, s.owner, PLAYING, s.max_score, s.min_score, s.crawford)
        if board.dice == TO_ROLL and self.may_double(after):
            return Stand(board, s.cube, s.owner, DECIDING, s.max_score, s.min_score, s.crawford)
        return after

    def terminal(self, s: Stand) -> bool:
        return s.max_score >= self.points or s.min_score >= self.points

    def utility(self, s: Stand) -> float:
        return 1.0 if s.max_score >= self.points else -1.0

    # ------------------------------------------------------------ their parts
    def may_double(self, s: Stand) -> bool:
        """True if whoever is to roll may turn the cube."""
        mine = s.max_score if s.board.player == MAX else s.min_score
        return (
            self.cube
            and s.crawford != CRAWFORD
            and (s.owner == BOTH or s.owner == s.board.player)
            and s.cube < MOST
            and mine + s.cube < self.points
        )

    def scored(self, s: Stand, winner: int, won: int) -> Stand:
        """A game is over: the next one begins, or the match is over."""
        x, o = s.max_score, s.min_score
        if winner == MAX:
            x = min(self.points, x + won)
        else:
            o = min(self.points, o + won)
        crawford = s.crawford
        if self.crawford:
            if crawford == CRAWFORD:
                crawford = AFTER
            elif crawford == NOT_YET and max(x, o) == self.points - 1:
                crawford = CRAWFORD
        return Stand(self.rules.start(), 1, BOTH, PLAYING, x, o, crawford)

    # ------------------------------------------------------------ opinions
    def match_chance(self, mine: float, yours: float) -> float:
        """The chance to win the match from a score, by Janowski's formula: 0.5 + 0.85 D / (T + 6), for a lead of D
        and T points that the other one needs."""
        if mine >= self.points:
            return 1.0
        if yours >= self.points:
            return 0.0
        lead = mine - yours
        trailing = self.points - min(mine, yours)
        return min(1.0, max(0.0, 0.5 + 0.85 * lead / (trailing + 6.0)))

    def evaluate(self, s: Stand) -> float:
        """Twice the chance to win the match, less one: between what it is if this game is won and if it is lost, by
        as much as the game looks won."""
        equity = self.rules.evaluate(s.board)
        stake = s.cube * max(1.0, abs(equity))
        won = self.match_chance(s.max_score + stake, 1.0 * s.min_score)
        lost = self.match_chance(1.0 * s.max_score, s.min_score + stake)
        share = 0.5 + 0.5 * min(1.0, max(-1.0, equity))
        return INSIDE * (2.0 * (lost + share * (won - lost)) - 1.0)

    def count(self, s: Stand) -> int:
        return 2 if s.cube_phase != PLAYING else self.rules.count(s.board)

    def sample(self, s: Stand, stream: Any) -> int:
        if s.cube_phase != PLAYING:
            return below(stream, 2)
        return self.rules.sample(s.board, stream)

    # ------------------------------------------------------------ facts for the checker
    def winner(self, s: Stand) -> int:
        return MAX if s.max_score == self.points else MIN

    # ------------------------------------------------------------ text

    def impossible(self, s: Stand) -> str:
        """Why a state can't arise; "" if nothing speaks against it."""
        over = self.terminal(s)
        if s.cube not in (1, 2, 4, 8, 16, 32, 64) or (s.cube > 1 and not self.cube):
            return f"the cube shows {s.cube}"
        if (s.cube == 1) != (s.owner == BOTH):
            return "the cube is in the middle exactly while nobody has doubled"
        if max(s.max_score, s.min_score) > self.points or min(s.max_score, s.min_score) >= self.points:
            return f"the score is {s.max_score}-{s.min_score} in a match to {self.points}"
        if over and s[:4] != (self.rules.start(), 1, BOTH, PLAYING):
            return "the match is over, and nothing is played any more"
        if not over and self.rules.terminal(s.board):
            return "the game is over, and the next one has begun"
        if s.cube > 1 and (s.crawford == CRAWFORD or s.board.dice == OPENING):
            return "nobody may have doubled in this game yet"
        if s.cube_phase != PLAYING and not (s.board.dice == TO_ROLL and self.may_double(s)):
            return "nobody may double here"
        return self._wrong_game(s, over)

    def _wrong_game(self, s: Stand, over: bool) -> str:
        """What is wrong with where Crawford's game is said to be."""
        most = max(s.max_score, s.min_score)
        if not self.crawford:
            return "there is no Crawford's game in this match" if s.crawford else ""
        if s.crawford == NOT_YET and most == self.points - 1:
            return "Crawford's game is this one, or was before"
        if s.crawford == CRAWFORD and (over or most != self.points - 1):
            return "Crawford's game is the first at one point from the end"
        if s.crawford == AFTER and most < self.points - 1:
            return "Crawford's game is still to come"
        return ""

    def show(self, s: Stand) -> str:
        whose = "in the middle" if s.owner == BOTH else f"{NAMES[s.owner]}'s"
        said = f"score {s.max_score}-{s.min_score} to {self.points}"
        if self.cube:
            said += ", Crawford's game: no cube" if s.crawford == CRAWFORD else f", cube {s.cube}, {whose}"
        if s.cube_phase == OFFERED:
            said += f", {NAMES[s.board.player]} doubles to {2 * s.cube}"
        return f"{self.rules.show(s.board)}\n{said}"


__all__ = ["BackgammonMatch", "Stand"]
