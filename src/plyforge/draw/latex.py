"""The picture as LaTeX: a stand-alone document with one TikZ picture; `pdflatex tree.tex` makes a page of its size."""

from __future__ import annotations

import unicodedata

from plyforge.draw.figure import Figure
from plyforge.draw.picture import PALETTE, make_picture
from plyforge.draw.shapes import INK, Arc, Line, Picture, Shape, Words

POINT = 0.75
"""TeX points (nearly) in a pixel."""
SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\ensuremath{<}",
    ">": r"\ensuremath{>}",
    "|": r"\ensuremath{|}",
    '"': r"\textquotedblright{}",
    "'": r"\textquoteright{}",
    "`": r"\textquoteleft{}",
    "-": r"{-}",
    "\N{MINUS SIGN}": r"\ensuremath{-}",
    "∞": r"\ensuremath{\infty}",
    "≤": r"\ensuremath{\le}",
    "≥": r"\ensuremath{\ge}",
    "→": r"\ensuremath{\to}",
    "×": r"\ensuremath{\times}",
    "α": r"\ensuremath{\alpha}",
    "β": r"\ensuremath{\beta}",
}
"""What TeX would not print as it stands, and the signs that drawings use."""
ACCENTED = frozenset("ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜÝßàáâãäåæçèéêëìíîïñòóôõöøùúûüýÿ")
"""Letters that every TeX can print."""
STYLES = {
    "edge": "draw=edge, line width=0.6pt",
    "best": "draw=ink, line width=2pt, line cap=round",
    "cut": "draw=faint, line width=0.8pt, dash pattern=on 3pt off 2.4pt",
    "fold": "draw=faint, line width=0.8pt, dash pattern=on 0.8pt off 2pt",
    "bar": "draw=minline, line width=1.2pt",
}


COLOURS = {"ink": INK, "edge": "#6f6f6f", "faint": "#8a8a8a", "grey": "#595959"} | {
    f"{name}{part}": code for name, pair in PALETTE.items() for part, code in zip(("fill", "line"), pair, strict=True)
}
NAMES = {code: name for name, code in COLOURS.items()}


def to_latex(figure: Figure, numbers: bool = False) -> str:
    """The figure as a LaTeX document. `numbers=True` writes beside each node when it was visited."""
    lines = [
        r"\RequirePackage{fix-cm}",  # Computer Modern in any size
        r"\documentclass[tikz, border=2pt]{standalone}",
        *preamble(),
        r"\begin{document}",
        *tikz(make_picture(figure, numbers)),
        r"\end{document}",
    ]
    return "\n".join(lines) + "\n"


def preamble() -> list[str]:
    """What a document needs before it can hold such pictures."""
    return [
        r"\usepackage{tikz}",
        r"\renewcommand{\familydefault}{\sfdefault}",
        *(rf"\definecolor{{{name}}}{{HTML}}{{{code[1:].upper()}}}" for name, code in COLOURS.items()),
    ]


def tikz(picture: Picture) -> list[str]:
    """One picture, for any document with that preamble."""
    lines = [
        (
            rf"\begin{{tikzpicture}}[x={POINT}pt, y=-{POINT}pt, every node/.style={{inner sep=0pt, outer sep=0pt,"
            r" text=ink}]"
        ),
        rf"\useasboundingbox (0,0) rectangle ({picture.width:.1f},{picture.height:.1f});",
    ]
    for group in picture.groups:
        for thing in group.drawn:
            lines.append(_drawn(thing, NAMES))
    lines.append(r"\end{tikzpicture}")
    return lines


def _drawn(thing: Line | Arc | Shape | Words, names: dict[str, str]) -> str:
    if isinstance(thing, Arc):
        near, far = _point(thing.x1, thing.y1 + thing.depth), _point(thing.x2, thing.y2 + thing.depth)
        style = f"draw={thing.palette}line, line width=0.8pt, dash pattern=on 3.5pt off 2.4pt"
        ends = _point(thing.x1, thing.y1), _point(thing.x2, thing.y2)
        return rf"\path[{style}] {ends[0]} .. controls {near} and {far} .. {ends[1]};"
    if isinstance(thing, Line):
        return rf"\path[{STYLES[thing.style]}] {_point(thing.x1, thing.y1)} -- {_point(thing.x2, thing.y2)};"
    if isinstance(thing, Shape):
        return _shape(thing)
    return _words(thing, names)


def _shape(shape: Shape) -> str:
    style = (
        f"draw={shape.palette}line, fill={shape.palette}fill, line width={1.9 if shape.heavy else 0.9}pt, line"
        " join=round"
    )
    if shape.dashed:
        style += ", dash pattern=on 2.4pt off 1.8pt"
    if shape.form == "polygon":
        return rf"\path[{style}] {' -- '.join(_point(x, y) for x, y in shape.points)} -- cycle;"
    (x1, y1), (x2, y2) = shape.points
    if shape.form == "ellipse":
        radii = f"x radius={(x2 - x1) / 2:.2f}, y radius={(y2 - y1) / 2:.2f}"
        return rf"\path[{style}] {_point((x1 + x2) / 2, (y1 + y2) / 2)} ellipse [{radii}];"
    corner = (y2 - y1) / 2 * POINT if shape.form == "round" else 1.5
    return rf"\path[{style}, rounded corners={corner:.2f}pt] {_point(x1, y1)} rectangle {_point(x2, y2)};"


def _words(words: Words, names: dict[str, str]) -> str:
    anchor = {"middle": "base", "start": "base west", "end": "base east"}[words.anchor]
    size = words.size * POINT
    style = f"anchor={anchor}, font=\\fontsize{{{size:.2f}}}{{{1.2 * size:.2f}}}\\selectfont"
    if words.colour != INK:
        style += f", text={names[words.colour]}"
    if words.halo:
        style += ", fill=white, inner xsep=1.5pt, inner ysep=1pt"
    text = "".join(rf"\textbf{{{escape(part)}}}" if bold else escape(part) for part, bold in words.parts)
    return rf"\node[{style}] at {_point(words.x, words.y)} {{{text}}};"


def _point(x: float, y: float) -> str:
    return f"({x:.2f},{y:.2f})"


def escape(text: str) -> str:
    """Any text as LaTeX. What the usual fonts lack is written as its code point, as in U+265E."""
    found = []
    for char in text:
        if char in SPECIAL:
            found.append(SPECIAL[char])
        elif " " <= char <= "~" or char in ACCENTED:
            found.append(char)
        elif char.isspace() or not char.isprintable():
            found.append(" ")
        else:
            plain = unicodedata.normalize("NFKD", char).encode("ascii", "ignore").decode()
            escaped = "".join(SPECIAL.get(part, part) for part in plain)
            found.append(escaped or f"U+{ord(char):04X}")
    return "".join(found)
