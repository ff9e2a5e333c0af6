"""What every way of solving answers with: what a state is worth, how far its end is, what to do, and how it was proven.

Each method has a class of its own that knows more than this (all states, bounds, mixes) and stands in the method's own
file. All of them answer these:

    solution = pf.solve("hexapawn")
    solution.value, solution.distance, solution.best           # of the state that was solved
    solution.value_of(state), solution.distance_of(state), solution.best_of(state)       # of any other, or its text
    solution.using, solution.proof, solution.exact             # by which method, and why to believe it
    solution.to_json(), print(solution), and what a notebook shows

Invariant: `value`, `distance` and `best` are what `value_of`, `distance_of` and `best_of` say of `state`.
"""

from __future__ import annotations

import math
from html import escape
from typing import Any

from plyforge.contract import Game, format_action
from plyforge.contract.naming import as_state, name_of, text_of
from plyforge.contract.value_words import everyone, in_words, value_text
from plyforge.errors import PlyforgeError
from plyforge.grids.hooks import board_of

Rows = list[tuple[str, str]]
"""What a solution says of itself: a name and a text each."""


class Solution:
    """A solved state. See the module's text."""

    game: Game
    state: Any
    """The state that was solved."""
    seconds: float
    """Wall-clock time of solving, without compiling."""
    native: bool
    """True if the rules ran as machine code."""
    using: str
    """The method, by the name that `pf.solve(using=...)` takes."""
    method = ""
    """The same in words."""
    proof = ""
    """How the value was proven, in a sentence."""
    looks_ahead = False
    """True if other states are solved only when they are asked about."""

    # ------------------------------------------------------------ any state
    def value_of(self, state: Any = None) -> Any:
        """What a state (or its text; None for the one that was solved) is worth: MAX's number, or a tuple with
        everybody's."""
        raise NotImplementedError

    def best_of(self, state: Any = None) -> tuple[Any, ...]:
        """The best actions there; none where the game is over, where chance moves, and where players have mixes."""
        raise NotImplementedError

    def distance_of(self, state: Any = None) -> float | None:
        """How far the end is under best play, where the method knows."""
        return None

    def line_of(self, state: Any = None) -> tuple[Any, ...]:
        """Best play: the first best action, again and again, to the end, to chance, or to a state that comes back."""
        here = self._state(state)
        actions: list[Any] = []
        seen = {here}
        while best := self.best_of(here):
            actions.append(best[0])
            here = as_state(self.game, self.game.result(here, best[0]))
            if here in seen:
                break
            seen.add(here)
        return tuple(actions)

    def _state(self, state: Any) -> Any:
        return self.state if state is None else as_state(self.game, state)

    # ------------------------------------------------------------ the state that was solved
    @property
    def value(self) -> Any:
        """What the state that was solved is worth."""
        return self.value_of()

    @property
    def best(self) -> tuple[Any, ...]:
        """Its best actions."""
        return self.best_of()

    @property
    def distance(self) -> float | None:
        """How far its end is under best play; None where nobody can force one, or the method does not count."""
        return self.distance_of()

    @property
    def line(self) -> tuple[Any, ...]:
        """Best play from there."""
        return self.line_of()

    @property
    def exact(self) -> bool:
        """True if `value` is proven; False if only bounds of it are."""
        return True

    @property
    def policies(self) -> tuple[dict[Any, float], ...]:
        """Everybody's mix there, as actions with their probabilities, where players choose at once."""
        return ()

    @property
    def mixed(self) -> bool:
        """True if whoever moves has a mix, and so no best action."""
        return bool(self.policies)

    # ------------------------------------------------------------ in words
    @property
    def words(self) -> str:
        """What the value means: who wins, or whose number it is."""
        player = None if isinstance(self.value, tuple) else 0
        numbers = everyone(self.game, self.value, player)
        chance = self.game.has_chance and self.game.players > 1
        plies = self.distance if self.counts_plies else None
        return in_words(self.game, numbers, True, plies, on_average=chance)

    def best_text(self) -> list[str]:
        """The best actions as text."""
        return [format_action(self.game, self.state, action) for action in self.best]

    def line_text(self, state: Any = None) -> list[str]:
        """Best play as text."""
        here, texts = self._state(state), []
        for action in self.line_of(here):
            texts.append(format_action(self.game, here, action))
            here = self.game.result(here, action)
        return texts

    def number_text(self) -> str:
        """The value as a number."""
        return value_text(self.value)

    def work(self) -> str:
        """What solving took."""
        return f"{self.seconds:.2f} s"

    def details(self) -> Rows:
        """What this method alone has to say."""
        return []

    def rows(self) -> Rows:
        """All of it, in the order in which it is shown."""
        rows = [("value", f"{self.number_text()}  {self.words}".strip())]
        best = ", ".join(self.best_text())
        if best:
            rows.append(("best", best))
        elif not self.mixed:
            rows.append(("best", "none: chance moves, or the game is over"))
        if self.distance is not None and not self.game.terminal(self.state):
            rows.append(("distance", f"{self.distance:g} {self.distance_words}"))
        rows += self.details()
        speed = "compiled" if self.native else "interpreted"
        return [*rows, ("solved", f"{self.work()}, by {self.method}, {speed}"), ("proof", self.proof)]

    counts_plies = True
    """False where a distance is something else."""
    distance_words = "plies to the end, if the winner hurries and the loser delays"

    def to_json(self) -> dict[str, Any]:
        """All of it as plain JSON values, actions as text; not the values of other states."""
        value = plain(self.value) if self.exact else None
        return {
            "game": str(self.game), "state": text_of(self.game, self.state), "using": self.using, "value": value,
            "words": self.words, "exact": self.exact, "best": self.best_text(), "distance": self.distance,
            "seconds": self.seconds, "native": self.native, "method": self.method, "proof": self.proof, **self.more(),
        }  # fmt: skip

    def more(self) -> dict[str, Any]:
        """What this method alone has to say, as plain JSON values."""
        return {}

    def __str__(self) -> str:
        words = self.words
        plies = "" if self.distance is None or "plies" in words else f" in {self.distance:g} plies"
        best = f"; best {' '.join(self.best_text())}" if self.best else ""
        return f"{name_of(self.game)}: value {self.number_text()}{plies}, {words}{best}; {self.work()}"

    def __repr__(self) -> str:
        parts = [f"value={self.number_text()}"]
        if self.distance is not None:
            parts.append(f"distance={self.distance:g}")
        if self.best:
            parts.append(f"best={self.best_text()}")
        return f"<{type(self).__name__} of {self.game} by {self.method}: {', '.join(parts)}>"

    def _repr_html_(self) -> str:
        """What a notebook shows: the position, and what was found about it."""
        board = board_of(self.game, self.state)
        picture = f"<pre>{escape(self.game.show(self.state))}</pre>" if board is None else board.to_svg()
        cells = "".join(
            f'<tr><th style="text-align:left">{escape(name)}</th><td style="text-align:left">{escape(text)}</td></tr>'
            for name, text in self.rows()
        )
        return f"<div>{picture}<table>{cells}</table></div>"


def plain(value: Any) -> Any:
    """A value as plain JSON."""
    if isinstance(value, tuple):
        return [float(part) for part in value]
    return float(value) if math.isfinite(value) else None


def states_and_rate(states: int, seconds: float) -> str:
    """How many states took how long."""
    return f"{states:,} states, {seconds:.2f} s, {states / max(seconds, 1e-9):,.0f} states a second"


def not_met(solution: Solution, state: Any, more: str = "") -> PlyforgeError:
    """The error of whoever asks about a state that is not among those that were solved."""
    game = solution.game
    return PlyforgeError(
        f"{text_of(game, state)} can't arise from {text_of(game, solution.state)}, the state that was solved: solve"
        f" from a state before it{more}"
    )
