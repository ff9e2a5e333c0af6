"""The desk behind the Analyse view: a position that can be moved about, and one or two algorithms that think about it.

The position is a game in progress: it can be played forward and back, or set by its text. As long as analysis is on,
each new position starts it again. News of kind "analysis" says how each algorithm stands (`of` is its side, "a" or
"b"); each piece of news says all of it, and has the number of the position it is about.
"""

from __future__ import annotations

import json
import threading
from typing import Any

from plyforge.contract import CHANCE, Game, format_state
from plyforge.errors import BadLimits, BadText, PlyforgeError, Unsuitable, WrongMoment
from plyforge.play.formats.record import game_text
from plyforge.play.session import GameSession
from plyforge.search import Limits
from plyforge.search.core.requirements import ANY_GAME
from plyforge.studio.analyse.algorithms import algorithms, algorithms_for
from plyforge.studio.analyse.analyst import Analyst, Order
from plyforge.studio.analyse.comparison import Comparison
from plyforge.studio.analyse.position import about, position
from plyforge.studio.analyse.setup_by_rules import Placing
from plyforge.studio.analyse.setup_by_text import Layout
from plyforge.studio.server import limits
from plyforge.studio.server.handler import BadRequest, Desk, Room, does

SIDES = ("a", "b")
LONGEST_TEXT = 4000
"""Letters of a position."""
MOST_MOVES = 5000
"""In one request."""


