"""Is the compiled code of somebody's own rules to be trusted? Random games are played at both speeds before it is used for the first time.

The rules are translated so that compiled code gives what Python gives, or stops. That is a claim about all rules that anybody will ever write, and so
it is not taken on trust: before a game's compiled code answers anybody, it is asked everything about the states of some random games,
in a process of its own, beside the interpreted rules (`plyforge.check.trial`). The verdict is kept beside the compiled code.

Invariant: a verdict holds for one fingerprint of the rules and one version of Plyforge; any other is tried anew.
"""

from __future__ import annotations

import hashlib
import inspect
import json
import threading
from pathlib import Path

from plyforge.atomic import write_atomically
from plyforge.check.trial import Verdict, compare_in_child
from plyforge.errors import CannotCompile
from plyforge.game import Game
from plyforge.kernel import package_digest

PLAYOUTS = 6
SECONDS = 4.0
MADE_OF_DOUBT = ("differs", "crashed", "hung", "memory", "raised")
"""Verdicts that say something against the compiled code. Others say that nothing could be said: that it can't be compiled is found out anyway."""
_known: dict[str, str] = {}
"""What is to be said against a game's compiled code, by its fingerprint; empty: nothing."""


def is_somebodys_own(game: Game) -> bool:
    """True for rules that are not Plyforge's."""
    start = inspect.getattr_static(type(game), "start", None)
    return getattr(start, "__module__", "").partition(".")[0] != "plyforge"


class Trial:
    """A trial that goes on while something else is compiled, unless its verdict is known."""

    def __init__(self, game: Game) -> None:
        self.name, self.game = game.fingerprint(), game
        self.thread: threading.Thread | None = None
        if self.name not in _known and not self._read():
            self.thread = threading.Thread(target=self._hold, daemon=True, name="plyforge trial")
            self.thread.start()

    def require_equal(self) -> None:
        """Wait for the verdict. Raises CannotCompile where compiled code is not what the rules say."""
        if self.thread is not None:
            self.thread.join()
        doubt = _known.get(self.name, "")
        if doubt:
            raise CannotCompile(doubt)

    def _hold(self) -> None:
        verdict = compare_in_child(self.game, 0, playouts=PLAYOUTS, seconds=SECONDS)
        doubt = _doubt(verdict)
        _known[self.name] = doubt
        if verdict.kind in ("equal", *MADE_OF_DOUBT):
            self._keep(doubt)

    def _path(self) -> Path | None:
        from plyforge.kernel.cache import directory, usable

        folder = directory()
        if not usable(folder):
            return None
        digest = hashlib.sha256(f"{self.name}\0{package_digest()}".encode()).hexdigest()[:32]
        return folder / f"verdict-{digest}.json"

    def _read(self) -> bool:
        path = self._path()
        if path is None:
            return False
        try:
            content = json.loads(path.read_text())
            doubt = content["doubt"]
        except (OSError, ValueError, KeyError, TypeError):
            return False
        if not isinstance(doubt, str):
            return False
        _known[self.name] = doubt
        return True

    def _keep(self, doubt: str) -> None:
        path = self._path()
        if path is not None:
            try:
                write_atomically(path, json.dumps({"doubt": doubt}).encode())
            except OSError:  # a cache that can't be written: tried again next time
                return


def _doubt(verdict: Verdict) -> str:
    if verdict.kind not in MADE_OF_DOUBT:
        return ""
    return f"its compiled code was tried beside the interpreted rules, and is not used: {verdict.sentence}"
