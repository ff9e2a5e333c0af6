"""Trees from literals, and back to JSON: lists and dictionaries read into tables, each mistake with its place."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from plyforge.contract import CHANCE, MAX, MIN
from plyforge.errors import BadRules
from plyforge.plain_text import number_in, shown

MAX_DEPTH = 900
"""So that a search can look to the end of any tree."""
MAX_NODES = 200_000


@dataclass
class _Draft:
    """A node while it is being read."""

    raw: Any
    parent: int
    depth: int
    label: str
    weight: float = 1.0
    name: str = ""
    mover: int | None = None
    """As written; None where the next player is meant."""
    next_player: int = MAX
    """Who moves by turns."""
    turn: int = -1
    """The last player who moved, here or above."""
    children: range = range(0)
    labelled: bool = False
    weighted: bool = False
    payoffs: tuple[float, ...] | None = None
    """A leaf's payoffs, or an inner node's estimate."""
    is_tuple: bool = False


_PARTS = {
    "max": {"estimate"},
    "min": {"estimate"},
    "chance": {"weights", "estimate"},
    "children": {"player", "estimate"},
    "value": set(),
    "payoffs": set(),
}
"""What a dictionary is about, and what else it may say, beside a name."""


def tables_of(tree: Any) -> dict[str, Any]:
    """All fields of a Tree."""
    drafts = _read(tree)
    leaves = [draft for draft in drafts if not draft.children]
    for number in range(len(drafts)):
        _require_alike(drafts, number, leaves[0])
    width = len(leaves[0].payoffs or ())
    _take_turns(drafts, width if leaves[0].is_tuple else 2)
    players = _count_players(drafts, width, leaves[0].is_tuple)
    total = _constant_sum(drafts, players, leaves[0].is_tuple)
    as_numbers = players == 1 or (players == 2 and total is not None)
    known = [draft.payoffs[:1] if as_numbers else draft.payoffs for draft in drafts if draft.payoffs is not None]
    lowest = min(map(min, known))
    highest = max(map(max, known))
    even = 0.5 * (lowest + highest) if total is None or as_numbers else total / players
    middle = (even,) * width
    rows = [middle if draft.payoffs is None else draft.payoffs for draft in drafts]
    movers = [MAX if d.mover is None else d.mover for d in drafts]
    return {
        "text": _write(drafts),
        "movers": _fixed(movers),
        "first": _fixed([draft.children.start for draft in drafts]),
        "counts": _fixed([len(draft.children) for draft in drafts]),
        "weights": _fixed([draft.weight for draft in drafts]),
        "payoffs": _fixed([row[0] for row in rows]) if as_numbers else tuple(rows),
        "names": tuple(draft.name for draft in drafts),
        "labels": tuple(draft.label for draft in drafts),
        "players": players,
        "utility_sum": total,
        "min_utility": lowest,
        "max_utility": highest,
    }


def _read(tree: Any) -> list[_Draft]:
    """The nodes level by level; the list grows while it is read."""
    drafts = [_Draft(tree, -1, 0, "")]
    names: dict[str, int] = {}
    for number, draft in enumerate(drafts):
        children, labels, weights = _understand(drafts, number)
        draft.raw = None
        if draft.name:
            if draft.name in names:
                raise BadRules(f"{_where(drafts, number)}: the name {shown(draft.name)} is given to two nodes")
            names[draft.name] = number
        if children and draft.depth == MAX_DEPTH:
            raise BadRules(f"the tree is more than {MAX_DEPTH} levels deep; no search looks that far ahead")
        if len(drafts) + len(children) > MAX_NODES:
            raise BadRules(f"the tree has more than {MAX_NODES:,} nodes: write it as a game, with rules")
        draft.children = range(len(drafts), len(drafts) + len(children))
        for child, label, weight in zip(children, labels, weights, strict=True):
            drafts.append(_Draft(child, number, draft.depth + 1, label, weight))
    return drafts


def _understand(drafts: list[_Draft], number: int) -> tuple[list[Any], list[str], list[float]]:
    """Read one node: fill its draft, give its children with their labels and weights."""
    draft = drafts[number]
    raw = draft.raw
    if isinstance(raw, list):
        return _children(drafts, number, raw, None)
    if isinstance(raw, dict):
        return _understand_dictionary(drafts, number, raw)
    draft.payoffs, draft.is_tuple = _payoffs(drafts, number, raw, "a leaf")
    return [], [], []


def _understand_dictionary(drafts: list[_Draft], number: int, raw: dict[Any, Any]) -> Any:
    draft = drafts[number]
    about = [part for part in _PARTS if part in raw]
    if len(about) != 1:
        found = (
            " and ".join(repr(part) for part in about) if about else f"only {', '.join(map(repr, raw)) or 'nothing'}"
        )
        raise BadRules(
            f"{_where(drafts, number)} has {found}: a node written as a dictionary has one of {', '.join(_PARTS)}"
        )
    kind = about[0]
    unknown = [part for part in raw if part not in _PARTS[kind] | {kind, "name"}]
    if unknown:
        allowed = ", ".join(sorted(_PARTS[kind] | {"name"}))
        raise BadRules(f"{_where(drafts, number)}: beside {kind!r} there may be {allowed}, not {shown(unknown[0])}")
    if "name" in raw:
        draft.name = _name(drafts, number, raw["name"], "a name")
        if draft.name.startswith("#"):
            raise BadRules(f"{_where(drafts, number)}: the name {shown(draft.name)} looks like a node's number")
    if kind == "value":
        draft.payoffs, draft.is_tuple = _payoffs(drafts, number, raw["value"], "a value")
        return [], [], []
    if kind == "payoffs":
        given = raw["payoffs"]
        if not isinstance(given, (list, tuple)):
            raise BadRules(
                f"{_where(drafts, number)}: payoffs are a list, one number for each player, not {shown(given)}"
            )
        draft.payoffs, draft.is_tuple = _payoffs(drafts, number, tuple(given), "payoffs")
        return [], [], []
    if kind == "children" and "player" in raw:
        draft.mover = raw["player"]
        if type(draft.mover) is not int or draft.mover < 0:
            raise BadRules(f"{_where(drafts, number)}: a player is 0, 1, 2 ..., not {shown(draft.mover)}")
    elif kind != "children":
        draft.mover = {"max": MAX, "min": MIN, "chance": CHANCE}[kind]
    if "estimate" in raw:
        given = raw["estimate"]
        estimate = tuple(given) if isinstance(given, list) else given
        draft.payoffs, draft.is_tuple = _payoffs(drafts, number, estimate, "an estimate")
    return _children(drafts, number, raw[kind], raw.get("weights"))


def _children(drafts: list[_Draft], number: int, given: Any, weights: Any) -> tuple[list[Any], list[str], list[float]]:
    draft = drafts[number]
    if not isinstance(given, (list, dict)):
        raise BadRules(
            f"{_where(drafts, number)}: children are a list, or a dictionary with the names of actions, not"
            f" {shown(given)}"
        )
    if not given:
        raise BadRules(f"{_where(drafts, number)} has no children: a leaf is written as a number")
    draft.labelled = isinstance(given, dict)
    if isinstance(given, dict):
        labels = [_name(drafts, number, label, "an action") for label in given]
        children = list(given.values())
    else:
        labels = [str(place) for place in range(1, len(given) + 1)]
        children = given
    if weights is None:
        return children, labels, [1.0 / len(children)] * len(children)
    draft.weighted = True
    return children, labels, _weights(drafts, number, weights, len(children))


def _weights(drafts: list[_Draft], number: int, given: Any, size: int) -> list[float]:
    where = _where(drafts, number)
    if not isinstance(given, (list, tuple)) or len(given) != size:
        raise BadRules(f"{where} has {size} children, so weights are a list of {size} numbers, not {shown(given)}")
    weights = []
    for item in given:
        try:
            weight = number_in(item) if isinstance(item, str) else _number(item)
        except (ValueError, ZeroDivisionError):
            weight = math.nan
        if not weight > 0.0:
            raise BadRules(f"{where}: a weight is a positive number, or a fraction as in '1/3', not {shown(item)}")
        weights.append(weight)
    if not math.isclose(math.fsum(weights), 1.0, abs_tol=1e-9):
        raise BadRules(f"{where}: the weights add up to {math.fsum(weights):g}, not to 1")
    return weights


def _payoffs(drafts: list[_Draft], number: int, raw: Any, what: str) -> tuple[tuple[float, ...], bool]:
    """A number or a tuple of numbers, and which of the two it was."""
    is_tuple = isinstance(raw, tuple)
    numbers = tuple(_number(item) for item in raw) if isinstance(raw, tuple) else (_number(raw),)
    if not numbers or not all(map(math.isfinite, numbers)):
        raise BadRules(
            f"{_where(drafts, number)}: {what} is a number or a tuple of numbers, not {shown(raw)}. "
            "A node with children is a list or a dictionary"
        )
    return numbers, is_tuple


def _number(item: Any) -> float:
    """NaN for all that is not a number."""
    if isinstance(item, (bool, np.bool_)) or not isinstance(item, Real):
        return math.nan
    try:
        return float(item)
    except OverflowError:
        return math.inf


def _name(drafts: list[_Draft], number: int, given: Any, what: str) -> str:
    if not isinstance(given, str) or not given.strip() or given != " ".join(given.split()):
        raise BadRules(f"{_where(drafts, number)}: {what} is a word or words on one line, not {shown(given)}")
    return given


def _require_alike(drafts: list[_Draft], number: int, leaf: _Draft) -> None:
    """All leaves and estimates have the form of the first leaf."""
    draft = drafts[number]
    if draft.payoffs is None or leaf.payoffs is None:
        return
    if draft.is_tuple != leaf.is_tuple or len(draft.payoffs) != len(leaf.payoffs):
        forms = [f"{len(d.payoffs or ())} payoffs" if d.is_tuple else "one number" for d in (draft, leaf)]
        raise BadRules(f"{_where(drafts, number)} has {forms[0]}, other leaves have {forms[1]}: give all the same")


def _take_turns(drafts: list[_Draft], cycle: int) -> None:
    """Say who moves where nothing was said: the player after the last one above. Chance takes no turn."""
    for draft in drafts:
        above = drafts[draft.parent].turn if draft.parent >= 0 else -1
        draft.next_player = (above + 1) % cycle
        draft.turn = above
        if draft.children:
            if draft.mover is None:
                draft.mover = draft.next_player
            if draft.mover != CHANCE:
                draft.turn = draft.mover


def _count_players(drafts: list[_Draft], width: int, is_tuple: bool) -> int:
    highest = MAX
    for number, draft in enumerate(drafts):
        mover = draft.mover or MAX
        highest = max(highest, mover)
        if is_tuple and mover >= width:
            raise BadRules(
                f"{_where(drafts, number)}: player {mover} moves, but leaves have payoffs for players 0 to {width - 1}"
                " only"
            )
        if not is_tuple and mover > MIN:
            raise BadRules(
                f"{_where(drafts, number)}: player {mover} moves, but leaves are numbers. "
                "With more than two players a leaf is a tuple of payoffs"
            )
    return width if is_tuple else highest + 1


def _constant_sum(drafts: list[_Draft], players: int, is_tuple: bool) -> float | None:
    """What the payoffs add up to, if that is the same at every leaf; estimates must then do so too."""
    if players == 1:
        return None
    if not is_tuple:
        return 0.0
    sums = {number: math.fsum(d.payoffs) for number, d in enumerate(drafts) if d.payoffs is not None}
    ends = [each for number, each in sums.items() if not drafts[number].children]
    if not all(math.isclose(each, ends[0], rel_tol=1e-12, abs_tol=1e-12) for each in ends):
        return None
    for number, each in sums.items():
        if not math.isclose(each, ends[0], rel_tol=1e-9, abs_tol=1e-9):
            raise BadRules(f"{_where(drafts, number)}: all payoffs add up to {ends[0]:g}, this estimate to {each:g}")
    return ends[0]


def _fixed(items: list[Any]) -> np.ndarray:
    """An array that nobody can change."""
    array = np.array(items, np.float64 if isinstance(items[0], float) else np.int64)
    array.flags.writeable = False
    return array


def _where(drafts: list[_Draft], number: int) -> str:
    """A node in the words of an error message: the actions that lead there."""
    steps = []
    while drafts[number].parent >= 0:
        steps.append(drafts[number].label)
        number = drafts[number].parent
    if not steps:
        return "the root"
    shown = steps[::-1] if len(steps) <= 12 else [*steps[:-7:-1], "...", *steps[5::-1]]
    return f"node {'/'.join(shown)}"


# -------------------------------------------------------------------- JSON
def _write(drafts: list[_Draft]) -> str:
    """The tree as JSON, from the last node to the first: every node is written before its parent."""
    texts: list[str] = [""] * len(drafts)
    for number in reversed(range(len(drafts))):
        draft = drafts[number]
        parts: dict[str, str] = {}
        if draft.name:
            parts["name"] = _quote(draft.name)
        if not draft.children:
            kind = "payoffs" if draft.is_tuple else "value"
            parts[kind] = _write_numbers(draft)
            texts[number] = parts[kind] if parts.keys() == {"value"} else _write_object(parts)
            continue
        if draft.payoffs is not None:
            parts["estimate"] = _write_numbers(draft)
        inside = [texts[child] for child in draft.children]
        if draft.labelled:
            labels = [_quote(drafts[child].label) for child in draft.children]
            children = f"{{{', '.join(f'{label}: {text}' for label, text in zip(labels, inside, strict=True))}}}"
        else:
            children = f"[{', '.join(inside)}]"
        if draft.mover == draft.next_player and not parts and not draft.labelled:
            texts[number] = children
        else:
            kind = {MAX: "max", MIN: "min", CHANCE: "chance"}.get(draft.mover or MAX, "children")
            if kind == "children":
                parts["player"] = str(draft.mover)
            parts[kind] = children
            weights = [drafts[child].weight for child in draft.children]
            if draft.weighted and weights != [1.0 / len(weights)] * len(weights):
                parts["weights"] = f"[{', '.join(map(repr, weights))}]"
            texts[number] = _write_object(parts)
        for child in draft.children:
            texts[child] = ""
    return texts[0]


def _quote(words: str) -> str:
    return json.dumps(words, ensure_ascii=False)


def _write_object(parts: dict[str, str]) -> str:
    return f"{{{', '.join(f'{_quote(name)}: {text}' for name, text in parts.items())}}}"


def _write_numbers(draft: _Draft) -> str:
    numbers = [repr(int(n)) if n == int(n) and abs(n) < 1e15 else repr(n) for n in draft.payoffs or ()]
    return f"[{', '.join(numbers)}]" if draft.is_tuple else numbers[0]
