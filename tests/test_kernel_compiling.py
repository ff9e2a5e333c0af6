"""Compiling: one signature per kernel and game, refusals in words, and falling back to the interpreted speed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

import plyforge as pf
from conftest import compiles
from plyforge.kernel import kernel
from plyforge.kernel.entry import coerce, native_function
from plyforge.search import SEARCHES, FellBack

RULES = """
from typing import NamedTuple
import plyforge as pf
{before}
class Heap(NamedTuple):
    sticks: int
    {field}player: int
class Sticks(pf.Game):
    def start(self): return Heap(5, {value}0)
    def player(self, s): return s.player
    def actions(self, s):
        for n in (1, 2):
            if n <= s.sticks{guard}:
                yield n
    def result(self, s, n): return Heap({left}, {keep}1 - s.player)
    def terminal(self, s): {terminal}
    def utility(self, s): {utility}
"""
GOOD = {
    "before": "",
    "field": "",
    "value": "",
    "guard": "",
    "left": "s.sticks - n",
    "keep": "",
    "terminal": "return s.sticks == 0",
    "utility": "return -1.0 if s.player == 0 else 1.0",
}
LINE = {"actions": 13, "result": 15, "terminal": 16, "utility": 17}

UNCOMPILABLE = {
    "a dict": ({"terminal": "d = {'a': 1, 2: 'b'}; return s.sticks == 0 and len(d) > 0"}, "terminal", "dict"),
    "a float that was an int": ({"left": "s.sticks - n * 1.0"}, "result", "field 'sticks' is float64"),
    "a variable of two types": (
        {"utility": "x = 1.0 if s.player == 0 else (1, 2); return 0.0 if x else 1.0"},
        "utility",
        "on one path",
    ),
    "a global dict": ({"before": "LIMIT = {'a': 3}", "guard": " and n <= LIMIT['a']"}, "actions", "'LIMIT'"),
    "super": ({"terminal": "return super().has_chance or s.sticks == 0"}, "terminal", "super"),
    "an unknown field": (
        {"terminal": "return s.stones == 0 if s.sticks < -9 else s.sticks == 0"},
        "terminal",
        "stones",
    ),
}


def rules(tmp_path: Path, **changes: str) -> Path:
    path = tmp_path / "sticks.py"
    path.write_text(RULES.format(**(GOOD | changes)))
    return path


@compiles
@pytest.mark.parametrize("case", UNCOMPILABLE)
def test_rules_that_cannot_be_compiled_run_interpreted_and_say_which_line(case, tmp_path):
    changes, function, words = UNCOMPILABLE[case]
    game = pf.load(str(rules(tmp_path, **changes)))
    with pytest.raises(pf.CannotCompile) as refusal:
        pf.search(game, native=True, depth=3)
    message = str(refusal.value)
    assert f"Sticks.{function} (sticks.py, line {LINE[function]})" in message
    assert words in message
    with pytest.warns(FellBack, match=f"Sticks.{function}"):
        found = pf.search(game, depth=3)
    assert not found.native
    assert found.value == pf.search(game, native=False, depth=3).value


@compiles
def test_a_state_without_compiled_form_is_named(tmp_path):
    game = pf.load(str(rules(tmp_path, field="board: list; ", value="[1], ", keep="s.board, ")))
    with pytest.raises(pf.CannotCompile, match="field 'board' is a list"):
        pf.search(game, native=True)
    with pytest.warns(FellBack, match="NamedTuple of ints"):
        assert pf.search(game).value == 1.0


@compiles
def test_try_and_except_are_explained(tmp_path):
    body = "\n        try: return 1 // s.sticks < 0\n        except ZeroDivisionError as error: return len(str(error)) > 0"
    game = pf.load(str(rules(tmp_path, terminal=body)))
    with pytest.raises(pf.CannotCompile, match="try/except"):
        pf.search(game, native=True)


def test_rules_that_raise_are_named_with_their_line(tmp_path):
    game = pf.load(str(rules(tmp_path, utility="return 1.0 / (s.sticks)")))
    with pytest.raises(pf.BadRules, match=r"ZeroDivisionError \(sticks.py, line 17\)"):
        pf.search(game, native=False)


@compiles
def test_rules_that_raise_in_compiled_code_are_named_too(tmp_path):
    game = pf.load(str(rules(tmp_path, utility="return 1.0 / (s.sticks)")))
    with pytest.raises(pf.BadRules, match="ZeroDivisionError"):
        pf.search(game, native=True)


@compiles
def test_there_is_one_signature_per_kernel_and_game():
    game = pf.load("tic_tac_toe")
    for name in SEARCHES:
        for state in (None, "x...o....", game.play("5", "1", "2")):
            pf.search(game, state, using=name, depth=2, native=True)
    for name, search in SEARCHES.items():
        signatures = list(search.kernel.native.overloads)
        constants = [tuple(str(t) for t in signature if "#" in str(t)) for signature in signatures]
        assert len(set(constants)) == len(constants) >= 1, name


@kernel
def is_even(game, n):
    return True if n == 0 else is_odd(game, n - 1)


@kernel
def is_odd(game, n):
    return False if n == 0 else is_even(game, n - 1)


@kernel
def drifting(game, n):
    return 0.0 if n > 9 else drifting(game, n + 0.5)


@compiles
def test_two_kernels_that_call_each_other_are_refused():
    from numba.core.errors import TypingError

    with pytest.raises(TypingError, match="is_even and is_odd call each other"):
        is_even.native(pf.load("tic_tac_toe"), 4)
    assert is_even(None, 4)


@compiles
def test_a_kernel_that_would_need_a_second_signature_is_refused():
    from numba.core.errors import TypingError

    with pytest.raises(TypingError, match="entered with n as int64, and calls itself with float64"):
        drifting.native(pf.load("tic_tac_toe"), 1)


class Mixed(NamedTuple):
    board: np.uint64
    share: float
    flag: bool
    pits: tuple[float, ...]


def test_states_are_brought_to_their_annotations():
    state = coerce(Mixed(3, 1, 1, (1, 2)))
    assert [type(field) for field in state] == [np.uint64, float, bool, tuple]
    assert [type(pit) for pit in state.pits] == [float, float]
    with pytest.raises(pf.BadRules, match="not a uint64"):
        coerce(Mixed("many", 1, 1, ()))


@compiles
def test_generators_are_inlined_into_the_loops_that_drive_them(tmp_path):
    """Guards the one place where Numba itself is adjusted: without it, chess moves are 2.5 times slower."""
    from numba import typeof

    from plyforge.kernel.compiler import _inlined

    game = pf.load(str(rules(tmp_path)))
    dispatcher = _inlined(type(game).actions)
    dispatcher.compile((typeof(game), typeof(game.start())))
    [compiled] = dispatcher.overloads.values()
    lines = compiled.library.get_llvm_str().splitlines()
    [define] = [
        line for line in lines if line.startswith("define") and "actions4next" in line and "i32 @_ZN" in line
    ]
    group = define.split("#")[-1].split()[0]
    [attributes] = [line for line in lines if line.startswith(f"attributes #{group} ")]
    assert "alwaysinline" in attributes


INTERRUPTED = """
import os, signal, sys, threading, time
import plyforge as pf
game = pf.load("connect4")
pf.search(game, depth=2, native={native})
began = []
def interrupt():
    time.sleep(0.5)
    began.append(time.perf_counter())
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=interrupt, daemon=True).start()
try:
    pf.search(game, depth=40, native={native})
