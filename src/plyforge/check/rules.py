"""The rules of a game, asked from outside: every answer guarded, every question known to whoever watches the clock."""

from __future__ import annotations

import itertools
import time
import traceback
from pathlib import Path
from typing import Any

from plyforge.check import laws
from plyforge.check.ledger import Broken, Ledger, Node, function_at, owner_of
from plyforge.check.missing import missing_function
from plyforge.check.objects import cut, equal, hashable, picture, rebuild, shorten
from plyforge.contract import Game, defines, legal_moves
from plyforge.errors import BadRules
from plyforge.kernel.constant import PACKAGE

MAX_ACTIONS = 100_000
"""More actions than this in one state count as endless."""


def overrides(game: Game, path: str) -> bool:
    """True if the rules have such a function of their own, not the contract's default: `count`, `heuristics.bounds`."""
    owner, name = owner_of(game, path)
    method = getattr(type(owner), name, None)
    declared = owner is game and not hasattr(Game, name)  # a fact for the checker alone
    return callable(method) and (declared or defines(owner, name))


class Rules:
    """A game to be asked. Whatever goes wrong in an answer is raised as Broken."""

    def __init__(self, game: Game, ledger: Ledger) -> None:
        self.game = game
        self.ledger = ledger
        self.node: Node | None = None
        """The state under examination."""
        self.has_keys = True
        self.helpers: set[str] = set()
        """Functions with the name of a fact for the checker that are something else."""

    def declares(self, name: str) -> bool:
        """True if the rules have such a fact for the checker, not a helper of that name."""
        return overrides(self.game, name) and name not in self.helpers

    def ask(self, name: str, *args: Any, on: Game | None = None) -> Any:
        """One answer, of this game or of a copy."""
        self.ledger.tested[laws.RULES_RUN] += 1
        self.ledger.question = (name, self.node, time.perf_counter())
        try:
            return function_at(on or self.game, name)(*args)
        except (Exception, SystemExit) as error:
            raise Broken(laws.RULES_RUN, self._failed(name, error)) from error
        finally:
            self.ledger.question = None

    def legal_moves(self, s: Any) -> list[Any]:
        """All actions or outcomes of a state, as a list."""
        self.ledger.question = ("actions", self.node, time.perf_counter())
        try:
            return legal_moves(self.game, s)
        except (Exception, SystemExit) as error:
            raise Broken(laws.RULES_RUN, self._failed("actions", error)) from error
        finally:
            self.ledger.question = None

    def ask_all(self, name: str, s: Any, on: Game | None = None, law: str = laws.HAS_ACTIONS) -> list[Any]:
        """The items of an answer that is a generator, a list, or anything else to iterate over; None breaks `law`."""
        self.ledger.tested[laws.RULES_RUN] += 1
        self.ledger.question = (name, self.node, time.perf_counter())
        try:
            answer = function_at(on or self.game, name)(s)
            items = None if answer is None else list(itertools.islice(answer, MAX_ACTIONS + 1))
        except (Exception, SystemExit) as error:
            raise Broken(laws.RULES_RUN, self._failed(name, error)) from error
        finally:
            self.ledger.question = None
        if items is None:
            raise Broken(law, f"{name}(s) is None: it must `yield`, or return a tuple")
        self.ledger.tested[laws.FINITE] += 1
        if len(items) > MAX_ACTIONS:
            raise Broken(laws.FINITE, f"{name}(s) gives more than {MAX_ACTIONS:,} items and does not end")
        return items

    # ------------------------------------------------------------ telling states apart
    def learn_kind(self, s: Any) -> None:
        """Find out, from the first state, how states can be told apart."""
        self.kind = type(s)
        name = self.kind.__name__
        try:
            self.comparable = equal(s, rebuild(s))
        except Exception:
            self.comparable = equal(s, s)
            self.ledger.note(f"states ({name}) can't be copied: they were not asked as fresh copies")
        self.hashable = hashable(s)
        if not self.comparable:
            self.ledger.note(
                f"states ({name}) have no equality of their own: searches know them again by what they hold, but what"
                " numbers all states of a game can't"
            )
        elif not self.hashable:
            self.ledger.note(
                f"states ({name}) are not hashable: searches know them again by what they hold, but what numbers all"
                " states of a game can't"
            )
        if not overrides(self.game, "key"):
            try:
                self.game.key(s)
            except BadRules as error:
                self.has_keys = False
                self.ledger.note(f"states have no key: {error}")

    def identity(self, s: Any) -> Any:
        """What stands for a state in a dict."""
        return s if self.comparable and self.hashable and hashable(s) else picture(s)

    def same(self, one: Any, other: Any) -> bool:
        """True if two states are equal."""
        return equal(one, other) if self.comparable else picture(one) == picture(other)

    def no_state(self, after: Any) -> str | None:
        """Why an answer is no state of this game, in words."""
        if after is None:
            return "is None: it must return the next state"
        if issubclass(self.kind, tuple) and not isinstance(after, self.kind):
            return f"is {shorten(after)}, a {type(after).__name__}, but start() gave a {self.kind.__name__}"
        if type(after).__name__ in ("generator", "function", "method"):
            return f"is a {type(after).__name__}, not a state"
        return None

    def _failed(self, name: str, error: BaseException) -> str:
        """That a function of the rules raised something, or is not there."""
        return missing_function(type(self.game), error) or f"{name} raised {describe(error)}"

    def twin(self, s: Any) -> Any:
        """An equal state made anew; the state itself where it can't be copied."""
        try:
            return rebuild(s)
        except Exception:
            return s


def describe(error: BaseException) -> str:
    """An exception in words, with the line of the rules that raised it."""
    message = str(error).splitlines()
    what = f"{type(error).__name__}: {cut(message[0])}" if message else type(error).__name__
    frames = traceback.extract_tb(error.__traceback__)
    outside = [frame for frame in frames if not Path(frame.filename).is_relative_to(PACKAGE)]
    ours = [frame for frame in frames if not Path(frame.filename).is_relative_to(PACKAGE / "check")]
    if not (outside or ours):
        return what
    frame = (outside or ours)[-1]
    return f"{what} (line {frame.lineno} of {Path(frame.filename).name})"
