"""What a picture is drawn with: lines, arcs, shapes and words, and how large words are."""

from __future__ import annotations

from dataclasses import dataclass, field

from plyforge.draw.figure import DICE, FOLDED, LATER, MAXIMISER, MINIMISER, PLAYER, POLICY, SKIPPED, Item, abbreviated

INK, GREY, FAINT, PAPER = "#1b1b1b", "#595959", "#8a8a8a", "#ffffff"

VALUE_SIZE, EDGE_SIZE, SMALL_SIZE, TITLE_SIZE = 13.0, 11.5, 10.5, 15.0


@dataclass
class Line:
    x1: float
    y1: float
    x2: float
    y2: float
    style: str = "edge"
    """ "edge", "best" (on the best line), "cut" (dashed), "fold" (dotted) or "bar" (the mark across a cut)."""


@dataclass
class Arc:
    """A dashed curve from one place to another on its right, which hangs below both: one information set."""

    x1: float
    y1: float
    x2: float
    y2: float
    depth: float
    """How far its control points lie below the ends."""
    palette: str


@dataclass
class Shape:
    """A closed outline."""

    points: list[tuple[float, float]]
    """Corners; for a box or an ellipse, two opposite corners of what it fills."""
    form: str = "polygon"
    """ "polygon", "box", "round" (a box with round corners) or "ellipse"."""
    palette: str = "plain"
    heavy: bool = False
    dashed: bool = False


@dataclass
class Words:
    x: float
    y: float
    """The base line."""
    parts: list[tuple[str, bool]]
    """Text, and whether it is bold."""
    size: float = VALUE_SIZE
    anchor: str = "middle"
    colour: str = INK
    halo: bool = False
    """True if what is behind is to be covered."""

    @property
    def text(self) -> str:
        return "".join(part for part, _ in self.parts)


Drawn = Line | Arc | Shape | Words


@dataclass
class Group:
    """What belongs to one item, with its description."""

    drawn: list[Drawn] = field(default_factory=list)
    tip: str = ""


@dataclass
class Picture:
    width: float
    height: float
    groups: list[Group]
    title: str
    description: str


def text_width(text: str, size: float) -> float:
    """About how wide a text is in a common sans-serif font, rather too wide than too narrow."""
    total = 0.0
    for char in text:
        if char in "ijlI.,:;|!'()[] ":
            total += 0.36
        elif char in "mwMW%@→∞":
            total += 0.95
        elif char.isupper():
            total += 0.73
        elif ord(char) >= 0x2E80:
            total += 1.05
        else:
            total += 0.62
    return total * size


@dataclass
class Measure:
    """How much room an item takes around its place."""

    half: float
    top: float
    bottom: float
    left: float
    right: float


def measure(item: Item) -> Measure:
    """The size of an item's shape, and how far it reaches with the words beside it."""
    width = text_width(item.label, VALUE_SIZE)
    top = bottom = 18.0
    if item.kind in (MAXIMISER, MINIMISER):
        half = max(23.0, width / 2 / 0.6 + 5)
        top, bottom = 19.0, 19.0
    elif item.kind == DICE:
        half = max(19.0, width / 2 + 8)
        top = bottom = 19.0
    elif item.kind == POLICY:
        half = max(25.0, width / 2 / 0.62 + 6)
        top = bottom = 21.0
    elif item.kind == PLAYER:
        half = max(20.0, width / 2 + 8)
        top = bottom = 20.0
    elif item.kind == FOLDED:
        half, top, bottom = text_width(item.label, EDGE_SIZE) / 2 + 7, 11.0, 11.0
    elif item.kind == LATER:
        half = top = bottom = 8.0
    elif item.kind == SKIPPED:
        label = item.label if item.node is None else ""
        half = max(10.0, text_width(label, EDGE_SIZE) / 2 + 7)
        top = bottom = 11.0
    else:
        half, top, bottom = max(15.0, width / 2 + 7), 13.0, 13.0
    left = right = half
    if item.window is not None:
        right += 5 + max(text_width("α " + part, SMALL_SIZE) for part in item.window)
    if item.technique:
        right = max(right, half + 5 + text_width(abbreviated(item.technique), SMALL_SIZE))
    if item.belief:
        left += 4 + text_width(item.belief, SMALL_SIZE)
    # The words on the edge stand on it, a bit above the item, where neighbours are a quarter closer together.
    edge = text_width(edge_words(item), EDGE_SIZE) / 2 / 0.75 + 1 if item.action or item.probability else 0.0
    return Measure(half, top, bottom, max(left, edge), max(right, edge))


def edge_words(item: Item) -> str:
    """What stands on the edge from the parent."""
    return " ".join(part for part in (item.action, f"({item.probability})" if item.probability else "") if part)


def minus(text: str) -> str:
    """With a real minus sign before a number."""
    return text.replace("-", "−")
