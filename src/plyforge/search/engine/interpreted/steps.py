"""Helpers of the engine's kernel on Python's own objects, for `interpreted/specialise.py`.

Each does what its namesake does, faster: numbers of 64 bits are plain ones, the table is a dict of buckets of at most
two entries, an entry is a tuple. Invariant: an entry stays or goes exactly where it would in the table of words, so
both visit the same nodes.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from operator import add
from typing import Any

import numpy as np

from plyforge.contract import Game, defines
from plyforge.kernel import word
from plyforge.kernel.bits import MASK
from plyforge.kernel.hashing import MOST_KNOWN, hash_anew, hash_number, is_plain
from plyforge.kernel.storage.fill import TOO_MANY
from plyforge.search.engine.memory import HISTORY, KILLER_SCORES, ORDERING_UNIT
from plyforge.search.engine.steps.canonical_key import canonical_key, own_key
from plyforge.search.engine.steps.move_ordering import code_of, leave_unscored, list_all
from plyforge.search.engine.transposition_table import (
    BUCKET_ENTRIES,
    action_of,
    bound_of,
    depth_of,
    find,
    high_of,
    low_of,
    pack,
    store,
)

FIRST_KILLER, SECOND_KILLER = KILLER_SCORES
MOST_CODE = HISTORY - 1


NOTHING = (0, 0, -1, -1, -1, 0)
"""What is found where nothing is stored: depth, bound, low, high, action, stamp."""
NOTHING_FOUND = (0.0, NOTHING)
PARTS = {depth_of: 0, bound_of: 1, low_of: 2, high_of: 3, action_of: 4}


def plain_word(bits: Any) -> int:
    if type(bits) is np.uint64 or (type(bits) is int and 0 <= bits <= MASK):
        return int(bits)
    return int(word(bits))


def plain_key(game: Any, state: Any) -> int:
    # whoever asks keeps what is found: no need to know it twice
    return hash_anew(state) if type(game).key is Game.key else plain_word(game.key(state))


class _Asked:
    """What the game of a search has been asked already: depth after depth meets the same states and actions."""

    def __init__(self, game: Any) -> None:
        self.game = game
        self.most = game.max_actions
        self.ordered = defines(game.heuristics, "ordering")
        self.symmetries = game.heuristics.symmetries if defines(game.heuristics, "symmetries") else None
        # whoever asks keeps what is found: no need to know it twice
        self.key = hash_anew if type(game).key is Game.key else lambda state: plain_word(game.key(state))
        self.keys: dict[Any, tuple[int, bool]] = {}
        self.codes: tuple[dict[Any, int], dict[Any, int]] = ({}, {})
        """Of MIN's actions and of MAX's."""

    def folded(self, state: Any) -> tuple[int, bool]:
        own = key = self.key(state)
        if self.symmetries is not None:
            key = min([own, *map(self.key, self.symmetries(self.game, state))])
        return key, key == own


_asked: Any = None
"""Of the last game; None: another search begins, and its game may be another by now."""


def forget_what_was_asked() -> None:
    global _asked
    _asked = None


def _ask(game: Any) -> _Asked:
    global _asked
    _asked = asked = _Asked(game)
    return asked


def plain_folded_key(game: Any, state: Any) -> tuple[int, bool]:
    asked = _asked
    if asked is None or asked.game is not game:
        asked = _ask(game)
    try:
        return asked.keys[state]
    except KeyError:
        found = asked.folded(state)
        if is_plain(state):
            if len(asked.keys) >= MOST_KNOWN:
                asked.keys.clear()
            asked.keys[state] = found
        return found
    except Exception:  # a state that Python can't know again
        return asked.folded(state)


def plain_code_of(action: Any, maximising: bool, game: Any = None) -> int:
    asked = _asked  # another thread may ask about another game meanwhile
    if asked is not None and asked.game is game:
        try:
            return asked.codes[maximising][action]
        except (KeyError, TypeError):
            pass
    code = hash_number(action) & MOST_CODE
    return code ^ 1 if maximising else code


def plain_codes(known: dict[Any, int], actions: list[Any], maximising: bool) -> list[int]:
    """`plain_code_of` each action."""
    try:
        return [*map(known.__getitem__, actions)]
    except TypeError:  # actions that Python can't know again
        return [plain_code_of(action, maximising) for action in actions]
    except KeyError:
        codes = [plain_code_of(action, maximising) for action in actions]
        if all(map(is_plain, actions)):
            if len(known) >= MOST_KNOWN:
                known.clear()
            known.update(zip(actions, codes, strict=True))
        return codes


def plain_pack(depth: int, bound: int, low: int, high: int, action: int, stamp: int) -> tuple[int, ...]:
    return depth, bound, low, high, action, stamp


def plain_find(rows: dict[int, list[Any]], buckets: int, key: int) -> tuple[float, tuple[int, ...]]:
    row = rows.get(key & (buckets - 1))
    if row is not None:
        for entry in row:
            if entry[0] == key:
                return entry[1], entry[2]
    return NOTHING_FOUND


def plain_store(rows: dict[int, list[Any]], buckets: int, key: int, value: float, meta: tuple[int, ...]) -> None:
    """As `store`: over the same key, else over the oldest, else over the shallowest. Another generation's entries
    are gone."""
    entry, bucket = (key, value, meta), key & (buckets - 1)
    row = rows.get(bucket)
    if row is None:
        rows[bucket] = [entry]
        return
    place, least = 0, 1 << 40
    for index, (other, _, old) in enumerate(row):
        if other == key:
            row[index] = entry
            return
        worth = old[0] + (2000 if old[5] == meta[5] else 0)
        if worth < least:
            place, least = index, worth
    if len(row) < BUCKET_ENTRIES:
        row.append(entry)
    else:
        row[place] = entry


def plain_list_all(game: Any, memory: Any, state: Any, actions: list[Any]) -> int:
    asked = _asked
    if asked is None or asked.game is not game:
        asked = _ask(game)
    actions[:] = islice(game.actions(state), asked.most + 1)
    return len(actions) if len(actions) <= asked.most else TOO_MANY


def plain_score_all(
    game: Any, memory: Any, state: Any, actions: list[Any], scores: list[float],
    number: int, depth: int, ply: int, maximising: bool,
) -> None:  # fmt: skip
    """As `score_all` in games that are not selective."""
    if number <= 1:
        return
    asked = _asked
    if asked is None or asked.game is not game:
        asked = _ask(game)
    if not asked.ordered:
        scores[:] = [ORDERING_UNIT] * number
    else:
        promised = [game.heuristics.ordering(game, state, action) * ORDERING_UNIT for action in actions]
        scores[:] = [score if score >= 0.0 else 0.0 for score in promised]
    if depth >= memory.history_depth:
        first, second = memory.killers[ply]
        codes = plain_codes(asked.codes[maximising], actions, maximising)
        histories = [*map(memory.history.__getitem__, codes)]
        if first in codes or second in codes:
            for index, code in enumerate(codes):
                if code == first:
                    histories[index] += FIRST_KILLER
                elif code == second:
                    histories[index] += SECOND_KILLER
        scores[:] = map(add, scores, histories)


def plain_leave_unscored(scores: list[float], number: int) -> None:
    scores[:] = [0.0] * number


IN_THEIR_PLACE: dict[Any, Callable[..., Any]] = {
    list_all: plain_list_all,
    own_key: plain_folded_key,
    canonical_key: plain_folded_key,
    leave_unscored: plain_leave_unscored,
    code_of: plain_code_of,
    pack: plain_pack,
    find: plain_find,
    store: plain_store,
}
