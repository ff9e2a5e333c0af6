"""Any game over JSON lines: what UCI is for chess, for every game that Plyforge has, and for your own rules.

    > {"id": 1, "do": "position", "actions": ["4", "4"]}
    < {"id": 1, "ok": true, "state": "44", "player": 0, "over": false, "ply": 2}
    > {"id": 2, "do": "go", "using": "engine", "depth": 9}
    < {"id": 2, "event": "progress", "depth": 1, ...}
    < {"id": 2, "ok": true, "found": {"action": "4", "value": 0.0, ...}}

A request is an object on a line of its own: what to `do`, its arguments, and an `id`, which comes back with all that is
said about it. States and actions are texts, as the rules write them.

Invariants:
- Each line that comes in, but for blank ones, has exactly one answer with `ok`; events may come before it. The answer
  to `go` comes when the search has ended, all others at once, also during a search.
- An answer says `ok: true` and has what was asked for, or `ok: false` and an `error` with its kind and a message. What
  was refused changes nothing: a line works on a copy of the game, which counts when it is answered.
- Lines longer than LONGEST_LINE, brackets deeper than DEEPEST, names that occur twice and numbers that JSON has not are
  refused. Nothing that comes in ends the program but `quit` and the end of the input.
- `stop` and `quit` are answered within seconds whatever the rules do: what rules don't come back from is refused
  (`in_turn.py`).
"""

from __future__ import annotations

import contextlib
import json
import os
import threading
from collections.abc import Callable
from typing import Any, TextIO

import plyforge
from plyforge.contract import CHANCE, Game, format_action, format_state
from plyforge.errors import BadLimits, BadText, PlyforgeError, WrongMoment
from plyforge.games import load
from plyforge.play.engine import Engine, strongest
from plyforge.play.formats.record import game_text
from plyforge.play.match.draw_offers import can_agree, expects_no_more
from plyforge.play.players.search_player import for_play
from plyforge.play.protocols.in_turn import MOST_SECONDS, SOON, InTurn, Turn
from plyforge.play.protocols.json_lines.thought import Thought
from plyforge.play.protocols.json_lines.words import DEEPEST, KINDS, SHOWN, as_line, near, plain, read_request, verb_of
from plyforge.play.protocols.lines import LONGEST_LINE, LineWriter, read_lines
from plyforge.play.session import GameSession
from plyforge.search import BEST, Clock, Progress, Result
from plyforge.search.core.parameters import written_parameters
from plyforge.search.core.requirements import ANY_GAME
from plyforge.search.protection.leash import back_in
from plyforge.search.registry import AT_ONCE, all_parameters, searches

MOST_ACTIONS = 10_000
"""In one `position`."""
PREPARING = 2.0
"""Seconds without any progress after which an event says that the search is still being compiled."""
LOOK = 0.2
"""Seconds between two looks whether anybody still reads."""

_LIMITS = ("depth", "nodes", "seconds", "clock", "simulations", "lines", "only")
_ENDING = {"depth", "nodes", "seconds", "clock", "simulations"}
_TYPES: dict[str, tuple[type, ...]] = {
    "whole": (int,), "number": (int, float), "yes": (bool,), "choice": (str,), "text": (str,), "object": (str,),
}  # fmt: skip
"""What JSON has for each kind of parameter."""


def _every() -> dict[str, Any]:
    """The searches of games in which players move in turn."""
    return {name: search for name, search in searches().items() if name not in AT_ONCE}


def _options() -> dict[str, tuple[type, ...]]:
    """The parameters of searches that a request can set, where the search has them; not those that name files."""
    return {
        name: _TYPES[declared[0][1].kind]
        for name, declared in all_parameters().items()
        if name not in _LIMITS and not declared[0][1].text
    }


