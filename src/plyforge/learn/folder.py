"""The folder of a run: what is on disk, and how it is read and written.

    run.json          the game, a digest of its rules and inputs, the settings: written once, when the run begins
    state.npz         the last finished generation: weights, and what learning keeps of each
    best.npz          the network that has won its place; `engine:network=FOLDER` plays by it
    progress.jsonl    one line for each generation and each match of the gate

Invariants:
- Files are replaced whole or not at all, a line of the log is on disk before the state that it tells of. So whenever
  the process is killed, the next one finds the last finished generation, drops lines beyond it, and goes on from there.
- A folder of another game, of other rules or of other settings is refused, not overwritten.
- Nothing is unpickled; what a file holds is checked against what the rules' own inputs need.
"""

from __future__ import annotations

import dataclasses
import json
import os
from pathlib import Path
from typing import Any

from plyforge.contract import Game
from plyforge.errors import BadText, PlyforgeError
from plyforge.evaluate.ntuples.files import BEST, FORMAT, plain_name
from plyforge.evaluate.weighted import game_name
from plyforge.kernel.run_time import numbers_of
from plyforge.reading import parse_json, read_bytes, read_json
from plyforge.writing import require_writable, why_not_written, write_file

SUFFIX = ".learn"
LARGEST_STATE, LARGEST_LOG, LARGEST_RUN = 1 << 30, 256 << 20, 1 << 20
RUN, STATE, LOG = "run.json", "state.npz", "progress.jsonl"


def folder_of(game: Game) -> Path:
    """Where a game's run is kept where nobody says otherwise: in the present folder."""
    return Path(f"{plain_name(game)}{SUFFIX}")


def rules_of(game: Game) -> str:
    """What a run says of the rules that it was learned by: the game with its parameters, `#`, and a digest."""
    head, _, digest = game.fingerprint().partition("#")
    if numbers_of(game):  # which a fingerprint leaves out
        fields = dataclasses.fields(game)  # type: ignore[arg-type]
        said = (f"{each.name}={getattr(game, each.name)!r}" for each in fields)
        head = f"{head.partition('(')[0]}({', '.join(said)})"
    return f"{head}#{digest}".replace(game_name(game), plain_name(game))


class Folder:
    """One run's folder."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path).expanduser()

    def __truediv__(self, name: str) -> Path:
        return self.path / name

    def make(self) -> None:
        """Have the folder, or say why it can't be had."""
        if self.path.exists() and not self.path.is_dir():
            raise PlyforgeError(f"{self.path} is a file, and learning needs a folder: name another with --folder")
        if not self.path.exists():
            try:
                self.path.mkdir()
            except OSError as error:
                raise PlyforgeError(why_not_written(self.path, error)) from error
        require_writable(self / STATE)

    # ------------------------------------------------------------ run.json
    def run(self) -> dict[str, Any] | None:
        """What run.json says; None where there is none. Raises BadText."""
        if not (self / RUN).exists():
            if (self / STATE).exists():
                raise BadText(
                    f"{self.path} has a {STATE} and no {RUN}: it is no run that can go on. Name another folder"
                )
            return None
        said = read_json(self / RUN, LARGEST_RUN, "the settings of a run")
        if not isinstance(said, dict) or said.get("format") != FORMAT:
            raise BadText(f"{self / RUN} does not say {FORMAT!r}: it is no run of this version. Name another folder")
        return said

    def begin(self, said: dict[str, Any]) -> dict[str, Any]:
        """Keep what a new run is, or go on with the one that is there. Raises PlyforgeError where that is another
        one; gives what is kept."""
        before = self.run()
        if before is None:
            self.rewrite(said)
            return said
        for name, words in (("game", "another game"), ("rules", "other rules"), ("inputs", "other inputs")):
            if before.get(name) != said[name]:
                shown = f": {before.get(name)}" if name == "game" else " (the rules were changed since)"
                raise PlyforgeError(f"{self.path} is a run of {words}{shown}. Name another folder with --folder")
        for name in ("method", "settings", "shards"):
            kept = before.get(name)
            if name == "settings" and isinstance(kept, dict):
                kept = {**said[name], **kept}  # what this version can be told besides was as it is by default
            if kept != said[name]:
                raise PlyforgeError(
                    f"{self.path} is a run with {name} {before.get(name)}, not {said[name]}. Repeat what it began with,"
                    " or name another folder with --folder"
                )
        return before

    def rewrite(self, said: dict[str, Any]) -> None:
        """Keep what was measured since."""
        write_file(self / RUN, json.dumps({"format": FORMAT, **said}, indent=1))

    # ------------------------------------------------------------ progress.jsonl
    def log(self, up_to: int, mend: bool = True) -> list[dict[str, Any]]:
        """The lines up to a generation; whatever is beyond, and a torn last line, is dropped, from the file, too, if
        that is to be mended."""
        path = self / LOG
        if not path.exists():
            return []
        lines, kept = read_bytes(path, LARGEST_LOG, "a log of progress").split(b"\n"), []
        for line in lines:
            try:
                said = parse_json(line, str(path))
            except BadText:
                continue
            if isinstance(said, dict) and type(said.get("generation")) is int and said["generation"] <= up_to:
                kept.append(said)
        text = "".join(json.dumps(said) + "\n" for said in kept)
        if mend and text.encode() != b"\n".join(lines):
            write_file(path, text)
        return kept

    def add_line(self, said: dict[str, Any]) -> None:
        """Add a line, on disk before this returns. Raises PlyforgeError."""
        path = self / LOG
        try:
            with path.open("ab") as file:
                file.write(json.dumps(said).encode() + b"\n")
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise PlyforgeError(why_not_written(path, error)) from error


__all__ = ["BEST", "LOG", "RUN", "STATE", "SUFFIX", "Folder", "folder_of", "rules_of"]
