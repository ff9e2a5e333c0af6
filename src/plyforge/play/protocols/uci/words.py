"""What UCI's words mean: settings, numbers, scores, and how a player is made weaker."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from plyforge.contract import MAX
from plyforge.errors import BadLimits
from plyforge.search import Search
from plyforge.search.core.parameters import Parameter, written_parameters

NO_MOVE = "(none)"
"""What is said where there is none."""
CENTIPAWNS = 10_000
"""What a win is in hundredths of a pawn: estimates of chess are 0.01 for a pawn."""
SURE = 0.99
"""What a score is at most that is not a mate: some programs write tablebase wins as hundreds of pawns."""
SHOWN = 80
"""Letters of a line that was not understood which a message shows."""


NOTHING = "<empty>"
"""How UCI writes a text without a letter."""
LARGEST_SPIN = (1 << 31) - 1
NARROWER = {"Hash": (1, 1 << 15), "MultiPV": (1, 218)}
"""Bounds that user interfaces expect, where the search would allow more."""
LOWEST_ELO, HIGHEST_ELO = 800, 2400
NODES_AT_LOWEST, ELO_OF_DOUBLING = 40, 110
"""How many nodes the weakest player visits, and what twice as many are taken to be worth."""
NODES_A_MOVE = 4
"""And at least so many for each legal move and each line: a move and the captures after it."""
CHOICES_WHEN_WEAK = 4
"""Among how many moves a limited player chooses,"""
BLUNDER_AT_LOWEST = 0.012
"""and how much worse than the best one a move may be that the weakest player still often plays: in values, so a bit
more than a pawn."""


@dataclass(frozen=True)
class Option:
    """A setting that a user interface shows."""

    name: str
    kind: str
    """`spin` (a whole number), `check` (true or false), `combo` (one of several words), `string` or `button`."""
    default: int | bool | str = False
    least: int = 0
    most: int = 0
    words: tuple[str, ...] = ()
    """Of a combo."""
    parameter: Parameter | None = None
    """The parameter of the search that it sets; None for what is the protocol's own."""

    @classmethod
    def of(cls, parameter: Parameter) -> Option:
        """The option that sets a parameter. A number that may be left open is a string: UCI has no other way to say
        so."""
        name = parameter.uci or " ".join(word.capitalize() for word in parameter.name.split("_"))
        default = parameter.default if parameter.in_play is None else parameter.in_play
        if parameter.kind == "yes" and not parameter.optional:
            return cls(name, "check", bool(default), parameter=parameter)
        if parameter.kind == "choice":
            return cls(name, "combo", str(default), words=parameter.choices, parameter=parameter)
        if (parameter.kind == "whole" and not parameter.optional) or name in NARROWER:
            least, most = NARROWER.get(name, (parameter.at_least, parameter.at_most))
            bounds = (-LARGEST_SPIN if least is None else int(least), LARGEST_SPIN if most is None else int(most))
            return cls(name, "spin", int(default), *bounds, parameter=parameter)
        return cls(name, "string", "" if default is None else parameter.write(default), parameter=parameter)

    def value(self, given: int | bool | str) -> Any:
        """What the search's parameter is then. Raises ValueError, with the reason."""
        assert self.parameter is not None
        if not isinstance(given, str) or self.parameter.kind == "choice":
            return float(given) if self.parameter.kind == "number" else given
        try:
            return self.parameter.read(given) if given else None
        except BadLimits as error:
            raise ValueError(str(error)) from None
        except ValueError:
            raise ValueError(f"{self.name} is {self.parameter.reads}, not {given[:SHOWN]!r}") from None

    def line(self) -> str:
        """As `uci` is answered."""
        said = f"option name {self.name} type {self.kind}"
        if self.kind == "check":
            said += f" default {str(self.default).lower()}"
        if self.kind == "spin":
            said += f" default {self.default} min {self.least} max {self.most}"
        if self.kind in ("string", "combo"):
            said += f" default {self.default or NOTHING}"
        return said + "".join(f" var {word}" for word in self.words)

    def read(self, text: str) -> int | bool | str:
        """The value that `text` names. Raises ValueError, with the reason."""
        if self.kind == "string":
            text = "" if text == NOTHING else text
            if text:
                self.value(text)
            return text
        if self.kind == "combo":
            if text not in self.words:
                raise ValueError(f"{self.name} is one of {', '.join(self.words)}, not {text[:SHOWN]!r}")
            return text
        if self.kind == "check":
            if text.lower() not in ("true", "false"):
                raise ValueError(f"{self.name} is true or false, not {text[:SHOWN]!r}")
            return text.lower() == "true"
        number = whole_number(text)
        if number is None:
            raise ValueError(f"{self.name} is a whole number, not {text[:SHOWN]!r}")
        if not self.least <= number <= self.most:
            raise ValueError(f"{self.name} is from {self.least} to {self.most}, not {number}")
        return number


