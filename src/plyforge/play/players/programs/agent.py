"""Everybody's programs as players: a Python file, `python:agent.py:Agent`, and any program that speaks our lines of
JSON, `talk:./bot`.

    python:agent.py:Agent                          a class with choose(game, state); the only one there may go unnamed
    python:agent.py:Agent;seconds=1;memory_mib=512
    talk:./bot --fast;depth=4                      depth, nodes and seconds are passed on, and hold for `go`

Both are asked the same: `hello`, `position`, `go`. An agent's file runs in a process of its own (`agent_child.py`),
with a limit of memory; whatever it does to its arguments, its output or itself can end that process, and nothing else.

Invariants:
- Where something is hidden, a program is given observations, and never a state, an action that it has not seen, or the
  dice.
- What an agent started goes when it goes: its session is killed, and on Linux whatever has its mark in its environment.
"""

from __future__ import annotations

import contextlib
import math
import os
import secrets
import shlex
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from plyforge.contract import SIMULTANEOUS, Game, format_action, format_state, parse_action, parse_choice
from plyforge.errors import BadText, PlyforgeError, Unsuitable
from plyforge.play.formats.record import game_text
from plyforge.play.players.player import Budget, Choice, Forfeit, Resigned
from plyforge.play.players.programs.program_player import ProgramPlayer, illegal_forfeits
from plyforge.play.protocols.json_lines.client import TalkProgram
from plyforge.play.protocols.process import START_SECONDS, ProgramFailed, split_command

TALK, PYTHON = "talk:", "python:"
TALK_SECONDS = 1.0
"""For a move of a program that is not told otherwise."""
MEMORY_MIB = 1024
"""What an agent may take beside Plyforge itself."""
MARK = "PLYFORGE_AGENT"
"""In the environment of an agent and of all that it starts."""


class TalkPlayer(ProgramPlayer):
    """A program that answers lines of JSON."""

    program: TalkProgram | None
    numbers: tuple[str, ...] = ("depth", "nodes", "seconds")
    """Settings that may follow the command."""

    def __init__(self, text: str, timed: bool = False) -> None:
        """`timed` if the match has time limits."""
        self.description = text
        self.program = None
        self.command, self.limits = self._read(text.partition(":")[2])
        self.seconds = self.limits.get("seconds")
        self.limited = bool(self.limits) or not timed
        self._verbs: Sequence[str] = ()
        self._hears_offers = False
        self._check()

    def _read(self, text: str) -> tuple[str, dict[str, Any]]:
        """What to start, and its settings."""
        command, *settings = text.split(";")
        found: dict[str, Any] = {}
        for setting in settings:
            name, _, value = (part.strip() for part in setting.partition("="))
            try:
                if name not in self.numbers:
                    raise ValueError
                found[name] = float(value) if name == "seconds" else int(value)
                if not 0 < found[name] < math.inf:
                    raise ValueError
            except ValueError:
                raise BadText(
                    f"{self.description!r} is not a player: {setting.strip()[:60]!r} is no setting; there are"
                    f" {', '.join(f'{name}=' for name in self.numbers)}, each a positive number"
                ) from None
        return command.strip(), found

    def _check(self) -> None:
        """Raise BadText where there is nothing to start."""
        split_command(self.command)
        if self.limited and not self.limits:
            self.limits["seconds"] = self.seconds = TALK_SECONDS

    def _start(self, game: Game) -> TalkProgram:
        return TalkProgram(self.command)

    def prepare(self, game: Game) -> None:
        self._game = game
        self.program = program = self._start(game)
        try:
            said = program.ask("hello", START_SECONDS)
        except ProgramFailed:
            program.close()
            raise
        verbs = said.get("verbs")
        self._verbs = verbs if isinstance(verbs, list) else ()
        self._hears_offers = said.get("draws") is True
        plays = said.get("game")
        if isinstance(plays, str) and not _same_game(plays, game):
            program.close()
            raise Unsuitable(f"{program.name} plays {plays[:60]}, not {game_text(game)}: start it for this game")

    def begin(self, start: Any, seed: int) -> None:
        assert self._game is not None and self.program is not None
        self._actions = list[str]()
        self._start_text = None if start is None else format_state(self._game, start)
        if "new_game" in self._verbs:
            self.program.ask("new_game", START_SECONDS, player=self._seat, seed=seed)
        elif "forget" in self._verbs:
            self.program.ask("forget")

    def hear(self, state: Any, action: Any, player: int) -> None:
        assert self._game is not None
        self._actions.append(format_action(self._game, state, action))

    def answer(self, state: Any, budget: Budget) -> Choice:
        game = self._game
        assert game is not None and self.program is not None
        self.program.ask("position", **self._position(state))
        offered = {"draw_offered": True} if budget.draw_offered and self._hears_offers else {}
        answer = self.program.ask("go", budget.patience, **self._go(budget), **offered)
        found = answer.get("found")
        found = found if isinstance(found, dict) else {}
        text = found.get("action")
        if answer.get("resign") is True:
            raise Resigned(f"{self.program.name} resigned")
        if not isinstance(text, str):
            raise Forfeit(
                "protocol",
                f'{self.program.name} names no action: write {{"found": {{"action": "..."}}}} into the answer',
            )
        said = {name: found[name] for name in _THOUGHTS if type(found.get(name)) in (int, float)}
        with illegal_forfeits():
            if int(game.player(state)) == SIMULTANEOUS:
                return Choice(parse_choice(game, state, self._seat, text), said=said)
            action = parse_action(game, state, text)
        self._actions.append(format_action(game, state, action))
        return Choice(action, said=said, draw=answer.get("draw") is True)

    def _position(self, state: Any) -> dict[str, Any]:
        assert self._game is not None
        if self._game.hidden_information:
            return {"observation": format_state(self._game, state), "player": self._seat}
        return {"state": self._start_text, "actions": self._actions}

    def _go(self, budget: Budget) -> dict[str, Any]:
        if self.limited:
            return dict(self.limits)
        if budget.clock is not None:
            clock = {
                "remaining": budget.clock.remaining,
                "increment": budget.clock.increment,
                "moves_to_go": budget.clock.moves_to_go,
            }
            return {"clock": {name: value for name, value in clock.items() if value is not None}}
        return {} if budget.seconds is None else {"seconds": budget.seconds}


