"""The process in which somebody's Python agent plays: answers lines of JSON, as `json_lines/server.py` does, with what
the agent chooses.

    {"do": "hello"}                                     the rules and the agent's file are loaded
    {"do": "new_game", "player": 0, "seed": 7}          another object of the class, which knows nothing
    {"do": "position", "state": null, "actions": [...]} or {"observation": "...", "player": 0}
    {"do": "go", "seconds": 1.0}                        {"found": {"action": "..."}}

An agent is a class, an object or a module with `choose(game, state)`. Of what it also wants by name it is given
`player`, `seconds` and `history` (the states before this one, or the observations); a class that takes a `seed` is
given one. It returns an action. With `observe(game, state)` it is told of every state that it sees; with
`resigns(game, state)` it is asked whether it gives up, with `agrees_to_draw(game, state)` whether it offers a draw, or
accepts the one that was offered.

Invariants:
- The agent's standard output is our standard error, and its standard input is empty: it can't speak for us by accident.
- What it is given is made anew for each question: changing it changes nothing.
- A copy of this process that an agent forked never answers.
"""

from __future__ import annotations

import copy
import importlib.util
import json
import os
import random
import sys
import threading
import traceback
from collections.abc import Callable
from typing import Any

from plyforge.check.trial.process import limit_memory
from plyforge.contract import SIMULTANEOUS, Game, format_action, format_choice, legal_moves, parse_state
from plyforge.errors import BadText, IllegalAction, PlyforgeError
from plyforge.games import load
from plyforge.play.players.player import parameters, says_so
from plyforge.play.session import GameSession
from plyforge.search import Clock
from plyforge.search.time.clock import kept_back

SHOWN_ACTIONS = 20
"""Legal actions that a message lists."""


