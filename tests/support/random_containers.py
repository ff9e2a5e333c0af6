"""Random functions of what rules do with sets, dicts and lists of states, each named by its number.

    source(17)      the source of a function `asked(s)` of a state of `container_game.py`

Equal compiled and interpreted, or refused, or stopped: `compared` says which.
"""

from __future__ import annotations

import copy
import importlib.util
import random
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import plyforge as pf
from plyforge.errors import CannotCompile
from plyforge.kernel.compiling import compiler, layout
from plyforge.kernel.compiling.rules_context import rules_context
from plyforge.kernel.translate import translated

GAME = Path(__file__).with_name("container_game.py")


class Writer:
    """Writes one function."""

    def __init__(self, number: int) -> None:
        self.draw = random.Random(number)
        self.names: list[str] = []
        self.fresh = 0

    def one(self, *ways: Callable[[], str]) -> str:
        return self.draw.choice(ways)()

    def name(self) -> str:
        self.fresh += 1
        return f"v{self.fresh}"

    def number(self, depth: int = 2) -> str:
        ways = [
            lambda: str(self.draw.randrange(5)),
            lambda: f"s.rows[{self.draw.randrange(2)}][{self.draw.randrange(3)}]",
        ]
        if depth:
            less = depth - 1
            ways += [
                lambda: f"len({self.cells(less)})",
                lambda: f"len(s.{self.draw.choice(('board', 'full'))})",
                lambda: f"({self.number(less)} {self.draw.choice('+-*')} {self.number(less)})",
                lambda: self.summed(less),
                lambda: f"({self.number(less)} if {self.test(less)} else {self.number(less)})",
                lambda: f"max({self.cells(less)} | {{(1, 1)}})[{self.draw.randrange(2)}]",
                lambda: f"s.full.get({self.cell(less)}, 7)",
                lambda: f"sum(n for n in s.full.values() if n != {self.draw.randrange(3)})",
                lambda: f"sum(v == {self.piece()} for v in s.board.values())",
            ]
        return self.one(*ways)

    def summed(self, depth: int) -> str:
        r, c = self.name(), self.name()
        self.names += [f"({r}, {c})"]
        made = f"sum({r} * {self.draw.randrange(1, 4)} + {c} for {r}, {c} in {self.cells(depth)} if {self.test(depth)})"
        self.names.pop()
        return made

    def piece(self) -> str:
        return self.draw.choice(("'x'", "'o'", "'.'"))

    def cell(self, depth: int) -> str:
        ways = [lambda: f"({self.draw.randrange(-1, 5)}, {self.draw.randrange(5)})"]
        if self.names:
            ways += [lambda: self.draw.choice(self.names)] * 2
        if depth:
            ways += [lambda: f"({self.number(0)} % 4, {self.number(0)})"]
        return self.one(*ways)

    def cells(self, depth: int = 2) -> str:
        ways = [lambda: "s.stones", lambda: "s.other", lambda: "s.stones"]
        if depth:
            less = depth - 1
            ways += [
                lambda: f"({self.cells(less)} {self.draw.choice('|&-^')} {self.cells(less)})",
                lambda: f"({self.cells(less)} | {{(2, {self.draw.randrange(4)})}})",
                lambda: f"({self.cells(less)} - {{{self.cell(less)}}})",
                lambda: f"({self.draw.choice(('CORNERS - ', 'CORNERS | ', 'CORNERS & '))}{self.cells(less)})",
                lambda: self.chosen(less),
            ]
        return self.one(*ways)

    def chosen(self, depth: int) -> str:
        name = self.name()
        self.names.append(name)
        kind = self.draw.choice(("frozenset({})", "{{{}}}"))
        made = kind.format(f"{name} for {name} in {self.cells(0)} if {self.test(depth)}")
        self.names.pop()
        return made

    def test(self, depth: int = 2) -> str:
        board = self.draw.choice(("board", "full"))
        ways = [
            lambda: f"{self.cell(0)} in {self.cells(0)}",
            lambda: f"{self.cell(0)} not in s.{board}",
            lambda: f"s.board.get({self.cell(0)}) == {self.piece()}",
            lambda: f"s.board.get({self.cell(0)}, '.') != {self.piece()}",
            lambda: f"s.board.get({self.cell(0)}) is None",
        ]
        if depth:
            less = depth - 1
            ways += [
                lambda: f"{self.cells(less)} {self.draw.choice(('<=', '<', '==', '!=', '>='))} {self.cells(less)}",
                lambda: (
                    f"{self.cells(0)}.{self.draw.choice(('isdisjoint', 'issubset', 'issuperset'))}({self.cells(less)})"
                ),
                lambda: f"any(line <= {self.cells(0)} for line in LINES)",
                lambda: self.quantified(less),
                lambda: f"{self.number(less)} < {self.number(less)}",
                lambda: f"{self.piece()} in s.board.values()",
                lambda: f"s.rows[0] == {self.draw.choice(('[0, 1, 2]', 's.rows[1]', '[1, 1, 2]'))}",
                lambda: f"({self.test(less)} {self.draw.choice(('and', 'or'))} not {self.test(less)})",
                lambda: f"not {self.cells(less)}",
            ]
        return self.one(*ways)

    def quantified(self, depth: int) -> str:
        name = self.name()
        self.names.append(name)
        made = f"{self.draw.choice(('any', 'all'))}({self.test(depth)} for {name} in {self.cells(depth)})"
        self.names.pop()
        return made

    def statements(self) -> list[str]:
        ways = [
            self.loop,
            self.loop,
            self.ordered_loop,
            self.copied_set,
            self.copied_dict,
            self.copied_rows,
            self.entries,
        ]
        return self.draw.choice(ways)()

    def loop(self) -> list[str]:
        name = self.name()
        head = f"for {name} in {self.cells(1)}:"
        self.names.append(name)
        inner = self.draw.choice(
            (
                [f"    if {self.test(1)}:", f"        total += {self.draw.randrange(1, 9)}"],
                [f"    if {self.test(1)}:", f"        return {self.draw.randrange(50)}"],
                [f"    if {self.test(1)}:", f"        return {name}[0] + {self.number(0)}"],
                [f"    if {self.test(1)}:", "        flag = True", "        break"],
                [f"    total += {name}[0]"],
                [f"    near = {self.number(1)}", f"    if near > {self.number(0)}:", "        flag = True"],
                [f"    last = {name}[1]"],
            )
        )
        self.names.pop()
        return [head, *inner]

    def ordered_loop(self) -> list[str]:
        name = self.name()
        source = self.draw.choice((f"sorted({self.cells(1)})", "s.full", "sorted(s.board)"))
        return [f"for {name} in {source}:", f"    total = (total * 3 + {name}[0] * 2 + {name}[1]) % 1009"]

    def entries(self) -> list[str]:
        r, c, piece = self.name(), self.name(), self.name()
        self.names.append(f"({r}, {c})")
        test = self.test(1)
        self.names.pop()
        made = self.draw.choice(
            (
                [f"    if {piece} == {self.piece()} and {test}:", "        total += 1"],
                [f"    if {test}:", f"        return 3 if {piece} == {self.piece()} else 4"],
                [f"    if {piece} == 'x' and ({r} + 1, {c}) in s.board:", "        return 2"],
            )
        )
        return [f"for ({r}, {c}), {piece} in s.board.items():", *made]

    def copied_set(self) -> list[str]:
        name = self.name()
        lines = [f"{name} = set({self.draw.choice(('s.stones', 's.other'))})"]
        for _ in range(self.draw.randrange(1, 4)):
            change = self.draw.choice(("add((1, {}))", "discard({cell})", "remove({cell})", "update({cells})"))
            lines.append(f"{name}.{change.format(self.draw.randrange(4), cell=self.cell(0), cells=self.cells(0))}")
        if self.draw.random() < 0.5:
            lines.append(f"{name} {self.draw.choice(('|=', '-=', '&='))} {self.cells(1)}")
        return [*lines, f"total += len({name}) * 5 + ((1, 1) in {name})"]

    def copied_dict(self) -> list[str]:
        name, cell = self.name(), self.cell(0)
        begin = self.draw.choice(
            (
                "dict(s.board)",
                "s.board.copy()",
                "{{**s.board, (1, 2): {p}}}",
                "{{k: v for k, v in s.board.items() if v != {p}}}",
            )
        )
        lines = [f"{name} = {begin.format(p=self.piece())}"]
        for _ in range(self.draw.randrange(1, 4)):
            change = self.draw.choice(
                (
                    "{n}[(2, 1)] = {p}",
                    "{n}.pop({c}, None)",
                    "if {c} in {n}: del {n}[{c}]",
                    "{n}.update({{(0, 1): {p}}})",
                )
            )
            lines.append(change.format(n=name, c=cell, p=self.piece()))
        end = f"total += len({name}) * 7 + ({name}.get((2, 1)) == 'x') + (s.board == {name})"
        return [*lines, end]

    def copied_rows(self) -> list[str]:
        name, i, j = self.name(), self.draw.randrange(2), self.draw.randrange(3)
        begin = self.draw.choice(
            ("[row[:] for row in s.rows]", "[list(row) for row in s.rows]", "copy.deepcopy(s.rows)")
        )
        lines = [f"{name} = {begin}", f"{name}[{i}][{j}] += {self.number(1)}"]
        if self.draw.random() < 0.3:
            lines.append(f"{name}[0], {name}[1] = {name}[1], {name}[0]")
        if self.draw.random() < 0.3:
            lines.append(f"row = {name}[{i}]\nrow[0] = 9")
        return [*lines, f"total += {name}[{i}][{j}] * 2 - s.rows[{i}][{j}] + {name}[1][0]"]


