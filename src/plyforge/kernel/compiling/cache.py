"""Where compiled kernels are kept between processes.

One file per kernel and signature, in a directory that only its owner may enter. A file's name is a digest of all that
the machine code depends on: the kernel, the types of its arguments (a game's type holds the digest of its rules), those
of Plyforge's own sources that it reaches (`reach.py`), the versions of Python, NumPy, Numba and llvmlite, the
processor, the compiler's flags. So a stale file is never asked for, and two processes that write the same file write
the same content. Numba's own cache numbers its files in a shared index, where two processes that compile two games at
once can overwrite each other's code; see docs/decisions/0002.

Files are written aside and renamed. They start with a checksum of the rest, so that a file cut short
by a full disk or a killed process is a miss, not a crash. They hold Numba's pickles, which is why
the directory must belong to this user with no rights for others: otherwise it is not used at all.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import pickle
import stat
import sys
import time
import uuid
from pathlib import Path
from typing import Any

import llvmlite
import numba
import numpy as np
from numba.core import config
from numba.core.caching import _Cache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from plyforge.atomic import write_atomically
from plyforge.kernel.compiling import reach
from plyforge.kernel.compiling.not_kept import tell

KEEP_SECONDS = 30 * 24 * 3600
UNRESOLVED = b".numba.unresolved$"
"""Begins the names of functions that were called before they were compiled: by a helper of one that calls itself,
say in a comprehension. Numba finds their addresses in the process that compiles them. Loaded from a file nobody would,
and the first call would end the process: such code is compiled anew in every process."""


def directory() -> Path:
    """A folder of our own, `plyforge-kernels`, in $PLYFORGE_CACHE_DIR or in the user's cache directory."""
    for name in ("PLYFORGE_CACHE_DIR", "XDG_CACHE_HOME"):
        chosen = os.environ.get(name)
        if chosen:
            return Path(chosen) / "plyforge-kernels"
    return Path(os.path.expanduser("~")) / ".cache" / "plyforge-kernels"  # noqa: PTH111  (never fails)


def usable(path: Path) -> bool:
    """True if `path` is, or can be made, a directory that is ours alone. It may be read-only."""
    return not trouble_with(path)


def trouble_with(path: Path) -> str:
    """Why a directory is not used, in words; empty if it is."""
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = path.stat()
    except FileExistsError:
        return "it is not a directory"
    except OSError as error:
        return f"it can't be made ({error.strerror})"
    if not stat.S_ISDIR(found.st_mode):
        return "it is not a directory"
    if hasattr(os, "getuid") and found.st_uid != os.getuid():
        return "it belongs to another user"
    return "others may enter it" if os.name == "posix" and found.st_mode & 0o077 else ""


class KernelCache(_Cache):
    """The cache of one kernel, in the form that Numba's dispatchers ask for."""

    def __init__(self, function: Any, identity: str) -> None:
        self._function = function
        self._identity = identity
        self._enabled = True
        self._digests: dict[str, str] = {}

    @property
    def cache_path(self) -> str:
        return str(directory())

    def enable(self) -> None:
        self._enabled = True

    def disable(self) -> None:
        self._enabled = False

    def flush(self) -> None:
        """Forget nothing: files of other processes are not ours to remove."""

    def _path(self, signature: Any, codegen: Any) -> Path:
        parts = (
            self._identity,
            hashlib.sha256(self._function.__code__.co_code).hexdigest(),
            str(signature),
            repr(codegen.magic_tuple()),
            self._reached(signature),
            sys.version,
            numba.__version__,
            llvmlite.__version__,
            np.__version__,
            repr((config.OPT, config.BOUNDSCHECK, config.DEBUGINFO_DEFAULT, config.FULL_TRACEBACKS)),
        )
        digest = hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]
        return directory() / f"{self._function.__name__}-{digest}.kernel"

    def _reached(self, signature: Any) -> str:
        """The digest of what the code for these types depends on, found once: compiling changes nothing of it."""
        name = str(signature)
        if name not in self._digests:
            kinds = signature if isinstance(signature, tuple) else signature.args
            try:
                self._digests[name] = reach.digest(self._function, kinds)
            except Exception:  # values of somebody's own may do anything when they are looked at
                self._digests[name] = uuid.uuid4().hex  # compiled for this process only
        return self._digests[name]

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled function for these argument types, or None."""
        if not self._enabled or not usable(directory()):
            return None
        target_context.refresh()
        try:
            content = self._path(sig, target_context.codegen()).read_bytes()
            checksum, payload = content[:32], content[32:]
            if hashlib.sha256(payload).digest() != checksum:
                return None
            result = CompileResult._rebuild(target_context, *pickle.loads(payload))
        except Exception:  # whatever is wrong with a file: compile again
            return None
        wanted = tuple(sig) if isinstance(sig, tuple) else tuple(sig.args)
        return result if tuple(result.signature.args) == wanted else None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep a compiled function. A directory that can't be written is no reason to fail, and is told of."""
        if not self._enabled or data.library.has_dynamic_globals:
            return
        trouble = trouble_with(directory())
        if trouble:
            tell(directory(), trouble)
            return
        payload = dumps(data._reduce())
        if UNRESOLVED in payload:
            return
        path = self._path(sig, data.codegen)
        try:
            write_atomically(path, hashlib.sha256(payload).digest() + payload)
        except OSError as error:
            tell(directory(), f"it can't be written ({error.strerror or error})")
            return
        _forget_old(path.parent)


def _forget_old(path: Path) -> None:
    """Remove what has not been written for a month: sources change, and nothing else would clear it."""
    limit = time.time() - KEEP_SECONDS
    for file in path.iterdir():
        with contextlib.suppress(OSError):
            if file.stat().st_mtime < limit:
                file.unlink()
