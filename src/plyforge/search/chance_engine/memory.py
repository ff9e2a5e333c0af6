"""What the dice engine keeps while it runs: what the engine keeps, the game's bounds, and what is known of each outcome
of a roll.

Invariant: `at_least[p, i]` and `at_most[p, i]` are true bounds of the i-th outcome of the chance node at ply p;
`least_proof` and `most_proof` say whether they rest on the ends of the game alone, as `low` and `high` do for nodes.
"""

from __future__ import annotations

from typing import Any

from plyforge.kernel.memory import MAX_PLY
from plyforge.kernel.storage.buffer import ACTION_LIMIT
from plyforge.search.engine.memory import ENGINE

DICE = ENGINE.extended(
    "dice",
    [
        ("bottom", "f8"),
        ("top", "f8"),
        ("lowest", "f8"),
        ("highest", "f8"),
        ("margin", "f8"),
        ("known_action", "i4", (MAX_PLY + 2,)),
        ("lower", "f8", (MAX_PLY + 2,)),
        ("upper", "f8", (MAX_PLY + 2,)),
        ("at_least", "f8", (MAX_PLY + 2, ACTION_LIMIT)),
        ("at_most", "f8", (MAX_PLY + 2, ACTION_LIMIT)),
        ("least_proof", "i4", (MAX_PLY + 2, ACTION_LIMIT)),
        ("most_proof", "i4", (MAX_PLY + 2, ACTION_LIMIT)),
    ],
)


def new_dice_memory(native: bool) -> Any:
    """Memory for one call of the dice engine. Killers and history live as long as it does."""
    memory = DICE.new(native)
    memory.killers[:] = -1
    memory.known_action[:] = -1
    memory.history_depth = 2
    return memory
