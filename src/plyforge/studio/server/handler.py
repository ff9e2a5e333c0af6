"""What all desks share. A desk is the server's side of one view on one page: it holds what is in progress there.

    class PlayDesk(Desk):
        @does
        def move(self, action: str, *, seconds: float = 1.0) -> dict[str, Any]:
            self.session.play(action)
            self.tell("moved", {"by": "person"})                 # news
            return {"state": ...}                                # the answer to {"id": 7, "do": "play.move", "action":
                                                                 "d3"}

        def close(self) -> None:                                 # the page has gone: stop what runs
            self.engine.stop()

What a page may send for each `do` is what the method's signature says: names that it does not have, missing ones and
values of another type are answered with an error in words, and never reach the method. A PlyforgeError is the answer's
`error`; any other exception is a bug, in somebody's rules or here, and the page is told which (`error_attribution.py`);
one that is not surely of the rules is written to the terminal.

Methods of one desk run one after the other, in the desk's own thread, never in the server's; the rules of games may be
slow. What has to get through meanwhile, such as `stop`, is marked `@does(at_once=True)` and runs in another thread
beside them.

A desk knows its surroundings only as a `Room`, so that it can be tested without a server:

    desk = PlayDesk(Room())
    desk.do("move", action="d3");  desk.room.told
"""

from __future__ import annotations

import inspect
import types
import typing
from collections.abc import Callable
from typing import Any, ClassVar, TypeVar, overload

from plyforge.contract import Game
from plyforge.errors import PlyforgeError
from plyforge.studio.library.library import Shelf
from plyforge.studio.server.artifacts import Made

Method = TypeVar("Method", bound=Callable[..., Any])


class BadRequest(PlyforgeError):
    """A page has sent what it should not."""


class Room:
    """What a desk stands in: the games on the shelf, and ways to reach the page. This one is for tests: it keeps
    what is told."""

    def __init__(self, shelf: Shelf | None = None) -> None:
        self.shelf = Shelf() if shelf is None else shelf
        self.made = Made()
        self.told: list[tuple[str, dict[str, Any]]] = []

    def tell(self, kind: str, fields: dict[str, Any], of: str = "") -> None:
        """Send news to the page, from any thread. See `Desk.tell`."""
        self.told.append((kind, fields))

    def make(self, name: str, content: bytes | str, media_type: str) -> str:
        """Keep something for the page to fetch; its address. See `Desk.make`."""
        return self.made.add(name, content, media_type, owner=self)

    def native(self, game: Game, using: str | None = None) -> bool | None:
        """How fast a search may run now. See `Desk.native`."""
        return False


