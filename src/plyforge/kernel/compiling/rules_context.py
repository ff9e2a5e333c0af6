"""What compiling knows of the game whose rules it compiles: the types of its states, and which rules are translated."""

from __future__ import annotations

import hashlib
import inspect
from typing import Any

from plyforge.errors import CannotCompile
from plyforge.kernel.compiling.room import more_room, room_of
from plyforge.kernel.constant import Constant
from plyforge.kernel.translate import AS_WRITTEN, Context, is_foreign, translated

in_machine_words: set[Any] = set()
"""Functions of rules that are compiled as they are written, since their game says `machine_words`; the functions
that they call are, too."""


companions_in_machine_words: dict[int, Constant] = {}
"""Companions of games that say `machine_words`, by their places in memory."""


_known_contexts: dict[str, Context] = {}


def rules_context(game: Any, fingerprint: str | None = None) -> Context | None:
    """What a translation of a game's rules knows of it; None for what is not rules of somebody's own. Raises
    CannotCompile."""
    start = inspect.getattr_static(type(game), "start", None)
    if not is_foreign(start) or not hasattr(game, "actions") or means_machine_words(game):
        return None
    name = fingerprint or game.fingerprint()
    if name not in _known_contexts:
        from plyforge.kernel.compiling.layout import Layout, states_and_observations

        room = room_of(name)
        try:
            layout = Layout(states_and_observations(game), room)
        except CannotCompile as reason:
            from plyforge.kernel.compiling.obstacles import with_what_is_written

            raise CannotCompile(with_what_is_written(game, f"{type(game).__name__}: {reason}")) from None
        fields = sorted((c.__qualname__, str(f)) for c, f in layout.fields.items())
        described = repr((layout.state, fields, room.growth))
        digest = hashlib.sha256(described.encode()).hexdigest()[:16]
        wide = layout.holds_wide or room.wide
        _known_contexts[name] = Context(
            game, layout.fields, layout.state, wide, room.growth, layout.holds_cells, f"@{digest}"
        )
    return _known_contexts[name]


def means_machine_words(owner: Any) -> bool:
    """True for rules of somebody's own that are to be compiled as they are written, as Plyforge's own are: see
    `Constant.machine_words`."""
    return bool(getattr(owner, "machine_words", False)) or id(owner) in companions_in_machine_words


def as_compiled(owner: Any, function: Any, known: Context, form: str = AS_WRITTEN) -> Any:
    """A function of a Constant in the form that is compiled."""
    if not means_machine_words(owner):
        return translated(function, known, form)
    in_machine_words.add(function)
    return function


def give_more_room(game: Any, complaint: str) -> bool:
    """Compile a game's rules anew with more room for numbers, where what stopped them says that it may help."""
    name = game.fingerprint()
    if name not in _known_contexts or not more_room(name, complaint):
        return False
    _known_contexts.pop(name)
    return True


def state_type(game: Any, state: Any) -> Any:
    """The compiled type of a game's states; None where that is what the compiler sees in the state itself."""
    context = rules_context(game)
    if context is None or isinstance(state, Constant):
        return None
    if not isinstance(state, (tuple, str, list, dict, frozenset)) and type(state) not in context.fields:
        return None
    return context.state
