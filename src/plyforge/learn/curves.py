"""The curves of a run, from its log: what it is off by, and what its best network is worth."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from plyforge.draw.curves import Panel, curves_svg
from plyforge.errors import BadText
from plyforge.learn.folder import LOG, Folder
from plyforge.writing import write_file

LOSSES = {"loss": "learned from", "held_back": "held back"}
MOST_POINTS = 400
"""Of a curve: a longer one is thinned out."""


def plot(folder: str | os.PathLike[str], target: str | os.PathLike[str]) -> Path:
    """Draw a run's curves as SVG. Raises BadText where there is nothing to draw."""
    if Path(target).suffix.lower() != ".svg":
        raise BadText(f"{target} should end in .svg: curves are drawn as SVG")
    run = Folder(Path(folder))
    lines = run.log(1 << 62, mend=False)
    games = {line["generation"]: line["games"] for line in lines if _number(line.get("games"))}
    if not games:
        raise BadText(f"{run / LOG} has no finished generation yet: there is nothing to draw")
    return write_file(target, curves_svg(f"{run.path.name}: {len(games)} generations", "games", panels(lines, games)))


def panels(lines: list[dict[str, Any]], games: dict[int, float]) -> list[Panel]:
    """What there is to draw."""
    losses: dict[str, list[tuple[float, float]]] = {name: [] for name in LOSSES.values()}
    scores: dict[str, list[tuple[float, float]]] = {}
    ends: dict[str, list[tuple[float, float, float]]] = {}
    for line in lines:
        x = games.get(line["generation"])
        if x is None:
            continue
        for key, name in LOSSES.items():
            if _number(line.get(key)):
                losses[name].append((x, line[key]))
        against = line.get("against")
        for name, each in (against if isinstance(against, dict) else {}).items():
            if isinstance(each, dict) and all(_number(each.get(key)) for key in ("score", "low", "high")):
                scores.setdefault(name, []).append((x, each["score"]))
                ends.setdefault(name, []).append((x, each["low"], each["high"]))
    found = [Panel("error of estimates (root mean square, -1 to 1)", {k: _thinned(v) for k, v in losses.items() if v})]
    if scores:
        found.append(Panel("points of the best network, with 95 % intervals", scores, ends, percent=True))
    return found


def _thinned(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    step = -(-len(points) // MOST_POINTS)
    return points[::step] if step > 1 else points


def _number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


__all__ = ["panels", "plot"]
