"""Parameters of searches, each declared once: as a field of its search, with its range, unit and meaning.

    threads: int = parameter(1, at_least=1, at_most=256, help="How many threads search.")

The annotation is the type. From the declaration follow the check of a value, the options of `plyforge search`, what
descriptions of players, requests and UCI's options may say, the studio's settings, and the tables of the documents.

Invariant: nothing but this declaration names a parameter; whoever wants all of them asks `parameters_of`.
"""

from __future__ import annotations

import dataclasses
import functools
import math
import numbers
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from plyforge.errors import BadLimits

LARGEST = 1 << 62
"""No number that counts something may be larger: as far as a kernel counts."""
SAID = "plyforge.parameter"
"""Where a field's metadata has its declaration."""
KINDS = {"int": "whole", "float": "number", "bool": "yes", "str": "text"}
"""What the annotation of a field makes of it; everything else is an object, which only Python can give."""
WORDS = {"whole": "a whole number", "number": "a number", "yes": "yes or no", "text": "a text"}
YES, NO = ("yes", "true", "1", "on"), ("no", "false", "0", "off")


@dataclasses.dataclass(frozen=True)
class Parameter:
    """One parameter of a search."""

    name: str = ""
    kind: str = "object"
    """whole, number, yes, choice, text, or object."""
    default: Any = None
    optional: bool = False
    """True if it may be None."""
    at_least: float | None = None
    above: float | None = None
    at_most: float | None = None
    below: float | None = None
    infinite: bool = False
    """True if infinity is a value."""
    unit: str = ""
    help: str = ""
    """What it does, in a sentence or two."""
    none: str = ""
    """What None means, in a few words."""
    title: str = ""
    """What people call it; from its name, where nothing is said."""
    choices: tuple[str, ...] = ()
    text: str = ""
    """Of an object: what a text names that stands for it, as in "a folder"."""
    uci: str = ""
    """Its name as an option of UCI, where that is a standard one."""
    compiled: bool = False
    """True if the compiled code depends on it."""
    in_play: Any = None
    """What it is in play, where nobody says otherwise; None: its default."""
    where: Callable[[Any], bool] | None = None
    """Tells games in which it means something; None: in all of them."""
    internal: bool = False
    """True for what searches set for each other: no face shows it."""
    formerly: tuple[str, ...] = ()
    """What it was called in records that were saved."""
    elsewhere: tuple[str, ...] = ()
    """What books and other programs call it."""

    @property
    def written(self) -> bool:
        """True if text can give it."""
        return self.kind != "object" or bool(self.text)

    @property
    def label(self) -> str:
        """What people call it, with its unit."""
        title = self.title or self.name.replace("_", " ").capitalize()
        return f"{title}, {self.unit}" if self.unit and self.unit.lower() not in title.lower() else title

    # ------------------------------------------------------------ its range
    @property
    def range(self) -> str:
        """The numbers that it may be: "1 to 256", "above 0", "0 or more"; empty for everything else."""
        low = "" if self.at_least is None else _plain(self.at_least)
        if self.above is not None:
            low = f"above {_plain(self.above)}"
        if self.at_most is None and self.below is None:
            return low if self.above is not None or not low else f"{low} or more"
        high = _plain(self.at_most) if self.at_most is not None else f"less than {_plain(self.below)}"
        if not low:
            return f"at most {high}" if self.at_most is not None else high
        if self.above is not None and self.at_most is not None:
            return f"{low} and at most {high}"
        return f"{low} to {high}"

    @property
    def allowed(self) -> str:
        """What it must be, in words."""
        if self.kind == "yes":
            words = "True or False"
        elif self.kind == "choice":
            words = f"one of {', '.join(map(repr, self.choices))}"
        else:
            words = WORDS.get(self.kind, "an object")
            if self.above == 0 and self.at_most is None and self.below is None:
                words = words.replace("a ", "a positive ", 1)
            elif self.at_least is not None and self.at_most is None and self.below is None:
                words += f" of at least {_plain(self.at_least)}"
            elif self.at_least is not None:
                words += f" from {self.range}"
            elif self.range:
                words += f" {self.range}"
            words += f" ({self.unit})" if self.unit else ""
        return f"{words}, or None" if self.optional else words

    def check(self, value: Any) -> None:
        """Raise BadLimits for a value that it can't have."""
        if not self.admits(value):
            if self.kind == "whole" and _whole(value) and value > LARGEST and self.at_least is not None:
                raise BadLimits(f"{self.name} is {value}; it can be at most 2**62")
            raise BadLimits(f"{self.name} is {value!r}; it must be {self.allowed}")

    def admits(self, value: Any) -> bool:
        """True if it can have this value."""
        if value is None:
            return self.optional or self.kind == "object"
        if self.kind == "yes":
            return isinstance(value, (bool, np.bool_))
        if self.kind in ("whole", "number"):
            return self._admits_number(value)
        if self.kind == "choice":
            return value in self.choices
        return self.kind == "object" or isinstance(value, str)

    def _admits_number(self, value: Any) -> bool:
        if not (_whole(value) if self.kind == "whole" else _real(value, self.infinite)):
            return False
        if self.kind == "whole" and self.at_least is not None and value > LARGEST:
            return False
        return (
            (self.at_least is None or value >= self.at_least)
            and (self.above is None or value > self.above)
            and (self.at_most is None or value <= self.at_most)
            and (self.below is None or value < self.below)
        )

    # ------------------------------------------------------------ as text
    def read(self, text: str) -> Any:
        """The value that `text` stands for. Raises ValueError for a text of another kind, BadLimits for a number out
        of range."""
        word = text.strip()
        value: Any = word
        if self.optional and word.lower() == "none":
            return None
        if self.kind == "whole":
            value = int(word)
        elif self.kind == "number":
            value = float(word)
        elif self.kind == "yes":
            if word.lower() not in (*YES, *NO):
                raise ValueError(f"{word!r} is neither yes nor no")
            value = word.lower() in YES
        if self.kind != "object":
            self.check(value)
        return value

    @property
    def reads(self) -> str:
        """What a text must be that gives it: "a whole number"."""
        return self.text or (self.allowed if self.kind == "choice" else WORDS.get(self.kind, "an object"))

    def write(self, value: Any) -> str:
        """As descriptions of players have a value."""
        if isinstance(value, bool):
            return "yes" if value else "no"
        return f"{value:g}" if isinstance(value, float) else str(value)

    @property
    def default_text(self) -> str:
        """Its default, or what None stands for."""
        if self.default is None:
            return self.none or "none"
        return self.write(self.default)

    def to_json(self) -> dict[str, Any]:
        """What a program might want to know; bounds that are not there are null."""
        plain = self.default if isinstance(self.default, (bool, int, float, str)) else None
        return {
            "name": self.name,
            "kind": self.kind,
            "default": plain,
            "optional": self.optional,
            "at_least": self.at_least,
            "above": self.above,
            "at_most": self.at_most,
            "below": self.below,
            "unit": self.unit,
            "choices": list(self.choices),
            "help": self.help,
        }


