"""The errors that Plyforge raises on purpose.

    PlyforgeError
    ├── GameNotFound       no game, file or class of that name
    ├── BadRules           the rules, or an evaluate or policy given along, break the contract or fail; says which
    ├── BadText            a state, an action or a file that can't be read
    ├── IllegalAction      well-formed, but not allowed in this state
    ├── BadLimits          a depth, node or time limit out of range
    ├── Unsuitable         this search is not sound for this game; says what to use instead
    ├── WrongMoment        asked of an engine while it thinks, or before it was started
    ├── NoPath             no end of the game can be reached from this state
    ├── TooDeep            the recursion bound was reached: the game is very long, or endless
    └── CannotCompile      the rules run interpreted, but not natively; says which line, and why
        └── Inexact        compiled rules met something that machine code can't do as Python does, and stopped
            └── TooLittleRoom   a number had too few bits: they are compiled anew

Every message says what was wrong, where, and what to do. The command line shows the message
alone and exits with code 2; anything that is not a PlyforgeError is a bug, and keeps its traceback.
"""

from typing import Any


class PlyforgeError(Exception):
    """Base of all errors below."""


class GameNotFound(PlyforgeError):
    """No game, file or class of that name."""


class BadRules(PlyforgeError):
    """The rules, or an evaluate or policy that was given along, break the contract, or fail while they run."""


class BadText(PlyforgeError):
    """A state, an action or a file that can't be read."""


class IllegalAction(PlyforgeError):
    """A well-formed action that is not allowed in this state."""


class BadLimits(PlyforgeError):
    """A depth, node or time limit out of range."""


class Unsuitable(PlyforgeError):
    """The search is not sound for this game."""


class WrongMoment(PlyforgeError):
    """Asked at the wrong time: an engine for a second start while it thinks, or to wait before any start; a session
    for what is hidden until the game is over."""


class NoPath(PlyforgeError):
    """No end of the game can be reached from this state."""


class TooDeep(PlyforgeError):
    """The recursion bound was reached."""


class CannotCompile(PlyforgeError):
    """The rules run interpreted, but can't be compiled as they are written."""


class Inexact(CannotCompile):
    """Compiled rules stopped where machine code would not have given what Python gives: the call is made again,
    interpreted."""


class TooLittleRoom(Inexact):
    """They stopped because a number had too few bits, and get more: the call is made again, compiled anew."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C, as anywhere; in `found` is what had been found until then."""

    def __init__(self, found: Any) -> None:
        super().__init__()
        self.found = found