class AnalyseDesk(Desk):
    """See the module's text."""

    def __init__(self, room: Room) -> None:
        super().__init__(room)
        self.name = ""
        self.session: GameSession | None = None
        self.analysts: dict[str, Analyst] = {}
        self.number = 0
        """Of what is analysed: every new position and every start counts one more, so that a page can tell what is
        about something else."""
        self.on = False
        """True: each new position is analysed."""
        self.plan: dict[str, Any] = {}
        """Which algorithms, how far, how many lines."""
        self.comparison: Comparison | None = None
        self.comparisons = 0
        """How many were begun: the one that is given up may still say how far it came, and is known by its number."""
        self._lock = threading.RLock()
        self._looking = threading.Lock()
        self._laid_out: tuple[Game, Layout | Placing | None] | None = None

    def count_from(self, first: int) -> None:
        self.number = self.comparisons = first

    def close(self) -> None:
        self.on = False
        for analyst in list(self.analysts.values()):
            analyst.close()
        if self.comparison is not None:
            self.comparison.stop()

    # ------------------------------------------------------------ the position
    @does
    def open(self, game: str, state: str = "", moves: list[Any] | None = None) -> dict[str, Any]:
        """Begin with a game: at its start or at a position, with these moves played."""
        rules = self.game(game)
        if rules.hidden_information:
            ANY_GAME.check(rules, "analysis")
        session = begin(rules, state, moves or [])
        self.stop()
        for analyst in self.analysts.values():
            analyst.close()
        self.analysts = {}
        self.name, self.session = game, session
        return {"game": about(rules, game), **algorithms_for(rules), **self._moved()}

    @does
    def play(self, move: str) -> dict[str, Any]:
        """Play an action, or an outcome of chance."""
        self._session.play_text(move[:LONGEST_TEXT])
        return self._moved()

    @does
    def roll(self) -> dict[str, Any]:
        """Let chance decide where it is to move."""
        if self._session.player != CHANCE:
            raise WrongMoment("it is not for chance to move here")
        self._session.draw()
        return self._moved()

    @does
    def go(self, ply: int) -> dict[str, Any]:
        """Go to another place of the game so far: moves that were taken back can be played again."""
        session = self._session
        here = len(session.history)
        if ply < here:
            session.undo(here - max(0, ply))
        elif ply > here:
            session.redo(min(ply - here, session.undone))
        return self._moved()

    @does
    def set(self, text: str) -> dict[str, Any]:
        """Set a position by its text."""
        session = begin(self._session.game, text, [])
        self.session = session
        return self._moved()

    @does
    def follow(self, moves: list[Any]) -> dict[str, Any]:
        """Play several moves of a line."""
        session = self._session
        check_moves(moves)
        played = 0
        try:
            for move in moves:
                session.play_text(move)
                played += 1
        except PlyforgeError:
            session.undo(played)
            raise
        return self._moved()

    @does
    def look(self, moves: list[Any]) -> dict[str, Any]:
        """What is there after these moves. The position, and what is thought about, stay as they are."""
        session = self._session
        ahead = GameSession(session.game, session.state, session.seed)
        check_moves(moves)
        for move in moves:
            ahead.play_text(move)
        return {"position": position(ahead)}

    # ------------------------------------------------------------ by hand
    @does
    def editable(self) -> None:
        """News of kind "editable" says whether positions of this game can be set up by pointing at places. That
        takes a moment, in which other requests don't wait."""
        name, game = self.name, self._session.game

        def look() -> None:
            found = self._layout(game) is not None
            self.tell("editable", {"game": name, "editable": found}, name)

        threading.Thread(target=look, daemon=True, name="studio layout").start()

    @does
    def edit(self) -> dict[str, Any]:
        """What is needed for that, beginning with the position that is there."""
        session = self._session
        layout = self._layout(session.game)
        if layout is None:
            raise Unsuitable("the text of this game does not show its board: set positions by text, or play moves")
        return layout.to_json(session.game, session.state)

    @does
    def assemble(self, tokens: list[Any]) -> dict[str, Any]:
        """The text that tokens make, and what is wrong with it; "" if it is a position."""
        layout = self._layout(self._session.game)
        if layout is None or not all(isinstance(token, str) for token in tokens):
            raise BadRequest("tokens are a list of texts, in a game that can be edited")
        text = ""
        try:
            text = layout.text(tokens)
            begin(self._session.game, text, [])
        except PlyforgeError as error:
            return {"text": text, "wrong": str(error)}
        return {"text": text, "wrong": ""}

    def _layout(self, game: Game) -> Layout | Placing | None:
        with self._looking:
            if self._laid_out is None or self._laid_out[0] is not game:
                try:
                    self._laid_out = game, Placing.of(game) or Layout.of(game)
                except BaseException:  # rules of one's own may fail in any way: then there is no editor
                    self._laid_out = game, None
            return self._laid_out[1]

    @property
    def _session(self) -> GameSession:
        if self.session is None:
            raise WrongMoment("open a game first")
        return self.session

    def _moved(self) -> dict[str, Any]:
        """A new position: what was thought is about another one."""
        with self._lock:
            self.number += 1
            if self.comparison is not None:
                self.comparison.stop()
            if self.on:
                self._think()
        return {"number": self.number, "position": self.here()}

    def here(self) -> dict[str, Any]:
        """The position, with the moves that led to it and those that were taken back."""
        session = self._session
        game = session.game
        again = session.copy()
        again.redo(session.undone)
        texts = again.actions_text()
        return {
            **position(session),
            "start": None if session.start == game.start() else format_state(game, session.start),
            "moves": texts[: len(session.history)],
            "undone": texts[len(session.history) :],
        }

    # ------------------------------------------------------------ thinking
    @does
    def start(
        self,
        sides: list[Any],
        limits: dict[str, Any] | None = None,
        lines: int = 3,
    ) -> dict[str, Any]:
        """Analyse this position, and each one that comes after it, with one algorithm or two: `[{"using": "engine",
        "options": {...}}, ...]`."""
        game = self._session.game
        with self._lock:
            if self.comparison is not None:
                self.comparison.stop()
            before = self.plan, self.on
            self.plan = read_plan(sides, limits or {}, lines)
            for side in SIDES[len(self.plan["sides"]) :]:
                if side in self.analysts:
                    self.analysts.pop(side).close()
            for side in SIDES[: len(self.plan["sides"])]:
                if side not in self.analysts:
                    self.analysts[side] = Analyst(game, self._teller(side))
            self.on = True
            self.number += 1
            try:
                self._think()
            except PlyforgeError:
                self.plan, self.on = before[0], False
                self._stop_all()
                raise
        return {"number": self.number}

    def _teller(self, side: str) -> Any:
        room = self.room
        return lambda message: room.tell("analysis", {"side": side, **message}, side)

    def _think(self) -> None:
        session = self._session
        for side, wanted in zip(SIDES, self.plan["sides"], strict=False):
            using = wanted["using"]
            order = Order(
                number=self.number,
                state=session.state,
                using=using,
                limits=within(using, self.plan["limits"]),
                options=wanted["options"],
                lines=self.plan["lines"],
                history=tuple(session.states),
                native=self.native(session.game, using),
            )
            self.analysts[side].think(order)

    @does(at_once=True)
    def stop(self) -> dict[str, Any]:
        """Stop thinking, now."""
        with self._lock:
            self.on = False
            self._stop_all()
        return {"number": self.number}

    @does(at_once=True)
    def leave(self, number: int) -> None:
        """The view is left: stop, and let go of tables and trees. The position stays. Who has come back meanwhile,
        and begun something with a later number, is not disturbed."""
        with self._lock:
            if number < self.number:
                return
            self.stop()
            for analyst in self.analysts.values():
                analyst.close()
            self.analysts = {}

    def _stop_all(self) -> None:
        for analyst in self.analysts.values():
            analyst.stop()
        if self.comparison is not None:
            self.comparison.stop()

    @property
    def thinking(self) -> bool:
        """True while a search runs for this desk."""
        comparing = self.comparison is not None and self.comparison.running
        return comparing or any(analyst.thinking for analyst in self.analysts.values())

    # ------------------------------------------------------------ side by side, all of them
    @does
    def compare(self, seconds: float = 1.0, using: list[Any] | None = None, compiled: bool = False) -> dict[str, Any]:
        """Give this position to each algorithm that suits the game, one after the other, with the same clock. News
        of kind "compared" says what each has found."""
        session = self._session
        if not 0.05 <= seconds <= 60.0:
            raise BadLimits("each algorithm gets from 0.05 to 60 seconds")
        if session.over:
            raise WrongMoment("the game is over: there is nothing to compare")
        self.stop()
        self.comparisons += 1
        about, room = {"number": self.number, "comparison": self.comparisons}, self.room
        self.comparison = Comparison(
            session.game,
            session.state,
            tuple(session.states),
            float(seconds),
            using,
            compiled,
            speed=lambda name: room.native(session.game, name),
            tell=lambda fields: room.tell("compared", about | fields, str(about["comparison"])),
        )
        self.comparison.start()
        return {**about, "algorithms": self.comparison.names}

    # ------------------------------------------------------------ to take away
    @does
    def export(self) -> dict[str, Any]:
        """The analysis as a file of JSON: where it is to be fetched."""
        content = json.dumps(self.report(), indent=1, ensure_ascii=False, default=str)
        return {"address": self.make(f"{self.name.split('(')[0]}-analysis.json", content, "application/json")}

    def report(self) -> dict[str, Any]:
        """The position and what was found about it."""
        session = self._session
        game = session.game
        found = []
        for side, analyst in self.analysts.items():
            order, result = analyst.order, analyst.found
            if order is None or result is None or order.number != self.number:
                continue
            about_it = {"side": side, "using": order.using, "options": order.options, "limits": order.limits}
            found.append(about_it | {"lines": order.lines, "result": result.to_json()})
        return {
            "game": game_text(game),
            "start": format_state(game, session.start),
            "moves": session.actions_text(),
            "state": format_state(game, session.state),
            "analysis": found,
        }


