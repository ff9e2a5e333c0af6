"""An outside program that is asked for its opinion as an engine of ours is: `start`, progress, `stop`, `wait`.

    fish = ProgramAnalyst(game, "uci:stockfish")        or a name that `plyforge engines` keeps
    fish.on_progress(show)
    fish.start(state, history=states, lines=3)          thinks in this very thread until it ends or is stopped
    found = fish.wait()

The program is started at the first `start`, follows the game from position to position, and is ended by `close`.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Sequence
from typing import Any

from plyforge.contract import Game, parse_state
from plyforge.errors import BadText, PlyforgeError, WrongMoment
from plyforge.games import load
from plyforge.play.players.engines import engines, with_program
from plyforge.play.players.programs import program_player
from plyforge.play.players.programs.program_player import forfeiting
from plyforge.play.players.programs.result import Asked, ProgramResult
from plyforge.search import Progress


class ProgramAnalyst:
    """See the module's text."""

    native = None

    def __init__(self, game: Game | str, text: str) -> None:
        """Raises BadText where `text` is no program, Unsuitable where it does not play the game."""
        self.game, self.text = load(game), text
        player = program_player(with_program(text), self.game)
        if player is None:
            raise BadText(f"{text[:60]!r} is no program: plyforge engines lists those that have names")
        player.description = text
        self.player = player
        self._callbacks: list[Callable[[Progress], object]] = []
        self._found: ProgramResult | None = None
        self._error: PlyforgeError | None = None
        self._stopped = False

    def start(
        self,
        state: Any,
        *,
        history: Sequence[Any] = (),
        lines: int = 1,
        depth: int | None = None,
        nodes: int | None = None,
        seconds: float | None = None,
        **unknown: Any,
    ) -> None:
        """Think about a state, in this thread. Limits that a program does not know are left out. What goes wrong is
        raised by `wait`."""
        state = parse_state(self.game, state) if isinstance(state, str) else state
        self._found, self._error, self._stopped = None, None, False
        began = time.perf_counter()

        def tell(found: ProgramResult) -> None:
            self._found = found
            spent = time.perf_counter() - began
            said = Progress(found.nodes, spent, found.depth, found.value, found.line, found=found)
            for callback in tuple(self._callbacks):
                callback(said)

        asked = Asked(lines, depth, nodes, seconds, tell, lambda: not self._stopped)
        try:
            with forfeiting():
                self._found = self.player.analyse(self.game, [*history, state], asked)
        except PlyforgeError as error:
            self._error = error
            self.player.begin_anew()

    def wait(self, timeout: float | None = None) -> ProgramResult:
        """What it has found; raises what went wrong."""
        if self._error is not None:
            raise self._error
        if self._found is None:
            raise WrongMoment("there is nothing to wait for: call start() first")
        return self._found

    def stop(self) -> None:
        """End the search soon, from another thread; returns at once. A program that can't be told thinks on until its
        time is over."""
        self._stopped = True

    def on_progress(self, callback: Callable[[Progress], object]) -> None:
        """Call `callback` whenever it says something new."""
        self._callbacks.append(callback)

    def off_progress(self, callback: Callable[[Progress], object]) -> None:
        """Do not call it any more."""
        with contextlib.suppress(ValueError):
            self._callbacks.remove(callback)

    def close(self) -> None:
        """End the program."""
        self.player.close()


def analysts(game: Game) -> dict[str, str]:
    """The names of the user's programs whose protocols know a game, with the protocols."""
    return {named.name: named.protocol for named in engines().values() if named.plays(game)}


__all__ = ["ProgramAnalyst", "analysts"]
