"""Memory that a kernel may write to while it runs: a record with arrays, for what is quicker done in place than by
making new states.

Compiled, it is on the stack of the calling kernel, so every thread has its own and nothing is allocated. Interpreted,
it is an object with the same fields, its arrays being lists. Fields are whole numbers of any size, and numbers of
double precision ("f8"); whoever reads one gets an int or a float.

    game.scratch = np.dtype([("count", "i8"), ("stones", "u1", (100,))])
    ... in a kernel:   board = new_scratch(game);   board.stones[5] = 1

Invariant: nothing is known of what is in it at the beginning: whoever reads has written before. It is gone when the
calling kernel returns. Indices are not checked in compiled code, and negative ones don't count from the end.
"""

from __future__ import annotations

import importlib
from types import SimpleNamespace
from typing import Any

from plyforge.kernel.function import when_compiling


def new_scratch(game: Any) -> Any:
    """A record of the type that the game, or another Constant, says: `game.scratch`, a NumPy dtype of numbers and
    arrays of them."""
    fields = {}
    for name, (kind, *_) in game.scratch.fields.items():
        nothing = 0.0 if kind.base.kind == "f" else 0
        fields[name] = [nothing] * kind.shape[0] if kind.shape else nothing
    return SimpleNamespace(**fields)


@when_compiling
def _natively() -> None:
    importlib.import_module("plyforge.kernel.storage.scratch_native")
