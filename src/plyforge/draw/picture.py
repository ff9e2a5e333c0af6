"""A figure as geometry: lines, shapes and words with their places, in units of a CSS pixel.

SVG and LaTeX write the same `Picture`, so both show the same drawing. MAX points up, MIN points down, chance is round,
an opponent who follows a policy is a diamond, one of several players is a square with its number, an end of the game is
a box, an estimate a rounded one: the shape alone says it, colour only repeats it. The colours are Okabe and Ito's,
which people with any common colour blindness can tell apart, lightened where text stands on them.

Fonts are not known here, so the width of a text is estimated from above: a little room is left over, nothing collides.
"""

from __future__ import annotations

import itertools

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
from plyforge.draw.shapes import (
    EDGE_SIZE,
    GREY,
    INK,
    SMALL_SIZE,
    TITLE_SIZE,
    Arc,
    Drawn,
    Group,
    Line,
    Measure,
    Picture,
    Shape,
    Words,
    edge_words,
    measure,
    minus,
    text_width,
)

PALETTE: dict[str, tuple[str, str]] = {
    "max": ("#d9ebf7", "#0072b2"),
    "min": ("#fbe2d2", "#d55e00"),
    "chance": ("#d6f0e6", "#009e73"),
    "third": ("#f6e1ee", "#a8588a"),
    "fourth": ("#fbeccb", "#b37a00"),
    "fifth": ("#dff1fb", "#2f8fc0"),
    "plain": ("#ffffff", "#4a4a4a"),
    "guess": ("#f1f1f1", "#6b6b6b"),
    "none": ("#ffffff", "#8a8a8a"),
}
"""Fill and outline: tints and shades of Okabe and Ito's blue, vermillion, green, purple, orange and sky blue."""
PLAYER_PALETTES = ("max", "min", "third", "fourth", "fifth", "chance")
GAP = 16.0
"""Between neighbours on a level."""
MARGIN = 24.0
NARROWEST = 620.0
"""A picture is at least this wide, so that title and notes have room."""


def make_picture(figure: Figure, numbers: bool = False) -> Picture:
    """Place everything. `numbers=True` writes beside each node when it was visited."""
    return _Painter(figure, numbers).paint()


def place_items(figure: Figure) -> list[tuple[float, float]]:
    """The place of each item's centre, the tree alone, from the top left corner."""
    return measured_places(figure)[0]


def measured_places(figure: Figure) -> tuple[list[tuple[float, float]], list[Measure]]:
    """The same, and how much room each item takes there."""
    painter = _Painter(figure, numbers=False)
    painter.place(0.0, 0.0)
    return list(zip(painter.x, painter.y, strict=True)), painter.measures


