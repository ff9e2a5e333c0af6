"""A process of its own that plays games of a match: started and watched by `match.py`, with which it talks in lines of
JSON.

    standard input    {"terms": {...}}    what is played; answered with {"ready": true, "notes": [...]} or {"refused":
                                          "..."}
                      {"play": {...}}     a game; answered with {"game": {...}}, after a line {"turn": ...} before, and
                                          {"action": ...} after, every move
                      the end             whoever watches has gone: so does the worker, at once, with the programs it
                                          has started

Whatever else is written to standard output (rules may print) goes to standard error.
"""

from __future__ import annotations

import json
import os
import queue
import sys
import threading
import traceback
from typing import Any

from plyforge.errors import PlyforgeError
from plyforge.games import load
from plyforge.play.engine import never_collect_what_is_there
from plyforge.play.match.adjudication import Adjudication
from plyforge.play.match.openings import Opening
from plyforge.play.match.referee import Referee, TimeRules
from plyforge.play.players.given import contestant
from plyforge.play.players.player import Player
from plyforge.play.players.programs.program_player import ProgramPlayer
from plyforge.search import Clock, hearing_of_fall_backs
from plyforge.search.protection.threads import start_with_deep_stack

SPOILT = 3
"""Exit code of a worker in which a search can't be stopped."""


class Worker:
    """The other end of the pipe."""

    def __init__(self) -> None:
        self.output = os.fdopen(os.dup(sys.stdout.fileno()), "wb", buffering=0)
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
        self.requests: queue.Queue[dict[str, Any]] = queue.Queue()
        self.players: list[Player] = []
        threading.Thread(target=self._listen, daemon=True).start()

    def say(self, **what: Any) -> None:
        """One line to whoever watches."""
        self.output.write(json.dumps(what).encode() + b"\n")

    def _listen(self) -> None:
        for line in sys.stdin.buffer:
            self.requests.put(json.loads(line))
        self.leave(0)

    def leave(self, code: int) -> None:
        """End at once, whatever other threads do."""
        for player in self.players:
            if isinstance(player, ProgramPlayer):
                player.stop()
        os._exit(code)

    def run(self) -> None:
        """Prepare, then play what is asked for."""
        terms = self.requests.get()["terms"]
        try:
            referee = self._prepare(terms)
        except PlyforgeError as error:
            self.say(refused=str(error))
            self.leave(2)
        while True:
            asked = self.requests.get()["play"]
            opening = Opening(tuple(asked["actions"]), asked["start"])
            try:
                game = referee.play(asked["number"], asked["first"], opening, asked["seed"])
            except PlyforgeError as error:
                self.say(refused=str(error))
                self.leave(2)
            spoilt = any(player.spoilt for player in self.players)
            self.say(game=game.to_json(), leaving=spoilt, programs=self._programs())
            if spoilt:
                self.leave(SPOILT)

    def _prepare(self, terms: dict[str, Any]) -> Referee:
        game = load(terms["game"])
        clock = None if terms["clock"] is None else Clock.parse(terms["clock"])
        asked = terms.get("adjudication")
        rules = TimeRules(
            terms["seconds"],
            clock,
            terms["tolerance"],
            terms["patience"],
            terms["plies_limit"],
            None if asked is None else Adjudication.parse(asked),
        )
        notes: list[str] = []
        with hearing_of_fall_backs(notes.append):
            for text in terms["players"]:
                player = contestant(text, game, seconds=terms["seconds"], clock=clock, native=terms["native"])
                self.players.append(player)
                player.prepare(game)
        never_collect_what_is_there()
        self.say(ready=True, notes=notes, programs=self._programs())
        return Referee(
            game,
            self.players,
            rules,
            on_turn=lambda turn: self.say(turn=turn.player, patience=turn.patience, programs=self._programs()),
            on_action=lambda text, seconds: self.say(action=text, seconds=seconds),
        )

    def _programs(self) -> list[int]:
        """The outside programs that run now."""
        return [
            player.program.process.pid
            for player in self.players
            if isinstance(player, ProgramPlayer) and player.program is not None
        ]


def main() -> None:
    """Play in a thread with room for searches: so they need none of their own, and no thread hands over to another
    while a clock runs."""
    worker = Worker()
    ended = threading.Event()

    def play() -> None:
        try:
            worker.run()
        except BaseException:
            traceback.print_exc()
        finally:
            ended.set()

    start_with_deep_stack(play)
    ended.wait()
    sys.exit(1)  # only after an error, which has been told


if __name__ == "__main__":
    main()
