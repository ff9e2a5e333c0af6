"""Which names Plyforge asks rules for, and what each of them is: read off `Game` itself.

Rules are classes with helpers of their own, and a helper may have a name that means something here: `count(board, r,
c)` hides `count(s)`, a constant `key = (...)` hides `key(s)`, a field `utility_sum` what the utilities add up to.
Asked with other arguments than it takes, such a name fails far from where it was written; so it is noticed before
anything runs, by what it takes and what it is. A helper that takes just what a hook takes can't be told from one.

Invariant: no name is listed here. What `Game` has is what rules may be asked for.
"""

from __future__ import annotations

import ast
import functools
import inspect
import textwrap
import types
import typing
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from plyforge.contract.companions.companion import Companion
from plyforge.contract.game import Game
from plyforge.contract.hooks import HOOKS, companions
from plyforge.errors import BadRules
from plyforge.plain_text import first_paragraph

STATES = ("s", "state", "position", "pos", "node", "_", "_s", "_state", "self")
"""What somebody may call a state anywhere."""
SHOWN = 60
"""A value in a message is cut to so many letters."""


class Declared:
    """What rules may declare for the checker alone to hold them to; nothing else asks it, so that it is no part of
    `Game`."""

    def winner(self, s: Any) -> int | None:
        """The player who has won in a terminal state, None if nobody has."""

    def moves_again(self, s: Any, action: Any) -> bool:
        """True if whoever takes `action` moves next, too."""
        return False


class Asked(NamedTuple):
    """A name that rules may be asked for."""

    name: str
    parameters: tuple[str, ...] | None
    """What a function takes, without `self`; None for a fact, which is no function."""
    kind: Any
    """The type of a fact."""
    says: str
    """What it is, in words."""

    @property
    def text(self) -> str:
        """The name as it is asked, and what it means."""
        call = self.name if self.parameters is None else f"{self.name}({', '.join(self.parameters)})"
        return f"{call}: {self.says}" if self.says else call


class Collision(NamedTuple):
    """A name of the rules that is not what it is asked for."""

    name: str
    sentence: str
    is_claim: bool
    """True: a fact whose value makes no sense. False: another thing altogether has the name."""


# ------------------------------------------------------------ what is asked
@functools.cache
def asked_of(cls: type) -> dict[str, Asked]:
    """All public names of the contract, from its own text."""
    told = _told(cls)
    found = {}
    for name in dir(cls):
        value = inspect.getattr_static(cls, name)
        if name.startswith("_") or name == "python_only" or isinstance(value, Companion):
            continue
        if inspect.isfunction(value):
            parameters = list(inspect.signature(value).parameters.values())[1:]
            if all(each.kind is not each.VAR_POSITIONAL for each in parameters):  # a convenience for people
                names = tuple(each.name for each in parameters)
                found[name] = Asked(name, names, None, _first_sentence(value.__doc__))
        elif isinstance(value, property):
            kind = typing.get_type_hints(value.fget).get("return", Any)
            found[name] = Asked(name, None, kind, _first_sentence(value.__doc__))
        else:
            kind = typing.get_type_hints(cls).get(name, type(value))
            found[name] = Asked(name, None, kind, _first_sentence(told.get(name)))
    return found


def _told(cls: type) -> dict[str, str]:
    """The texts under the facts of a class and of those it comes from."""
    found: dict[str, str] = {}
    for base in reversed(cls.__mro__):
        found.update(_told_in(base))
    return found


def _told_in(cls: type) -> dict[str, str]:
    """The texts under a class's own facts."""
    try:
        body = ast.parse(textwrap.dedent(inspect.getsource(cls))).body[0]
    except (OSError, TypeError, SyntaxError):
        return {}
    assert isinstance(body, ast.ClassDef)
    found = {}
    for fact, text in zip(body.body, body.body[1:], strict=False):
        if isinstance(fact, ast.AnnAssign) and isinstance(fact.target, ast.Name) and isinstance(text, ast.Expr):
            if isinstance(text.value, ast.Constant) and isinstance(text.value.value, str):
                found[fact.target.id] = text.value.value
    return found


def _first_sentence(text: str | None) -> str:
    sentence = first_paragraph(text).partition(". ")[0].rstrip(". ")
    first = sentence.partition(" ")[0].rstrip(",:;")
    keeps = first in ("True", "False") or (first.isupper() and len(first) > 1)
    return sentence if keeps else sentence[:1].lower() + sentence[1:]


# ------------------------------------------------------------ what the rules have
def collisions(game: Game) -> tuple[Collision, ...]:
    """Every name of the rules that Plyforge would ask in vain, with what to do."""
    asked = asked_of(Game)
    kinds = tuple((name, type(value)) for name, value in vars(game).items() if name in asked)
    looked_at = _looked_at.setdefault(type(game), {})
    if kinds not in looked_at:
        looked_at[kinds] = tuple(_find(game))
    return looked_at[kinds]


