"""A suite of chess positions with known answers: how many the engine finds, and whether what it calls a mate is one.

    python benchmarks/chess_suite.py wacnew.epd --seconds 1 --threads 2
    python benchmarks/chess_suite.py mates2000.epd --nodes 100000

The file has a position a line, as EPD: `bm` are the moves to find, `am` those to avoid; `bm #3` is a mate in three to
find, `#-3` one to see coming. Each position is searched with an empty table. Where the engine says that a mate is
proven, its line is followed to the end. A claim is false if the line does not mate, or is longer than was said, if it
is for the other side, or if less was said than the shortest mate takes. Lines in which the loser does not defend as
long as possible are counted apart. With --nodes and one thread the answer is the same every time; with --seconds it
depends on the machine.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import track
from rich.table import Table

from plyforge.contract import MAX
from plyforge.errors import PlyforgeError
from plyforge.games.chess.epd import Epd, parse_epd
from plyforge.games.chess.rules import Chess
from plyforge.search.core.limits import Limits
from plyforge.search.engine.complete_line import whole_line
from plyforge.search.engine.engine import Engine

LINE_SECONDS = 5.0
"""How long the rest of a mate's line is looked for, where the search knew it from its table."""


MATE = re.compile(r"#(-?)([0-9]+)")
"""What `bm` says where the answer is a mate: in how many moves, with a minus if it is the mover's own."""


@dataclass
class Score:
    """What was found so far."""

    found: int = 0
    missed: list[str] = field(default_factory=list)
    mates: int = 0
    false_mates: list[str] = field(default_factory=list)
    weak_lines: int = 0
    """Lines of true claims that mate earlier than the shortest mate there is: the defence in them is not the best."""
    nodes: int = 0
    seconds: float = 0.0
    depths: list[int] = field(default_factory=list)


def is_mate(game: Chess, state: Any, line: tuple[Any, ...], distance: int) -> bool:
    """True if the line leads to mate, within so many plies."""
    for action in line:
        state = game.result(state, action)
    return len(line) <= distance and game.terminal(state) and game.in_check(state)


def look(game: Chess, engine: Engine, epd: Epd, limits: Limits, name: str, score: Score) -> None:
    """Search one position, and note what came of it."""
    table = engine.new_table()
    found = engine.start(game, True, table=table).think(epd.state, limits)
    mate = MATE.fullmatch(epd.text("bm"))
    claimed = found.exact and abs(found.value) == 1.0
    if mate is not None:
        good = claimed
    else:
        wanted, avoided = epd.actions(game, "bm"), epd.actions(game, "am")
        good = (not wanted or found.action in wanted) and found.action not in avoided
    score.found += good
    if not good:
        score.missed.append(name)
    if claimed:
        score.mates += 1
        line = whole_line(engine, found, seconds=LINE_SECONDS, table=table)
        true = found.distance is not None and is_mate(game, epd.state, line, found.distance)
        if true and mate is not None:
            mover_wins = (found.value > 0.0) == (game.player(epd.state) == MAX)
            shortest = 2 * int(mate[2]) - mover_wins
            true = mover_wins == (mate[1] == "") and (found.distance or 0) >= shortest
            score.weak_lines += len(line) < shortest
        if not true:
            score.false_mates.append(name)
    score.nodes += found.nodes
    score.seconds += found.seconds
    score.depths.append(found.depth or 0)


def read(path: Path, every: int) -> list[tuple[str, Epd]]:
    """The positions of a file, each with its name, or the number of its line."""
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise SystemExit(f"{path} can't be read: {error}") from None
    found = []
    for number, line in enumerate(lines, 1):
        if line.strip() and not line.startswith("#"):
            try:
                epd = parse_epd(line)
            except PlyforgeError as error:
                raise SystemExit(f"{path}, line {number}: {error}") from None
            found.append((epd.text("id") or f"line {number}", epd))
    return found[::every]


def shortened(names: list[str]) -> str:
    """A list of names, not all of them if they are many."""
    more = f" and {len(names) - 40} more" if len(names) > 40 else ""
    return ", ".join(names[:40]) + more if names else "none"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--seconds", type=float, help="time for a position")
    parser.add_argument("--nodes", type=int, help="or so many nodes")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--every", type=int, default=1, help="only each so-many-th position")
    parser.add_argument("--table", type=float, default=64.0, help="MiB of the table")
    parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
    given = parser.parse_args()
    if given.seconds is None and given.nodes is None:
        given.seconds = 1.0
    game, engine = Chess(), Engine(table_mib=given.table, threads=given.threads)
    limits = Limits(seconds=given.seconds, nodes=given.nodes)
    positions, score = read(given.file, given.every), Score()
    engine.search(game, game.start(), Limits(nodes=1000), native=True)  # compile
    shown = track(positions, given.file.name, console=Console(stderr=True), disable=not sys.stderr.isatty())
    for name, epd in shown:
        look(game, engine, epd, limits, name, score)
    rate = score.nodes / max(score.seconds, 1e-9)
    if given.json:
        print(json.dumps(vars(score) | {"positions": len(positions), "rate": rate}))
        return
    table = Table(title=f"{given.file.name}, {given.threads} thread(s)", title_justify="left", show_header=False)
    table.add_row("found", f"{score.found} of {len(positions)}")
    table.add_row("not found", shortened(score.missed))
    table.add_row("mates claimed", f"{score.mates}, of them false: {len(score.false_mates)}")
    table.add_row("false", shortened(score.false_mates))
    table.add_row("lines with a weak defence", str(score.weak_lines))
    table.add_row("depth", f"{sum(score.depths) / max(1, len(score.depths)):.1f} on average")
    table.add_row("nodes a second", f"{rate:,.0f}")
    Console().print(table)


if __name__ == "__main__":
    main()