def source(number: int) -> str:
    """The source of the function of this number."""
    writer = Writer(number)
    body = ["total, flag, last = 0, False, 0"]
    for _ in range(writer.draw.randrange(1, 4)):
        body += "\n".join(writer.statements()).split("\n")
    body.append(f"return total + flag * 100 + last * 1000 + {writer.number(1)}")
    return "def asked(s):\n" + "".join(f"    {line}\n" for line in body)


def states(game: Any) -> list[Any]:
    """States of random play, the start among them."""
    found = list(layout.random_states(game, 7))
    return found[:1] + found[1:300:9]


def compared(numbers: range) -> dict[str, list[str]]:
    """What became of each function: "equal", "refused", "stopped" or "wrong", with what was found."""
    found: dict[str, list[str]] = {"equal": [], "refused": [], "stopped": [], "wrong": []}
    game = pf.load(str(GAME))
    context, asked_of = rules_context(game), states(game)
    for number in numbers:
        what, why = one(number, game, context, asked_of)
        found[what].append(f"{number}: {why}")
    return found


def one(number: int, game: Any, context: Any, asked_of: list[Any]) -> tuple[str, str]:
    text = f"import copy\n\nfrom {type(game).__module__} import CORNERS, LINES\n\n\n{source(number)}"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"containers_{number}.py"
        path.write_text(text.replace(f"from {type(game).__module__} import CORNERS, LINES\n", ""))
        spec = importlib.util.spec_from_file_location(path.stem, path)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        rules = sys.modules[type(game).__module__]
        vars(module).update(CORNERS=rules.CORNERS, LINES=rules.LINES)
        sys.modules[path.stem] = module
        spec.loader.exec_module(module)
        function = vars(module)["asked"]
        try:
            native = compiler.callable_from_python(translated(function, context))
            native.compile((context.state,))
        except CannotCompile as error:
            return "refused", str(error)
        except Exception as error:  # Numba's own, around ours
            return "refused", str(error)[:300]
    entry, stopped = native.overloads[(context.state,)].entry_point, ""
    for state in asked_of:
        try:
            truth: Any = function(copy.deepcopy(state))
        except Exception as error:
            truth = error
        try:
            answer: Any = entry(state)
        except Exception as error:
            stopped = f"{type(error).__name__}: {error}"
            continue
        if isinstance(truth, Exception) or truth != answer:
            return "wrong", f"{answer!r}, interpreted {truth!r}, of {state!r}\n{source(number)}"
    return ("stopped", stopped) if stopped else ("equal", "")


if __name__ == "__main__":
    made = compared(range(int(sys.argv[1]), int(sys.argv[2])))
    for each in made["wrong"]:
        print("wrong", each)
    for each in made["refused"]:
        print("refused", each[:220].replace("\n", " "))
    print({what: len(all_of_it) for what, all_of_it in made.items()})
