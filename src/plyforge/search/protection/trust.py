"""Is the compiled code of somebody's own rules to be trusted? Random games are played at both speeds before it is used
for the first time.

The rules are translated so that compiled code gives what Python gives, or stops. That is a claim about all rules that
anybody will ever write, and so it is not taken on trust: before a game's compiled code answers anybody, it is asked
everything about the states of some random games, in a process of its own, beside the interpreted rules
(`plyforge.check.trial.trial`). The verdict is kept beside the compiled code.

PLYFORGE_TRIALS=0 in the environment leaves the trial out.

Invariant: a verdict holds for one fingerprint of the rules and one version of Plyforge; any other is tried anew.
"""

from __future__ import annotations

import contextlib
import hashlib
import inspect
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

from plyforge.atomic import write_atomically
from plyforge.contract import Game
from plyforge.errors import CannotCompile
from plyforge.kernel import package_digest

if TYPE_CHECKING:
    from plyforge.check.trial.trial import Verdict

PLAYOUTS = 6
SECONDS = 4.0
MADE_OF_DOUBT = ("differs", "crashed", "hung", "memory", "raised")
"""Verdicts that say something against the compiled code. Others say that nothing could be said: that it can't be
compiled is found out anyway."""
_known: dict[str, str] = {}
"""What is to be said against a game's compiled code, by its fingerprint; empty: nothing."""


def is_somebodys_own(game: Game) -> bool:
    """True for rules that are not Plyforge's."""
    start = inspect.getattr_static(type(game), "start", None)
    return getattr(start, "__module__", "").partition(".")[0] != "plyforge"


def require_equal(game: Game) -> None:
    """Hold the trial, unless its verdict is known. Raises CannotCompile where compiled code is not what the rules
    say."""
    name = game.fingerprint()
    if name not in _known and os.environ.get("PLYFORGE_TRIALS") != "0":
        path = _path(name)
        kept = _read(path)
        if kept is None:
            from plyforge.check.trial.trial import compare_in_child  # a start that needs no trial is quicker without

            verdict = compare_in_child(game, 0, playouts=PLAYOUTS, seconds=SECONDS)
            kept = _doubt(verdict)
            if verdict.kind in ("equal", *MADE_OF_DOUBT):
                _keep(path, kept)
        _known[name] = kept
    doubt = _known.get(name, "")
    if doubt:
        raise CannotCompile(doubt)


def _path(name: str) -> Path | None:
    """Where the verdict on rules with this fingerprint is kept; None where nothing can be."""
    from plyforge.kernel.compiling.cache import directory, usable

    folder = directory()
    if not usable(folder):
        return None
    digest = hashlib.sha256(f"{name}\0{package_digest()}".encode()).hexdigest()[:32]
    return folder / f"verdict-{digest}.json"


def _read(path: Path | None) -> str | None:
    """The doubt of a verdict that was kept; None where there is none, or none that can be read."""
    if path is None:
        return None
    try:
        doubt = json.loads(path.read_text())["doubt"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return doubt if isinstance(doubt, str) else None


def _keep(path: Path | None, doubt: str) -> None:
    if path is not None:
        with contextlib.suppress(OSError):  # a cache that can't be written: tried again next time
            write_atomically(path, json.dumps({"doubt": doubt}).encode())


def _doubt(verdict: Verdict) -> str:
    if verdict.kind not in MADE_OF_DOUBT:
        return ""
    return f"its compiled code was tried beside the interpreted rules, and is not used: {verdict.sentence}"
