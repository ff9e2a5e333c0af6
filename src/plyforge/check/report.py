"""What a check found: each broken law in one sentence, with the state that shows it and the way there."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from plyforge.check.laws import LAWS

SHOWN_ACTIONS = 60


@dataclass(frozen=True)
class Violation:
    """A broken law, shown by the first state in which it was seen. Warnings have the same form."""

    law: str
    """The law's name, a key of `LAWS`."""
    sentence: str
    """What is wrong."""
    state: str
    """The state as text, or its repr where the text fails; empty if it is about no state."""
    path: tuple[str, ...]
    """The actions that lead there from the start, as text."""
    actions: tuple[Any, ...] = field(default=(), compare=False, repr=False)
    """The same actions themselves, to be replayed."""

    def to_json(self) -> dict[str, Any]:
        """The fields as plain JSON values."""
        return {"law": self.law, "sentence": self.sentence, "state": self.state, "path": list(self.path)}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Violation:
        """What `to_json` gave, without the actions themselves."""
        return cls(data["law"], data["sentence"], data["state"], tuple(data["path"]))

    def __str__(self) -> str:
        lines = [f"{self.law}: {self.sentence}"]
        if self.state:
            lines.append(f"  state: {self.state}")
            if len(self.path) > SHOWN_ACTIONS:
                lines.append(f"  after: {' '.join(self.path[:SHOWN_ACTIONS])} ... ({len(self.path)} actions)")
            else:
                lines.append(f"  after: {' '.join(self.path) or '(the start)'}")
        return "\n".join(lines)


@dataclass(frozen=True)
class Progress:
    """How a running check stands."""

    phase: str
    """What is being done, in words."""
    states: int
    """How many different states have been seen."""
    seconds: float
    """Since the check began."""


@dataclass(frozen=True)
class Report:
    """The outcome of a check. Equal for equal games and seeds, as long as the time was enough."""

    game: str
    """The name of the game's class."""
    violations: tuple[Violation, ...]
    """The broken laws, in the order in which they were found; each law once."""
    warnings: tuple[Violation, ...]
    """What looks like a mistake, but a lawful game may do."""
    notes: tuple[str, ...]
    """What could not be tested, or is lost, and why; what would make an opponent stronger."""
    states: int
    """How many different states were visited."""
    ends: int
    """How many of them were terminal."""
    complete: bool
    """True if those are all the states that can be reached."""
    laws: dict[str, int]
    """Every law, with how often it was tested."""
    seed: int
    """Of the random playouts."""
    seconds: float = field(compare=False)
    """How long it took."""
    stopped: str = ""
    """What was being done when Ctrl-C ended the check, in words; empty: it came to its end."""

    @property
    def ok(self) -> bool:
        """True if no law is broken."""
        return not self.violations

    def to_json(self) -> dict[str, Any]:
        """The fields as plain JSON values."""
        return {
            "game": self.game,
            "ok": self.ok,
            "violations": [violation.to_json() for violation in self.violations],
            "warnings": [warning.to_json() for warning in self.warnings],
            "notes": list(self.notes),
            "states": self.states,
            "ends": self.ends,
            "complete": self.complete,
            "laws": dict(self.laws),
            "seed": self.seed,
            "seconds": self.seconds,
            "stopped": self.stopped,
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Report:
        """What `to_json` gave."""
        said = {name: value for name, value in data.items() if name != "ok"}
        for name in ("violations", "warnings"):
            said[name] = tuple(map(Violation.from_json, said[name]))
        return cls(**said | {"notes": tuple(said["notes"])})

    def __str__(self) -> str:
        tested = sum(1 for name in LAWS if self.laws.get(name))
        broken = len(self.violations)
        verdict = (
            "no law was seen broken so far"
            if self.ok and self.stopped
            else "no law is broken"
            if self.ok
            else "1 law is broken"
            if broken == 1
            else f"{broken} laws are broken"
        )
        extent = "all that can be reached" if self.complete else "the game has more"
        visited = (
            f"{self.states:,} states visited ({extent}), {self.ends:,} of them ends"
            if self.states
            else "no state visited"
        )
        lines = [
            f"{self.game}: {verdict}",
            f"{visited}; laws tested: {tested} of {len(LAWS)}; {self.seconds:.1f} s",
        ]
        if self.stopped:
            lines.append(f"stopped while {self.stopped}: what was found until then")
        for title, found in (("broken", self.violations), ("warning", self.warnings)):
            for violation in found:
                lines += ["", f"{title}: {violation}"]
        if self.notes:
            lines += ["", *(f"note: {note}" for note in self.notes)]
        return "\n".join(lines)
