"""What GTP has for Go alone: komi, handicap, dead stones, rules, files of games, and moves out of turn."""

from __future__ import annotations

import dataclasses
import json
import os
import time
from itertools import pairwise
from typing import Any, TextIO

from plyforge.contract import MAX, MIN, legal_moves
from plyforge.errors import IllegalAction, PlyforgeError
from plyforge.games.go import NO_POINT, Go, Position
from plyforge.games.go.notation import format_points, format_vertex, parse_vertex, vertex
from plyforge.games.go.points import has, is_empty, joined, split
from plyforge.games.go.sgf import LARGEST_FILE, MOST_NODES, read_sgf
from plyforge.games.go.sgf_bytes import decoded
from plyforge.play.players.search_player import HOPELESS_MOVES, SIMULATIONS_TO_RESIGN, SearchPlayer
from plyforge.play.protocols.gtp.dead_stones import cleared, score_text, statuses
from plyforge.play.protocols.gtp.server import DEFAULT_SECONDS, Gtp
from plyforge.play.protocols.gtp.words import SYNTAX, Refused, first_word, number_word, whole_word
from plyforge.reading import read_bytes
from plyforge.search import Result, Uct
from plyforge.search.time.rules import FOR_DEAD_STONES

HOPELESS = 0.9
"""A player whose value is below minus this has won less than one simulation in twenty; it resigns after a few such
moves in a row,"""
PLAYED_FIRST = 0.25
"""when stones enough for this part of the board have been played."""
SMALLEST_FIXED = 7
"""Fixed handicaps are defined from this size on."""
MOST_THREADS = 2

GO_OPTIONS = {"rave": 1000.0, "priors": 20, "exploration": 0.1, "weighted": True}
"""Of the search: all-moves-as-first with first guesses, and playouts with some skill."""
RULES = {
    "friendlyPassOk": False,
    "hasButton": False,
    "ko": "POSITIONAL",
    "scoring": "AREA",
    "suicide": False,
    "tax": "NONE",
}
"""Ours, in the words of KataGo's extensions."""
BONUS = "whiteHandicapBonus"
BONUSES = ("0", "N", "N-1")
"""What White gets for N handicap stones: the only rule that can be chosen."""
SAME_RULES = ("chinese", "chinese-ogs", "chinese-kgs", "chinese_ogs", "chinese_kgs")
"""Names for area scoring without suicide; in all of them White gets a point for each handicap stone."""


def go_player(native: bool | None = None) -> SearchPlayer:
    """The player of Go that we have: UCT with all-moves-as-first, on two threads where there are two cores."""
    known = {field.name for field in dataclasses.fields(Uct)}
    options: dict[str, Any] = {name: value for name, value in GO_OPTIONS.items() if name in known}
    options["threads"] = min(MOST_THREADS, os.cpu_count() or 1)
    return SearchPlayer("uct", seconds=DEFAULT_SECONDS, native=native, options=options)