def begin(game: Game, state: str, moves: list[Any]) -> GameSession:
    """A session at a position, with moves played, past draws that nobody claimed. Raises what the rules say is wrong
    with them."""
    if len(state) > LONGEST_TEXT:
        raise BadText(f"a position has at most {LONGEST_TEXT:,} letters")
    check_moves(moves)
    try:
        session = GameSession(game, state.strip() or None)
        for move in moves:
            session.play_on()
            session.play_text(move)
        position(session)  # rules may take any text for a state: it has to be one that they can go on from
    except PlyforgeError:
        raise
    except Exception as error:
        raise BadText(f"that is no position of this game ({type(error).__name__}: {error})") from error
    return session


def check_moves(moves: list[Any]) -> None:
    """Raise BadRequest unless they are texts, and not too many."""
    if len(moves) > MOST_MOVES or not all(isinstance(move, str) and len(move) <= LONGEST_TEXT for move in moves):
        raise BadRequest(f"moves are a list of at most {MOST_MOVES:,} texts")


def within(using: str, given: dict[str, Any]) -> dict[str, Any]:
    """The limits that an algorithm knows; beside another one, a limit may be for that one alone."""
    found = algorithms().get(using)
    known = tuple(given) if found is None else found.limits  # a program leaves out what it does not know
    return {name: value for name, value in given.items() if name in known}


def read_plan(sides: list[Any], given: dict[str, Any], lines: int) -> dict[str, Any]:
    """What a page wants of an analysis, checked. Raises BadRequest or BadLimits."""
    if not 1 <= len(sides) <= len(SIDES):
        raise BadRequest("one algorithm, or two side by side")
    read = []
    for side in sides:
        if not isinstance(side, dict) or not isinstance(side.get("using"), str):
            raise BadRequest('a side says which algorithm to use: {"using": "engine"}')
        options = side.get("options") or {}
        if not isinstance(options, dict):
            raise BadRequest("options are an object")
        read.append({"using": side["using"], "options": options})
    if not 1 <= lines <= limits.LINES:
        raise BadLimits(f"there can be 1 to {limits.LINES} lines")
    bounds = {
        "depth": (1, limits.SEARCH_DEPTH),
        "nodes": (1, limits.SEARCH_NODES),
        "seconds": (0.01, limits.SEARCH_SECONDS),
        "simulations": (1, limits.SEARCH_NODES),
    }
    kept = {}
    for name, value in given.items():
        if name not in bounds:
            raise BadRequest(f"there is no limit called {str(name)[:40]!r}")
        if value is None:
            continue
        least, most = bounds[name]
        whole = name != "seconds"
        if type(value) not in ((int,) if whole else (int, float)) or not least <= value <= most:
            raise BadLimits(f"{name} must be a {'whole ' if whole else ''}number from {least:g} to {most:g}")
        kept[name] = value
    Limits(**{name: value for name, value in kept.items() if name != "simulations"})
    return {"sides": read, "limits": kept, "lines": lines}


__all__ = ["AnalyseDesk", "begin", "read_plan"]
