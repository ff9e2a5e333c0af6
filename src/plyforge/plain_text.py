"""States and actions as plain text, where a game has no notation of its own: numbers in nested parentheses.

    (3, (1, 0), 1)

The form in which Python shows a NamedTuple or a dataclass is read as well, as are lists, dicts and sets of plain
values:

    Heap(sticks=3, player=1)

Nothing that is read is ever evaluated: names are compared with those of the example, values are literals.
"""

from __future__ import annotations

import ast
import dataclasses
import re
import warnings
from typing import Any

from plyforge.errors import BadText, PlyforgeError

FRACTION = re.compile(r"([+-]?\d{1,18})\s*+/\s*+(\d{1,18})", re.ASCII)
LONGEST = 1 << 20
"""Letters of a state that is read: there may be states with thousands of parts."""
LONGEST_QUOTE, LONGEST_FOUND = 1000, 200
"""Letters that a message repeats of a text that can't be read, and of the part where that shows."""


def first_paragraph(text: str | None) -> str:
    """The first paragraph of a docstring, in one line."""
    return " ".join((text or "").strip().partition("\n\n")[0].split())


def format_value(value: Any) -> str:
    """A number, or a tuple of numbers and tuples, as text; whatever else a state may hold as Python writes it."""
    if isinstance(value, tuple) and _plain(value):
        inside = ", ".join(format_value(item) for item in value)
        return f"({inside},)" if len(value) == 1 else f"({inside})"
    return _literal(value) if isinstance(value, tuple) or _has_fields(value) else str(value)


def loosely(text: str) -> tuple[str, ...]:
    """The words of a text: what is the same in `(0, 1)`, `(0,1)` and `0 1`."""
    return tuple(re.findall(r"[^\s,()\[\]]+", text.lower()))


def _plain(value: Any) -> bool:
    """True for what needs no more than words and parentheses."""
    if isinstance(value, tuple):
        return all(_plain(item) for item in value)
    return value is not None and not isinstance(value, (list, dict, set, frozenset)) and not _has_fields(value)


def _has_fields(value: Any) -> bool:
    return dataclasses.is_dataclass(value) and not isinstance(value, type)


def _literal(value: Any) -> str:
    """As Python writes it, whatever a class may have made of its own `repr`."""
    if _has_fields(value):
        fields = [field.name for field in dataclasses.fields(value) if field.init]
        inside = ", ".join(f"{name}={_literal(getattr(value, name))}" for name in fields)
        return f"{type(value).__name__}({inside})"
    if isinstance(value, tuple):
        inside = ", ".join(_literal(item) for item in value)
        return f"({inside},)" if len(value) == 1 else f"({inside})"
    if type(value) is list:
        return f"[{', '.join(_literal(item) for item in value)}]"
    return repr(value)


def parse_like(example: Any, text: str) -> Any:
    """Read numbers in nested parentheses, or what Python writes, into the shape and types of `example`. Nothing is
    evaluated."""
    require_length(text, LONGEST, "state", BadText)
    if not _plain(example) or (isinstance(example, tuple) and re.match(r"\s*[^\W\d]", text)):
        return _Written(text).read_like(example)
    tokens = re.findall(r"[(),]|[^(),\s]+", text)
    position = 0

    def fail(wanted: str) -> BadText:
        found = tokens[position] if position < len(tokens) else "the end"
        return BadText(f"{quoted(text)} is not a state: expected {wanted}, found {found[:LONGEST_FOUND]}")

    def take(token: str) -> None:
        nonlocal position
        if position >= len(tokens) or tokens[position] != token:
            raise fail(repr(token))
        position += 1

    def read(like: Any) -> Any:
        nonlocal position
        if isinstance(like, tuple):
            if not like and type(like) is tuple:
                return anything()
            take("(")
            items = []
            for index, item in enumerate(like):
                if index:
                    take(",")
                items.append(read(item))
            if len(like) == 1 and position < len(tokens) and tokens[position] == ",":
                position += 1
            take(")")
            return type(like)(*items) if hasattr(like, "_fields") else tuple(items)
        if position >= len(tokens):
            raise fail("a value")
        word = tokens[position]
        position += 1
        if isinstance(like, bool):
            if word not in ("True", "False"):
                position -= 1
                raise fail("True or False")
            return word == "True"
        if isinstance(like, str):
            return word
        try:
            return type(like)(word)
        except (TypeError, ValueError, OverflowError):
            position -= 1
            raise fail(f"a value of type {type(like).__name__}") from None

    def anything() -> Any:
        """Where the example is an empty tuple, which tells nothing: a tuple of numbers and tuples."""
        nonlocal position
        take("(")
        items: list[Any] = []
        while position < len(tokens) and tokens[position] != ")":
            items.append(anything() if tokens[position] == "(" else number())
            if position < len(tokens) and tokens[position] != ")":
                take(",")
        take(")")
        return tuple(items)

    def number() -> Any:
        nonlocal position
        for kind in (int, float):
            try:
                value = kind(tokens[position])
            except ValueError:
                continue
            position += 1
            return value
        raise fail("a number")

    try:
        state = read(example)
    except RecursionError:
        raise BadText(f"{quoted(text)} is not a state: its brackets are nested too deep") from None
    if position != len(tokens):
        raise fail("nothing more")
    return state


def number_in(text: str) -> float:
    """A number as people write it: `2`, `0.5`, `1/3`. Raises ValueError or ZeroDivisionError. (`Fraction` would work
    for hours on 1e999999999.)"""
    whole = FRACTION.fullmatch(text.strip())
    return float(text) if whole is None else int(whole[1]) / int(whole[2])


