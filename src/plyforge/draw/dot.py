"""The tree as Graphviz source: `dot -Tsvg tree.dot` lays it out anew, `neato -n2 -Tsvg tree.dot` keeps our layout."""

from __future__ import annotations

import itertools
import textwrap

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
)
from plyforge.draw.picture import PALETTE, PLAYER_PALETTES, place_items
from plyforge.draw.shapes import FAINT, INK, edge_words

SHAPES = {
    MAXIMISER: "triangle",
    MINIMISER: "invtriangle",
    DICE: "circle",
    POLICY: "diamond",
    PLAYER: "square",
    END: "box",
    HORIZON: "box",
    SKIPPED: "box",
    LATER: "circle",
    FOLDED: "box",
}
PALETTES = {
    MAXIMISER: "max",
    MINIMISER: "min",
    DICE: "chance",
    HORIZON: "guess",
    SKIPPED: "none",
    LATER: "none",
    FOLDED: "none",
}


def to_dot(figure: Figure) -> str:
    """The figure as a Graphviz digraph."""
    items, children = figure.numbered()
    places = place_items(figure)
    notes = [f"{number}  {text}" for number, text in figure.notes]
    if figure.more_notes:
        notes.append(f"{figure.more_notes:,} more cuts are explained in the tooltips")
    wrapped = [line for text in [figure.title, *notes] for line in textwrap.wrap(text, 110, subsequent_indent="    ")]
    caption = "".join(f"{_escape(line)}\\l" for line in wrapped)
    lines = [
        "digraph tree {",
        (
            f'  graph [label="{caption}", labelloc=b, labeljust=l, fontname="Helvetica", fontsize=11, nodesep=0.25,'
            " ranksep=0.5];"
        ),
        f'  node [fontname="Helvetica", fontsize=12, fontcolor="{INK}", margin="0.05,0.03", height=0.35, width=0.4];',
        f'  edge [fontname="Helvetica", fontsize=10, fontcolor="{INK}", color="#6f6f6f", arrowhead=none];',
    ]
    for number, (item, (x, y)) in enumerate(zip(items, places, strict=True)):
        lines.append(f'  n{number} [{_attributes(item)}, pos="{0.75 * x:.2f},{-0.75 * y:.2f}"];')
    for number, below in enumerate(children):
        for child in below:
            lines.append(f"  n{number} -> n{child}{_edge(items[child])};")
    for members in figure.information_sets():
        palette = PLAYER_PALETTES[(items[members[0]].player or 0) % len(PLAYER_PALETTES)]
        for one, other in itertools.pairwise(sorted(members, key=lambda member: places[member])):
            lines.append(f'  n{one} -> n{other} [style=dashed, constraint=false, color="{PALETTE[palette][1]}"];')
    lines.append("}")
    return "\n".join(lines) + "\n"


def _attributes(item: Item) -> str:
    palette = PALETTES.get(item.kind, "plain")
    if item.kind in (PLAYER, POLICY):
        palette = PLAYER_PALETTES[(item.player or 0) % len(PLAYER_PALETTES)]
    fill, stroke = PALETTE[palette]
    styles = ["filled"]
    if item.kind in (HORIZON, FOLDED):
        styles.append("rounded")
    if item.kind in (SKIPPED, LATER, FOLDED):
        styles.append("dashed")
    label = _escape(item.label)
    if item.kind == PLAYER:
        label = f"{_escape(item.player_name)}\\n{label}"
    found = [
        f'shape={SHAPES[item.kind]}, style="{",".join(styles)}", fillcolor="{fill}", color="{stroke}"',
        f'label="{label}", tooltip="{_escape(item.tip)}"',
    ]
    if item.window is not None:
        found.append(f'xlabel="{_escape(f"α {item.window[0]}")}\\n{_escape(f"β {item.window[1]}")}"')
    if item.on_line:
        found.append("penwidth=2.5")
    return ", ".join(found)


def _edge(item: Item) -> str:
    found = []
    words = edge_words(item)
    if item.kind == SKIPPED:
        found.append(f'style=dashed, color="{FAINT}"')
        words = " ".join(part for part in (words, "//", f"({item.note})" if item.note is not None else "") if part)
    elif item.kind in (FOLDED, LATER):
        found.append(f'style=dotted, color="{FAINT}"')
    elif item.on_line:
        found.append(f'penwidth=2.8, color="{INK}"')
    if words:
        found.append(f'label=" {_escape(words)} "')
    return f" [{', '.join(found)}]" if found else ""


def _escape(text: str) -> str:
    """Any text inside a quoted string of DOT; a line break stays one."""
    printable = "".join(char if char.isprintable() or char == "\n" else " " for char in text)
    return printable.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
