"""The command line, each command in a process of its own that has everything imported already.

    plyforge("search", "nim", "--json", code=0).stdout
    python("import plyforge as pf; print(pf.load('nim'))").stdout

Python takes the better part of a second to import what a verb needs. So a server (this file as a program, one for each
process of tests) imports it once and forks for each command, which thus has its own state, folder, environment, output
and exit code. What is about starting up, signals or terminals runs `python -m plyforge` itself, as users do.
"""

from __future__ import annotations

import atexit
import functools
import gc
import importlib
import json
import os
import pkgutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from child import Child, serve
from patience import FOR_A_PROCESS


def plyforge(*arguments: object, code: int = 0, cwd: Path | None = None, **environment: str):
    """What `plyforge ARGUMENTS` did, once it has ended with that exit code."""
    return _ran(["-m", "plyforge"], arguments, code, cwd, environment)


def python(program: str, *arguments: object, code: int = 0, cwd: Path | None = None, **environment: str):
    """What `python -c PROGRAM ARGUMENTS` did, likewise."""
    return _ran(["-c", program], arguments, code, cwd, environment)


def _ran(what: list[str], arguments: Iterable[object], code: int, cwd: Path | None, environment: dict[str, str]) -> Any:
    words = list(map(str, arguments))
    env = dict(os.environ, NO_COLOR="1", COLUMNS="120") | environment
    if hasattr(os, "fork"):
        question = {"what": what, "words": words, "folder": str(cwd or Path.cwd()), "environment": env}
        answer = server().ask(question, FOR_A_PROCESS)
        assert "crashed" not in answer, answer["crashed"]
        done = subprocess.CompletedProcess(words, answer["code"], answer["stdout"], answer["stderr"])
    else:
        done = subprocess.run(
            [sys.executable, *what, *words],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=FOR_A_PROCESS,
            cwd=cwd,
            env=env,
            check=False,
        )
    assert done.returncode == code, (done.stdout, done.stderr)
    return done


def as_json(*arguments: object, **options: Any) -> Any:
    """The one object that `plyforge ARGUMENTS --json` prints."""
    return json.loads(plyforge(*arguments, "--json", **options).stdout)


@functools.cache
def server() -> Child:
    there = Child("command.py")
    atexit.register(there.close)
    return there


# ------------------------------------------------------------ the server's side
def answer(question: dict[str, Any]) -> dict[str, Any]:
    """Run one command in a fork, to its end."""
    with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as errors:
        process = os.fork()
        if process == 0:
            become(question, output.fileno(), errors.fileno())
        _, status = os.waitpid(process, 0)
        for file in (output, errors):
            file.seek(0)
        return {"code": os.waitstatus_to_exitcode(status), "stdout": output.read(), "stderr": errors.read()}


def become(question: dict[str, Any], output: int, errors: int) -> None:
    """The command, as if Python had been started for it. Never comes back: it ends by SystemExit, and Python cleans
    up."""
    from plyforge.__main__ import main

    nothing = os.open(os.devnull, os.O_RDONLY)
    for here, there in enumerate((nothing, output, errors)):
        os.dup2(there, here)
    sys.stdin = os.fdopen(0)
    os.environ.clear()
    os.environ.update(question["environment"])
    os.chdir(question["folder"])
    sys.path[0] = question["folder"]
    how, what = question["what"]
    if how == "-m":
        sys.argv = [what, *question["words"]]
        main()
    sys.argv = [how, *question["words"]]
    exec(compile(what, "<string>", "exec"), {"__name__": "__main__"})
    raise SystemExit(0)


def import_everything() -> None:
    """All of Plyforge, so that no command has to; and nothing of it is looked at again when a command cleans up."""
    import plyforge

    for module in pkgutil.walk_packages(plyforge.__path__, "plyforge."):
        importlib.import_module(module.name)
    gc.freeze()


if __name__ == "__main__":
    import_everything()
    serve(answer)