PROTOCOL = (
    Option("Clear Hash", "button"),
    Option("Ponder", "check", False),
    Option("Move Overhead", "spin", 10, 0, 10_000),
    Option("Explain Time", "check", False),
    Option("UCI_Chess960", "check", False),
    Option("UCI_LimitStrength", "check", False),
    Option("UCI_Elo", "spin", 1600, LOWEST_ELO, HIGHEST_ELO),
)
"""What can be set whatever search plays."""


def options_of(search: type[Search]) -> tuple[Option, ...]:
    """What can be set: the parameters of the search, and what is the protocol's own."""
    return (*(Option.of(each) for each in written_parameters(search) if each.name != "simulations"), *PROTOCOL)


def score_text(value: float, distance: int | None, player: int) -> str:
    """MAX's value as the mover's score: `mate` in moves where a win or a loss is proven, else hundredths of a pawn."""
    own = value if player == MAX else -value
    if distance is not None and abs(own) >= 1.0:
        moves = (distance + 1) // 2 if own > 0 else -(distance // 2)
        return f"score mate {moves}"
    return f"score cp {round(own * CENTIPAWNS)}"


@dataclass(frozen=True)
class Info:
    """What a program says of one of its best lines."""

    number: int
    """1 is the best."""
    depth: int
    nodes: int
    moves: tuple[str, ...]
    """As UCI writes them."""
    centipawns: int | None
    """The mover's score in hundredths of a pawn; None where it announces a mate."""
    mate: int | None
    """In how many moves: the mover mates, or, negative, is mated."""

    def value(self, player: int) -> tuple[float, int | None]:
        """The other way round of `score_text`: MAX's value, where `player` is to move, and the plies to an end."""
        if self.mate is None:
            assert self.centipawns is not None
            own, distance = max(-SURE, min(SURE, self.centipawns / CENTIPAWNS)), None
        else:
            wins = self.mate > 0
            own, distance = (1.0, 2 * self.mate - 1) if wins else (-1.0, -2 * self.mate)
        return own if player == MAX else -own, distance


def read_info(line: str) -> Info | None:
    """What an `info` says of a line of play; None where it says nothing of one, or only a bound of its score."""
    words = line.split()
    if "score" not in words or words[1:2] == ["string"]:
        return None
    found: dict[str, int] = {}
    at = words.index("score")
    if len(words) < at + 3 or words[at + 1] not in ("cp", "mate"):
        return None
    if {"lowerbound", "upperbound"} & set(words[at + 3 : at + 4]):
        return None
    cut = words.index("pv") if "pv" in words else len(words)
    for name, text in itertools.pairwise(words[1:cut]):
        number = whole_number(text)
        if name in ("depth", "nodes", "multipv", "cp", "mate") and number is not None:
            found[name] = number
    if "cp" not in found and "mate" not in found:
        return None
    return Info(
        number=found.get("multipv", 1),
        depth=found.get("depth", 0),
        nodes=found.get("nodes", 0),
        moves=tuple(words[cut + 1 :]),
        centipawns=found.get("cp"),
        mate=found.get("mate"),
    )


def nodes_for(elo: int, legal: int) -> int:
    """How many nodes a player of about this strength visits, with so many legal moves: enough to have several lines
    to choose from."""
    fewest = NODES_A_MOVE * CHOICES_WHEN_WEAK * (1 + legal)
    return max(fewest, int(NODES_AT_LOWEST * 2 ** ((elo - LOWEST_ELO) / ELO_OF_DOUBLING)))


def weaker_choice(lines: Sequence[tuple[float, tuple[int, ...]]], elo: int, source: random.Random) -> tuple[int, ...]:
    """One of the lines, with their values to the mover: the worse it is, the less likely, and the less so the
    stronger the player."""
    spread = BLUNDER_AT_LOWEST * (HIGHEST_ELO - elo) / (HIGHEST_ELO - LOWEST_ELO)
    best = max(value for value, _ in lines)
    weights = [math.exp((value - best) / spread) if spread > 0 else float(value == best) for value, _ in lines]
    return source.choices([line for _, line in lines], weights)[0]


def whole_number(text: str) -> int | None:
    """A whole number, with or without a sign; None if it is none, or absurdly long."""
    digits = text[1:] if text[:1] in ("-", "+") else text
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 18):
        return None
    return int(text)


__all__ = [
    "PROTOCOL",
    "Info",
    "Option",
    "nodes_for",
    "options_of",
    "read_info",
    "score_text",
    "weaker_choice",
    "whole_number",
]
