"""The tree as text for a terminal: from the top down where it fits, else as an outline with a line for each node.

    ▲3  [-∞→3, ∞]
    ┣━ a: ▼3  [-∞, ∞→3]
    ┃  ┣━ a1: [3]
    ┃  └─ b1: [12]
    └─ b: ▼≤2  [3, ∞]
       ├─ a1: [2]
       └╌ b1: not looked at. MAX already has 3 by playing a at the root; this node is worth ...

The best line is drawn heavy. No colours are needed; `ascii=True` uses plain ASCII alone, with `=`, `#` and `*` for the
best line.
"""

from __future__ import annotations

import math
import textwrap
import unicodedata
from functools import cache

from plyforge.draw.figure import (
    DICE,
    END,
    FOLDED,
    HORIZON,
    LATER,
    MAXIMISER,
    MINIMISER,
    PLAYER,
    POLICY,
    SKIPPED,
    Figure,
    Item,
    abbreviated,
    techniques,
)
from plyforge.draw.layout import levels, tidy
from plyforge.draw.shapes import edge_words
from plyforge.errors import PlyforgeError

NONE, LIGHT, HEAVY = 0, 1, 2
SYMBOLS = {MAXIMISER: "▲", MINIMISER: "▼", DICE: "●", POLICY: "◆"}
WORDS = {MAXIMISER: "MAX ", MINIMISER: "MIN ", DICE: "chance ", POLICY: "policy "}
MEANING = {
    MAXIMISER: "▲ MAX moves",
    MINIMISER: "▼ MIN moves",
    DICE: "● chance",
    POLICY: "◆ opponent, follows a policy",
    PLAYER: "P1 (player 0), P2 (player 1) ... who moves, and the order of the values",
    END: "[ ] end of the game",
    HORIZON: "( ) estimate at the horizon",
    SKIPPED: "× not looked at",
    LATER: "· not looked at yet",
    FOLDED: "+ folded",
}
IN_ASCII = str.maketrans({"≤": "<=", "≥": ">=", "∞": "inf", "→": ">", "×": "x", "−": "-", "…": "..."})
STYLES = ("auto", "tree", "outline")


def to_text(figure: Figure, ascii: bool = False, width: int = 100, style: str = "auto") -> str:
    """The figure as text. `style` is "tree" (top down), "outline", or "auto": a tree if it is at most `width` wide."""
    if style not in STYLES:
        raise PlyforgeError(f"style is {style!r}; it must be one of {', '.join(STYLES)}")
    body = None if style == "outline" else _TopDown(figure, ascii).lines()
    if body is None or (style == "auto" and max(map(cells, body)) > width):
        body = _outline(figure, ascii)
        notes: list[str] = []
    else:
        notes = [f"({number}) {text}" for number, text in figure.notes]
        if figure.more_notes:
            notes.append(f"{figure.more_notes:,} more cuts are explained in the outline")
    text = [figure.title, "", *body, ""]
    legend = _legend(figure, ascii)
    if legend:
        text += [*textwrap.wrap(legend, width), ""]
    for note in notes:
        text += textwrap.wrap(_one_line(note), width, subsequent_indent="    ")
    while text and not text[-1]:
        text.pop()
    lines = "\n".join(line.rstrip() for line in text) + "\n"
    return _to_ascii(lines) if ascii else lines


def cells(text: str) -> int:
    """How many columns of a terminal a text takes."""
    return sum(_cell(char) for char in text)


def _cell(char: str) -> int:
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def _one_line(text: str) -> str:
    """User text can hold anything; here it gets one line, and no control characters."""
    return "".join(char if char.isprintable() else " " for char in text)


def _to_ascii(text: str) -> str:
    translated = text.translate(IN_ASCII)
    return "".join(char if ord(char) < 128 else "?" for char in translated)


def _label(item: Item, ascii: bool) -> str:
    """An item as a word."""
    value = item.label
    star = "*" if ascii and item.on_line else ""
    if item.kind == END:
        text = f"[{value.strip('()')}]"
    elif item.kind == HORIZON:
        text = f"({value.strip('()')})"
    elif item.kind == PLAYER:
        text = f"{item.player_name} {value}"
    elif item.kind == SKIPPED:
        text = "×" if item.node is not None else f"×{item.hidden_actions}"
        text += f"({item.note})" if item.note is not None else ""
    elif item.kind == LATER:
        text = "." if ascii else "·"
    elif item.kind == FOLDED:
        text = value
    else:
        text = (WORDS if ascii else SYMBOLS)[item.kind] + value
    return star + text


