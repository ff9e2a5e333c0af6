"""What compiled calls carry, and what is compiled apart from the loop that may call it."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import dataclass
from typing import Any

import numba
import pytest

from plyforge.kernel import Constant, inline, kernel, seldom
from plyforge.kernel.record import RecordType

COUNTS = RecordType("counts", [("calls", "i8"), ("notes", "i8")])
pytestmark = pytest.mark.skipif(numba.config.DISABLE_JIT, reason="about compiled code")


@dataclass(frozen=True)
class Step(Constant):
    """How far to go at once."""

    width: int = 3

    def after(self, number: int) -> int:
        return number + self.width


@seldom
def note(memory: Any, number: int) -> None:
    """Keep a number."""
    memory.notes = memory.notes * 10 + number


@inline
def begin(memory: Any) -> None:
    """One call more."""
    memory.calls += 1


@kernel
def walk(step, memory, number, end):
    """Go on to the end; every seventh number is noted."""
    begin(memory)
    if number >= end:
        return number
    if number % 7 == 0:
        note(memory, number)
    return walk(step, memory, step.after(number), end)


@pytest.fixture(scope="module")
def code(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What `walk` became, compiled anew: from a file it could not be looked at."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PLYFORGE_CACHE_DIR", str(tmp_path_factory.mktemp("kernels")))
        walk.native(Step(), COUNTS.new(True), 0, 1)
    (text,) = walk.native.inspect_llvm().values()
    return str(text)


def test_both_speeds_do_the_same(code: str) -> None:
    slow, fast = COUNTS.new(False), COUNTS.new(True)
    assert walk(Step(), slow, 0, 30) == walk.native(Step(), fast, 0, 30) == 30
    assert (slow.calls, slow.notes) == (fast.calls, fast.notes) == (11, 21)


def test_a_constant_takes_no_register(code: str) -> None:
    (arguments,) = re.findall(r"define [^\n]*@_ZN\d+test_compiled_calls4walk[^\n(]*\(([^\n]*)\)", code)
    assert re.findall(r"%arg\.(\w+)", arguments) == ["memory", "number", "end"]


@pytest.mark.skipif(bool(numba.config.BOUNDSCHECK), reason="then everything may fail")
def test_what_is_seldom_called_is_not_compiled_in_and_not_asked_whether_it_failed(code: str) -> None:
    body = code[code.index("4walk") :].split("\n}", 1)[0]
    (answer,) = re.findall(r"\n *(%\S+) = (?:tail )?call [^\n]*4note", body)
    assert len(re.findall(re.escape(answer) + r"\b", body)) == 1  # nobody looks at what it gives back


def test_what_is_inlined_has_no_machine_code_of_its_own(code: str) -> None:
    (overload,) = begin.native.overloads.values()
    assert type(overload.library).__name__ == "InlinedLibrary"
    assert not re.findall(r"call [^\n]*@_ZN[^\n]*5begin", code)


def test_scipy_is_imported_when_something_is_compiled_that_needs_it() -> None:
    pytest.importorskip("scipy")
    program = """
import sys, plyforge.kernel.compiling.compiler, numba, numpy as np
assert "scipy.linalg" not in sys.modules
assert numba.njit(lambda a, b: np.dot(a, b))(np.eye(2), np.ones(2)).tolist() == [1.0, 1.0]
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=120)
