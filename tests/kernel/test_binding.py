"""One way to run a kernel: records of both speeds, what is bound, and that nobody outside `kernel/` has another way."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import plyforge
from conftest import compiles
from plyforge.errors import CannotCompile
from plyforge.kernel import RecordType, bind, interpreted, kernel
from plyforge.search.running.speed import FellBack, bind_for

SOURCES = Path(plyforge.__file__).parent
COUNTER = RecordType("counter", [("count", "i8"), ("mark", "u8"), ("share", "f8"), ("seen", "i4", (4,))])


@kernel
def count_up(memory, steps):
    for step in range(steps):
        memory.count += step
        memory.seen[step % 4] = step
    memory.share = memory.count / 4.0
    memory.mark = np.uint64(1 << 63)
    return memory.count


def said(memory: object) -> tuple[object, ...]:
    return (memory.count, int(memory.mark), memory.share, memory.seen.tolist())  # type: ignore[attr-defined]


def test_a_memory_has_the_same_fields_at_both_speeds() -> None:
    for compiled in (False, True):
        memory = COUNTER.new(compiled)
        assert said(memory) == (0, 0, 0.0, [0, 0, 0, 0])
        memory.count, memory.seen[1] = 7, 3
        assert said(memory) == (7, 0, 0.0, [0, 3, 0, 0]) and type(memory.count) is int
    longer = COUNTER.extended("longer", [("more", "i8")])
    assert longer.dtype.names == ("count", "mark", "share", "seen", "more")
    assert longer.new(True).more == longer.new(False).more == 0


def test_a_bound_kernel_makes_its_memory_and_is_called() -> None:
    slow = interpreted(count_up, COUNTER, 5)
    memory = slow.new_memory()
    assert (slow.is_native, slow.compiled) == (False, False)
    assert slow(memory, 5) == 10 and said(memory) == (10, 1 << 63, 2.5, [4, 1, 2, 3])


@compiles
def test_compiled_code_writes_where_python_reads() -> None:
    slow, seen = interpreted(count_up, COUNTER, 5), []
    for directly in (False, True):
        fast = bind(count_up, COUNTER, 5, directly=directly)
        memory = fast.new_memory()
        assert fast.is_native and fast.compiled
        seen.append((fast(memory, 5), *said(memory)))
    memory = slow.new_memory()
    assert seen == [(slow(memory, 5), *said(memory))] * 2


@compiles
def test_what_cannot_be_bound_falls_back_and_says_so_or_is_refused() -> None:
    @kernel
    def asks_python(memory, steps):
        return eval("steps")

    game = plyforge.load("connect4")
    with pytest.warns(FellBack, match="interpreted"):
        assert not bind_for(game, asks_python, COUNTER, 5, native=None).is_native
    with pytest.raises(CannotCompile):
        bind_for(game, asks_python, COUNTER, 5, native=True)


def outside() -> Iterator[tuple[str, str, ast.Module]]:
    """All sources but those of `kernel/`: name, text, syntax tree."""
    for file in sorted(SOURCES.rglob("*.py")):
        name = file.relative_to(SOURCES).as_posix()
        if not name.startswith("kernel/"):
            text = file.read_text(encoding="utf-8")
            yield name, text, ast.parse(text)


def is_primitive(node: ast.AST) -> bool:
    """True for a function under `@when_compiling`."""
    return isinstance(node, ast.FunctionDef) and any(
        isinstance(each, ast.Name) and each.id == "when_compiling" for each in node.decorator_list
    )


def imports_of(node: ast.AST, package: str) -> Iterator[int]:
    """The lines on which a package is imported, but for the compiled bodies of primitives."""
    for child in ast.iter_child_nodes(node):
        if is_primitive(child):
            continue
        names = [each.name for each in child.names] if isinstance(child, ast.Import) else []
        names += [child.module or ""] if isinstance(child, ast.ImportFrom) else []
        if any(name.split(".")[0] == package for name in names):
            yield child.lineno  # type: ignore[attr-defined]
        yield from imports_of(child, package)


def test_nobody_else_knows_how_kernels_are_compiled_or_records_are_made() -> None:
    for name, text, tree in outside():
        for word in ("overloads", "recarray", "native_function", "entry_point("):
            assert word not in text, f"{name} has {word!r}: kernels are bound by kernel.bind, or running/speed.py"
        assert not list(imports_of(tree, "numba")), f"{name} names the compiler outside of @when_compiling"