except KeyboardInterrupt:
    print("stopped after", time.perf_counter() - began[0])
print("value", pf.search(game, depth=4, native={native}).value)
"""


@pytest.mark.parametrize("native", [False, pytest.param(True, marks=compiles)])
def test_ctrl_c_stops_a_search_and_leaves_a_usable_process(native):
    program = INTERRUPTED.format(native=native)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    stopped, value = done.stdout.splitlines()
    assert float(stopped.split()[-1]) < 0.2
    assert value == "value 0.0"


def test_importing_plyforge_does_not_import_numba_or_numpy():
    program = "import sys, plyforge; print('numba' in sys.modules, 'numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]


@kernel
def counts_and_says_float(depth) -> float:
    if depth > 0:
        counts_and_says_float(depth - 1)
    return depth


@kernel
def halves(depth) -> float:
    if depth == 0:
        return 1.0
    return 0.5 * halves(depth - 1)


@compiles
def test_a_kernel_that_says_float_has_to_return_one():
    assert native_function(halves, 3)(3) == 0.125
    with pytest.raises(pf.CannotCompile, match="double"):
        native_function(counts_and_says_float, 3)


@compiles
def test_what_a_property_of_the_rules_raises_is_said_as_it_is():
    from plyforge.errors import BadText
    from plyforge.games.nim import Nim

    class Weighed(Nim):
        @property
        def weights(self):
            raise BadText("weights.json has no weight of sticks")

        def evaluate(self, s):
            return self.weights[0]

    with pytest.raises(BadText, match="no weight of sticks"):
        pf.search(Weighed(), using="alpha_beta", depth=2, native=True)