_looked_at: WeakKeyDictionary[type, dict[Any, tuple[Collision, ...]]] = WeakKeyDictionary()
"""By class, and by the types of what the game holds under such names."""


def require_names(game: Game) -> None:
    """Raise BadRules where a name of the rules is not what it is asked for."""
    found = collisions(game)
    if found:
        raise BadRules(f"{type(game).__name__}: {'; '.join(each.sentence for each in found)}")


def undeclared(game: Game) -> tuple[Collision, ...]:
    """Functions with the names of facts for the checker that take something else: helpers, which are not asked."""
    found = (
        _of_function(game, each) or _of_another_thing(game, each)
        for each in asked_of(Declared).values()
        if callable(getattr(game, each.name, None))
    )
    return tuple(each for each in found if each is not None)


def _of_another_thing(game: Game, asked: Asked) -> Collision | None:
    """What takes something that these rules do not call a state: `winner(self, board)` beside `result(self, s,
    action)`."""
    usual = next(iter(inspect.signature(game.result).parameters), None)
    first = next(iter(inspect.signature(getattr(game, asked.name)).parameters), None)
    if first == usual or first in STATES:
        return None
    yours = (
        f"yours takes ({first}), where result takes ({usual}): if it is a helper, rename it, or let it take ({usual})"
    )
    return _other(asked, yours)


def doubtful(game: Game, state: Any) -> tuple[Collision, ...]:
    """Functions that take what a hook takes, but call it by the name of a field of the state: they may mean that
    field alone."""
    fields: Any = getattr(state, "_fields", None) or getattr(state, "__dataclass_fields__", ())
    usual = next(iter(inspect.signature(game.result).parameters), None)  # what these rules call a state
    found = []
    for asked in (*asked_of(Game).values(), *asked_of(Declared).values()):
        own = inspect.getattr_static(game, asked.name, None)
        if own is inspect.getattr_static(Game, asked.name, None) or asked.parameters is None:
            continue
        if not inspect.isfunction(own) or asked.parameters[:1] != ("s",):
            continue
        first = next(iter(inspect.signature(getattr(game, asked.name)).parameters), None)
        if first in fields and first != usual:
            yours = (
                f"yours takes ({first}), and so is a field of the state called: if it is to be given that field,"
                " rename it"
            )
            found.append(_other(asked, yours))
    return (*found, *_of_hooks_elsewhere(game))


def _of_hooks_elsewhere(game: Game) -> Iterator[Collision]:
    """What the game has that looks like a hook or a fact of a companion: nobody asks it there."""
    for companion, default in companions().items():
        for name, asked in asked_of(type(default)).items():  # type: ignore[arg-type]
            own = inspect.getattr_static(game, name, None)
            is_fact = asked.parameters is None and not hasattr(Game, name)
            if is_fact and own is not None and _is_meant(asked, own):
                sentence = (
                    f"`{name}` is a fact of `{companion}`, and nobody asks it of the game: if it is meant, write it in"
                    f" a class of {type(default).__name__}, and `{companion} = ThatClass()` in the game"
                )
                yield Collision(name, sentence, is_claim=False)
    for hook in HOOKS:
        own = inspect.getattr_static(type(game), hook.name, None)
        if not hook.companion or not inspect.isfunction(own) or hook.defined_by(game):
            continue
        if tuple(inspect.signature(own).parameters)[1:] == hook.arguments and not hasattr(Game, hook.name):
            call = f"{hook.name}({', '.join(('self', 'game', *hook.arguments))})"
            where = type(getattr(Game, hook.companion)).__name__
            sentence = (
                f"`{hook.name}` is a hook of `{hook.companion}`, and nobody asks it of the game: if it is meant, "
                f"write {call} in a class of {where}, and `{hook.companion} = ThatClass()` in the game"
            )
            yield Collision(hook.name, sentence, is_claim=False)


def _is_meant(asked: Asked, own: Any) -> bool:
    """True if what the game has under the name of a companion's fact could be that fact."""
    return not inspect.isroutine(own) and (isinstance(own, property) or _fits(asked.kind, own))


def _find(game: Game) -> list[Collision]:
    return [*_of_owner(game, Game), *_of_companions(game)]


def _of_owner(owner: Any, contract: type) -> Iterator[Collision]:
    """What the game, or a companion of it, has under names that the contract asks."""
    for name, asked in asked_of(contract).items():
        own = inspect.getattr_static(owner, name)
        if own is inspect.getattr_static(contract, name):
            continue
        collision = _of_fact(owner, asked, own) if asked.parameters is None else _of_function(owner, asked)
        if collision is not None:
            yield collision