_THOUGHTS = ("value", "depth", "nodes", "simulations")
"""What a program may say of a move beside its action."""


class AgentPlayer(TalkPlayer):
    """A Python file of somebody's own, in a process of its own."""

    numbers = ("seconds", "memory_mib")

    def _check(self) -> None:
        file, colon, name = self.command.rpartition(":")
        self.file, self.name = (file, name) if colon and name.isidentifier() else (self.command, "")
        self.memory_mib = self.limits.pop("memory_mib", MEMORY_MIB)
        self.limited = bool(self.limits)
        path = Path(self.file).expanduser()
        if path.suffix != ".py" or not path.is_file():
            raise BadText(
                f"{self.description!r} is not a player: there is no Python file {self.file!r}; write its path and its"
                " class, as in python:agent.py:Agent"
            )

    @property
    def files(self) -> list[Path]:  # type: ignore[override]
        """Whose content makes this player what it is."""
        return [Path(self.file).expanduser()]

    def _start(self, game: Game) -> TalkProgram:
        path = str(Path(self.file).expanduser().resolve())
        words = [
            sys.executable,
            "-P",
            "-m",
            "plyforge.play.players.programs.agent_child",
            path,
            self.name,
            game_text(game),
        ]
        self._mark = secrets.token_hex(8)
        home = str(Path(__file__).resolve().parents[4])
        python_path = os.pathsep.join([home, *filter(None, [os.environ.get("PYTHONPATH")])])
        environment = os.environ | {MARK: self._mark, "PYTHONPATH": python_path}
        named = f"{Path(path).name}{':' * bool(self.name)}{self.name}"
        return AgentProgram(shlex.join([*words, str(self.memory_mib)]), named, environment)


class AgentProgram(TalkProgram):
    """The process of an agent: when it is killed, so is whatever it has started."""

    def __init__(self, command: str, name: str, environment: dict[str, str]) -> None:
        self._mark = f"{MARK}={environment[MARK]}".encode()
        super().__init__(command, name, environment)

    def kill(self) -> None:
        super().kill()
        for _ in range(3):  # what is born while we look is found by the next look
            if not kill_marked(self._mark):
                break


def kill_marked(mark: bytes) -> int:
    """End all processes with this in their environment; how many there were. They can be found on Linux only."""
    found = 0
    with contextlib.suppress(OSError):
        for entry in os.listdir("/proc"):  # noqa: PTH208  (thousands of Paths would take long)
            if entry.isdigit() and int(entry) != os.getpid():
                with contextlib.suppress(OSError):
                    if mark in Path(f"/proc/{entry}/environ").read_bytes().split(b"\0"):
                        os.kill(int(entry), signal.SIGKILL)
                        found += 1
    return found


def _same_game(said: str, game: Game) -> bool:
    """True if a program's words name this game, as far as we can tell."""
    try:
        ours = game_text(game)
    except PlyforgeError:
        return True
    return (
        said.replace(" ", "") == ours.replace(" ", "")
        or Path(said.partition(".py")[0]).name == Path(ours.partition(".py")[0]).name
    )


__all__ = ["PYTHON", "TALK", "AgentPlayer", "TalkPlayer"]
