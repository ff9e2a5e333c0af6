"""Ctrl-C from the first line of the command line to the end of its process: exit code 130, or that of what was done
already, and never a traceback."""

from __future__ import annotations

import subprocess
import sys

import pytest

from patience import FOR_A_PROCESS

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals")

PRESS = "import atexit, builtins, os, signal, sys\nimport plyforge.__main__ as program\n"
PRESS += "def press(): os.kill(os.getpid(), signal.SIGINT)\n"
PRESS += "sys.argv = ['plyforge', 'games', '--json']\n"
WHILE_IMPORTING = """
real = builtins.__import__
def slow(name, *more):
    if name == {name!r}:
        press()
    return real(name, *more)
builtins.__import__ = slow
"""
WHILE_TELLING = """
class Screen:
    def write(self, text): press()
    def flush(self): pass
sys.stderr = Screen()
"""
IN_A_FINALISER = """
class Finaliser:
    def __del__(self): press()
import plyforge.cli
import importlib
real = importlib.import_module
def with_finaliser(name):
    Finaliser()
    return real(name)
importlib.import_module = with_finaliser
"""


def run(text: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", f"{PRESS}{text}\nprogram.main()"]
    return subprocess.run(command, capture_output=True, text=True, timeout=FOR_A_PROCESS)


@pytest.mark.parametrize("name", ["plyforge.cli", "click", "plyforge.games"])
def test_it_is_heard_while_the_program_is_imported(name: str) -> None:
    done = run(WHILE_IMPORTING.format(name=name))
    assert (done.returncode, done.stdout, done.stderr.strip()) == (130, "", "stopped")


def test_it_is_heard_again_while_the_first_is_being_told() -> None:
    done = run(WHILE_IMPORTING.format(name="plyforge.cli") + WHILE_TELLING)
    assert (done.returncode, done.stderr) == (130, "")


def test_it_is_heard_where_nothing_can_be_raised() -> None:
    done = run(IN_A_FINALISER)
    assert (done.returncode, done.stdout, done.stderr.strip()) == (130, "", "stopped")


def test_after_the_work_is_done_there_is_nothing_to_stop() -> None:
    done = run("atexit.register(press)")
    assert (done.returncode, done.stderr) == (0, "") and done.stdout.startswith(("[", "{"))
