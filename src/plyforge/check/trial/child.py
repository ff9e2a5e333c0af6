"""The fresh process of a trial: `python -m plyforge.check.trial.child`, started by `process.spawn`.

Reads one line of JSON: where the game's class comes from, and what the game holds. Loads it, makes sure that it would
compile to the same machine code as in the process that asks, and tells what comes of comparing the two speeds, line by
line.
"""

from __future__ import annotations

import base64
import importlib
import importlib.util
import io
import json
import os
import pickle
import sys
from pathlib import Path
from typing import Any

from plyforge.check.trial.comparing import compare, prepare
from plyforge.check.trial.compiled import Speeds
from plyforge.check.trial.process import leave_with, limit_memory, quietly, tell


def main() -> None:
    """One trial."""
    words = os.dup(1)
    quietly()
    with os.fdopen(os.dup(0), "rb", buffering=0) as given:
        request = json.loads(_line(given))
        leave_with(given.fileno())
        try:
            game, states = load(request)
        except BaseException:  # whatever a file does while it is run: the game can't be had here
            os._exit(2)
        for event in prepare(game, states):
            if not isinstance(event, Speeds):
                tell(words, event)
                continue
            limit_memory(request["memory"])
            for later in compare(event, states, request["playouts"], request["seconds"]):
                tell(words, later)
        os._exit(0)


def _line(given: io.RawIOBase) -> bytes:
    found = bytearray()
    while not found.endswith(b"\n"):
        piece = given.read(1 << 16)
        if not piece:
            os._exit(1)
        found += piece
    return bytes(found)


def load(request: dict[str, Any]) -> tuple[Any, Any]:
    """The game and the states that are asked about."""
    sys.path[:] = request["path"]
    game, states = _Loader(io.BytesIO(base64.b64decode(request["given"])), request["files"]).load()
    if game.fingerprint() != request["fingerprint"]:
        raise ValueError("the file has changed since it was loaded there")
    return game, states


class _Loader(pickle.Unpickler):
    """Finds classes in modules that were loaded from a file under any name."""

    def __init__(self, source: io.BytesIO, files: dict[str, str]) -> None:
        super().__init__(source)
        self.files = files

    def find_class(self, module: str, name: str) -> Any:
        if module not in sys.modules and module in self.files and not _importable(module, self.files[module]):
            _load_file(module, Path(self.files[module]))
        return super().find_class(module, name)


def _importable(name: str, file: str) -> bool:
    """True if `import` finds just this file under that name."""
    try:
        spec = importlib.util.find_spec(name)
    except (ImportError, ValueError):
        return False
    return spec is not None and spec.origin is not None and Path(spec.origin).resolve() == Path(file).resolve()


def _load_file(name: str, path: Path) -> None:
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} can't be loaded")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    sys.path.insert(0, str(path.parent))  # the rules may import helpers beside them
    sys.dont_write_bytecode = True  # as in `games/catalog.py`
    spec.loader.exec_module(module)


if __name__ == "__main__":
    main()
