"""What compiled code depends on: all that was compiled, and nothing that no kernel reaches."""

from __future__ import annotations

import ast
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import paths
import plyforge
import plyforge as pf
from conftest import compiles
from patience import FOR_A_PROCESS
from plyforge.evaluate.base import as_evaluation
from plyforge.search import SEARCHES
from plyforge.search.engine.selective_search import selective_search

pytestmark = compiles
PACKAGE = Path(plyforge.__file__).resolve().parent

# ------------------------------------------------------------------ edits of a copy
AT_EACH_LINE = """
import os, sys
from numba.core.registry import cpu_target
cpu_target.target_context.refresh()  # once, for all
for line in sys.stdin:
    if os.fork() == 0:
        import plyforge as pf
        import plyforge.kernel.compiling.compiler
        from plyforge.kernel.compiling import cache, reach
        def load(self, signature, context):
            context.refresh()
            os.write(1, (reach.digest(self._function, signature) + "\\n").encode())
            os._exit(0)
        cache.KernelCache.load_overload = load
        pf.search(pf.load("chess"), using="engine", depth=1, native=True)
        os.write(1, b"nothing was asked for\\n")
        os._exit(1)
    os.wait()
"""
UNREACHED = (
    "studio/server/server.py",
    "cli/search/search.py",
    "draw/svg.py",
    "check/laws.py",
    "teach/steps.py",
    "play/engine.py",
    "solve/solver.py",
    "plain_text.py",
    "board_svg.py",
    "search/textbook/alpha_beta.py",
    "search/engine/engine.py",
    "search/mcts/selection/uct.py",
    "games/two_players/connect4.py",
    "games/go/points.py",
    "games/chess/notation.py",
    "games/chess/view.py",
    "games/chess/fen.py",
    "games/chess/pgn.py",
)
REACHED = {
    "the kernel": ("search/engine/selective_search.py", None, None),
    "a helper of the kernel": ("search/engine/steps/pruning.py", None, None),
    "a primitive": ("kernel/bits.py", None, None),
    "the compiler's part, which no name leads to": ("kernel/exact/numbers/wide.py", None, None),
    "an overload outside kernel": ("search/engine/transposition_table.py", "llvm.prefetch", "llvm.prefetch.p0"),
    "an overload that the evaluation needs": (
        "evaluate/weighted.py",
        "features[4:], index + 4",
        "features[3:], (index + 3)",
    ),
    "the rules": ("games/chess/rules.py", "abs(target - square) == 16", "abs(target - square) == 2 * 8"),
    "what depends on the past": ("games/chess/heuristics.py", "quiet >= FIFTY_MOVES", "quiet > FIFTY_MOVES"),
    "a companion": ("games/chess/heuristics.py", "repetition = True", "repetition = bool(1)"),
    "the companion's base": ("contract/companions/heuristics.py", None, None),
    "a constant": ("games/chess/see.py", "5.0, 9.0, 1000.0", "5.0, 9.25, 1000.0"),
    "the evaluation": ("evaluate/base.py", None, None),
    "weights": ("evaluate/weights/chess.json", "0.008427", "0.0084271"),
    "tables": ("evaluate/weights/chess_squares.json", "-0.00045,", "-0.000451,"),
}


