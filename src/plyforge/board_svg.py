"""A Board as an SVG document that stands alone: what a notebook shows of a state.

The studio's page draws with more care; this draws every shape and every look so that they are told apart, without
scripts, style sheets or fonts. Colours of players are from the Okabe-Ito palette, which colour-blind people can
tell apart. What is marked, such as a best action, is ringed.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any
from xml.sax.saxutils import escape

PIXELS = 44  # of one cell
MARGIN = 0.35  # cells around everything
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
"""Of players: blue, vermillion, bluish green, reddish purple, orange, sky blue."""
NAMED = {
    "white": "#f7f4ee",
    "black": "#2c2926",
    "red": "#d13a32",
    "yellow": "#f2bd2b",
    "blue": "#2f6fd0",
    "green": "#2f9560",
    "orange": "#e8842a",
    "violet": "#8a55c0",
}
NOBODY, INK, GRID = "#857a6c", "#3b352e", "#a39888"
TONES = ("#f6f1e7", "#c9ab82", "#dceee2", "#f6dcd8")
FIGURES = {"king": "♚", "queen": "♛", "rook": "♜", "bishop": "♝", "knight": "♞", "pawn": "♟"}
SIGNS = {"hero": "☺", "ghost": "G", "scared": "g", "robot": "R", "runner": "☻"}
BACK, BLACK_SUITS, RED_SUITS, RED = "?", "\u2660\u2663", "\u2665\u2666", "#c2342b"
"""What a card says that lies face down; suits, and the colour of two of them."""
FONT = "font-family=\"'DejaVu Sans', 'Segoe UI Symbol', Helvetica, Arial, sans-serif\""
_NOT_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def to_svg(board: Any, marked: Sequence[str] = (), label: str = "a board") -> str:
    """The board as text of an SVG document; the places of `marked` are ringed."""
    left, top, right, bottom = _bounds(board)
    width, height = right - left, bottom - top
    places = {place.name: place for place in board.places}
    drawn = [_line(line, board) for line in board.lines]
    drawn = [_place(place) for place in board.places] + drawn
    drawn += [_words(words.x, words.y, words.text, words.size, INK) for words in board.words]
    drawn += [_on_place(place) for place in board.places if place.text]
    drawn += [_piece(piece, places[piece.place], board) for piece in board.pieces if piece.place in places]
    for name in dict.fromkeys(marked):
        if name in places:
            place = places[name]
            drawn.append(
                f'<circle cx="{_n(place.x)}" cy="{_n(place.y)}" r="0.46" fill="none" stroke="#E69F00"'
                ' stroke-width="0.07"/>'
            )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{_text(label)}" width="{_n(width * PIXELS)}"'
        f' height="{_n(height * PIXELS)}" viewBox="{_n(left)} {_n(top)} {_n(width)} {_n(height)}" {FONT}>\n<rect'
        f' x="{_n(left)}" y="{_n(top)}" width="{_n(width)}" height="{_n(height)}" fill="#ffffff"/>\n'
        + "\n".join(drawn)
        + "\n</svg>\n"
    )


def _bounds(board: Any) -> tuple[float, float, float, float]:
    boxes = [(place.x, place.y, max(0.6, abs(place.width)), max(0.6, abs(place.height))) for place in board.places]
    boxes += [(words.x, words.y, 0.6 * words.size * len(words.text), words.size) for words in board.words]
    boxes += [(x, y, 0.0, 0.0) for line in board.lines for x, y in ((line.x1, line.y1), (line.x2, line.y2))]
    boxes = boxes or [(0.0, 0.0, 1.0, 1.0)]
    return (
        min(x - w / 2 for x, _, w, _ in boxes) - MARGIN,
        min(y - h / 2 for _, y, _, h in boxes) - MARGIN,
        max(x + w / 2 for x, _, w, _ in boxes) + MARGIN,
        max(y + h / 2 for _, y, _, h in boxes) + MARGIN,
    )


def _place(place: Any) -> str:
    x, y, w, h = place.x, place.y, abs(place.width), abs(place.height)
    fill = TONES[place.tone] if 0 <= place.tone < len(TONES) else TONES[0]
    style = f'fill="{fill}" stroke="{GRID}" stroke-width="0.03"'
    if place.shape == "hexagon":
        corners = (
            (math.sin(math.pi * k / 3) / math.sqrt(3), math.cos(math.pi * k / 3) / math.sqrt(3)) for k in range(6)
        )
        points = " ".join(f"{_n(x + dx)},{_n(y + dy)}" for dx, dy in corners)
        return f'<polygon points="{points}" {style}/>'
    if place.shape == "spike":
        tip, base = (y + h / 2, y - h / 2) if place.height > 0 else (y - h / 2, y + h / 2)
        points = f"{_n(x - w / 2)},{_n(base)} {_n(x + w / 2)},{_n(base)} {_n(x)},{_n(tip)}"
        return f'<polygon points="{points}" {style}/>'
    if place.shape == "pit":
        return f'<ellipse cx="{_n(x)}" cy="{_n(y)}" rx="{_n(w / 2 - 0.03)}" ry="{_n(h / 2 - 0.03)}" {style}/>'
    if place.shape == "point":
        return f'<circle cx="{_n(x)}" cy="{_n(y)}" r="0.07" fill="{GRID}"/>'
    if place.shape in ("spot", "die"):
        return ""
    if place.shape == "edge":
        style = f'fill="none" stroke="{GRID}" stroke-width="0.03" stroke-dasharray="0.08 0.08"'
    corner = 0.1 if place.shape in ("card", "tray") else 0
    return f'<rect x="{_n(x - w / 2)}" y="{_n(y - h / 2)}" width="{_n(w)}" height="{_n(h)}" rx="{_n(corner)}" {style}/>'


def _on_place(place: Any) -> str:
    """The words on a place; on a card its rank and suit, or a back."""
    x, y, text = place.x, place.y, place.text
    if place.shape != "card" or not (text == BACK or text[-1] in BLACK_SUITS + RED_SUITS):
        return _words(x, y, text, 0.3, INK)
    w, h = abs(place.width), abs(place.height)
    if text == BACK:
        back = f'<rect x="{_n(x - w / 2 + 0.08)}" y="{_n(y - h / 2 + 0.08)}" width="{_n(w - 0.16)}"'
        lines = [
            f"M{_n(x - w / 2 + 0.08)} {_n(y - h / 2 + 0.08 + part * (h - 0.16))}h{_n(w - 0.16)}"
            for part in (0.2, 0.4, 0.6, 0.8)
        ]
        return (
            f'{back} height="{_n(h - 0.16)}" rx="0.06" fill="#5b7ea6" class="back"/>'
            f'<path d="{"".join(lines)}" stroke="#dfe8f2" stroke-width="0.04"/>'
        )
    colour = RED if text[-1] in RED_SUITS else INK
    corner = _words(x - 0.27 * w, y - 0.36 * h, text[:-1], 0.24, colour, bold=True)
    return corner + _words(x, y + 0.06 * h, text[-1], 0.62, colour)


def _line(line: Any, board: Any) -> str:
    if line.kind == "star":
        return f'<circle cx="{_n(line.x1)}" cy="{_n(line.y1)}" r="0.09" fill="{INK}"/>'
    colour = GRID if line.owner < 0 else _colour(board, line.owner)
    ends = f'x1="{_n(line.x1)}" y1="{_n(line.y1)}" x2="{_n(line.x2)}" y2="{_n(line.y2)}"'
    return f'<line {ends} stroke="{colour}" stroke-width="{0.1 if line.kind == "wall" or line.owner >= 0 else 0.03}"/>'


def _colour(board: Any, owner: int) -> str:
    if owner < 0:
        return NOBODY
    named = NAMED.get(board.colours[owner], "") if owner < len(board.colours) else ""
    return named or COLOURS[owner % len(COLOURS)]


def _piece(piece: Any, place: Any, board: Any) -> str:
    colour = _colour(board, piece.owner)
    x, y, look = place.x, place.y, piece.look
    round_ = f'<circle cx="{_n(x)}" cy="{_n(y)}" r="0.38" fill="{colour}" stroke="{INK}" stroke-width="0.04"/>'
    on_it = "#3b352e" if colour == NAMED["white"] else "#ffffff"
    if look == "cross":
        d = (
            f"M{_n(x - 0.26)} {_n(y - 0.26)}L{_n(x + 0.26)} {_n(y + 0.26)}M{_n(x + 0.26)} {_n(y - 0.26)}L{_n(x - 0.26)}"
            f" {_n(y + 0.26)}"
        )
        return f'<path d="{d}" stroke="{colour}" stroke-width="0.12" stroke-linecap="round"/>'
    if look == "ring":
        return f'<circle cx="{_n(x)}" cy="{_n(y)}" r="0.28" fill="none" stroke="{colour}" stroke-width="0.12"/>'
    if look in ("disc", "stone", "peg", "crown", "seed"):
        sign = "♛" if look == "crown" else str(piece.count) if piece.count != 1 or look == "seed" else ""
        return round_ + (_words(x, y, sign, 0.36, on_it) if sign else "")
    if look in ("tile", "die", "fill", "bar"):
        half = (0.43, 0.43)
        if look == "fill":
            half = (0.44 * abs(place.width), 0.44 * abs(place.height))
        elif look == "bar":
            half = (0.09, 0.44) if place.width <= abs(place.height) else (0.44, 0.09)
        box = (
            f'<rect x="{_n(x - half[0])}" y="{_n(y - half[1])}" width="{_n(2 * half[0])}" height="{_n(2 * half[1])}"'
            f' rx="0.08" fill="{colour}"/>'
        )
        return box + (_words(x, y, str(piece.count), 0.42, on_it) if look in ("tile", "die") else "")
    if look in ("dot", "pill"):
        return f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{0.09 if look == "dot" else 0.2}" fill="#c77f1b"/>'
    if look in FIGURES:
        return (
            f'<text x="{_n(x)}" y="{_n(y + 0.28)}" font-size="0.8" text-anchor="middle" fill="{colour}" stroke="{INK}"'
            f' stroke-width="0.025">{FIGURES[look]}</text>'
        )
    return _words(x, y, SIGNS.get(look, look), 0.34 if len(look) > 2 else 0.52, colour, bold=True)


def _words(x: float, y: float, text: str, size: float, colour: str, bold: bool = False) -> str:
    weight = ' font-weight="700"' if bold else ""
    return (
        f'<text x="{_n(x)}" y="{_n(y + 0.36 * size)}" font-size="{_n(size)}" text-anchor="middle"'
        f' fill="{colour}"{weight}>{_text(text)}</text>'
    )


def _text(text: str) -> str:
    return escape(_NOT_XML.sub("?", str(text)), {'"': "&quot;"})


def _n(number: float) -> str:
    return f"{float(number):.3f}".rstrip("0").rstrip(".")