class GoGtp(Gtp):
    """GTP for Go."""

    game: Go

    def __init__(
        self,
        commands: TextIO,
        answers: TextIO,
        game: Go,
        player: SearchPlayer,
        diary: TextIO | None = None,
        resigns: bool = True,
    ) -> None:
        self.told_komi = game.komi
        """What the controller knows of; the game's own has the bonus for handicap stones, too."""
        self.bonus = "0"
        """One of BONUSES."""
        super().__init__(commands, answers, game, player, diary)
        self.resigns = resigns
        self._hopeless = [0, 0]
        """For each player, how many hopeless moves there were in a row."""
        self.commands |= {
            "get_komi": lambda words: format_points(self.told_komi),
            "fixed_handicap": self.fixed_handicap,
            "place_free_handicap": self.place_free_handicap,
            "set_free_handicap": self.set_free_handicap,
            "final_status_list": self.final_status_list,
            "kgs-genmove_cleanup": self.clean_up,
            "kgs-rules": self.set_rules,
            "kata-set-rules": self.set_rules,
            "kata-get-rules": lambda words: json.dumps(RULES | {BONUS: self.bonus}, separators=(",", ":")),
            "loadsgf": self.load_sgf,
        }

    # ------------------------------------------------------------ the board
    def begin(self, game: Any, states: Any = ()) -> None:
        self._hopeless = [0, 0]
        super().begin(dataclasses.replace(game, komi=self.told_komi), states)

    def komi(self, words: list[str]) -> str:
        self.told_komi = number_word(words)
        self._settle()
        return ""

    def undo(self, words: list[str]) -> str:
        said = super().undo(words)
        self._settle()
        return said

    @property
    def handicap(self) -> int:
        """How many stones were put on the empty board at once."""
        numbers = [stones_on(state) for state in self.states]
        return next((after for before, after in pairwise(numbers) if before == 0 and after > 1), 0)

    def _settle(self) -> None:
        """Count and search with the komi that holds: what was told, and White's bonus if there are handicap stones."""
        stones = self.handicap
        bonus = {"0": 0, "N": stones, "N-1": max(stones - 1, 0)}[self.bonus]
        komi = self.told_komi + bonus
        if komi != self.game.komi:
            self.game = dataclasses.replace(self.game, komi=komi)
            self._warm_up()

    def turn_of(self, player: int) -> Position:
        """Anybody may move at any time, also after two passes: GTP's games go on until nobody asks for a move any
        more."""
        state: Position = self.state
        if state.passes >= 2:
            state = state._replace(passes=0, last=NO_POINT)
        if state.player != player:
            state = state._replace(player=player, ko=NO_POINT)
        return state

    def read_action(self, state: Any, text: str) -> Any:
        if vertex(self.game.size, text) is None:
            raise Refused(SYNTAX)
        return super().read_action(state, text)

    def default_player(self) -> int:
        return int(self.state.player)

    def set_rules(self, words: list[str]) -> str:
        """Only ours can be set, with any bonus for handicap stones; where nothing is said about it there is none."""
        self.bonus = _bonus_of(" ".join(words).strip().lower())
        self._settle()
        return ""

    # ------------------------------------------------------------ handicap
    def fixed_handicap(self, words: list[str]) -> str:
        return self._handicap(self._fixed(whole_word(words)))

    def place_free_handicap(self, words: list[str]) -> str:
        """The fixed points as far as there are any, then points far from all others."""
        number = whole_word(words)
        size = self.game.size
        if not 2 <= number < size * size:
            raise Refused("invalid number of stones")
        chosen = self._fixed(min(number, _most_fixed(size))) if _most_fixed(size) else []
        inner = [
            (row, column)
            for row in range(size)
            for column in range(size)
            if size < 5 or (2 <= row < size - 2 and 2 <= column < size - 2)
        ]
        every = [(row, column) for row in range(size) for column in range(size)]
        for candidates in (inner, every):
            while len(chosen) < number:
                taken = [divmod(place, self.game.stride) for place in chosen]
                free = [place for place in candidates if place not in taken]
                if not free:
                    break
                row, column = max(free, key=lambda p: min((abs(p[0] - r) + abs(p[1] - c) for r, c in taken), default=0))
                chosen.append(row * self.game.stride + column)
        return self._handicap(chosen)

    def set_free_handicap(self, words: list[str]) -> str:
        if stones_on(self.state):
            raise Refused("board not empty")
        try:
            places = [parse_vertex(self.game.size, word) for word in words]
        except IllegalAction:
            raise Refused("bad vertex list") from None
        if len(places) < 2 or len(set(places)) < len(places) or self.game.places in places:
            raise Refused("bad vertex list")
        if len(places) >= self.game.size**2:
            raise Refused("bad vertex list")
        self._handicap(places)
        return ""

    def _fixed(self, number: int) -> list[int]:
        """Where the standard puts so many stones."""
        size = self.game.size
        if not 2 <= number <= _most_fixed(size):
            raise Refused("invalid number of stones")
        low = 3 if size >= 13 else 2
        high, middle = size - 1 - low, size // 2
        corners = [(low, low), (high, high), (high, low), (low, high)]
        sides = [(middle, low), (middle, high), (low, middle), (high, middle)]
        centre = [(middle, middle)]
        points = corners[:number]
        if number >= 5:
            points = corners + sides[: number - 4 - number % 2] + centre * (number % 2)
        return [row * self.game.stride + column for row, column in points]

    def _handicap(self, places: list[int]) -> str:
        if stones_on(self.state):
            raise Refused("board not empty")
        black = split(sum(1 << place for place in places), len(self.game.full))
        start = self.game.start()
        self.states.append(start._replace(black=black, player=MIN))
        self._settle()
        return " ".join(format_vertex(self.game.size, place) for place in places)

    # ------------------------------------------------------------ the end
    def final_score(self, words: list[str]) -> str:
        return score_text(self.game, cleared(self.game, self.state))

    def final_status_list(self, words: list[str]) -> str:
        wanted = first_word(words)
        if wanted not in ("alive", "dead", "seki"):
            raise Refused(SYNTAX)
        if wanted == "seki":  # for area scoring a stone in seki is a living one
            return ""
        alive, dead = statuses(self.game, self.state)
        return "\n".join(
            " ".join(format_vertex(self.game.size, place) for place in places)
            for places in (alive if wanted == "alive" else dead)
        )

    def clean_up(self, words: list[str]) -> str:
        """A move that does not pass while the opponent has dead stones on the board."""
        player = self.player_named(words[0]) if words else self.default_player()
        state = self.turn_of(player)
        began = time.perf_counter()
        clock = self.times[player].clock()
        _, dead = statuses(self.game, state, None if clock is None else FOR_DEAD_STONES * clock.soft_seconds)
        took = time.perf_counter() - began
        theirs = state.white if player == MAX else state.black
        if not any(has(theirs, places[0]) for places in dead):
            self.times[player] = self.times[player].spend(took)
            self.take(state, self.game.places)
            return "pass"
        self.times[player] = self.times[player].thinking(took)
        _, action = self.think(state, player, lambda action: bool(action != self.game.places))
        self.take(state, action)
        return format_vertex(self.game.size, action)

    def gives_up(self, state: Position, player: int, found: Result | None) -> bool:
        """After a few moves in a row that nearly no simulation wins."""
        if found is None or self.game.margin:
            return False
        if not found.exact and getattr(found, "simulations", 0) < SIMULATIONS_TO_RESIGN:
            return False
        own = float(found.value) if player == MAX else -float(found.value)
        self._hopeless[player] = self._hopeless[player] + 1 if own < -HOPELESS else 0
        enough = stones_on(state) >= PLAYED_FIRST * self.game.size**2
        return self.resigns and enough and self._hopeless[player] >= HOPELESS_MOVES

    def without_thought(self, state: Position) -> list[int]:
        """Points near the middle that are not the player's own eyes, then to pass."""
        game, middle = self.game, (self.game.size - 1) / 2
        own = state.black if state.player == MAX else state.white
        places = [place for place in legal_moves(game, state) if place != game.places and not _eye(game, own, place)]
        places.sort(key=lambda place: max(abs(place // game.stride - middle), abs(place % game.stride - middle)))
        return [*places, game.places]

    # ------------------------------------------------------------ files
    def load_sgf(self, words: list[str]) -> str:
        """The position before the move of that number; without one, after the last."""
        if not words:
            raise Refused(SYNTAX)
        number = whole_word(words[1:]) if len(words) > 1 else MOST_NODES + 1
        if number < 1:
            raise Refused("cannot load file")
        try:
            game = read_sgf(decoded(read_bytes(words[0], LARGEST_FILE, "games of Go")), most=1)[0]
            states = game.before(number)
        except PlyforgeError:
            raise Refused("cannot load file") from None
        self.told_komi = game.game.komi
        self.begin(game.game, states)
        return ""


def _bonus_of(rules: str) -> str:
    """What rules, by name or as JSON in small letters, give White for handicap stones. Raises Refused if they are
    not ours."""
    if rules in SAME_RULES:
        return "N"
    try:
        given = json.loads(rules)
        if isinstance(given, dict) and given:
            bonus = str(given.pop(BONUS.lower(), "0")).upper()
            ours = {key.lower(): str(value).lower() for key, value in RULES.items()}
            if bonus in BONUSES and all(ours.get(key) == str(value).lower() for key, value in given.items()):
                return bonus
    except (ValueError, RecursionError):
        pass
    raise Refused("unsupported rules: area scoring, positional superko and no suicide, as in chinese")


def stones_on(state: Position) -> int:
    """How many stones there are."""
    return (joined(state.black) | joined(state.white)).bit_count()


def _eye(game: Go, own: Any, place: int) -> bool:
    """True if all points beside it are the player's."""
    row, column = divmod(place, game.stride)
    near = [(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)]
    inside = [(r, c) for r, c in near if 0 <= r < game.size and 0 <= c < game.size]
    return not is_empty(own) and all(has(own, r * game.stride + c) for r, c in inside)


def _most_fixed(size: int) -> int:
    """How many stones a fixed handicap has at most."""
    if size < SMALLEST_FIXED:
        return 0
    return 9 if size % 2 and size > SMALLEST_FIXED else 4


__all__ = ["GoGtp", "go_player"]