class Copy:
    """A copy of the package, and a process that tells the digest of chess' engine in it."""

    def __init__(self, folder: Path) -> None:
        self.package = folder / "plyforge"
        shutil.copytree(PACKAGE, self.package, ignore=shutil.ignore_patterns("__pycache__"))
        self.process = subprocess.Popen(
            [sys.executable, "-c", AT_EACH_LINE],
            env=dict(os.environ, PYTHONPATH=str(folder), PLYFORGE_CACHE_DIR=str(folder / "cache")),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def digest(self) -> str:
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        found = self.process.stdout.readline().strip()
        assert len(found) == 32, found
        return found

    def digest_with(self, changes: dict[str, str]) -> str:
        """With other texts in these files, which then get theirs back. Other sizes, too: Python sees that at once."""
        before = {name: (self.package / name).read_text() for name in changes}
        try:
            for name, text in changes.items():
                assert len(text) != len(before[name])
                (self.package / name).write_text(text)
            return self.digest()
        finally:
            for name, text in before.items():
                (self.package / name).write_text(text)


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    made = Copy(tmp_path_factory.mktemp("source"))
    yield made
    assert made.process.stdin is not None
    made.process.stdin.close()
    made.process.wait(FOR_A_PROCESS)


@pytest.fixture(scope="module")
def usual(copy):
    return copy.digest()


def edited(text: str) -> str:
    return text + "\n\nA_NAME_OF_NO_USE = 17\n"


def test_the_digest_is_the_same_in_every_process(copy, usual):
    assert copy.digest() == usual


def test_edits_that_no_kernel_reaches_leave_it(copy, usual):
    changes = {name: edited((PACKAGE / name).read_text()) for name in UNREACHED}
    for name in ("chess", "othello"):  # of weights only the numbers count
        file = f"evaluate/weights/{name}.json"
        changes[file] = (PACKAGE / file).read_text() + "\n"
    assert copy.digest_with(changes) == usual


@pytest.mark.parametrize("what", REACHED)
def test_edits_of_what_is_compiled_change_it(copy, usual, what):
    name, old, new = REACHED[what]
    text = (PACKAGE / name).read_text()
    if old is None:
        changed = edited(text)
    else:
        assert old in text
        changed = text.replace(old, new)
    assert copy.digest_with({name: changed}) != usual


# ------------------------------------------------------------------ what is in memory
def digest_of(function, *args) -> str:
    import plyforge.kernel.compiling.compiler  # noqa: F401
    from plyforge.kernel.compiling import reach
    from plyforge.kernel.entry import signature_of

    return reach.digest(function, signature_of(args))


def of_chess(**fields) -> str:
    game = type(pf.load("chess"))()
    vars(game).update(fields)
    return digest_of(selective_search.function, game, as_evaluation(None), game.start())


CHANGES = {
    "a number that was imported from elsewhere": ("plyforge.games.chess.heuristics", "QUIET_PROMISE", 0.5),
    "a table": ("plyforge.games.chess.attacks", "KING_STEPS", np.zeros(64, np.uint64)),
    "a function": ("plyforge.games.chess.legal", "pawn_steps", lambda s: 0),
    "a hook of a companion": (
        "plyforge.games.chess.rules.ChessHeuristics",
        "see_loss",
        lambda self, game, s, a: 0.0,
    ),
    "a companion": ("plyforge.games.chess.rules.Chess", "heuristics", pf.load("nim").heuristics),
    "a fact": ("plyforge.games.chess.rules.ChessHeuristics", "margin_unit", 0.02),
}
NO_CHANGES = {
    "a text": ("plyforge.games.chess.notation.ChessNotation", "format_action", lambda self, s, action: "?"),
    "a picture": ("plyforge.games.chess.view.ChessView", "board", lambda self, s: None),
    "a helper of notation": ("plyforge.games.chess.notation", "san", None),
    "what begins": ("plyforge.games.chess.rules", "START", "8/8/8/8/8/8/8/8 w - - 0 1"),
}


@pytest.mark.parametrize("what", CHANGES)
def test_what_is_in_memory_counts(monkeypatch, what):
    before = of_chess()
    place, name, value = CHANGES[what]
    monkeypatch.setattr(f"{place}.{name}", value)
    assert of_chess() != before


@pytest.mark.parametrize("what", NO_CHANGES)
def test_what_nobody_asks_for_does_not(monkeypatch, what):
    before = of_chess()
    place, name, value = NO_CHANGES[what]
    monkeypatch.setattr(f"{place}.{name}", value)
    assert of_chess() == before


def test_weights_count_by_their_numbers():
    class Weighed(type(pf.load("chess").encoding)):
        weights = pf.load("chess").encoding.weights

    class Doubled(Weighed):
        weights = 2.0 * Weighed.weights

    class Chess(type(pf.load("chess"))):
        encoding = Weighed()

    kernel, state = SEARCHES["engine"].kernel.function, pf.load("chess").start()
    before = digest_of(kernel, Chess(), as_evaluation(None), state)
    Weighed.weights = Weighed.weights.copy()
    assert digest_of(kernel, Chess(), as_evaluation(None), state) == before
    Weighed.weights = Doubled.weights
    assert digest_of(kernel, Chess(), as_evaluation(None), state) != before


def reading(reader):
    return lambda address: reader(address, 1)[0].a


def test_the_layout_of_a_block_counts_wherever_its_reader_was_made():
    from plyforge.kernel.storage.block import block_reader

    def kind(letters: str):
        return np.dtype([("a", letters), ("b", "i8")], align=True)

    narrow, wide, again = (digest_of(reading(block_reader(kind(k))), 1) for k in ("i4", "i8", "i4"))
    assert narrow == again != wide


def test_which_of_two_is_which_counts():
    """The same functions, the other way round."""
    from plyforge.kernel.storage.block import block_reader

    def made(first, second):
        return lambda address: first(address, 1)[0].a + 2 * second(address, 1)[0].a

    a, b = (block_reader(np.dtype([("a", letters), ("b", "i8")], align=True)) for letters in ("i4", "i8"))
    assert digest_of(made(a, b), 1) == digest_of(made(a, b), 1) != digest_of(made(b, a), 1)
    assert digest_of(made(a, a), 1) != digest_of(made(b, b), 1)


def test_defaults_closures_and_values_in_collections_count():
    def made(inside, default=1, several=()):
        def kernel(x, y=default):
            return several[0](x) + inside + y

        return kernel

    one, other = (lambda x: x + 1), (lambda x: x + 2)
    kinds = [
        (1, 1, (one,)),
        (2, 1, (one,)),
        (1, 2, (one,)),
        (1, 1, (other,)),
        (1, 1, (one, other)),
        (1, 1, (other, one)),
    ]
    assert len({digest_of(made(*kind), 1) for kind in kinds}) == len(kinds)
    assert digest_of(made(*kinds[0]), 1) == digest_of(made(*kinds[0]), 1)


def test_a_module_that_is_imported_inside_counts():
    from plyforge.kernel.compiling import reach

    def kernel(x):
        from plyforge.solve.sampling.bear_off import quickest

        return quickest(x)

    assert PACKAGE / "solve" / "sampling" / "bear_off.py" in reach.reached(kernel, ()).files


def test_a_file_that_was_written_since_the_import_is_never_taken_for_what_is_in_memory(monkeypatch):
    from plyforge.kernel.compiling import reach

    before = of_chess()
    file = PACKAGE / "games" / "chess" / "rules.py"
    monkeypatch.setattr(reach, "IMPORTED", file.stat().st_mtime_ns - 1)
    reach._text_digest.cache_clear()
    try:
        assert of_chess() != before
    finally:
        reach._text_digest.cache_clear()


def test_what_is_never_compiled_is_refused():
    from plyforge.kernel import kernel
    from plyforge.kernel.entry import native_function

    @kernel
    def plays(game, s):
        return game.notation.player_names

    game = pf.load("nim")
    with pytest.raises(pf.CannotCompile):
        native_function(plays, game, game.start())


# ------------------------------------------------------------------ laws
QUICK = {
    "alpha-beta": 'pf.search(pf.load("tic_tac_toe"), using="alpha_beta", native=True)',
    "perft": 'pf.perft(pf.load("connect4"), 3)',
}
LONG = {
    "the engine": 'pf.search(pf.load("connect4"), using="engine", depth=2, native=True)',
    "tree search": 'pf.search(pf.load("nim"), using="uct", simulations=20, native=True)',
    "chess": 'pf.search(pf.load("chess"), using="engine", depth=1, native=True)',
    "dice": 'pf.search(pf.load("backgammon"), using="dice_engine", depth=1, native=True)',
    "rollouts of go": 'pf.search(pf.load("go"), using="uct", simulations=2, native=True)',
    "tuples of payoffs": 'pf.search(pf.load("three_nim"), using="max_n", depth=2, native=True)',
    "choices at once": 'pf.search(pf.load("goofspiel"), using="regret_matching", simulations=20, native=True)',
    "paths": 'pf.search(pf.load("slider"), using="a_star", native=True)',
    "othello": 'pf.search(pf.load("othello"), using="engine", depth=1, native=True)',
}


@pytest.mark.parametrize("what", [*QUICK, *(pytest.param(what, marks=pytest.mark.full) for what in LONG)])
def test_whatever_was_compiled_is_reached(tmp_path, what):
    """The compiler's own word: every function whose code it has read for a kernel, the kernel's digest covers."""
    statement = {**QUICK, **LONG}[what]
    process = subprocess.run(
        [sys.executable, str(paths.SUPPORT / "compiled_by.py"), statement],
        env=dict(os.environ, PLYFORGE_CACHE_DIR=str(tmp_path)),
        capture_output=True,
        text=True,
        timeout=FOR_A_PROCESS,
        check=True,
    )
    found = json.loads(process.stdout)
    assert found["kernels"] and found["read"] >= 10
    assert not found["missed"]


FOUND_BY_NAME = {"overload", "intrinsic", "register_jitable"}
"""What gives a function another body in a way that `reach.py` can follow from the function."""


def test_outside_the_kernel_layer_the_compiler_is_told_of_functions_only():
    """An overload of an operator or a type of one's own would be reached by no name: those belong in `kernel/`."""
    told = 0
    for path in PACKAGE.rglob("*.py"):
        if path.is_relative_to(PACKAGE / "kernel"):
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and node.module == "numba.extending":
                assert {name.name for name in node.names} <= FOUND_BY_NAME, path
            called = isinstance(node, ast.Call) and getattr(node.func, "id", "") == "overload"
            if called:
                told += 1
                assert isinstance(node.args[0], ast.Name), (path, node.lineno)
                assert not hasattr(__builtins__, node.args[0].id), (path, node.lineno)
    assert told > 20
