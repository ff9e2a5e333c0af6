"""The card of a learned network: from what it was learned, what was measured of it and by whom, how to make it again.

A page of Markdown, from what a run's folder says; a network that is handed on without one is a riddle.
"""

from __future__ import annotations

import os
import platform
from pathlib import Path
from typing import Any

from plyforge.errors import BadText
from plyforge.learn.folder import BEST, LOG, Folder
from plyforge.learn.lesson_plan import SETTINGS
from plyforge.writing import write_file

HOW = {
    "generation 0": "equal nodes, against a network of the same form that knows nothing",
    "plain search": "equal time (a ratio of nodes, measured once), against the search that plays without learning",
}


def write_card(folder: str | os.PathLike[str], target: str | os.PathLike[str]) -> Path:
    """Write the card of a run's best network. Raises BadText where there is none."""
    return write_file(target, card_of(Folder(Path(folder))))


def card_of(folder: Folder) -> str:
    """The page. Raises BadText where there is no best network."""
    said, lines = folder.run(), folder.log(1 << 62, mend=False)
    if said is None or not (folder / BEST).is_file():
        raise BadText(f"{folder.path} has no {BEST} yet: there is no network that a card could be of")
    best = max((line["best"] for line in lines if type(line.get("best")) is int), default=0)
    until = [line for line in lines if line["generation"] <= best and type(line.get("games")) is int]
    if not until:
        raise BadText(f"{folder / LOG} does not say how the best network was learned")
    gate: dict[str, Any] = next((line for line in reversed(lines) if line["generation"] == best and "gate" in line), {})
    games, seconds = until[-1]["games"], sum(float(line.get("seconds", 0.0)) for line in until)
    rows = [
        ("game", f"`{said.get('game')}`, rules `{str(said.get('rules')).rpartition('#')[2]}`"),
        ("learned by", f"{said.get('method')}, network `{_settings(said).get('net')}`"),
        ("from", f"{games:,} games against itself in {best} generations, {seconds / 3600:.2f} hours by the clock"),
        ("file", f"`{BEST}`, {(folder / BEST).stat().st_size / 2**20:.2f} MiB"),
        *measured(gate),
        ("measured by", f"the run's own gate, {platform.machine()}, {os.cpu_count()} cores"),
        ("to make it again", f"`{command(said, games)}`"),
    ]
    table = "\n".join(f"| {name} | {text} |" for name, text in rows)
    return f"# {folder.path.name}\n\n| | |\n|---|---|\n{table}\n"


def measured(gate: dict[str, Any]) -> list[tuple[str, str]]:
    """What the matches and the truth said, when the network took its place."""
    found, keeps = [], gate.get("keeps")
    if isinstance(keeps, dict):
        found.append(
            ("moves that keep the value", f"{100 * keeps['share']:.1f} % of {keeps['positions']}, one ply deep")
        )
    against = gate.get("against")
    for name, each in (against if isinstance(against, dict) else {}).items():
        score = f"{100 * each['score']:.1f} % ({100 * each['low']:.1f} to {100 * each['high']:.1f})"
        found.append((f"against {name}", f"{score} of {each['games']} games, {HOW.get(name, '')}"))
    return found


def command(said: dict[str, Any], games: int) -> str:
    """What makes the same network, bit for bit, from nothing."""
    settings = _settings(said)
    told = [
        f"--{name} {settings[name]}" for name in SETTINGS if settings.get(name, SETTINGS[name][0]) != SETTINGS[name][0]
    ]
    fixed = f"--method {said.get('method')} --net {settings.get('net')} --batch {said.get('batch')}"
    return " ".join(
        ["plyforge learn", f"{said.get('game')}", fixed, f"--shards {said.get('shards')}", *told, f"--games {games}"]
    )


def _settings(said: dict[str, Any]) -> dict[str, Any]:
    settings = said.get("settings")
    return settings if isinstance(settings, dict) else {}


__all__ = ["card_of", "write_card"]
