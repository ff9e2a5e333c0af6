"""Learned n-tuple networks in files, as `plyforge learn` writes them: the weights, and what they say about themselves.

Claims: nothing is unpickled; a file that is damaged, too large or of another game is refused in a sentence. The inputs
are found anew from the rules, so that whatever a file holds, compiled code reads inside its tables.
"""

from __future__ import annotations

import functools
import hashlib
import json
import re
from pathlib import Path
from typing import Any

import numpy as np

from plyforge.errors import BadText
from plyforge.evaluate.arrays import read_arrays, write_arrays
from plyforge.evaluate.base import Evaluation
from plyforge.evaluate.ntuples.finding import find_tuples
from plyforge.evaluate.ntuples.following import quickest
from plyforge.evaluate.ntuples.tuples import NTuples, banks_of
from plyforge.evaluate.weighted import game_name
from plyforge.reading import parse_json

FORMAT = "plyforge learning 1"
BEST = "best.npz"
"""In a run's folder: the network to play by."""
LARGEST = 256 << 20
"""Bytes of a network, unpacked."""


def read_ntuples(path: Path, game: Any) -> Evaluation:
    """The n-tuple network in a file. Raises BadText."""
    about = said_of(path)
    if about.get("game") != plain_name(game):
        raise other_game(path, about, game)
    walks = about.get("walks")
    inputs = inputs_of(game, walks) if type(walks) is int and 0 <= walks <= MOST_WALKS else None
    if inputs is None or about.get("inputs") != inputs.digest:
        raise other_rules(path, game)
    arrays, _ = read_network(path, {"weights": banks_of(game) * inputs.weights}, LARGEST)
    return quickest(inputs, arrays["weights"])


def other_game(path: Path, about: dict[str, Any], game: Any) -> BadText:
    """What to say of another game's network."""
    return BadText(f"{path} is a network of {str(about.get('game'))[:60]!r}, not of {plain_name(game)!r}")


def other_rules(path: Path, game: Any) -> BadText:
    """What to say of one that looks at something else than the states of these rules."""
    return BadText(
        f"{path} was learned for other rules: the states of {plain_name(game)} have other inputs. Learn again, in"
        " another folder"
    )


MOST_WALKS = 1000
SAME_FILE = re.compile(r"_[0-9a-f]{8}$")
"""Files of the same name in other folders are told apart by this."""


@functools.lru_cache(maxsize=16)
def inputs_of(game: Any, walks: int) -> NTuples | None:
    """`find_tuples`, kept: to find them takes seconds."""
    return find_tuples(game, walks)


def plain_name(game: Any) -> str:
    """What a game is called, wherever the file with its rules is."""
    return SAME_FILE.sub("", game_name(game))


def said_of(path: Path) -> dict[str, Any]:
    """What a file says about itself. Raises BadText."""
    about = read_arrays(path, ("about",), LARGEST, "a file of a learned network")["about"]
    said = parse_json(str(about), f"what {path} says about itself")
    return said if isinstance(said, dict) else {}


def read_network(path: Path, sizes: dict[str, int], limit: int) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
    """The arrays of a file of a learned network, each with so many numbers, and what it says of itself. Raises
    BadText."""
    content = read_arrays(path, (*sizes, "about"), limit, "a file of a learned network")
    about = parse_json(str(content.pop("about")), f"what {path} says about itself")
    if not isinstance(about, dict) or about.get("format") != FORMAT:
        raise BadText(f"{path} is no network of this version")
    for name, array in content.items():
        if array.dtype != np.float32 or array.shape != (sizes[name],):
            raise BadText(f"{path} has {name} of {array.dtype} {array.shape}; these rules need {sizes[name]:,} numbers")
        if not np.isfinite(array).all():
            raise BadText(f"{path} has {name} that are not finite numbers")
    if about.get("digest") != digest_of(content):
        raise BadText(f"{path} is damaged: its weights are not those that were written")
    return {name: array.astype(np.float64) for name, array in content.items()}, about


def write_network(path: Path, arrays: dict[str, np.ndarray], about: dict[str, Any]) -> None:
    """Write such a file, whole or not at all."""
    single = {name: array.astype(np.float32) for name, array in arrays.items()}
    said = {"format": FORMAT, **about, "digest": digest_of(single)}
    write_arrays(path, **single, about=np.array(json.dumps(said)))


def digest_of(arrays: dict[str, np.ndarray]) -> str:
    """Of all numbers, by which networks are told apart."""
    found = hashlib.sha256()
    for name in sorted(arrays):
        found.update(name.encode() + arrays[name].astype("<f4").tobytes())
    return found.hexdigest()[:32]


__all__ = [
    "BEST",
    "FORMAT",
    "inputs_of",
    "other_game",
    "other_rules",
    "plain_name",
    "read_network",
    "read_ntuples",
    "said_of",
    "write_network",
]
