"""Finding the grid of a game: every candidate is read in a few sampled states, and held to what actions do.

What is chosen: the form that carries its shape before the one whose shape is a guess; the one with which actions
agree before the one with which they don't. What never changes in play is no board.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from plyforge.grids.found import Found, Naming, arrival, layout, moved
from plyforge.grids.grid import Cell, Rows, cells, changes, outline
from plyforge.grids.pieces import Turn, empty_value, key, owners, signs
from plyforge.grids.pointing import FEW, Agreement, Reading, Taken, alike, best_reading
from plyforge.grids.sampling import Sample, Step, sample
from plyforge.grids.shapes import constants, declared
from plyforge.grids.shown import grid_in
from plyforge.grids.sources import Source, sources

ACCEPTED = 1.0  # the least that a candidate must be worth
READ, BY_CHANGE = 2.0, 0.5  # what agreement of actions adds
MOST_KINDS = 64  # values on a grid; more are no pieces
SHOWN = 1.2  # what a grid in the text of `show` is worth


@dataclass(frozen=True)
class Candidate:
    """A source that can be read in all samples, with what was seen on it."""

    source: Source
    grids: list[Rows]
    turns: list[Turn]
    taken: list[Taken]
    there: frozenset[Cell]
    reading: Reading | None
    agreed: Agreement
    by_change: bool
    merit: float


def find_grid(game: Any, shows: bool) -> Found | None:
    """The grid of a game, or None. `shows`: the rules have a `show` of their own, or states a text."""
    seen = sample(game)
    if not seen.steps:
        return None
    best: Candidate | None = None
    shown = grid_in(game.show(seen.states[0])) if shows else None
    widths = () if shown is None else tuple(len(row) for row in shown)
    candidates = list(sources(seen, declared(game, seen.states[0]), widths))
    if shown is not None:
        candidates.append(Source(lambda state: grid_in(game.show(state)), ((),), SHOWN))
    for source in candidates:
        now = examine(source, seen)
        if now is not None and now.merit >= ACCEPTED and (best is None or now.merit > best.merit):
            best = now
    return None if best is None else complete(game, best, seen, shows)


def examine(source: Source, seen: Sample) -> Candidate | None:
    """What a source is worth; None if it can't be read everywhere, or if nothing happens on it."""
    grids: list[Rows] = []
    for state in seen.states:
        rows = source.read(state)
        if rows is None or (grids and outline(rows) != outline(grids[0])):
            return None
        grids.append(rows)
    values = {key(value) for grid in grids for _, value in cells(grid)}
    if len(values) < 2 or len(values) > MOST_KINDS:
        return None
    turns, taken = _turns(source, seen.steps)
    if not any(turn.changed for turn in turns):
        return None
    there = frozenset(cell for cell, _ in cells(grids[0]))
    best = best_reading(taken, tuple(len(row) for row in grids[0]), there)
    reading, agreed = best if best is not None else (None, Agreement(0.0, 0.0, False))
    empty = empty_value(grids, turns, {})
    told = sum(moved(turn.before, turn.after, empty) is not None for turn in turns)
    by_change = told >= 0.8 * len(turns)
    if reading is None and source.needs_pointing:
        return None
    merit = source.merit + (READ if reading is not None else BY_CHANGE if by_change else 0.0)
    if source.row and reading is None:
        return None
    merit += min(len(there), 400) / 4000
    return Candidate(source, grids, turns, taken, there, reading, agreed, by_change, merit)


def _turns(source: Source, steps: Sequence[Step]) -> tuple[list[Turn], list[Taken]]:
    turns, taken = [], []
    for step in steps:
        before, after = source.read(step.before), source.read(step.after)
        assert before is not None and after is not None
        changed = changes(before, after)
        turns.append(Turn(step.player, before, after, changed))
        taken.append(Taken(step.action, step.text, step.legal, before, after, frozenset(changed)))
    return turns, taken