def _window(item: Item) -> str:
    window = "" if item.window is None else f"[{item.window[0]}, {item.window[1]}]"
    return " ".join(filter(None, (window, _same(item), abbreviated(item.technique))))


def _same(item: Item) -> str:
    """The information set, and its player's belief."""
    return "" if item.information is None else f"I{item.information + 1} {item.belief}"


def _legend(figure: Figure, ascii: bool) -> str:
    items = figure.items()
    present = {item.kind for item in items}
    hidden = {MAXIMISER, MINIMISER, DICE, POLICY} if ascii else set()
    parts = [words for kind, words in MEANING.items() if kind in present - hidden]
    if figure.windowed:
        parts.append("[alpha, beta]")
    if any(item.on_line for item in items[1:]):
        parts.append("* best line" if ascii else "━ best line")
    if figure.information_sets():
        parts.append("I1, I2 ... information sets, each with its player's belief")
    letters = techniques(items)
    return "   ".join([*parts, letters] if letters else parts)


# -------------------------------------------------------------------------------------------------- lines
@cache
def _boxes() -> dict[tuple[int, int, int, int], str]:
    """The box-drawing characters by the weights of their arms: up, right, down, left."""
    arms = {
        "UP": (0,),
        "RIGHT": (1,),
        "DOWN": (2,),
        "LEFT": (3,),
        "VERTICAL": (0, 2),
        "HORIZONTAL": (1, 3),
    }
    found = {(NONE, NONE, NONE, NONE): " "}
    for code in range(0x2500, 0x2580):
        words = unicodedata.name(chr(code)).removeprefix("BOX DRAWINGS ").split()
        if not set(words) <= {*arms, "LIGHT", "HEAVY", "AND"}:
            continue  # dashed, double, round or diagonal
        weights = [NONE] * 4
        before: int | None = None  # a weight said before its arms, as in LIGHT DOWN AND RIGHT
        waiting: list[int] = []  # arms whose weight comes after them, as in DOWN LIGHT AND RIGHT HEAVY
        for word in words:
            if word in arms and before is None:
                waiting += arms[word]
            elif word in arms:
                for arm in arms[word]:
                    weights[arm] = before or NONE
            elif word != "AND" and waiting:
                for arm in waiting:
                    weights[arm] = LIGHT if word == "LIGHT" else HEAVY
                waiting = []
            elif word != "AND":
                before = LIGHT if word == "LIGHT" else HEAVY
        found[tuple(weights)] = chr(code)  # type: ignore[index]
    return found


def _box(up: int, right: int, down: int, left: int, ascii: bool, dashed: bool = False) -> str:
    if ascii:
        if up or down:
            if left or right:
                return "+"
            return "#" if HEAVY in (up, down) else "|"
        return "=" if HEAVY in (left, right) else "." if dashed else "-"
    if dashed and not up and not down:
        return "╌"
    return _boxes()[up, right, down, left]


