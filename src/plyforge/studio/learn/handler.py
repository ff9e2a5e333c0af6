"""The desk of the Learn view: the runs of `plyforge learn` in the folder that the studio was started in, their curves,
the games of their matches, and what the best network thinks of a position, cell by cell.

It reads the files that a run writes, while the run goes on or after it, and changes nothing. A page names a run by its
folder's name; no text that comes from a page is taken for a path.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from plyforge.contract import CHANCE, MAX, Game, format_action, parse_action
from plyforge.draw.curves import curves_svg
from plyforge.errors import BadLimits, BadText
from plyforge.evaluate import Evaluation
from plyforge.evaluate.learned import learned_from
from plyforge.games.catalog import CATALOG
from plyforge.grids.hooks import ways_of
from plyforge.learn.curves import panels
from plyforge.learn.folder import BEST, LOG, SUFFIX, Folder, rules_of
from plyforge.play.session import player_name
from plyforge.studio.present.game_message import state_json
from plyforge.studio.present.value import worth
from plyforge.studio.server.handler import Desk, Room, does

MOST_RUNS = 100
MOST_GAMES = 60
"""Of the latest matches."""
MOST_MOVES = 120
"""Of a position, that are judged."""
EVER = 1 << 62


class LearnDesk(Desk):
    """Shows what a run has written."""

    def __init__(self, room: Room, folder: Path | None = None) -> None:
        super().__init__(room)
        self.folder = folder or Path.cwd()

    @does
    def runs(self) -> dict[str, Any]:
        """The runs that there are, by name."""
        found = []
        for path in sorted(self.folder.glob(f"*{SUFFIX}"))[:MOST_RUNS]:
            try:
                said = Folder(path).run() if path.is_dir() else None
            except BadText:
                continue
            if said is not None:
                found.append({"run": path.name, "game": self._game_name(said), "method": str(said.get("method"))})
        return {"runs": found, "folder": self.folder.name}

    @does
    def run(self, run: str, stamp: str = "") -> dict[str, Any]:
        """How a run stands. With the stamp of the answer before, nothing where nothing has changed."""
        folder = self._folder(run)
        now = _stamp(folder)
        if stamp == now:
            return {"stamp": now, "same": True}
        said = folder.run() or {}
        lines = folder.log(EVER, mend=False)
        played = {line["generation"]: line["games"] for line in lines if type(line.get("games")) is int}
        last: dict[str, Any] = next((line for line in reversed(lines) if "held_back" in line), {})
        gates = [line for line in lines if "gate" in line]
        measured: list[dict[str, Any]] = [line["against"] for line in gates if isinstance(line.get("against"), dict)]
        settings = said.get("settings") if isinstance(said.get("settings"), dict) else {}
        return {
            "stamp": now,
            "game": self._game_name(said),
            "method": said.get("method"),
            "net": (settings or {}).get("net"),
            "generation": last.get("generation", 0),
            "games": last.get("games", 0),
            "best": gates[-1].get("best", 0) if gates else 0,
            "has_best": (folder / BEST).is_file(),
            "against": measured[-1] if measured else {},
            "curves": self._curves(run, lines, played),
            "replays": _replays(gates),
        }

    def _curves(self, run: str, lines: list[dict[str, Any]], played: dict[int, float]) -> str | None:
        """Where they can be fetched."""
        if not played:
            return None
        drawn = curves_svg(f"{run}: {len(played)} generations", "games", panels(lines, played))
        return self.make("curves.svg", drawn, "image/svg+xml")

    @does
    def opinion(self, game: str, run: str, moves: list[Any]) -> dict[str, Any]:
        """The position after some moves from the start, and what the best network of a run thinks of it and of what
        each move leads to."""
        rules = self.game(game)
        s = rules.start()
        last: list[str] = []
        for text in moves:
            if rules.terminal(s):
                raise BadLimits(f"{str(text)[:40]!r} comes behind the end of the game")
            action = parse_action(rules, s, str(text))
            last = list(next(iter(ways_of(rules, s, action)), ()))
            s = rules.result(s, action)
        over = bool(rules.terminal(s))
        said = {**state_json(rules, s), "last": last, "over": over, "moves": [], "value": None}
        said["turn"] = None if over else player_name(rules, rules.player(s))
        folder = self._folder(run)
        if not (folder / BEST).is_file():
            return said
        network = learned_from(folder.path, rules)
        if over or rules.player(s) == CHANCE:
            value = rules.utility(s) if over else network.estimate(rules, s)
            return said | {"value": worth(rules, value, proven=over)}
        return said | {"value": worth(rules, network.estimate(rules, s)), "moves": judged_moves(rules, network, s)}

    def _folder(self, run: str) -> Folder:
        """The folder of a run that `runs` names."""
        if run not in {path.name for path in self.folder.glob(f"*{SUFFIX}") if path.is_dir()}:
            raise BadLimits(f"there is no run {run[:60]!r} in the folder that the studio was started in")
        return Folder(self.folder / run)

    def _game_name(self, said: dict[str, Any]) -> str:
        """What pages call a run's game: with its arguments, where it is a variant of one of the catalogue."""
        name, rules = str(said.get("game")), str(said.get("rules"))
        arguments = rules.partition("#")[0].partition("(")[2]
        if name not in CATALOG or not arguments or said.get("rules") == rules_of(self.game(name)):
            return name
        return f"{name}({arguments}"


def judged_moves(game: Game, network: Evaluation, s: Any) -> list[dict[str, Any]]:
    """For each move what it leads to is worth, and its merit among them, from 0 to 1 for whoever moves."""
    sign, found = (1.0 if game.player(s) == MAX else -1.0), []
    for action in list(game.actions(s))[:MOST_MOVES]:
        child = game.result(s, action)
        over = bool(game.terminal(child))
        value = game.utility(child) if over else network.estimate(game, child)
        if isinstance(value, tuple) or not math.isfinite(float(value)):
            continue
        found.append((format_action(game, s, action), ways_of(game, s, action)[:1], float(value), over))
    own = [sign * value for _, _, value, _ in found]
    low, span = min(own, default=0.0), max(own, default=0.0) - min(own, default=0.0)
    rows = [
        {
            "text": text,
            "ways": ways,
            "value": worth(game, value, proven=over),
            "merit": (mine - low) / span if span > 0.0 else 1.0,
        }
        for (text, ways, value, over), mine in zip(found, own, strict=True)
    ]
    return sorted(rows, key=lambda row: -row["merit"])


def _replays(gates: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The games that are kept, the latest first."""
    found = []
    for line in reversed(gates):
        for each in line.get("replays") or []:
            if isinstance(each, dict) and isinstance(each.get("moves"), list):
                found.append({"generation": line["generation"], **each})
    return found[:MOST_GAMES]


def _stamp(folder: Folder) -> str:
    """Changes when the run has written something."""
    return "/".join(
        f"{path.stat().st_mtime_ns}:{path.stat().st_size}" if (path := folder / name).is_file() else "-"
        for name in (LOG, BEST)
    )


__all__ = ["LearnDesk", "judged_moves"]