def parameter(default: Any = None, *, default_factory: Callable[[], Any] | None = None, **said: Any) -> Any:
    """A field of a search, with what is said of it: the fields of `Parameter` from `at_least` on."""
    metadata = {SAID: Parameter(default=default, **said)}
    if default_factory is not None:
        return dataclasses.field(default_factory=default_factory, metadata=metadata)
    return dataclasses.field(default=default, metadata=metadata)


def parameters_of(cls: Any) -> dict[str, Parameter]:
    """All parameters of a search (or of anything whose fields are declared so), by name, in order."""
    return _parameters_of(cls)


@functools.cache
def _parameters_of(cls: Any) -> dict[str, Parameter]:
    return {field.name: _declared(field) for field in dataclasses.fields(cls)}


@functools.cache
def _checked(cls: Any) -> tuple[Parameter, ...]:
    return tuple(each for each in parameters_of(cls).values() if each.kind != "object")


def check_parameters(owner: Any) -> None:
    """Raise BadLimits for the first parameter of `owner` that has a value which it can't have. Defaults are taken to be
    right: a test looks at all of them."""
    cls: Any = type(owner)
    for each in _checked(cls):
        value = getattr(owner, each.name)
        if value is not each.default:
            each.check(value)


def written_parameters(cls: type) -> Iterator[Parameter]:
    """Those that text can give, and people should know of."""
    return (each for each in parameters_of(cls).values() if each.written and not each.internal)


def told(cls: type) -> str:
    """The parameters of a class, one a line, for its documentation: also of one that is just being defined."""
    found: dict[str, Parameter | None] = {}
    for base in reversed(cls.__mro__[1:]):
        for field in vars(base).get("__dataclass_fields__", {}).values():
            found[field.name] = field.metadata.get(SAID)
    for name, value in vars(cls).items():
        if isinstance(value, dataclasses.Field):
            found[name] = value.metadata.get(SAID)
    lines = [f"    {name:<15} {said.help}" for name, said in found.items() if said is not None and said.help]
    return "\n".join(["    Parameters:", *lines])


def in_play(cls: type) -> dict[str, Any]:
    """What its parameters are in play, where nobody says otherwise and that is not the default."""
    return {each.name: each.in_play for each in parameters_of(cls).values() if each.in_play is not None}


def _declared(field: dataclasses.Field[Any]) -> Parameter:
    """What is said of a field; its kind is its annotation's."""
    said: Parameter = field.metadata.get(SAID) or Parameter()
    name = field.type if isinstance(field.type, str) else getattr(field.type, "__name__", str(field.type))
    parts = [part.strip() for part in str(name).split("|")] if "[" not in str(name) else [str(name)]
    kinds = {KINDS.get(part, "object") for part in parts if part != "None"}
    kind = kinds.pop() if len(kinds) == 1 else "object"
    if kind == "text" and said.choices:
        kind = "choice"
    default = None if field.default is dataclasses.MISSING else field.default
    return dataclasses.replace(said, name=field.name, kind=kind, default=default, optional="None" in parts)


def _whole(value: Any) -> bool:
    return isinstance(value, numbers.Integral) and not isinstance(value, bool)


def _real(value: Any, infinite: bool) -> bool:
    if not isinstance(value, numbers.Real) or isinstance(value, bool):
        return False
    return math.isfinite(value) or (infinite and value == math.inf)


def _plain(number: float | None) -> str:
    assert number is not None
    return str(number) if isinstance(number, int) else f"{number:g}"


__all__ = [
    "Parameter",
    "check_parameters",
    "in_play",
    "parameter",
    "parameters_of",
    "told",
    "written_parameters",
]