# ---------------------------------------------------------------- what follows from the choice
def complete(game: Any, chosen: Candidate, seen: Sample, shows: bool) -> Found:
    """Pieces, pointing and names for the grid that was chosen."""
    named = constants(game)
    shape = outline(chosen.grids[0])
    empty = empty_value(chosen.grids, chosen.turns, named)
    values = list(dict.fromkeys(key(value) for grid in chosen.grids for _, value in cells(grid)))
    given = _given_letters(game, chosen, seen, empty) if shows else {}
    pointing, reading = _pointing(chosen, empty)
    could = _movable(chosen) if pointing in ("read", "checked", "start") else []
    owned = owners(chosen.turns, empty, values, int(game.players), could)
    naming = _naming(reading, seen, chosen)
    sure = pointing != "none"
    names, places, words = layout(shape, naming)
    if len(set(names.values())) < len(names):
        naming = Naming("pairs", False, 0, False)
        names, places, words = layout(shape, naming)
    shown = signs(values, empty, owned, game, named, given)
    return Found(chosen.source, shape, empty, shown, naming, reading, pointing, sure, names, places, words)


def _given_letters(game: Any, chosen: Candidate, seen: Sample, empty: Any) -> dict[Any, str]:
    """The letters that the rules' own text has for values, where it shows the same grid."""
    letters: dict[Any, set[str]] = {}
    for state, grid in zip(seen.states, chosen.grids, strict=True):
        text = grid_in(game.show(state))
        if text is None or outline(text) != outline(grid):
            return {}
        for (r, c), value in cells(grid):
            letters.setdefault(key(value), set()).add(text[r][c])
    if any(len(signs) > 1 for value, signs in letters.items() if value != empty):
        return {}
    return {value: min(signs) for value, signs in letters.items() if value != empty and min(signs).strip()}


def _pointing(chosen: Candidate, empty: Any) -> tuple[str, Reading | None]:
    """How actions are pointed at; see `Found.pointing`."""
    reading = chosen.reading
    if reading is None:
        if _falls(chosen):
            return "column", None
        return ("change", None) if chosen.by_change else ("none", None)
    if chosen.agreed.cells < 1.01 and alike(reading, chosen.taken) > FEW:
        named = [(each, reading.cells(each.action, each.text)) for each in chosen.taken]
        arrived = [arrival(each.before, each.after, cells[0], empty) for each, cells in named if cells]
        if sum(to is not None for to in arrived) >= 0.8 * len(arrived):
            return "start", reading
    return "read" if chosen.agreed.always else "checked", reading


def _movable(chosen: Candidate) -> list[tuple[int, Any]]:
    """Who might have moved what: the players' numbers, and what stood where their actions begin."""
    found: list[tuple[int, Any]] = []
    assert chosen.reading is not None
    for turn, each in zip(chosen.turns, chosen.taken, strict=True):
        ways = [chosen.reading.cells(action, text) for action, text in each.legal]
        starts = {
            way[0] for way in ways if way and (len(way) > 1 or chosen.agreed.cells < 1.01) and way[0] in chosen.there
        }
        found += [(turn.player, key(turn.before[r][c])) for r, c in sorted(starts)]
    return found


def _falls(chosen: Candidate) -> bool:
    """True if an action is a column's number, and what it changes lies there."""
    for base in (0, 1):
        if all(
            isinstance(each.action, int) and {column + base for _, column in each.changed} == {each.action}
            for each in chosen.taken
        ):
            return len(chosen.grids[0]) > 1
    return False


def _naming(reading: Reading | None, seen: Sample, chosen: Candidate) -> Naming:
    """Cells as actions call them."""
    if reading is None:
        column = _falls(chosen)
        return Naming(
            "pairs",
            False,
            1 if column and any(step.action == len(chosen.grids[0][0]) for step in seen.steps) else 0,
            False,
        )
    kind = "squares" if reading.kind == "squares" else "index" if reading.kind.startswith("index") else "pairs"
    turned, base, upwards = reading.turned, reading.base, reading.upwards
    if kind != "pairs":
        return Naming(kind, turned, base, upwards)
    return Naming(kind, turned, base, upwards, _form(reading, seen))


def _form(reading: Reading, seen: Sample) -> str:
    """How the text of an action about one cell is put together."""
    forms = set()
    for step in seen.steps:
        named = reading.cells(step.action, step.text)
        if named is None:
            continue
        text = step.text.replace("{", "").replace("}", "")
        form, number = re.subn(r"\d+", "{}", text)
        if number != 2 or len(form) > 24:
            return "({}, {})"
        forms.add(form)
    return forms.pop() if len(forms) == 1 else "({}, {})"
