"""Drawing recorded searches: one figure, one layout, five writers.

tree = pf.record(game, using="alpha_beta", depth=3)
print(pf.draw(tree, format="txt"))
pf.draw.save(tree, "tree.svg")          # also .dot .json .tex .txt
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from plyforge.callable_module import make_callable
from plyforge.draw.dot import to_dot
from plyforge.draw.figure import make_figure
from plyforge.draw.json_tree import load_json, to_json
from plyforge.draw.latex import to_latex
from plyforge.draw.svg import to_svg
from plyforge.draw.text import to_text
from plyforge.errors import PlyforgeError
from plyforge.search.trace.tree import RecordedTree
from plyforge.writing import write_file

WRITERS: dict[str, Callable[..., str]] = {
    "svg": to_svg,
    "dot": to_dot,
    "json": to_json,
    "tex": to_latex,
    "txt": to_text,
}
"""By format, which is also the suffix of a file."""


def draw(recorded: RecordedTree, format: str = "svg", **options: Any) -> str:
    """A recorded tree as text of a format: "svg", "dot", "json", "tex" or "txt".

    All take `max_nodes` (400: what is beyond is folded into stubs), `max_notes`, `max_skipped` and `title`, which JSON
    ignores, since it always holds everything; SVG and LaTeX also `numbers` (the order of visits), text also
    `ascii`, `width` and `style`, JSON also `events`, `places` and `indent`.
    """
    if format not in WRITERS:
        raise PlyforgeError(f"there is no format {format!r}; there are {', '.join(WRITERS)}")
    writer = WRITERS[format]
    own, figures = _parameters(writer), _parameters(make_figure)
    for name in options:
        if name not in own and name not in figures:
            raise PlyforgeError(f"{format} has no option {name!r}; it has {', '.join([*figures, *own])}")
    given = {name: value for name, value in options.items() if name in own}
    if format == "json":
        return writer(recorded, **given)
    figure = make_figure(recorded, **{name: value for name, value in options.items() if name in figures})
    return writer(figure, **given)


def format_of(path: str | os.PathLike[str]) -> str:
    """The format that a file's suffix says. Raises PlyforgeError if there is none of that name."""
    format = Path(path).suffix.lower().removeprefix(".")
    if format not in WRITERS:
        raise PlyforgeError(
            f"{path} should end in one of {', '.join('.' + known for known in WRITERS)}: the ending says what to draw"
        )
    return format


def save(recorded: RecordedTree, path: str | os.PathLike[str], **options: Any) -> Path:
    """Write a drawing to a file; its suffix says the format. The file is replaced whole or not at all."""
    path = Path(path)
    content = draw(recorded, format_of(path), **options)
    write_file(path, content)
    return path


def _parameters(function: Callable[..., Any]) -> list[str]:
    """The names of a function's options: all parameters but the first."""
    return list(inspect.signature(function).parameters)[1:]


__all__ = [
    "WRITERS",
    "draw",
    "load_json",
    "make_figure",
    "save",
    "to_dot",
    "to_json",
    "to_latex",
    "to_svg",
    "to_text",
]

make_callable(draw, __name__)
