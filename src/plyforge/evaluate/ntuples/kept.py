"""N-tuple networks kept between processes, beside the compiled code: one file for the rules with a fingerprint.

A file is a checksum, the digest of the inputs, and the weights in single precision. The inputs are found anew from
the rules, so that whatever a file holds, compiled code reads inside its tables.

Invariant: `kept_network` raises nothing; a file that is cut short, of other rules or of another version is as good as
none.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
from pathlib import Path
from typing import Any

import numpy as np

from plyforge.atomic import write_atomically
from plyforge.errors import Unsuitable
from plyforge.evaluate.ntuples.finding import find_tuples
from plyforge.evaluate.ntuples.network import NTupleNetwork
from plyforge.evaluate.ntuples.self_play import BANKS, SECONDS, learn

FORMAT = b"plyforge n-tuples 1\n"
MOST_BYTES = 64 << 20
DIGEST = 32  # bytes, of the checksum and of the digest of the inputs in hexadecimal digits


def file_of(game: Any) -> Path | None:
    """Where a game's network is kept; None where nothing is."""
    try:
        from plyforge.kernel.compiling.cache import directory, usable
    except ImportError:
        return None
    if not usable(directory()):
        return None
    return directory() / f"ntuples-{hashlib.sha256(game.fingerprint().encode()).hexdigest()[:32]}"


def kept_network(game: Any) -> NTupleNetwork | None:
    """The network that was learned for these rules; None if there is none, or none that can be read."""
    path = file_of(game)
    if path is None:
        return None
    try:
        written = path.stat()
        if written.st_size > MOST_BYTES:
            return None
        return _read(game, path, written.st_mtime_ns)
    except (OSError, TypeError, ValueError):
        return None


@functools.lru_cache(maxsize=64)
def _read(game: Any, path: Path, when: int) -> NTupleNetwork | None:
    """`when` the file was written: a new one is read again."""
    content = path.read_bytes()
    checksum, rest = content[:DIGEST], content[DIGEST:]
    if hashlib.sha256(rest).digest() != checksum or not rest.startswith(FORMAT):
        return None
    inputs = find_tuples(game)
    about = len(FORMAT) + DIGEST
    if inputs is None or rest[len(FORMAT) : about] != inputs.digest.encode():
        return None
    weights = np.frombuffer(rest[about:], "<f4").astype(np.float64)
    if len(weights) != BANKS * inputs.weights or not np.isfinite(weights).all():
        return None
    return NTupleNetwork.of(inputs, weights)


def keep_network(game: Any, network: NTupleNetwork) -> None:
    """Write it down; a folder that can't be written to is no reason to fail."""
    path = file_of(game)
    if path is not None:
        rest = FORMAT + network.inputs.digest.encode() + network.weights.astype("<f4").tobytes()
        with contextlib.suppress(OSError):
            write_atomically(path, hashlib.sha256(rest).digest() + rest)


def learned_network(game: Any, seconds: float = SECONDS, **more: Any) -> NTupleNetwork | None:
    """The network that is kept, or one that is learned now and kept; None where there is nothing to look at, and
    where it was stopped. Raises PlyforgeError where the rules can't be compiled."""
    found = kept_network(game)
    if found is None:
        found = learn(game, seconds, **more)
        if found is not None:
            keep_network(game, found)
    return found


def network_or_error(game: Any) -> NTupleNetwork:
    """The same for a player that was asked for. Raises Unsuitable where there can be none."""
    from plyforge.contract import Game

    reason = ""
    if game.players != 2 or game.has_chance:
        reason = "it is for two players without chance"
    elif game.hidden_information:
        reason = "it judges states, and whoever plays sees only a part of them (hidden information)"
    elif isinstance(game, Game) and (found := learned_network(game)) is not None:
        return found
    reason = reason or "its states have no cells of few values to look at"
    raise Unsuitable(f"no n-tuple network can be learned for {type(game).__name__}: {reason}")


__all__ = ["keep_network", "kept_network", "learned_network", "network_or_error"]