class Talk:
    """The protocol over any two text streams; see the module's text."""

    def __init__(self, requests: TextIO, answers: TextIO, game: Game | str, *, native: bool | None = None) -> None:
        """`game` and `native` as in `plyforge.search`."""
        self.game = load(game)
        ANY_GAME.check(self.game, "this protocol")
        self.session: GameSession | None = None
        """The game so far; None before the first line that asks for it, for its start is a matter of the rules."""
        self._requests, self._out = requests, LineWriter(answers)
        self._native = native
        self._engine: Engine | None = None
        self._engine_made_of: Any = None
        self._thought: Thought | None = None
        self._running = True
        self._in_turn: InTurn | None = None
        self.verbs: dict[str, Callable[[dict[str, Any], Turn], dict[str, Any]]] = {
            "hello": self._hello,
            "position": self._position,
            "status": lambda request, turn: self._take(request) or self.status(self._game_of(turn)),
            "legal": self._legal,
            "play": self._play,
            "roll": self._roll,
            "undo": self._undo,
            "show": self._show,
            "searches": self._searches,
            "stop": self._stop,
            "forget": self._forget,
            "quit": self._quit,
        }

    # ------------------------------------------------------------ the loop
    def run(self) -> None:
        """Read requests until `quit`, or until there are no more."""
        self._in_turn = InTurn(self._do, lambda turn, error: self._refuse(turn.number, error))
        try:
            for line in read_lines(self._requests):
                verb = verb_of(line or "")
                turn = Turn(line, hurries=verb in ("stop", "quit"))
                self._in_turn.put(turn)
                if verb == "quit":
                    turn.done.wait()
                if not self._running or self._out.broken:
                    break
            else:
                self._in_turn.finish()
                self._finish_limited()
        finally:
            self._in_turn.close()
            self._end_thought()

    @property
    def busy(self) -> bool:
        """True while rules or a search are at work: a process that ends then should end at once."""
        searching = self._engine is not None and (self._engine.running or self.thinking)
        return searching or (self._in_turn is not None and self._in_turn.busy)

    def obey(self, line: str) -> None:
        """One line, in this thread. Never raises, but for Ctrl-C."""
        self._do(Turn(line))

    def _do(self, turn: Turn) -> None:
        if turn.line is not None and not turn.line.strip():
            return
        try:
            if turn.line is None:
                raise BadText(f"a line may have {LONGEST_LINE:,} letters at most")
            request = read_request(turn.line)
            number = request.pop("id", None)
            if number is not None and type(number) not in (int, str):
                raise BadText("an id is a whole number or a text")
            turn.number = number
            verb = request.pop("do", None)
            if not isinstance(verb, str):
                raise BadText('a request says what to do, as in {"id": 1, "do": "legal"}')
            if verb != "go" and verb not in self.verbs:
                raise BadText(f"nothing is called {verb[:SHOWN]!r}{near(verb, [*self.verbs, 'go'])}")
            with turn.with_rules():
                if verb == "go":
                    self._go(request, turn)
                    turn.settle()
                    return
                # also refused where the answer is none that JSON can hold, since rules gave no plain number or text
                answer = as_line({"id": number, "ok": True} | self.verbs[verb](request, turn))
        except BaseException as error:  # whatever the rules raise, SystemExit as well: who waits is answered
            if turn.settle():
                self._refuse(turn.number, error)
            if isinstance(error, KeyboardInterrupt) and threading.current_thread() is threading.main_thread():
                raise  # somebody's Ctrl-C, not the rules'
            return
        if turn.settle():
            self.session = turn.session or self.session
            self._write(answer)

    def _game_of(self, turn: Turn) -> GameSession:
        """The game as it stands, for this line to work on."""
        if turn.session is None:
            turn.session = GameSession(self.game) if self.session is None else self.session.copy()
        session: GameSession = turn.session
        return session

    def _write(self, line: str) -> None:
        self._out.write(line)
        if self._out.broken and self._engine is not None:
            self._engine.stop()  # nobody reads any more

    def _say(self, what: dict[str, Any]) -> None:
        self._write(as_line(what))

    def _refuse(self, number: Any, error: BaseException) -> None:
        kind = type(error).__name__ if isinstance(error, PlyforgeError) else "InternalError"
        message = str(error) if isinstance(error, PlyforgeError) else f"{type(error).__name__}: {error}"
        self._say({"id": number, "ok": False, "error": {"kind": kind, "message": message}})

    def _take(self, request: dict[str, Any], **expected: type | tuple[type, ...]) -> dict[str, Any]:
        """The arguments of a request, each of its type; those that are not there are left out. Raises BadText."""
        for name, value in request.items():
            if name not in expected:
                raise BadText(f"there is no argument {name[:SHOWN]!r}{near(name, expected)}")
            kinds = expected[name] if isinstance(expected[name], tuple) else (expected[name],)
            if value is not None and type(value) not in kinds:  # type: ignore[operator]
                words = " or ".join(KINDS[kind] for kind in kinds)  # type: ignore[union-attr]
                raise BadText(f"{name} must be {words}, not {json.dumps(value)[:SHOWN]}")
        return {name: value for name, value in request.items() if value is not None}

    # ------------------------------------------------------------ the game
    def _hello(self, request: dict[str, Any], turn: Turn) -> dict[str, Any]:
        self._take(request)
        game = self.game
        return {
            "name": "Plyforge",
            "version": plyforge.__version__,
            "game": game_text(game),
            "players": game.players,
            "player_names": list(game.notation.player_names),
            "chance": bool(game.has_chance),
            "min_utility": float(game.min_utility),
            "max_utility": float(game.max_utility),
            "strongest": strongest(game),
            "searches": [name for name, search in _every().items() if search.needs.missing(game) is None],
            "verbs": [*self.verbs, "go"],
            "draws": can_agree(self.game),
        }

    def _searches(self, request: dict[str, Any], turn: Turn) -> dict[str, Any]:
        """The searches that suit the game, with what can be set of each by `go`."""
        self._take(request)
        settable = _options().keys() | {"simulations", "lines"}
        return {
            "searches": [
                {
                    "name": name,
                    "kind": cls.kind,
                    "says": cls.says(),
                    "parameters": [each.to_json() for each in written_parameters(cls) if each.name in settable],
                }
                for name, cls in _every().items()
                if cls.needs.missing(self.game) is None
            ]
        }

    def status(self, session: GameSession) -> dict[str, Any]:
        """How the game stands."""
        said: dict[str, Any] = {
            "state": format_state(self.game, session.state),
            "player": session.player,
            "over": session.over,
            "ply": len(session.history),
        }
        outcome = session.outcome
        if outcome is not None:
            said["outcome"] = {
                "winners": list(outcome.winners),
                "utilities": None if outcome.utilities is None else list(outcome.utilities),
                "reason": outcome.reason,
            }
        return said

    def _position(self, request: dict[str, Any], turn: Turn) -> dict[str, Any]:
        given = self._take(request, state=str, actions=list, seed=int)
        actions = given.get("actions", [])
        if len(actions) > MOST_ACTIONS or not all(isinstance(action, str) for action in actions):
            raise BadText(f"actions are a list of at most {MOST_ACTIONS:,} texts")
        session = GameSession(self.game, given.get("state"), given.get("seed"))
        for place, text in enumerate(actions):
            try:
                session.play(session.read_action(text))
            except PlyforgeError as error:
                raise type(error)(f"action {place + 1}: {error}") from None
        turn.session = session
        return self.status(session)

    def _legal(self, request: dict[str, Any], turn: Turn) -> dict[str, Any]:
        self._take(request)
        session = self._game_of(turn)
        state = session.state
        if session.player == CHANCE:
            outcomes = [
                {"action": format_action(self.game, state, outcome), "probability": float(probability)}
                for outcome, probability in self.game.chance(state)
            ]
            return {"actions": [outcome["action"] for outcome in outcomes], "chance": outcomes}
        return {"actions": [format_action(self.game, state, action) for action in session.legal]}

    def _play(self, request: dict[str, Any], turn: Turn) -> dict[str, Any]:
        text = self._take(request, action=str).get("action")
        if text is None:
            raise BadText('play needs an action, as in {"do": "play", "action": "4"}')
        session = self._game_of(turn)
        session.play(session.read_action(text))
        return self.status(session)

    def _roll(self, request: dict[str, Any], turn: Turn) -> dict[str, Any]:
        """Let chance decide where it is to move."""
        self._take(request)
        session = self._game_of(turn)
        if session.player != CHANCE:
            raise WrongMoment("it is not for chance to move here: play an action")
        event = session.draw()
        return {"action": event.text, "probability": float(event.probability)} | self.status(session)

    def _undo(self, request: dict[str, Any], turn: Turn) -> dict[str, Any]:
        plies = self._take(request, plies=int).get("plies", 1)
        session = self._game_of(turn)
        if not 1 <= plies <= len(session.history):
            raise WrongMoment(f"{plies} plies can't be taken back: {len(session.history)} were played")
        session.undo(plies)
        return self.status(session)

    def _show(self, request: dict[str, Any], turn: Turn) -> dict[str, Any]:
        self._take(request)
        return {"picture": self.game.show(self._game_of(turn).state)}

    # ------------------------------------------------------------ thinking
    @property
    def thinking(self) -> bool:
        """True from `go` to its answer."""
        return self._thought is not None and not self._thought.answered

    def _go(self, request: dict[str, Any], turn: Turn) -> None:
        session = self._game_of(turn)
        if self.thinking:
            raise WrongMoment("a search is running: stop it, and wait for its answer")
        if session.over:
            raise WrongMoment("the game is over: there is nothing to search")
        if session.player == CHANCE:
            raise WrongMoment("chance is to move: roll, or play an outcome")
        expected: dict[str, type | tuple[type, ...]] = {
            "using": str,
            "depth": int,
            "nodes": int,
            "seconds": (int, float),
            "clock": (str, dict),
            "simulations": int,
            "lines": int,
            "only": list,
            "progress": bool,
            "draw_offered": bool,
        }
        given = self._take(request, **expected, **_options())
        limits = {name: given[name] for name in _LIMITS if name in given}
        if "clock" in limits:
            limits["clock"] = self._clock(limits["clock"])
        state = session.state
        if "only" in limits:
            if not limits["only"] or not all(isinstance(text, str) for text in limits["only"]):
                raise BadText("only is a list of actions, at least one, as texts")
            limits["only"] = tuple(session.read_action(text) for text in limits["only"])
        engine = self._engine_for(given)
        if turn.settled:  # nobody waits for it any more
            return
        thought = Thought(turn.number, state, given.get("progress") is False, limited=bool(set(limits) & _ENDING))
        if given.get("draw_offered") and can_agree(self.game):
            thought.offered = session.player
        before, self._thought = self._thought, thought
        try:
            engine.start(state, history=session.states, **limits)
            thought.thread = threading.Thread(
                target=self._finish, args=(thought, engine), daemon=True, name="plyforge talk waiting"
            )
            thought.thread.start()
        except BaseException:
            engine.stop()
            self._thought = before
            raise

    def _clock(self, given: Any) -> Clock:
        if isinstance(given, str):
            return Clock.parse(given)
        number = (int, float)
        fields = self._take(given, remaining=number, increment=number, moves_to_go=int)
        if "remaining" not in fields:
            raise BadLimits('a clock has what remains, as in {"remaining": 60, "increment": 1}')
        return Clock(**fields)

    def _engine_for(self, given: dict[str, Any]) -> Engine:
        """The one that was used last, with what it has learned, if it is of the same kind; else another."""
        using = given.get("using")
        if using is not None and using != BEST and using not in _every():
            raise BadText(f"there is no search {using[:SHOWN]!r}{near(using, [BEST, *_every()])}")
        options = {name: given[name] for name in _options() if name in given}
        made_of = (using, sorted(options.items()))
        if self._engine is None or self._engine_made_of != made_of:
            engine = Engine(
                self.game,
                using,
                native=self._native,
                **(for_play(strongest(self.game) if using in (None, BEST) else using) | options),
            )
            engine.on_progress(self._told)
            self._engine, self._engine_made_of = engine, made_of
        return self._engine

    def _told(self, progress: Progress) -> None:
        """In the engine's thread."""
        thought = self._thought
        if thought is None or thought.quiet:
            return
        thought.told = True
        said: dict[str, Any] = {
            "id": thought.number,
            "event": "progress",
            "depth": progress.depth,
            "nodes": progress.nodes,
            "seconds": progress.seconds,
            "value": plain(progress.value),
            "line": self._line_text(thought.state, progress.line),
        }
        self._say(said)

    def _line_text(self, state: Any, line: tuple[Any, ...]) -> list[str]:
        texts = []
        for action in line:
            texts.append(format_action(self.game, state, action))
            state = self.game.result(state, action)
        return texts

    def _finish(self, thought: Thought, engine: Engine) -> None:
        """In a thread of its own: wait for the end of a search, and answer."""
        try:
            waited = 0.0
            found: Result | None = None
            while found is None:
                with contextlib.suppress(TimeoutError):
                    found = engine.wait(PREPARING)
                waited += PREPARING
                if found is None and not thought.told and not thought.quiet:
                    self._say({"id": thought.number, "event": "preparing", "seconds": waited})
            with back_in(MOST_SECONDS):
                agrees = thought.offered is not None and expects_no_more(found, thought.offered)
                said = {"id": thought.number, "ok": True, "found": found.to_json()}
                answer = as_line(said | ({"draw": True} if agrees else {}))
            thought.answered = True
            self._write(answer)
        except BaseException as error:  # whatever the rules raise, SystemExit as well: who waits is answered
            thought.answered = True
            self._refuse(thought.number, error)

    def _finish_limited(self) -> None:
        """There are no more requests. A search that ends by itself may do so, unless nobody is left to read of it."""
        thought = self._thought
        while thought is not None and thought.limited and not self._out.broken and not self.wait(LOOK):
            pass

    def wait(self, seconds: float | None = None) -> bool:
        """Until the search that runs has been answered, or so long; True if none runs."""
        thread = self._thought.thread if self._thought is not None else None
        if thread is not None:
            thread.join(seconds)
        return not self.thinking

    def _end_thought(self) -> None:
        if self._engine is not None:
            self._engine.stop()
        self.wait(SOON)

    def _stop(self, request: dict[str, Any], turn: Turn) -> dict[str, Any]:
        self._take(request)
        was = self.thinking
        if self._engine is not None:
            self._engine.stop()
        return {"stopped": was}

    def _forget(self, request: dict[str, Any], turn: Turn) -> dict[str, Any]:
        """What searches have learned."""
        self._take(request)
        if self._engine is not None:
            self._engine.new_game()
        return {}

    def _quit(self, request: dict[str, Any], turn: Turn) -> dict[str, Any]:
        self._take(request)
        self._running = False
        return {}


def end_process(talk: Talk) -> None:
    """End the program now where rules or a search could not be stopped: not everything can be interrupted."""
    if talk.busy:
        os._exit(0)


__all__ = ["DEEPEST", "Talk", "end_process", "read_request"]
