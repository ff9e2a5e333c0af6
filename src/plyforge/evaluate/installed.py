"""Networks that play wherever nobody names another: one for the rules with a fingerprint, in the user's folder of
settings. `plyforge learn GAME --install` puts them there.

Invariant: what an installed network says is an estimate. What is legal, who wins and what is proven come from the rules
alone.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
from pathlib import Path
from typing import Any

from plyforge.errors import BadText, PlyforgeError
from plyforge.evaluate.base import Evaluation
from plyforge.evaluate.learned import learned_from
from plyforge.evaluate.ntuples.files import BEST, LARGEST
from plyforge.kernel.run_time import numbers_of
from plyforge.reading import read_bytes
from plyforge.writing import make_folder, settings_folder, write_file

INSTALLED = "learned"
"""What descriptions of players call it: engine:network=learned."""


def installed_file(game: Any) -> Path:
    """Where a game's installed network is, or would be."""
    try:
        fingerprint = _fingerprint(game)
    except TypeError:  # a game without a hash
        fingerprint = game.fingerprint() + numbers_of(game)
    return settings_folder() / "learned" / f"{hashlib.sha256(fingerprint.encode()).hexdigest()[:32]}.npz"


@functools.lru_cache(maxsize=64)
def _fingerprint(game: Any) -> str:
    """Walking over all that rules reach takes milliseconds, and they don't change while they are asked."""
    return str(game.fingerprint()) + numbers_of(game)


def installed_network(game: Any) -> Evaluation | None:
    """The network that is installed for these rules; None if there is none, or none that can be read."""
    path = installed_file(game)
    if not path.is_file():
        return None
    with contextlib.suppress(BadText):
        return learned_from(path, game)
    return None


def install(game: Any, folder: str | Path) -> Path:
    """Have a game play by the best network of a run, everywhere. Raises BadText where there is none, or where it is
    another game's."""
    path = Path(folder).expanduser()
    learned_from(path, game)
    content = read_bytes(path / BEST if path.is_dir() else path, LARGEST, "a file of a learned network")
    target = installed_file(game)
    make_folder(target.parent)
    return write_file(target, content)


def uninstall(game: Any) -> bool:
    """Play without it again; False if there was none."""
    path = installed_file(game)
    there = path.is_file()
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise PlyforgeError(f"{path} can't be removed: {error.strerror or error}") from error
    return there


__all__ = ["INSTALLED", "install", "installed_file", "installed_network", "uninstall"]
