"""Kinds of networks, as text: `units:256,64`, `policy:64`, `conv:4x16`.

A kind is one file with a frozen dataclass of its sizes, a `NetworkKind`. Its arrays travel as a dict by name: so they
are in a file (`files.py`), and so training changes them in place.

    kind = network_kind("units:64", inputs)
    arrays = kind.fresh(seed=1)                             a network that knows nothing
    memory = kind.fresh_memory(arrays)                      what the optimiser remembers: moments, steps
    loss = kind.train(arrays, memory, batch, rate=0.001)    one step
    evaluation = kind.evaluation(arrays, inputs)            for any search
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any, Protocol

import numpy as np

from plyforge.errors import BadLimits
from plyforge.evaluate.base import Evaluation
from plyforge.evaluate.networks.inputs import SparseInputs

Arrays = dict[str, np.ndarray]


class NetworkKind(Protocol):
    """What a kind of network can do."""

    @property
    def shape(self) -> dict[str, Any]:
        """Plain values, from which the kind can be made again."""

    def sizes(self) -> dict[str, tuple[int, ...]]:
        """The arrays by name, all of single precision, and how large they are."""

    def fresh(self, seed: int) -> Arrays:
        """A network that knows nothing yet."""

    def fresh_memory(self, arrays: Arrays) -> Arrays:
        """What the optimiser remembers from step to step, before the first."""

    def train(self, arrays: Arrays, memory: Arrays, batch: Any, *, rate: float, decay: float = 0.0) -> float:
        """One step of the optimiser, in place; the loss before it."""

    def evaluation(self, arrays: Arrays, inputs: SparseInputs) -> Evaluation:
        """The network as it is now, for searches."""

    def player(self, arrays: Arrays, inputs: SparseInputs) -> Evaluation:
        """The same, or nearly, in the form that is quickest in play."""


def network_kind(text: str, inputs: SparseInputs, **more: Any) -> NetworkKind:
    """The kind that a text names, for such inputs. Raises BadLimits."""
    name, _, sizes = text.partition(":")
    for kind in _kinds():
        if name == kind.name:
            made: NetworkKind = kind.from_text(sizes, inputs, **more)
            return made
    raise BadLimits(f"{text!r} is no kind of network; there is {', '.join(kind.example for kind in _kinds())}")


def kind_from(shape: Any, inputs: SparseInputs) -> NetworkKind:
    """The kind of a `shape` from a file, for such inputs. Raises BadLimits."""
    for kind in _kinds():
        if isinstance(shape, dict) and shape.get("kind") == kind.name:
            names = [field.name for field in fields(kind)]
            sizes = {name: shape.get(name) for name in names}
            if all(type(size) is int for size in sizes.values()) and set(shape) == {"kind", *names}:
                made: NetworkKind = kind(**sizes).checked()
                if made.shape["inputs"] == inputs.count:
                    return made
    raise BadLimits(
        f"a network of the shape {str(shape)[:80]} is not known here, or has other inputs than it describes"
    )


def _kinds() -> tuple[Any, ...]:
    from plyforge.evaluate.networks.conv import Convolutions
    from plyforge.evaluate.networks.policy_mlp import PolicyMlp
    from plyforge.evaluate.networks.sparse_mlp import SparseMlp

    return (SparseMlp, PolicyMlp, Convolutions)


__all__ = ["Arrays", "NetworkKind", "kind_from", "network_kind"]
