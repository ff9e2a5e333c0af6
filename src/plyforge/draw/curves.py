"""Curves as SVG: numbers over one axis, panel under panel, with intervals where there are any.

    curves_svg("connect4", "games", [Panel("loss", {"learned from": [(0, 0.9), (4000, 0.4)]})])

A document that stands alone: no scripts, no fonts or files from elsewhere.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from html import escape

WIDTH, HEIGHT, LEFT, RIGHT, TOP, GAP = 720, 170, 70, 150, 40, 34
COLOURS = ("#1f6fb4", "#d1603d", "#3f8f4f", "#7a5aa6")
TICKS = 4

Point = tuple[float, float]


@dataclass
class Panel:
    """Curves over one scale."""

    title: str
    curves: dict[str, list[Point]]
    """By what they are called: points from left to right."""
    intervals: dict[str, list[tuple[float, float, float]]] = field(default_factory=dict)
    """For some of them: x, the lower and the upper end."""
    percent: bool = False


def curves_svg(title: str, axis: str, panels: list[Panel]) -> str:
    """The document."""
    xs = [x for panel in panels for points in panel.curves.values() for x, _ in points]
    last = max(xs, default=1.0) or 1.0
    height = TOP + len(panels) * (HEIGHT + GAP) + 20
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="sans-serif"'
        f' font-size="12"><rect width="{WIDTH}" height="{height}" fill="#fff"/>',
        f'<text x="{LEFT}" y="22" font-size="15">{escape(title)}</text>',
    ]
    for number, panel in enumerate(panels):
        parts += _panel(panel, TOP + number * (HEIGHT + GAP), last)
    parts.append(f'<text x="{WIDTH - RIGHT}" y="{height - 8}" text-anchor="end">{escape(axis)}</text></svg>')
    return "\n".join(parts) + "\n"


def _panel(panel: Panel, top: float, last: float) -> list[str]:
    """One panel, its scale and its legend."""
    values = [y for points in panel.curves.values() for _, y in points]
    values += [y for ends in panel.intervals.values() for _, low, high in ends for y in (low, high)]
    low, high = (0.0, 1.0) if panel.percent else (min(values, default=0.0), max(values, default=1.0))
    step = _step(high - low)
    low, high = math.floor(low / step) * step, math.ceil(high / step) * step
    high = high if high > low else low + step

    def at(x: float, y: float) -> tuple[float, float]:
        across = LEFT + (WIDTH - LEFT - RIGHT) * x / last
        return round(across, 1), round(top + HEIGHT * (1.0 - (y - low) / (high - low)), 1)

    parts = [f'<text x="{LEFT}" y="{top - 6}" fill="#444">{escape(panel.title)}</text>']
    for tick in range(round((high - low) / step) + 1):
        value = low + tick * step
        y = at(0.0, value)[1]
        text = f"{100 * value:.0f} %" if panel.percent else f"{value:g}" if step >= 1 else f"{value:.2f}"
        parts.append(f'<line x1="{LEFT}" y1="{y}" x2="{WIDTH - RIGHT}" y2="{y}" stroke="#ddd"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{y + 4}" text-anchor="end" fill="#666">{text}</text>')
    for tick in range(TICKS + 1):
        x = at(last * tick / TICKS, low)[0]
        parts.append(
            f'<text x="{x}" y="{top + HEIGHT + 15}" text-anchor="middle" fill="#666">{last * tick / TICKS:,.0f}</text>'
        )
    for number, (name, points) in enumerate(panel.curves.items()):
        colour = COLOURS[number % len(COLOURS)]
        for x, below, above in panel.intervals.get(name, []):
            (x1, y1), (_, y2) = at(x, below), at(x, above)
            parts.append(f'<line x1="{x1}" y1="{y1}" x2="{x1}" y2="{y2}" stroke="{colour}" stroke-opacity="0.5"/>')
        line = " ".join(f"{x},{y}" for x, y in (at(*point) for point in points))
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="1.6"/>')
        parts += [f'<circle cx="{at(*p)[0]}" cy="{at(*p)[1]}" r="2.4" fill="{colour}"/>' for p in points[-1:]]
        y = top + 14 + 18 * number
        parts.append(f'<line x1="{WIDTH - RIGHT + 8}" y1="{y}" x2="{WIDTH - RIGHT + 26}" y2="{y}" stroke="{colour}"/>')
        parts.append(f'<text x="{WIDTH - RIGHT + 31}" y="{y + 4}">{escape(name)}</text>')
    return parts


def _step(span: float) -> float:
    """A round distance between lines of the scale."""
    if span <= 0.0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(span / TICKS))
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor * TICKS >= span)


__all__ = ["Panel", "curves_svg"]