class _Painter:
    def __init__(self, figure: Figure, numbers: bool) -> None:
        self.figure, self.numbers = figure, numbers
        self.items, self.children = figure.numbered()
        self.measures = [measure(item) for item in self.items]
        if numbers:
            for item, size in zip(self.items, self.measures, strict=True):
                if item.node is not None and item.node.order is not None:
                    beside = size.half + 4 + text_width(str(item.node.order), SMALL_SIZE)
                    size.left = max(size.left, beside)
        self.across = tidy(self.children, [(size.left, size.right) for size in self.measures], GAP)
        self.tree_width = max(x + size.right for x, size in zip(self.across, self.measures, strict=True))

    def place(self, left: float, top: float) -> None:
        """Fix where each item goes."""
        self.x = [left + x for x in self.across]
        self.y = self.rows(top)

    def paint(self) -> Picture:
        figure = self.figure
        title_width = text_width(figure.title, TITLE_SIZE) * 0.95
        width = max(self.tree_width, min(title_width, 1.4 * NARROWEST), NARROWEST)
        groups = [Group()]
        below = MARGIN - 26
        if figure.title:
            below = self.words(groups[0], figure.title, MARGIN, MARGIN + 12, width, TITLE_SIZE, bold=True)
        self.place(MARGIN + (width - self.tree_width) / 2, below + 26)
        edges = Group()
        heavy_last = sorted(
            range(1, len(self.items)), key=lambda n: (self.items[n].on_line, self.items[n].kind != SKIPPED)
        )
        parent = {child: node for node, below_node in enumerate(self.children) for child in below_node}
        for number in heavy_last:
            self.edge(edges, parent[number], number)
        groups.append(edges)
        groups.append(self.information_sets())
        for number in range(len(self.items)):
            groups.append(self.node(number))
        groups.extend(self.edge_label(parent[number], number) for number in range(1, len(self.items)))

        bottom = max(y + size.bottom for y, size in zip(self.y, self.measures, strict=True))
        legend = Group()
        bottom = self.legend(legend, bottom + 34, width)
        for number, text in figure.notes:
            self.badge(legend, MARGIN + 8, bottom + 16, number)
            bottom = self.words(legend, text, MARGIN + 24, bottom + 20, width - 24, EDGE_SIZE)
        if figure.more_notes:
            more = (
                f"{figure.more_notes:,} more cut{'' if figure.more_notes == 1 else 's'} are explained beside the nodes"
                " only."
            )
            bottom = self.words(legend, more, MARGIN + 24, bottom + 20, width - 24, EDGE_SIZE)
        groups.append(legend)
        return Picture(width + 2 * MARGIN, bottom + MARGIN - 6, groups, figure.title, self.describe())

    def rows(self, top: float) -> list[float]:
        """The height of each level: wide fans get more room, so that their edges stay apart."""
        level = levels(self.children)
        spread = [0.0] * (max(level) + 1)
        for node, below in enumerate(self.children):
            for child in below:
                spread[level[child]] = max(spread[level[child]], abs(self.x[child] - self.x[node]))
        heights = [top]
        for widest in spread[1:]:
            heights.append(heights[-1] + 92.0 + min(150.0, 0.16 * max(0.0, widest - 120.0)))
        # Tops are aligned, so an edge never runs over a neighbour of the node that it leads to.
        ys = [heights[n] + size.top for n, size in zip(level, self.measures, strict=True)]
        for node, below in enumerate(self.children):
            if len(below) == 1 and self.items[below[0]].kind == FOLDED:
                ys[below[0]] = ys[node] + self.measures[node].bottom + 22 + self.measures[below[0]].top
        return ys

    # ------------------------------------------------------------ information sets
    def information_sets(self) -> Group:
        """Dashed curves between what a player can't tell apart, each set at a depth of its own."""
        group = Group()
        for rank, members in enumerate(self.figure.information_sets()):
            palette = PLAYER_PALETTES[(self.items[members[0]].player or 0) % len(PLAYER_PALETTES)]
            ordered = sorted(members, key=lambda number: self.x[number])
            for one, other in itertools.pairwise(ordered):
                x1, y1, x2, y2 = self.x[one], self.y[one], self.x[other], self.y[other]
                depth = 1.4 * max(self.measures[one].bottom, self.measures[other].bottom) + 10 + 4 * (rank % 6)
                group.drawn.append(Arc(x1, y1, x2, y2, depth, palette))
        return group

    # ------------------------------------------------------------ edges
    def ends(self, parent: int, child: int) -> tuple[float, float, float, float]:
        return (
            self.x[parent],
            self.y[parent] + self.measures[parent].bottom,
            self.x[child],
            self.y[child] - self.measures[child].top,
        )

    def edge(self, group: Group, parent: int, child: int) -> None:
        item = self.items[child]
        x1, y1, x2, y2 = self.ends(parent, child)
        style = "best" if item.on_line else {SKIPPED: "cut", FOLDED: "fold", LATER: "fold"}.get(item.kind, "edge")
        group.drawn.append(Line(x1, y1, x2, y2, style))
        if item.kind == SKIPPED and self.items[parent].kind != SKIPPED:
            # Two short bars across the edge, and the number of the note beside them.
            dx, dy = x2 - x1, y2 - y1
            length = (dx * dx + dy * dy) ** 0.5
            ux, uy = dx / length, dy / length
            for along in (0.36 * length - 2.5, 0.36 * length + 2.5):
                cx, cy = x1 + ux * along, y1 + uy * along
                nx, ny = -uy * 6, ux * 6
                group.drawn.append(Line(cx - nx, cy - ny, cx + nx, cy + ny, "bar"))

    def edge_label(self, parent: int, child: int) -> Group:
        item = self.items[child]
        group = Group()
        x1, y1, x2, y2 = self.ends(parent, child)
        text = edge_words(item)
        if text:
            y = y2 - 13
            x = x1 + (x2 - x1) * (y - y1) / (y2 - y1)
            parts = [(item.action, item.on_line)]
            if item.probability:
                parts.append((f"{' ' if item.action else ''}({item.probability})", False))
            colour = GREY if item.kind in (SKIPPED, LATER) else INK
            group.drawn.append(Words(x, y + 4, parts, EDGE_SIZE, "middle", colour, True))
        if item.note is not None:
            along = 0.36
            x, y = x1 + (x2 - x1) * along, y1 + (y2 - y1) * along
            self.badge(group, x + 16, y - 3, item.note)
        return group

    def badge(self, group: Group, x: float, y: float, number: int) -> None:
        """The number of a note, in a small circle."""
        radius = 7.5 if number < 100 else 10.0
        group.drawn.append(Shape([(x - radius, y - radius), (x + radius, y + radius)], "ellipse", "none"))
        group.drawn.append(Words(x, y + 3.4, [(str(number), True)], 9.5, "middle"))

    # ------------------------------------------------------------ nodes
    def node(self, number: int) -> Group:
        item, size, x, y = self.items[number], self.measures[number], self.x[number], self.y[number]
        group = Group(tip=item.tip)
        group.drawn.extend(self.shape(item, size, x, y))
        if item.window is not None:
            side = x + size.half + 5
            for row, (letter, part) in enumerate(zip("αβ", item.window, strict=True)):
                words = [(f"{letter} ", False), (minus(part), False)]
                group.drawn.append(Words(side, y - 1 + row * 13, words, SMALL_SIZE, "start", GREY))
        if item.technique and item.node is not None:
            row = 0 if item.window is None else 2
            words = [(minus(abbreviated(item.technique)), False)]
            group.drawn.append(Words(x + size.half + 5, y - 1 + row * 13, words, SMALL_SIZE, "start", GREY))
        if item.belief:
            words = [(item.belief, False)]
            group.drawn.append(Words(x - size.half - 3, y + 4, words, SMALL_SIZE, "end", GREY))
        if self.numbers and item.node is not None and item.node.order is not None:
            words = [(str(item.node.order), False)]
            group.drawn.append(Words(x - size.half - 4, y + size.bottom, words, SMALL_SIZE, "end", GREY))
        return group

    def shape(self, item: Item, size: Measure, x: float, y: float) -> list[Drawn]:
        half, heavy, label = size.half, item.on_line, minus(item.label)
        value = [(label, item.on_line)]
        corners = [(x - half, y - size.top), (x + half, y + size.bottom)]
        if item.kind == MAXIMISER:
            points = [(x, y - size.top), (x + half, y + size.bottom), (x - half, y + size.bottom)]
            return [Shape(points, palette="max", heavy=heavy), Words(x, y + 13.5, value)]
        if item.kind == MINIMISER:
            points = [(x - half, y - size.top), (x + half, y - size.top), (x, y + size.bottom)]
            return [Shape(points, palette="min", heavy=heavy), Words(x, y - 4.5, value)]
        if item.kind == DICE:
            return [Shape(corners, "ellipse", "chance", heavy), Words(x, y + 4.5, value)]
        if item.kind == POLICY:
            points = [(x, y - size.top), (x + half, y), (x, y + size.bottom), (x - half, y)]
            palette = PLAYER_PALETTES[(item.player or 0) % len(PLAYER_PALETTES)]
            return [Shape(points, palette=palette, heavy=heavy), Words(x, y + 4.5, value)]
        if item.kind == PLAYER:
            palette = PLAYER_PALETTES[(item.player or 0) % len(PLAYER_PALETTES)]
            name = Words(x, y - 6, [(item.player_name, True)], SMALL_SIZE, "middle", PALETTE[palette][1])
            return [Shape(corners, "box", palette, heavy), name, Words(x, y + 12, tuple_parts(item))]
        if item.kind == FOLDED:
            words = Words(x, y + 4, [(item.label, False)], EDGE_SIZE, "middle", GREY)
            return [Shape(corners, "round", "none", dashed=True), words]
        if item.kind == LATER:
            return [Shape(corners, "ellipse", "none", dashed=True)]
        if item.kind == SKIPPED:
            text = item.label if item.node is None else "?"
            words = Words(x, y + 4, [(text, False)], EDGE_SIZE, "middle", GREY)
            return [Shape(corners, "box", "none", dashed=True), words]
        if item.kind == HORIZON:
            return [Shape(corners, "round", "guess", heavy, dashed=False), Words(x, y + 4.5, value)]
        return [Shape(corners, "box", "plain", heavy), Words(x, y + 4.5, value)]

    # ------------------------------------------------------------ words below the tree
    def legend(self, group: Group, y: float, width: float) -> float:
        """A sample and a name of each kind of item that is in the picture; returns where it ends."""
        meaning = {
            MAXIMISER: "MAX moves",
            MINIMISER: "MIN moves",
            DICE: "chance",
            POLICY: "opponent, follows a policy",
            PLAYER: "a player moves, values in the order P1 (player 0), P2 ...",
            END: "end of the game",
            HORIZON: "estimate at the horizon",
            SKIPPED: "not looked at",
            LATER: "not looked at yet",
            FOLDED: "folded",
        }
        present = {item.kind for item in self.items}
        entries: list[tuple[str, str]] = [(kind, words) for kind, words in meaning.items() if kind in present]
        if len(self.items) > 1 and any(item.on_line for item in self.items[1:]):
            entries.append(("best", "best line"))
        x = MARGIN
        for kind, words in entries:
            needed = 40 + text_width(words, EDGE_SIZE)
            if x + needed > MARGIN + width and x > MARGIN:
                x, y = MARGIN, y + 26
            self.sample(group, kind, x + 13, y)
            group.drawn.append(Words(x + 31, y + 4, [(words, False)], EDGE_SIZE, "start", GREY))
            x += needed + 8
        if self.figure.windowed:
            words = "α and β: the window at entry, → how it changed.   ≤ and ≥: the value is a bound."
            y = self.words(group, words, MARGIN, y + 27, width, EDGE_SIZE, colour=GREY) - 4
        if self.figure.information_sets():
            words = "Dashed: what its player can't tell apart; beside each, how likely that player takes it to be."
            y = self.words(group, words, MARGIN, y + 27, width, EDGE_SIZE, colour=GREY) - 4
        letters = techniques(self.items)
        if letters:
            y = self.words(group, letters + ".", MARGIN, y + 22, width, EDGE_SIZE, colour=GREY) - 4
        return y + 10

    def sample(self, group: Group, kind: str, x: float, y: float) -> None:
        if kind == "best":
            group.drawn.append(Line(x - 12, y, x + 12, y, "best"))
            return
        palette = {
            MAXIMISER: "max",
            MINIMISER: "min",
            DICE: "chance",
            HORIZON: "guess",
            SKIPPED: "none",
            LATER: "none",
            FOLDED: "none",
        }.get(kind, "plain")
        triangles = {
            MAXIMISER: [(x, y - 8), (x + 10, y + 7), (x - 10, y + 7)],
            MINIMISER: [(x - 10, y - 7), (x + 10, y - 7), (x, y + 8)],
            POLICY: [(x, y - 9), (x + 11, y), (x, y + 9), (x - 11, y)],
        }
        if kind in triangles:
            group.drawn.append(Shape(triangles[kind], palette=palette))
            return
        half = 8 if kind in (DICE, LATER, PLAYER) else 11
        form = {DICE: "ellipse", LATER: "ellipse", HORIZON: "round", FOLDED: "round"}.get(kind, "box")
        corners = [(x - half, y - 8.0), (x + half, y + 8.0)]
        group.drawn.append(Shape(corners, form, palette, dashed=kind in (SKIPPED, LATER, FOLDED)))

    def words(
        self,
        group: Group,
        text: str,
        x: float,
        y: float,
        width: float,
        size: float,
        bold: bool = False,
        colour: str = INK,
    ) -> float:
        """A paragraph from the base line `y`, broken into lines; returns its last base line."""
        line = ""
        lines = []
        for word in text.split(" "):
            longer = f"{line} {word}" if line else word
            if line and text_width(longer, size) * 0.95 > width:
                lines.append(line)
                line = word
            else:
                line = longer
        lines.append(line)
        for number, line in enumerate(lines):
            words = Words(x, y + number * size * 1.35, [(line, bold)], size, "start", colour)
            group.drawn.append(words)
        return y + (len(lines) - 1) * size * 1.35

    def describe(self) -> str:
        """The picture in words, for those who can't see it."""
        figure = self.figure
        return " ".join([figure.title + ".", *(f"Note {number}. {text}" for number, text in figure.notes)])


def tuple_parts(item: Item) -> list[tuple[str, bool]]:
    """A tuple's text with the mover's own part in bold."""
    value = item.node.value if item.node is not None else None
    if not isinstance(value, tuple):
        return [(minus(item.label), item.on_line)]
    texts = minus(item.label).strip("()").split(", ")
    parts: list[tuple[str, bool]] = [("(", False)]
    for number, text in enumerate(texts):
        parts.append((text, number == item.own_part))
        parts.append((", " if number + 1 < len(texts) else ")", False))
    return parts