def require_length(text: str, longest: int, what: str, error: type[PlyforgeError]) -> None:
    """Raise `error` for a text that is too long for a state or an action: before anything looks at it whole, or
    quotes it."""
    if len(text) > longest:
        raise error(
            f"{text[:40]!r}... has {len(text):,} letters: the text of {'an' if what == 'action' else 'a'} {what} has at"
            f" most {longest:,}"
        )


def quoted(text: str) -> str:
    """A text in a message: whole if it is not too long."""
    return repr(text) if len(text) <= LONGEST_QUOTE else f"{text[:LONGEST_QUOTE]!r} ..."


def shown(value: Any) -> str:
    """A value in a message, as Python writes it, cut where it is too long."""
    try:
        text = repr(value)
    except ValueError:  # Python writes no integer of thousands of digits
        return "an integer of thousands of digits"
    return text if len(text) <= LONGEST_QUOTE else f"{text[:LONGEST_QUOTE]} ..."


class _Written:
    """A text in the form in which Python writes values, read as an example says."""

    def __init__(self, text: str) -> None:
        self.text = text

    def fail(self, wanted: str, node: ast.AST | None = None) -> BadText:
        found = ast.get_source_segment(self.text.strip(), node) if isinstance(node, ast.expr) else None
        return BadText(
            f"{quoted(self.text)} is not a state: expected"
            f" {wanted}{f', found {found[:LONGEST_FOUND]}' if found else ''}"
        )

    def read_like(self, example: Any) -> Any:
        """The whole text. Raises BadText."""
        wanted = f"something like {format_value(example)}"
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", SyntaxWarning)  # about text that is then refused
                node = ast.parse(self.text.strip(), mode="eval").body
            return self.read(example, node)
        except (SyntaxError, TypeError, ValueError, RecursionError, MemoryError):
            raise self.fail(wanted) from None

    def read(self, like: Any, node: ast.expr) -> Any:
        """A node as a value of the type of `like`; where that is None, any plain value; an empty tuple, any tuple."""
        if hasattr(like, "_fields") or _has_fields(like):
            return self.record(like, node)
        if isinstance(like, tuple) and like:
            return tuple(self.items(like, node, ast.Tuple))
        if type(like) is list and isinstance(node, ast.List) and len(node.elts) == len(like):
            return self.items(like, node, ast.List)
        if like is None or isinstance(like, (tuple, list, dict, set, frozenset)):
            return self.container(like, node)
        return self.scalar(like, node)

    def items(self, like: Any, node: ast.expr, kind: type[ast.Tuple] | type[ast.List]) -> list[Any]:
        if not isinstance(node, kind) or len(node.elts) != len(like):
            raise self.fail(f"{len(like)} values in brackets", node)
        return [self.read(example, item) for example, item in zip(like, node.elts, strict=True)]

    def record(self, like: Any, node: ast.expr) -> Any:
        """A NamedTuple or a dataclass: its name with all of its fields; a NamedTuple also as a tuple."""
        cls = type(like)
        named = hasattr(like, "_fields")
        names = list(like._fields) if named else [f.name for f in dataclasses.fields(like) if f.init]
        if named and isinstance(node, ast.Tuple):
            return cls(*self.items(like, node, ast.Tuple))
        if not isinstance(node, ast.Call) or _last_name(node.func) != cls.__name__:
            raise self.fail(f"{cls.__name__}({', '.join(names)})", node)
        given = dict(zip(names, node.args, strict=False))
        given |= {word.arg: word.value for word in node.keywords if word.arg is not None}
        if len(given) != len(node.args) + len(node.keywords) or set(given) != set(names):
            raise self.fail(f"each of {', '.join(names)} once", node)
        values = {name: self.read(getattr(like, name), given[name]) for name in names}
        try:
            return cls(**values)
        except Exception as error:  # a dataclass may look at its values
            raise BadText(f"{quoted(self.text)} is not a state: {type(error).__name__}: {error}") from error

    def container(self, like: Any, node: ast.expr) -> Any:
        """What may be of any size: plain values only."""
        if isinstance(like, (set, frozenset)) and isinstance(node, ast.Call) and not node.keywords:
            if _last_name(node.func) == type(like).__name__ and len(node.args) <= 1:
                return type(like)(ast.literal_eval(node.args[0]) if node.args else ())
        value = ast.literal_eval(node)
        if like is not None and type(value) is not type(like):
            raise self.fail(f"a value of type {type(like).__name__}", node)
        return value

    def scalar(self, like: Any, node: ast.expr) -> Any:
        """A number, a truth value or a string, also as NumPy writes it: np.uint64(7)."""
        kind = type(like)
        wrapped = isinstance(node, ast.Call) and _last_name(node.func) == kind.__name__ and len(node.args) == 1
        inner = node.args[0] if wrapped else node  # type: ignore[attr-defined]
        if _last_name(inner) in ("True_", "False_", "inf"):
            value: Any = {"True_": True, "False_": False, "inf": float("inf")}[_last_name(inner)]
        elif isinstance(inner, ast.UnaryOp) and isinstance(inner.op, ast.USub) and _last_name(inner.operand) == "inf":
            value = -float("inf")
        else:
            value = ast.literal_eval(inner)
        exact = {"b": bool, "i": int, "u": int}.get(getattr(getattr(like, "dtype", None), "kind", ""), kind)
        allowed = (int, float) if isinstance(like, float) else (exact,)
        try:
            if type(value) in allowed:
                return kind(value)
        except (TypeError, ValueError, OverflowError):
            pass
        raise self.fail(f"a value of type {kind.__name__}", node)


def _last_name(node: ast.expr) -> str:
    """`Heap` of `Heap` and of `rules.Heap`; nothing of what is no name."""
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
