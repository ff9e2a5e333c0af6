"""The picture as SVG: stands alone, no scripts, no fonts of its own; every node carries a tooltip with all that is
known."""

from __future__ import annotations

import re
from xml.sax.saxutils import escape

from plyforge.draw.figure import Figure
from plyforge.draw.picture import PALETTE, make_picture
from plyforge.draw.shapes import FAINT, INK, PAPER, Arc, Group, Line, Shape, Words, text_width

LINES = {
    "edge": 'stroke="#6f6f6f" stroke-width="1.2"',
    "best": f'stroke="{INK}" stroke-width="3.2" stroke-linecap="round"',
    "cut": f'stroke="{FAINT}" stroke-width="1.4" stroke-dasharray="5 4"',
    "fold": f'stroke="{FAINT}" stroke-width="1.4" stroke-dasharray="1.5 3.5" stroke-linecap="round"',
    "bar": f'stroke="{PALETTE["min"][1]}" stroke-width="2"',
}
_NOT_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def to_svg(figure: Figure, numbers: bool = False) -> str:
    """The figure as an SVG document. `numbers=True` writes beside each node when it was visited."""
    picture = make_picture(figure, numbers)
    width, height = _number(picture.width), _number(picture.height)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        "role=\"img\" font-family=\"Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif\" "
        f'fill="{INK}">',
        f"<title>{_text(picture.title)}</title>",
        f"<desc>{_text(picture.description)}</desc>",
        f'<rect width="{width}" height="{height}" fill="{PAPER}"/>',
    ]
    for group in picture.groups:
        lines.extend(_group(group))
    lines.append("</svg>")
    return "\n".join(lines) + "\n"


def _group(group: Group) -> list[str]:
    drawn = [_drawn(thing) for thing in group.drawn]
    if not drawn or not group.tip:
        return drawn
    return ["<g>", f"<title>{_text(group.tip)}</title>", *drawn, "</g>"]


def _drawn(thing: Line | Arc | Shape | Words) -> str:
    if isinstance(thing, Arc):
        one, other = (f"{_number(x)} {_number(y)}" for x, y in ((thing.x1, thing.y1), (thing.x2, thing.y2)))
        near, far = (
            f"{_number(x)} {_number(y + thing.depth)}" for x, y in ((thing.x1, thing.y1), (thing.x2, thing.y2))
        )
        style = f'fill="none" stroke="{PALETTE[thing.palette][1]}" stroke-width="1.5" stroke-dasharray="6 4"'
        return f'<path d="M{one} C{near} {far} {other}" {style}/>'
    if isinstance(thing, Line):
        ends = f'x1="{_number(thing.x1)}" y1="{_number(thing.y1)}" x2="{_number(thing.x2)}" y2="{_number(thing.y2)}"'
        return f"<line {ends} {LINES[thing.style]}/>"
    if isinstance(thing, Words):
        return _words(thing)
    return _shape(thing)


def _shape(shape: Shape) -> str:
    fill, stroke = PALETTE[shape.palette]
    style = f'fill="{fill}" stroke="{stroke}" stroke-width="{3 if shape.heavy else 1.5}" stroke-linejoin="round"'
    if shape.dashed:
        style += ' stroke-dasharray="4 3"'
    if shape.form == "polygon":
        points = " ".join(f"{_number(x)},{_number(y)}" for x, y in shape.points)
        return f'<polygon points="{points}" {style}/>'
    (x1, y1), (x2, y2) = shape.points
    if shape.form == "ellipse":
        centre = f'cx="{_number((x1 + x2) / 2)}" cy="{_number((y1 + y2) / 2)}"'
        return f'<ellipse {centre} rx="{_number((x2 - x1) / 2)}" ry="{_number((y2 - y1) / 2)}" {style}/>'
    corner = f' rx="{_number((y2 - y1) / 2)}"' if shape.form == "round" else ' rx="2"'
    place = f'x="{_number(x1)}" y="{_number(y1)}" width="{_number(x2 - x1)}" height="{_number(y2 - y1)}"'
    return f"<rect {place}{corner} {style}/>"


def _words(words: Words) -> str:
    style = f'font-size="{_number(words.size)}"'
    if words.anchor != "start":
        style += f' text-anchor="{words.anchor}"'
    if words.colour != INK:
        style += f' fill="{words.colour}"'
    parts = [part for part in words.parts if part[0]]
    if len({bold for _, bold in parts}) == 1:
        if parts[0][1]:
            style += ' font-weight="bold"'
        inside = _text(words.text)
    else:
        inside = "".join(
            f'<tspan font-weight="bold">{_text(text)}</tspan>' if bold else _text(text) for text, bold in parts
        )
    cover = ""
    if words.halo:
        width = 0.92 * text_width(words.text, words.size) + 4
        place = f'x="{_number(words.x - width / 2)}" y="{_number(words.y - words.size)}"'
        cover = f'<rect {place} width="{_number(width)}" height="{_number(1.3 * words.size)}" fill="{PAPER}"/>'
    return f'{cover}<text x="{_number(words.x)}" y="{_number(words.y)}" {style} xml:space="preserve">{inside}</text>'


def _number(value: float) -> str:
    """A coordinate, to a twentieth of a pixel or so."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _text(text: str) -> str:
    """Any text as XML content; characters that XML can't hold become a replacement character."""
    return escape(_NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text))
