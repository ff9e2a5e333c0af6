"""A network in a file: NumPy's `.npz` without pickles, read within limits.

    about       JSON: what the file is, its version, the kind's shape, the inputs' description, a digest of the arrays,
                and what whoever made it wanted to say
    first, ...  the arrays of the kind, in single precision
    memory.*    what the optimiser remembers, where the training is to go on

Claim: what is read is what was written, bit for bit; a file that is damaged, foreign, too large, or whose arrays are
not those of its shape, is refused in words before any of it is used. Sizes are checked before memory is asked for.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from plyforge.errors import BadLimits, BadText
from plyforge.evaluate.arrays import read_arrays, write_arrays
from plyforge.evaluate.networks.inputs import SparseInputs, inputs_from
from plyforge.evaluate.networks.kind import Arrays, NetworkKind, kind_from
from plyforge.evaluate.networks.sparse_mlp import digest_of
from plyforge.reading import parse_json

LARGEST_FILE = 256 << 20
"""Bytes of a file, and of the arrays in it."""
FORMAT, VERSION = "plyforge network", 1
WHAT = "a file of a network"


@dataclass
class StoredNetwork:
    """A network with all that belongs to it."""

    kind: NetworkKind
    inputs: SparseInputs
    arrays: Arrays
    memory: Arrays = field(default_factory=dict)
    """What the optimiser remembers; empty where no training goes on from here."""
    about: dict[str, Any] = field(default_factory=dict)
    """Plain values, of whoever made it: the game, how it was learned."""

    @property
    def digest(self) -> str:
        """Of the weights, by which networks are told apart."""
        return digest_of(self.arrays)

    def evaluation(self) -> Any:
        """For any search."""
        return self.kind.evaluation(self.arrays, self.inputs)

    def player(self) -> Any:
        """The same in the form that is quickest in play."""
        return self.kind.player(self.arrays, self.inputs)


def write_network(path: str | os.PathLike[str], network: StoredNetwork) -> None:
    """Write a file, whole or not at all. Raises PlyforgeError."""
    check_arrays(network.kind, network.arrays, "the network to be written")
    head = {
        "format": FORMAT,
        "version": VERSION,
        "shape": network.kind.shape,
        "inputs": network.inputs.description(),
        "digest": network.digest,
        "memory": sorted(network.memory),
        "about": network.about,
    }
    memory = {f"memory.{name}": array for name, array in network.memory.items()}
    write_arrays(path, head=np.array(json.dumps(head)), **network.arrays, **memory)


def says_it_is_a_network(path: str | os.PathLike[str]) -> bool:
    """True for a file with the head of one, whatever else is in it."""
    try:
        read_arrays(path, ("head",), LARGEST_FILE, WHAT)
    except BadText:
        return False
    return True


def read_network(path: str | os.PathLike[str]) -> StoredNetwork:
    """The network in a file. Raises BadText."""
    text = str(read_arrays(path, ("head",), LARGEST_FILE, WHAT)["head"])
    head = parse_json(text, f"what {path} says about itself")
    if not isinstance(head, dict) or head.get("format") != FORMAT:
        raise BadText(f"{path} is not {WHAT} of this kind: it does not say that it is a {FORMAT}")
    if head.get("version") != VERSION:
        raise BadText(f"{path} is of version {str(head.get('version'))[:20]}; version {VERSION} is read here")
    try:
        inputs = inputs_from(head.get("inputs"))
        kind = kind_from(head.get("shape"), inputs)
    except (BadLimits, BadText) as error:
        raise BadText(f"{path}: {error}") from None
    names = tuple(kind.sizes())
    arrays = {name: np.array(a) for name, a in read_arrays(path, names, LARGEST_FILE, WHAT).items()}
    check_arrays(kind, arrays, str(path))
    network = StoredNetwork(kind, inputs, arrays, _read_memory(path, kind, arrays, head.get("memory")))
    if network.digest != head.get("digest"):
        raise BadText(f"{path} has weights other than those that were written: it is damaged")
    about = head.get("about")
    network.about = about if isinstance(about, dict) else {}
    return network


def check_arrays(kind: NetworkKind, arrays: Arrays, whose: str) -> None:
    """Raises BadText where arrays are not those of the kind."""
    for name, size in kind.sizes().items():
        array = arrays.get(name)
        if array is None or array.shape != size or array.dtype != np.float32:
            found = "none" if array is None else f"{array.dtype} {array.shape}"
            raise BadText(f"{whose}: the array {name!r} must be float32 {size}, and is {found}")
        if not np.isfinite(array).all():
            raise BadText(f"{whose}: there are weights in {name!r} that are no numbers")


def _read_memory(path: Any, kind: NetworkKind, arrays: Arrays, names: Any) -> Arrays:
    """What the optimiser remembers: none of it, or all."""
    if not names:
        return {}
    wanted = kind.fresh_memory(arrays)
    if names != sorted(wanted):
        raise BadText(f"{path} has an optimiser's memory of another kind of network")
    found = read_arrays(path, tuple(f"memory.{name}" for name in names), 2 * LARGEST_FILE, WHAT)
    memory = {name: np.array(found[f"memory.{name}"]) for name in wanted}
    for name, like in wanted.items():
        if memory[name].shape != like.shape or memory[name].dtype != like.dtype or not np.isfinite(memory[name]).all():
            raise BadText(f"{path} has a damaged memory of the optimiser: {name!r}")
    return memory


__all__ = ["LARGEST_FILE", "StoredNetwork", "check_arrays", "read_network", "says_it_is_a_network", "write_network"]