class Desk:
    """The server's side of one view on one page; see the module's text."""

    def __init__(self, room: Room) -> None:
        self.room = room

    def game(self, name: str) -> Game:
        """The game that a page calls `name`: of the catalogue, with arguments or without, or an own one. Never a
        path."""
        return self.room.shelf.game(name)

    def tell(self, kind: str, fields: dict[str, Any], of: str = "") -> None:
        """Send news, from any thread: `{"news": kind, ...fields}`.

        At most ten a second of a kind: what comes faster replaces what has not been sent yet, and the last always
        arrives. So news says how things stand, not what has changed. `of` tells apart what must not replace each other
        (two engines side by side).
        """
        self.room.tell(kind, fields, of)

    def make(self, name: str, content: bytes | str, media_type: str) -> str:
        """Keep something large for the page to fetch, and give its address (`/made/...`), as long as the page is
        open."""
        return self.room.make(name, content, media_type)

    def native(self, game: Game, using: str | None = None) -> bool | None:
        """How fast a search of this game may run now, as `Engine` and `search` want it for `native`.

        None if it is compiled already, or never will be. False if it is not yet: then compiling begins in the
        background, the page shows a note, and news of kind "compiled" (with `game` and `using`) comes when the next
        search may be fast. So the first move never waits.
        """
        return self.room.native(game, using)

    def count_from(self, first: int) -> None:
        """Begin to count at `first` whatever is numbered for the page: another desk of the page has counted up to
        there."""

    def close(self) -> None:
        """The page has gone: stop what runs, let go of what is held. Called once, in any thread; must not block.

        Nothing that a desk keeps may lead back to it, such as a function that calls one of its methods (one that uses
        `room` is fine): it would keep the desk, and its engines and tables, until Python next looks for what nobody can
        reach.
        """

    # ------------------------------------------------------------ requests
    deeds: ClassVar[dict[str, Deed]] = {}
    """What pages may ask for, by name."""

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        cls.deeds = dict(cls.deeds) | {
            name: Deed(value)
            for name, value in vars(cls).items()
            if inspect.isfunction(value) and hasattr(value, "at_once")
        }

    def does_at_once(self, name: str) -> bool:
        """True if a request does not wait for those before it."""
        return name in self.deeds and self.deeds[name].at_once

    def do(self, name: str, /, **fields: Any) -> dict[str, Any]:
        """Answer a request. Raises BadRequest if it is not what the method takes."""
        deed = self.deeds.get(name)
        if deed is None:
            raise BadRequest(f"there is nothing called {name!r} to do here; there is {', '.join(self.deeds)}")
        deed.check(fields)
        answer = deed.function(self, **fields)
        return {} if answer is None else answer


@overload
def does(function: Method) -> Method: ...
@overload
def does(*, at_once: bool) -> Callable[[Method], Method]: ...
def does(function: Any = None, *, at_once: bool = False) -> Any:
    """Mark a method of a desk that answers requests of its name."""
    if function is None:
        return lambda function: _marked(function, at_once)
    return _marked(function, at_once)


def _marked(function: Any, at_once: bool) -> Any:
    function.at_once = at_once
    return function


class Deed:
    """A method that answers requests, and what it takes."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self.name = function.__name__
        self.at_once: bool = function.at_once  # type: ignore[attr-defined]
        self.parameters = list(inspect.signature(function).parameters.values())[1:]
        self._kinds: dict[str, tuple[type, ...]] | None = None

    @property
    def kinds(self) -> dict[str, tuple[type, ...]]:
        """The types that each parameter may have; read when first needed, since annotations may name what comes
        later in a file."""
        if self._kinds is None:
            hints = typing.get_type_hints(self.function)
            self._kinds = {each.name: _types(hints.get(each.name, Any)) for each in self.parameters}
        return self._kinds

    def check(self, fields: dict[str, Any]) -> None:
        """Raise BadRequest unless the method can be called with these."""
        kinds = self.kinds
        for name, value in fields.items():
            if name not in kinds:
                raise BadRequest(f"{self.name} takes no {name!r}; it takes {', '.join(kinds) or 'nothing'}")
            if kinds[name] and type(value) not in kinds[name]:
                wanted = " or ".join(_WORDS.get(kind, kind.__name__) for kind in kinds[name])
                raise BadRequest(f"{self.name}: {name!r} must be {wanted}")
        for each in self.parameters:
            if each.default is each.empty and each.name not in fields:
                raise BadRequest(f"{self.name} needs {each.name!r}")


_WORDS: dict[type, str] = {
    str: "text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    list: "a list",
    dict: "an object",
    type(None): "null",
}


def _types(hint: Any) -> tuple[type, ...]:
    """The types that JSON may have where a parameter is annotated so; () for anything."""
    if hint is Any:
        return ()
    if isinstance(hint, types.UnionType) or typing.get_origin(hint) is typing.Union:
        parts = [_types(part) for part in typing.get_args(hint)]
        return () if () in parts else tuple(dict.fromkeys(kind for part in parts for kind in part))
    kind = typing.get_origin(hint) or hint
    return (int, float) if kind is float else (kind,)


__all__ = ["BadRequest", "Deed", "Desk", "Room", "does"]
