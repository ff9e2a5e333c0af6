"""A program as a player of any single game: in the terminal, the studio, a notebook.

Whoever runs such a game asks for an action in a state, and may take moves back or load another game; a program follows
a game from its start. So what it was told is compared with the game as it is: what is new is told, and where the two
differ, the game is begun anew.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from typing import Any

from plyforge.contract import CHANCE, SIMULTANEOUS, Game, legal_moves
from plyforge.errors import PlyforgeError, Unsuitable
from plyforge.play.players.opponent import Allowance, Opponent
from plyforge.play.players.player import Choice
from plyforge.search import Progress

PATIENCE = 60.0
"""Seconds after its time in which a program has to answer."""


class OutsidePlayer:
    """A program as a player; see the module's text."""

    def __init__(self, text: str, opponent: Opponent, seconds: float | None = None, seed: int | None = None) -> None:
        """`seconds` are for a move of a program with no limits of its own."""
        self.description = text
        self._opponent, self._seconds, self._seed = opponent, seconds, seed or 0
        self._game: Game | None = None
        self._told: list[Any] | None = None
        """The states that it knows of, the last one included; None before the first game."""
        self._seat = -1

    def choose(
        self,
        game: Game,
        state: Any,
        *,
        on_progress: Callable[[Progress], None] | None = None,
        history: Sequence[Any] = (),
    ) -> Choice:
        mover = int(game.player(state))
        if mover == SIMULTANEOUS:
            raise Unsuitable(f"{self.description} has to be asked for its own choice: all choose at once here")
        return Choice(self.choose_own(game, state, mover, history=history))

    def choose_own(self, game: Game, state: Any, seat: int, *, history: Sequence[Any] = (), **more: Any) -> Any:
        """What it chooses in that seat, also where all choose at once."""
        opponent = self._opponent
        if self._game is not game:
            opponent.prepare(game)
            self._game, self._told = game, None
        try:
            self._follow(game, [*history, state], seat)
            allowance = Allowance(seconds=self._seconds, patience=(self._seconds or 0.0) + PATIENCE)
            action = opponent.choose(state, allowance, history)
        except BaseException as error:
            self._told = None
            if not isinstance(error, PlyforgeError):  # Ctrl-C: its answer would be taken for the next one
                self.close()
                self._game = None
            raise
        if not game.hidden_information and int(game.player(state)) != SIMULTANEOUS:
            assert self._told is not None
            with contextlib.suppress(Exception):  # an illegal one is told by whoever runs the game
                self._told.append(game.result(state, action))
        return action

    def _follow(self, game: Game, states: list[Any], seat: int) -> None:
        """Tell it what has happened since it was asked last."""
        hides = bool(game.hidden_information)
        known = self._told
        if known is None or self._seat != seat or (not hides and known != states[: len(known)]):
            start = None if hides or states[0] == game.start() else states[0]
            self._opponent.new_game(seat, start, self._seed)
            known = states[:1]
        if hides:
            self._told = states
            return
        for before, after in zip(states[len(known) - 1 :], states[len(known) :], strict=False):
            self._opponent.told(before, _action_between(game, before, after), int(game.player(before)))
        self._told, self._seat = states, seat

    def stop(self) -> None:
        """Give up the answer that is awaited, from another thread; returns at once. The next one begins anew."""
        program = getattr(self._opponent, "program", None)
        if program is not None:
            program.kill()

    def close(self) -> None:
        """End the program."""
        self._opponent.close()

    def __del__(self) -> None:
        with contextlib.suppress(Exception):
            self.close()


def _action_between(game: Game, before: Any, after: Any) -> Any:
    """The action that leads from one state to the next."""
    mover = int(game.player(before))
    actions = [outcome for outcome, _ in game.chance(before)] if mover == CHANCE else legal_moves(game, before)
    for action in actions:
        if game.result(before, action) == after:
            return action
    raise PlyforgeError(f"the states of this game of {type(game).__name__} don't follow from each other")


__all__ = ["OutsidePlayer"]