def _of_companions(game: Game) -> Iterator[Collision]:
    """Companions that are something else, and what is not right in those that are companions."""
    for name, default in companions().items():
        try:
            value, contract = getattr(game, name), type(default)
        except Exception:  # a property that fails says so itself where it is asked
            continue
        if not isinstance(value, contract):
            hint = f"{contract.__name__}()" if value is contract else f"an object of a class of {contract.__name__}"
            sentence = f"`{name}` is a name that Plyforge asks; yours is {_shown(value)}: it must be {hint}"
            yield Collision(name, sentence, is_claim=False)
        elif type(value) is not contract:
            for each in _of_owner(value, contract):
                yield Collision(f"{name}.{each.name}", f"{type(value).__name__}: {each.sentence}", each.is_claim)


def _of_function(game: Any, asked: Asked) -> Collision | None:
    """What the rules have where a function is asked."""
    assert asked.parameters is not None
    own = inspect.getattr_static(game, asked.name)
    if isinstance(own, (property, functools.cached_property)):
        return _other(asked, "yours is a property: rename it")
    value = getattr(game, asked.name)
    if not callable(value):
        what = "a field" if asked.name in vars(game) else _article(type(value).__name__)
        return _other(asked, f"yours is {what}, {_shown(value)}: rename it")
    try:
        signature = inspect.signature(value)
    except (TypeError, ValueError):  # written in C: nobody can say
        return None
    if _takes(signature, len(asked.parameters)):
        return None
    wanted = ", ".join(asked.parameters)
    raw = inspect.signature(own) if inspect.isfunction(own) else None
    if raw is not None and next(iter(raw.parameters), "") != "self" and _takes(raw, len(asked.parameters)):
        return _other(asked, f"yours has no self: write {asked.name}({', '.join(('self', *asked.parameters))})")
    return _other(asked, f"yours takes {_listed(signature)}: rename it, or let it take ({wanted})")


def _of_fact(game: Any, asked: Asked, own: Any) -> Collision | None:
    """What the rules have where a fact is asked."""
    if inspect.isroutine(own) or isinstance(own, (staticmethod, classmethod)):
        takes = _listed(inspect.signature(getattr(game, asked.name)))
        return _other(asked, f"yours is a function that takes {takes}: rename it")
    try:
        value = getattr(game, asked.name)
    except Exception:  # a property that fails says so itself where it is asked
        return None
    if _fits(asked.kind, value):
        return None
    sentence = (
        f"`{asked.name}` is a name that Plyforge asks ({asked.text}); yours is {_shown(value)}: it must be"
        f" {_words(asked.kind)}"
    )
    return Collision(asked.name, sentence, is_claim=True)


def _other(asked: Asked, yours: str) -> Collision:
    return Collision(asked.name, f"`{asked.name}` is a name that Plyforge asks ({asked.text}); {yours}", False)


def _takes(signature: inspect.Signature, number: int) -> bool:
    try:
        signature.bind(*range(number))
    except TypeError:
        return False
    return True


def _listed(signature: inspect.Signature) -> str:
    stars: dict[Any, str] = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
    parameters = signature.parameters.values()
    return f"({', '.join(stars.get(each.kind, '') + each.name for each in parameters)})" if parameters else "nothing"


def _shown(value: Any) -> str:
    try:
        text = repr(value)
    except Exception:
        text = f"a {type(value).__name__}"
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 3]}..."


def _article(noun: str) -> str:
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


# ------------------------------------------------------------ the types of facts
def _is_union(kind: Any) -> bool:
    return typing.get_origin(kind) in (typing.Union, types.UnionType)


def _fits(kind: Any, value: Any) -> bool:
    if _is_union(kind):
        return any(_fits(each, value) for each in typing.get_args(kind))
    if typing.get_origin(kind) is tuple:
        item = typing.get_args(kind)[0]
        return isinstance(value, (tuple, list)) and all(_fits(item, each) for each in value)
    test = _TESTS.get(kind)
    return test is None or test(value)


def _words(kind: Any) -> str:
    if _is_union(kind):
        return " or ".join(_words(each) for each in typing.get_args(kind))
    if typing.get_origin(kind) is tuple:
        return f"a tuple, each item {_words(typing.get_args(kind)[0])}"
    return _WORDS.get(kind, getattr(kind, "__name__", str(kind)))


_BOOLS = (bool, np.bool_)
_TESTS: dict[Any, Callable[[Any], bool]] = {
    int: lambda value: isinstance(value, (int, np.integer)) and not isinstance(value, _BOOLS),
    float: lambda value: isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, _BOOLS),
    bool: lambda value: isinstance(value, _BOOLS),
    str: lambda value: isinstance(value, str),
    type(None): lambda value: value is None,
}
_WORDS = {int: "a whole number", float: "a number", bool: "True or False", str: "text", type(None): "None"}
