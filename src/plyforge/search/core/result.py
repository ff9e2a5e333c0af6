"""What a search found."""

from __future__ import annotations

from dataclasses import dataclass, field
from html import escape
from typing import Any

from plyforge.contract import Game, format_action
from plyforge.grids.hooks import board_of, ways_of
from plyforge.search.time.explained import TimeSpent


@dataclass(frozen=True)
class Result:
    """The answer of a search. Values are player 0's (MAX's), unless `player` says otherwise."""

    action: Any
    """The first best action; None where there is nothing to choose."""
    value: Any
    """What the state is worth: a number, or a tuple with one number for each player."""
    values: dict[Any, Any]
    """The value of every root action whose value is known exactly (within the depth searched)."""
    best: tuple[Any, ...]
    """Every action tied for best, as far as the search proves it; the first is `action`."""
    line: tuple[Any, ...]
    """The line of play that the value rests on, up to the first chance node."""
    nodes: int
    """How many states were visited, the root among them."""
    depth: int
    """How many plies were looked ahead; the length of the line, for a search without limits to the end of the game."""
    seconds: float
    """Wall-clock time of the search itself, without compiling."""
    reason: str
    """Why it ended: "complete" (to the end of the game, so the value is exact), a limit ("depth", "nodes",
    "seconds"), or "stopped". Searches that sample also end with "simulations" or "decided", searches for paths with
    "heuristic", "memory" or "trials"."""
    player: int | None = 0
    """Whose value it is; None for a tuple with everyone's."""
    using: str = ""
    """The search that was run."""
    native: bool = False
    """True if it ran as machine code."""
    game: Game | None = field(default=None, repr=False, compare=False)
    state: Any = field(default=None, repr=False, compare=False)
    outcomes: dict[Any, Any] = field(default_factory=dict)
    """Where chance moves at the root: what each outcome is worth, as far as the search knows."""
    timing: TimeSpent | None = field(default=None, repr=False, compare=False)
    """What became of the time; None where it was not limited."""

    @property
    def exact(self) -> bool:
        """True if the value is proven: it rests on the ends of the game alone, not on an estimate."""
        return self.reason == "complete"

    def text(self, action: Any) -> str:
        """A root action as text."""
        return format_action(self.game, self.state, action) if self.game is not None else str(action)

    def line_text(self) -> list[str]:
        """The line as text, each action written in the state where it is taken."""
        if self.game is None:
            return [str(action) for action in self.line]
        texts, state = [], self.state
        for action in self.line:
            texts.append(format_action(self.game, state, action))
            state = self.game.result(state, action)
        return texts

    def _repr_html_(self) -> str:
        """What a notebook shows: the position with the best action ringed, and the answer in a line."""
        line = f"<p>{escape(str(self))}</p>"
        if self.game is None:
            return line
        board = board_of(self.game, self.state)
        if board is None:
            return f"<div><pre>{escape(self.game.show(self.state))}</pre>{line}</div>"
        ways = [] if self.action is None else ways_of(self.game, self.state, self.action)
        return f"<div>{board.to_svg(ways[0] if ways else ())}{line}</div>"

    def to_json(self) -> dict[str, Any]:
        """The fields as plain JSON values, actions as text."""
        thrown = {self.text(outcome): _plain(value) for outcome, value in self.outcomes.items()}
        return {
            "action": None if self.action is None else self.text(self.action),
            "value": _plain(self.value),
            "values": {self.text(action): _plain(value) for action, value in self.values.items()},
            "best": [self.text(action) for action in self.best],
            "line": self.line_text(),
            "nodes": self.nodes,
            "depth": self.depth,
            "seconds": self.seconds,
            "reason": self.reason,
            "player": self.player,
            "using": self.using,
            "native": self.native,
        } | ({"outcomes": thrown} if thrown else {})

    def __str__(self) -> str:
        value = ", ".join(f"{v:g}" for v in self.value) if isinstance(self.value, tuple) else f"{self.value:g}"
        action = "-" if self.action is None else self.text(self.action)
        return f"{action} ({value}), {self.nodes:,} nodes, {self.reason}: {' '.join(self.line_text())}"


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [float(v) for v in value]
    return float(value)