# -------------------------------------------------------------------------------------------------- from the top down
class _TopDown:
    def __init__(self, figure: Figure, ascii: bool) -> None:
        self.ascii = ascii
        self.items, self.children = figure.numbered()
        self.labels = [_one_line(_label(item, ascii)) for item in self.items]
        self.edges = [_one_line(edge_words(item)) for item in self.items]
        self.windows = [_window(item) for item in self.items]

    def lines(self) -> list[str]:
        widths = [
            max(self.cells(text) for text in texts) for texts in zip(self.labels, self.edges, self.windows, strict=True)
        ]
        extents = [(width // 2, width - width // 2) for width in widths]
        # Places are whole columns: rounding down keeps whole distances whole.
        self.x = [math.floor(x) for x in tidy(self.children, extents, 1)]
        level = levels(self.children)
        rows: list[str] = []
        for number in range(max(level) + 1):
            here = [node for node in range(len(self.items)) if level[node] == number]
            if number:
                rows.append(self.row(here, self.edges))
            rows.append(self.row(here, self.labels))
            if any(self.windows[node] for node in here):
                rows.append(self.row(here, self.windows))
            if any(self.children[node] for node in here):
                rows.append(self.bus(here))
        return [row for row in rows if row.strip()]

    def cells(self, text: str) -> int:
        """The width of a text as it will be printed."""
        return len(_to_ascii(text)) if self.ascii else cells(text)

    def row(self, nodes: list[int], texts: list[str]) -> str:
        line, end = "", 0
        for node in nodes:
            text = texts[node]
            start = self.x[node] - self.cells(text) // 2
            if text:
                line += " " * (start - end) + text
                end = start + self.cells(text)
        return line

    def bus(self, nodes: list[int]) -> str:
        """The lines from the nodes of one level to their children, in one row."""
        arms: dict[int, list[int]] = {}
        dashed: dict[int, bool] = {}
        for node in nodes:
            for child in self.children[node]:
                item = self.items[child]
                weight = HEAVY if item.on_line else LIGHT
                start, end = sorted((self.x[node], self.x[child]))
                for column in range(start, end + 1):
                    arm = arms.setdefault(column, [NONE] * 4)
                    if column > start:
                        arm[3] = max(arm[3], weight)
                    if column < end:
                        arm[1] = max(arm[1], weight)
                    dashed[column] = dashed.get(column, True) and item.kind in (SKIPPED, FOLDED, LATER)
                parent_arm, child_arm = arms[self.x[node]], arms[self.x[child]]
                parent_arm[0] = max(parent_arm[0], weight)
                child_arm[2] = max(child_arm[2], weight)
        line = ""
        for column in sorted(arms):
            up, right, down, left = arms[column]
            line += " " * (column - len(line)) + _box(up, right, down, left, self.ascii, dashed[column])
        return line


# -------------------------------------------------------------------------------------------------- the outline
def _outline(figure: Figure, ascii: bool) -> list[str]:
    lines = [_described(figure.root, ascii)]
    stack = [(figure.root, "", 0)]
    while stack:
        item, indent, number = stack.pop()
        rows = _rows(item)
        if number == len(rows):
            continue
        stack.append((item, indent, number + 1))
        row = rows[number]
        best = next((i for i, (first, *_) in enumerate(rows) if first.on_line), -1)
        last = number == len(rows) - 1
        up = HEAVY if best >= number else LIGHT
        down = NONE if last else HEAVY if best > number else LIGHT
        right = HEAVY if best == number else LIGHT
        faint = row[0].kind in (SKIPPED, FOLDED, LATER)
        branch = _box(up, right, down, NONE, ascii) + _box(NONE, right, NONE, right, ascii, faint)
        if row[0].kind == SKIPPED:
            lines.append(f"{indent}{branch} {_why(item, row)}")
            continue
        edge = _one_line(edge_words(row[0]))
        lines.append(f"{indent}{branch} {edge + ': ' if edge else ''}{_described(row[0], ascii)}")
        below = indent + (" " if last else _box(down, NONE, down, NONE, ascii)) + "  "
        stack.append((row[0], below, 0))
    return lines


def _rows(item: Item) -> list[list[Item]]:
    """The children, one a line; what was not looked at shares one."""
    rows = [[child] for child in item.children if child.kind not in (SKIPPED, FOLDED)]
    skipped = [child for child in item.children if child.kind == SKIPPED]
    folded = [[child] for child in item.children if child.kind == FOLDED]
    return rows + ([skipped] if skipped else []) + folded


def _described(item: Item, ascii: bool) -> str:
    window = "" if item.window is None else f"[{item.window[0]}, {item.window[1]}]"
    return _one_line("  ".join(filter(None, (_label(item, ascii), window, _same(item), item.technique))))


def _why(parent: Item, skipped: list[Item]) -> str:
    names = [
        child.action + (f" ({child.technique})" if child.technique else "")
        for child in skipped
        if child.node is not None
    ]
    cut = parent.node.cut if parent.node is not None else None
    if cut is not None:
        names = [child.action_text for child in cut.skipped]
    reason = f" {cut.reason[0].upper()}{cut.reason[1:]}" if cut is not None and cut.reason else ""
    return _one_line(f"{', '.join(names)}: not looked at.{reason}")