class Child:
    """The agent's side of the lines."""

    def __init__(self, file: str, name: str, game: str, memory_mib: int) -> None:
        self.file, self.name, self.game_text, self.memory_mib = file, name, game, memory_mib
        self.process = os.getpid()
        self.requests = os.fdopen(os.dup(0), "r", encoding="utf-8")
        self.answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.dup2(2, 1)
        self.player = 0
        self.session: GameSession | None = None
        self.seen: list[Any] = []
        """Of a game in which something is hidden: what the agent has seen, the present last."""
        self.agent: Any = None
        self._made: tuple[Any, list[str]] | None = None

    def run(self) -> None:
        """Answer until there are no more requests."""
        for line in self.requests:
            request = json.loads(line)
            number, verb = request.pop("id"), request.pop("do")
            if verb == "quit":
                break
            try:
                said = {"ok": True} | getattr(self, f"do_{verb}")(**request)
            except (KeyboardInterrupt, SystemExit, Exception) as error:
                said = {"ok": False, "error": {"kind": type(error).__name__, "message": self._words(error)}}
            if os.getpid() != self.process:
                os._exit(0)
            self.answers.write(json.dumps({"id": number} | said) + "\n")
            self.answers.flush()

    def _words(self, error: BaseException) -> str:
        """What went wrong, and where in the agent's file."""
        if isinstance(error, PlyforgeError):
            return str(error)
        frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == self.file]
        where = f" ({os.path.basename(self.file)}, line {frames[-1].lineno})" if frames else ""  # noqa: PTH119
        return f"{type(error).__name__}: {error}{where}"

    # ------------------------------------------------------------ requests
    def do_hello(self) -> dict[str, Any]:
        self.game: Game = load(self.game_text)
        limit_memory(self.memory_mib << 20)
        self.make = self._load()
        self.agent = self._new(0)
        return {"name": self.name, "verbs": ["hello", "new_game", "position", "go", "quit"], "draws": True}

    def do_new_game(self, player: int, seed: int) -> dict[str, Any]:
        self.player, self.seen, self.session, self._made = player, [], None, None
        random.seed(seed)
        if "numpy" in sys.modules:
            sys.modules["numpy"].random.seed(seed % (1 << 32))
        self.agent = self._new(seed)
        return {}

    def do_position(
        self,
        state: str | None = None,
        actions: list[str] | None = None,
        observation: str | None = None,
        player: int = 0,
    ) -> dict[str, Any]:
        if observation is not None:
            self.player = player
            self.seen.append(parse_state(self.game, observation))
        else:
            known = self._made
            if known is None or known[0] != state or known[1] != (actions or [])[: len(known[1])]:
                self.session, known = GameSession(self.game, state, 0), (state, [])
            assert self.session is not None
            for text in (actions or [])[len(known[1]) :]:
                self.session.play_on()
                self.session.play(self.session.read_action(text))
            self._made = (state, list(actions or []))
        if callable(getattr(self.agent, "observe", None)):
            self.agent.observe(self.game, copy.deepcopy(self._state))
        return {}

    @property
    def _state(self) -> Any:
        return self.seen[-1] if self.session is None else self.session.state

    def do_go(
        self, seconds: float | None = None, clock: dict[str, Any] | None = None, draw_offered: bool = False
    ) -> dict[str, Any]:
        game, state = self.game, self._state
        if says_so(self.agent, "resigns", game, copy.deepcopy(state)):
            return {"resign": True}
        draw = {"draw": True} if says_so(self.agent, "agrees_to_draw", game, copy.deepcopy(state)) else {}
        history = self.seen[:-1] if self.session is None else self.session.states
        if seconds is None and clock is not None:
            left = Clock(kept_back(clock["remaining"], 0.0), clock.get("increment", 0.0), clock.get("moves_to_go"))
            seconds = left.soft_seconds
        at_once = int(game.player(state)) == SIMULTANEOUS
        given = {"player": self.player, "seconds": seconds, "history": history, "draw_offered": draw_offered}
        wanted = {name: value for name, value in given.items() if name in parameters(self.agent.choose)}
        chosen = self.agent.choose(game, copy.deepcopy(state), **copy.deepcopy(wanted))
        legal = list(game.legal_actions(state, self.player)) if at_once else legal_moves(game, state)
        for action in legal:
            if _same(action, chosen):
                if at_once:
                    return {"found": {"action": format_choice(game, state, self.player, action)}}
                return {"found": {"action": format_action(game, state, action)}} | draw
        listed = ", ".join(repr(action) for action in legal[:SHOWN_ACTIONS])
        raise IllegalAction(f"{repr(chosen)[:100]} is not legal; legal are {listed}")

    # ------------------------------------------------------------ the agent
    def _load(self) -> Callable[[], Any]:
        """What makes an agent."""
        sys.path.insert(0, os.path.dirname(self.file))  # noqa: PTH120
        spec = importlib.util.spec_from_file_location("agent", self.file)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules["agent"] = module
        spec.loader.exec_module(module)
        if not self.name:
            own = [
                value
                for value in vars(module).values()
                if isinstance(value, type) and value.__module__ == "agent" and hasattr(value, "choose")
            ]
            if len(own) == 1:
                self.name = own[0].__name__
                return own[0]
            if not own and callable(getattr(module, "choose", None)):
                return lambda: module
            names = ", ".join(cls.__name__ for cls in own) or "none"
            raise BadText(
                f"say which class of {self.file} plays, as in python:agent.py:Agent; with choose there are {names}"
            )
        found = getattr(module, self.name, None)
        if found is None or not (callable(getattr(found, "choose", None)) or callable(found)):
            raise BadText(f"{self.file} has no class {self.name!r} with choose(game, state)")
        if isinstance(found, type) and not callable(getattr(found, "choose", None)):
            raise BadText(f"{self.name} has no choose(game, state)")
        if isinstance(found, type):
            return found
        return lambda: found if hasattr(found, "choose") else _Function(found)

    def _new(self, seed: int) -> Any:
        takes = "seed" in parameters(self.make)
        return self.make(seed=seed) if takes else self.make()  # type: ignore[call-arg]


class _Function:
    """A function of game and state as an agent."""

    def __init__(self, choose: Callable[..., Any]) -> None:
        self.choose = choose


def _same(action: Any, chosen: Any) -> bool:
    try:
        return bool(action == chosen)
    except Exception:  # an array, say
        return False


def main() -> None:
    """Play in a thread with room for recursion, as everywhere."""
    from plyforge.search.protection.threads import start_with_deep_stack

    file, name, game, memory_mib = sys.argv[1:]
    child = Child(file, name, game, int(memory_mib))
    ended = threading.Event()

    def play() -> None:
        try:
            child.run()
        finally:
            ended.set()

    start_with_deep_stack(play)
    ended.wait()
    os._exit(0)


if __name__ == "__main__":
    main()
