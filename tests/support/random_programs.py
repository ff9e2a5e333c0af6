"""Random programs over the arithmetic that rules use, and the judge of what a compiler makes of them.

A program is one pure function `f(a, b, c, board)` of ints and a tuple of cells, as text, with inputs to call it with.
`program(number)` gives the same program for the same number, always, so that a failure is named by a number: `python
tests/support/random_programs.py 1234` prints it.

Invariants: every program ends (loops are bounded), is pure, and reads no variable that it has not set. Numbers of more
than MOST_BITS bits are kept out: an input that leads to them is dropped. One in ten has values of more kinds
(`random_kinds.py`). Variables keep their type: those called `x` are ints, `y` floats, `t` truths; one program in twenty
breaks that in one place, as people do.

The judge (`judge`) knows from an instrumented run how wide the numbers became on the way. Interpreted Python is the
truth, and compiled code must give the same value of the same kind. It may raise instead only where Python raises, too,
or where a number on the way left 64 bits, or, where there are floats, the numbers that a float holds one by one
(2**53). Whatever else it does is wrong.
"""

from __future__ import annotations

import ast
import functools
import math
import operator
import random
import struct
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plyforge.errors import CannotCompile

MOST_BITS = 20_000
INPUTS = 7
SMALL = (0, 1, 1, 2, 2, 3, 4, 5, 7, 8, 9, 10, 13, 31, 64, 100)
EDGES = (
    2**31 - 1,
    2**31,
    2**32,
    2**53 + 1,
    2**62,
    2**63 - 1,
    2**63,
    2**64 - 1,
    2**64,
    2**100 + 3,
    10**18,
    0x9E3779B9,
)
FLOATS = ("0.5", "1.5", "2.5", "0.1", "0.25", "3.0", "1e6", "0.0", "7.75")


@dataclass(frozen=True)
class Program:
    """One function as text, and what to call it with."""

    number: int
    source: str
    inputs: tuple[tuple[int, int, int, tuple[int, ...]], ...]

    def function(self, instrument: Callable[[Any], Any] | None = None) -> Callable[..., Any]:
        """The function; with `instrument`, every number that it computes goes through that first."""
        name = f"random_program_{self.number}"
        if instrument is None:
            file = Path(folder().name) / f"{name}.py"  # as rules are: in a file, where a translator can read it
            file.write_text(self.source)
            namespace: dict[str, Any] = {"__name__": name, "__file__": str(file)}
            exec(compile(self.source, str(file), "exec", dont_inherit=True), namespace)
        else:
            tree = ast.fix_missing_locations(_Noted().visit(ast.parse(self.source)))
            namespace = {
                "__name__": name,
                "_note": instrument,
                "_shift": _no_wider,
                "sum": _noted_sum(instrument),
            }
            exec(compile(tree, name, "exec", dont_inherit=True), namespace)
        return namespace["f"]


@functools.cache
def folder() -> tempfile.TemporaryDirectory[str]:
    """Where the programs' files are, as long as this process lives."""
    return tempfile.TemporaryDirectory(prefix="random_programs")


# ------------------------------------------------------------ the generator
class Writer:
    """Writes one program. The methods `whole`, `real` and `truth` give an expression of that type as text."""

    head = ""

    def __init__(self, number: int) -> None:
        self.random = random.Random(number)
        self.size = self.random.choice((4, 5, 6, 9))
        self.wide = self.random.random() < 0.3
        """Numbers near the ends of machine words occur."""
        self.floats = self.random.random() < 0.4
        self.careless = 0.2 if self.random.random() < 0.1 else 0.0
        """How often nothing keeps an index, a divisor or a shift within its range."""
        self.mixes = self.random.random() < 0.05
        self.wholes = ["a", "b", "c"]
        self.reals: list[str] = []
        self.truths: list[str] = []
        self.loop_variables: list[str] = []
        self.lists: list[str] = []
        self.told: list[str] = []
        self.made = 0

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def pick(self, *ways: Callable[[int], str], depth: int) -> str:
        return self.random.choice(ways)(depth)

    # ------------------------------------------------------------ ints
    def whole(self, depth: int) -> str:
        if depth <= 0 or self.chance(0.15):
            return self.atom()
        ways = [self.sum_of_two] * 6 + [self.product, self.quotient, self.bits, self.shift, self.cell] * 2
        ways += [self.power, self.unary, self.extreme, self.whole_choice, self.counted, self.converted]
        return self.pick(*ways, depth=depth - 1)

    def atom(self) -> str:
        roll = self.random.random()
        if roll < 0.55:
            return self.random.choice(self.wholes + self.loop_variables)
        if self.wide and roll < 0.63:
            edge = self.random.choice(EDGES)
            return f"({-edge})" if self.chance(0.3) else str(edge)
        if roll < 0.75:
            return f"board[{self.index(0)}]"
        return str(self.random.choice(SMALL)) if self.chance(0.85) else f"(-{self.random.choice(SMALL[1:])})"

    def sum_of_two(self, depth: int) -> str:
        return f"({self.whole(depth)} {self.random.choice('+-')} {self.whole(depth)})"

    def product(self, depth: int) -> str:
        return f"({self.whole(depth)} * {self.whole(depth - 1)})"

    def divisor(self, depth: int) -> str:
        if self.chance(self.careless):
            return self.whole(depth)
        if self.chance(0.6):
            return self.random.choice(("2", "3", "7", "10", "(-2)", "(-3)", "5", "64"))
        return self.random.choice(("({} % 5 + 1)", "({} % 4 - 5)", "(abs({}) + 1)")).format(self.whole(depth))

    def quotient(self, depth: int) -> str:
        if self.chance(0.1):
            return f"divmod({self.whole(depth)}, {self.divisor(depth)})[{self.random.choice('01')}]"
        return f"({self.whole(depth)} {self.random.choice(('//', '%'))} {self.divisor(depth - 1)})"

    def bits(self, depth: int) -> str:
        return f"({self.whole(depth)} {self.random.choice('&|^')} {self.whole(depth)})"

    def shift(self, depth: int) -> str:
        if self.chance(self.careless):
            by = self.whole(0)
        elif self.chance(0.5):
            by = self.random.choice(("1", "2", "3", "5", "9", "31") + (("62", "63", "64", "70") if self.wide else ()))
        else:
            by = f"({self.whole(depth)} % {80 if self.wide else 9})"
        return f"({self.whole(depth)} {self.random.choice(('<<', '>>'))} {by})"

    def power(self, depth: int) -> str:
        if self.chance(self.careless):
            return f"({self.whole(0)} ** ({self.whole(0)} % 9))"
        if self.chance(0.3):
            return f"(2 ** ({self.whole(depth)} % {70 if self.wide else 12}))"
        return f"({self.whole(depth)} ** {self.random.choice('02233')})"

    def unary(self, depth: int) -> str:
        return self.random.choice(("(-{})", "(~{})", "abs({})", "(-{})")).format(self.whole(depth))

    def extreme(self, depth: int) -> str:
        name = self.random.choice(("min", "max"))
        if self.chance(0.2):
            return f"{name}(board)"
        return f"{name}({', '.join(self.whole(depth - 1) for _ in range(self.random.choice((2, 2, 3))))})"

    def whole_choice(self, depth: int) -> str:
        if self.chance(0.2):
            return f"({self.whole(depth - 1)} {self.random.choice(('or', 'and'))} {self.whole(depth - 1)})"
        other = self.real(depth - 1) if self.mixes and self.chance(0.3) else self.whole(depth - 1)
        return f"({self.whole(depth - 1)} if {self.truth(depth - 1)} else {other})"

    def counted(self, depth: int) -> str:
        name = self.fresh("k")
        inner = self.inside(name, lambda: self.truth(min(depth, 1)))
        each = self.inside(name, lambda: self.whole(min(depth, 1)))
        return self.random.choice(
            (
                "sum(board)",
                "len(board)",
                f"board.count({self.whole(0)})",
                f"sum({each} for {name} in board)",
                f"sum(1 for {name} in board if {inner})",
                f"sum({each} for {name} in range({self.random.randint(1, 6)}))",
                f"sum(board[{self.random.randint(0, 2)}:{self.random.randint(2, 6)}])",
                f"sum({inner} for {name} in board)",
            )
        )

    def converted(self, depth: int) -> str:
        ways = [f"int({self.truth(depth)})", f"({self.truth(depth)} + {self.truth(depth)})"]
        ways += [f"({self.truth(depth)} * {self.whole(depth)})"]
        if self.floats:
            ways += [
                f"int({self.real(depth)})",
                f"round({self.real(depth)})",
                f"round({self.whole(depth)} / 2)",
            ]
        return self.random.choice(ways)

    def cell(self, depth: int) -> str:
        where = self.random.choice(["board", *self.lists]) if self.lists else "board"
        return f"{where}[{self.index(depth)}]"

    def index(self, depth: int) -> str:
        n = self.size
        if self.chance(self.careless):
            return self.whole(0)
        if self.chance(0.4):
            return str(self.random.randint(-n, n - 1))
        return self.random.choice(("{} % {}", "-1 - {} % {}", "{} % {}")).format(self.whole(min(depth, 1)), n)

    # ------------------------------------------------------------ truths
    def truth(self, depth: int) -> str:
        if depth <= 0 and self.truths and self.chance(0.3):
            return self.random.choice(self.truths)
        ways = [self.comparison] * 4 + [self.member]
        if depth > 0:
            ways += [self.connected, self.negated, self.chained, self.quantified, self.float_comparison]
        return self.pick(*ways, depth=depth - 1)

    def comparison(self, depth: int) -> str:
        sign = self.random.choice(("<", "<=", ">", ">=", "==", "!="))
        return f"({self.whole(depth)} {sign} {self.whole(depth)})"

    def float_comparison(self, depth: int) -> str:
        if not self.floats:
            return self.comparison(depth)
        sides = [self.real(depth), self.random.choice((self.real, self.whole))(depth)]
        self.random.shuffle(sides)
        return f"({sides[0]} {self.random.choice(('<', '>=', '==', '!='))} {sides[1]})"

    def chained(self, depth: int) -> str:
        return f"({self.whole(0)} <= {self.whole(depth)} < {self.whole(0)})"

    def member(self, depth: int) -> str:
        word = self.random.choice(("in", "in", "not in"))
        among = self.random.choice(("board", "(1, 3, 4)", "(0, -2)", "range(1, 9, 3)"))
        return f"({self.whole(depth)} {word} {among})"

    def connected(self, depth: int) -> str:
        return f"({self.truth(depth)} {self.random.choice(('and', 'or'))} {self.truth(depth)})"

    def negated(self, depth: int) -> str:
        return self.random.choice((f"(not {self.truth(depth)})", f"bool({self.whole(depth)})"))

    def quantified(self, depth: int) -> str:
        name = self.fresh("k")
        inner = self.inside(name, lambda: self.truth(min(depth, 1)))
        among = self.random.choice(("board", f"range({self.random.randint(0, 5)})"))
        return f"{self.random.choice(('any', 'all'))}({inner} for {name} in {among})"

    # ------------------------------------------------------------ floats
    def real(self, depth: int) -> str:
        if depth <= 0:
            if self.reals and self.chance(0.6):
                return self.random.choice(self.reals)
            return self.random.choice(FLOATS)
        ways = [
            self.fraction,
            self.real_sum,
            self.real_sum,
            self.real_product,
            self.real_other,
            self.real_quotient,
        ]
        return self.pick(*ways, depth=depth - 1)

    def fraction(self, depth: int) -> str:
        return f"({self.whole(depth)} / {self.divisor(depth)})"

    def real_sum(self, depth: int) -> str:
        other = self.random.choice((self.real, self.real, self.whole))(depth)
        return f"({self.real(depth)} {self.random.choice('+-')} {other})"

    def real_product(self, depth: int) -> str:
        return f"({self.random.choice((self.real, self.whole))(depth)} * {self.real(depth)})"

    def real_quotient(self, depth: int) -> str:
        by = self.random.choice(("2.0", "(-3.0)", "0.5", "7", "0.1"))
        return f"({self.real(depth)} {self.random.choice(('//', '%', '/'))} {by})"

    def real_other(self, depth: int) -> str:
        ways = [f"float({self.whole(depth)})", f"abs({self.real(depth)})", f"(-{self.real(depth)})"]
        ways += [f"max({self.real(depth)}, {self.real(depth)})", f"({self.real(depth)} ** 2)"]
        ways += [f"(2.0 ** {self.random.choice(('3', '(-2)', '0'))})", f"round({self.real(depth)}, 1)"]
        ways += [f"({self.real(depth)} if {self.truth(depth)} else {self.real(depth)})"]
        if self.mixes:
            ways += [f"min({self.whole(depth)}, {self.real(depth)})"] * 3
        return self.random.choice(ways)

    # ------------------------------------------------------------ names
    def fresh(self, letter: str) -> str:
        self.made += 1
        return f"{letter}{self.made}"

    def inside(self, name: str, write: Callable[[], str]) -> str:
        self.loop_variables.append(name)
        text = write()
        self.loop_variables.pop()
        return text

    # ------------------------------------------------------------ statements
    def statements(self, count: int, depth: int, looping: bool) -> list[str]:
        lines: list[str] = []
        for _ in range(count):
            ways = [self.assign, self.assign, self.augment, self.augment, self.update]
            if depth > 0:
                ways += [self.branch, self.branch, self.for_loop, self.while_loop]
            if looping and self.chance(0.1):
                lines += [f"if {self.truth(1)}:", f"    {self.random.choice(('break', 'continue'))}"]
            lines += self.random.choice(ways)(depth - 1, looping)
        return lines

    def block(self, depth: int, looping: bool) -> list[str]:
        """Names that are made inside a block are not known after it: it may not have run."""
        known = self.wholes[:], self.reals[:], self.truths[:], self.lists[:]
        lines = self.statements(self.random.randint(1, 2), depth, looping)
        self.wholes, self.reals, self.truths, self.lists = known
        return [f"    {line}" for line in lines]

    def own(self) -> list[str]:
        return [name for name in self.wholes if name[0] == "x"]

    def assign(self, depth: int, looping: bool) -> list[str]:
        if self.floats and self.chance(0.3):
            name, value = self.fresh("y"), self.real(2)
            if self.reals and self.chance(0.6):
                return [f"{self.random.choice(self.reals)} = {value}"]
            self.reals.append(name)
            return [f"{name} = {value}"]
        if self.chance(0.15):
            name, value = self.fresh("t"), self.truth(2)
            self.truths.append(name)
            return [f"{name} = {value}"]
        value = self.whole(3)
        if self.mixes and self.floats and self.own() and self.chance(0.2):
            return [f"{self.random.choice(self.own())} = {self.real(2)}"]
        if self.own() and self.chance(0.6):
            return [f"{self.random.choice(self.own())} = {value}"]
        name = self.fresh("x")
        self.wholes.append(name)
        return [f"{name} = {value}"]

    def augment(self, depth: int, looping: bool) -> list[str]:
        if self.reals and self.chance(0.3):
            return [f"{self.random.choice(self.reals)} {self.random.choice('+-*')}= {self.real(1)}"]
        if not self.own():
            return self.assign(depth, looping)
        name, sign = (
            self.random.choice(self.own()),
            self.random.choice(("+", "-", "+", "-", "*", "&", "|", "^", "//", "%", ">>", "<<")),
        )
        if sign in ("//", "%"):
            return [f"{name} {sign}= {self.divisor(1)}"]
        if sign in (">>", "<<"):
            return [f"{name} {sign}= {self.random.choice('1234')}"]
        return [f"{name} {sign}= {self.whole(2)}"]

    def update(self, depth: int, looping: bool) -> list[str]:
        """A board is changed as people do it: by a list made of it."""
        name = self.fresh("new")
        lines = [f"{name} = list(board)"]
        self.lists.append(name)
        for _ in range(self.random.randint(1, 2)):
            i, j = self.index(1), self.index(0)
            lines.append(
                self.random.choice(
                    (
                        f"{name}[{i}] = {self.whole(2)}",
                        f"{name}[{i}] {self.random.choice('+-^')}= {self.whole(1)}",
                        f"{name}[{i}], {name}[{j}] = {name}[{j}], {name}[{i}]",
                    )
                )
            )
        self.lists.remove(name)
        return [*lines, f"board = tuple({name})"]

    def branch(self, depth: int, looping: bool) -> list[str]:
        lines = [f"if {self.truth(2)}:", *self.block(depth, looping)]
        if self.chance(0.3):
            lines += [f"elif {self.truth(1)}:", *self.block(depth, looping)]
        if self.chance(0.5):
            lines += ["else:", *self.block(depth, looping)]
        return lines

    def for_loop(self, depth: int, looping: bool) -> list[str]:
        name, second = self.fresh("i"), self.fresh("cell")
        head, names = self.random.choice(
            (
                (f"for {name} in range({self.random.randint(2, 6)}):", [name]),
                (f"for {name} in range({self.whole(1)} % 6):", [name]),
                (f"for {name} in range({self.random.randint(3, 7)}, -2, -2):", [name]),
                (f"for {name} in range(len(board)):", [name]),
                (f"for {second} in board:", [second]),
                (f"for {name}, {second} in enumerate(board):", [name, second]),
                (f"for {name}, {second} in zip(board, board[1:]):", [name, second]),
            )
        )
        self.loop_variables += names
        lines = [head, *self.block(depth, True)]
        del self.loop_variables[-len(names) :]
        if self.chance(0.1):
            lines += ["else:", *self.block(depth, looping)]
        return lines

    def while_loop(self, depth: int, looping: bool) -> list[str]:
        name = self.fresh("n")
        self.loop_variables.append(name)
        body = self.block(depth, True)
        self.loop_variables.remove(name)
        condition = f"{name} < {self.random.randint(1, 7)}"
        if self.chance(0.5):
            condition += f" and {self.truth(1)}"
        return [f"{name} = 0", f"while {condition}:", f"    {name} += 1", *body]

    def answer(self, kind: str) -> str:
        """Of one kind for all ways out of a program; `everything` tells all that was computed at the top."""
        if kind == "everything":
            return ", ".join(["x0", *self.told, "board", self.whole(1)])
        if kind == "board":
            return "board"
        write = {"whole": self.whole, "real": self.real, "truth": self.truth}[kind]
        return write(2)

    def write(self) -> str:
        lines = ["x0 = " + self.whole(2)]
        self.wholes.append("x0")
        kind = self.random.choice(["everything"] * 6 + ["whole"] * 3 + ["board", "truth"] + ["real"] * 2 * self.floats)
        lines += self.statements(self.random.randint(1, 3), 2, False)
        self.told = [*self.own()[1:3], *self.reals[:1], *self.truths[:1]]
        if self.chance(0.2):
            lines += [f"if {self.truth(1)}:", f"    return {self.answer(kind)}"]
        lines += self.statements(self.random.randint(0, 2), 1, False)
        lines.append(f"return {self.answer(kind)}")
        return self.head + "def f(a, b, c, board):\n" + "".join(f"    {line}\n" for line in lines)

    def arguments(self) -> tuple[int, int, int, tuple[int, ...]]:
        def number() -> int:
            if self.wide and self.chance(0.25):
                return self.random.choice(EDGES[:6] if self.chance(0.7) else EDGES) * self.random.choice((1, -1))
            return self.random.choice(
                (self.random.randint(-9, 9), self.random.randint(-200, 200), self.random.randint(0, 3))
            )

        cells = self.random.choice(((0, 1, 2), (-3, -1, 0, 4, 5), (0, 1, 100, 7)))
        return number(), number(), number(), tuple(self.random.choice(cells) for _ in range(self.size))


class TooWide(Exception):
    """An int has more than MOST_BITS bits: such programs are kept out."""


def program(number: int) -> Program:
    """The program of that number."""
    from random_kinds import KindsWriter

    writer = KindsWriter(number) if number % 10 == 7 else Writer(number)
    source = writer.write()
    drafts = [writer.arguments() for _ in range(3 * INPUTS)]
    run = Interpreted(Program(number, source, ()))
    kept = [inputs for inputs in drafts if not isinstance(run(inputs).error, TooWide)]
    return Program(number, source, tuple(dict.fromkeys(kept))[:INPUTS])


# ------------------------------------------------------------ the instrumented run
def _no_wider(bits: int) -> int:
    """How far a number is shifted; raises where nothing but zeros would come of it."""
    if bits > MOST_BITS:
        raise TooWide
    return bits


class _Noted(ast.NodeTransformer):
    """Everything that is computed goes through `_note`."""

    def note(self, node: Any) -> Any:
        self.generic_visit(node)
        return ast.Call(ast.Name("_note", ast.Load()), [node], [])

    def visit_BinOp(self, node: ast.BinOp) -> Any:
        if isinstance(node.op, ast.LShift):  # nobody should compute that first
            node.right = ast.Call(ast.Name("_shift", ast.Load()), [node.right], [])
        return self.note(node)

    visit_UnaryOp = visit_Call = visit_Constant = note

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        read = ast.parse(ast.unparse(node.target), mode="eval").body
        return self.visit(ast.Assign([node.target], ast.BinOp(read, node.op, node.value)))


def _noted_sum(note: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def noted_sum(items: Any) -> Any:
        total = 0
        for item in items:
            total = note(total + item)
        return total

    return noted_sum


@dataclass
class Truth:
    """What interpreted Python makes of a program and an input."""

    value: Any
    error: Exception | None
    fits: bool
    """True if no number on the way left 64 bits, nor, where there are floats, the 53 bits of a float: neither whole
    numbers nor floats themselves."""


class Interpreted:
    """A program run by Python, watching how wide its numbers are."""

    def __init__(self, program: Program) -> None:
        self.widest, self.floats = 0, False
        self.function = program.function(self.note)

    def note(self, value: Any) -> Any:
        if isinstance(value, int):
            self.widest = max(self.widest, (value if value >= 0 else ~value).bit_length())
            if self.widest > MOST_BITS:
                raise TooWide
        elif isinstance(value, float):
            self.floats = True
            if 1 << 53 < abs(value) < math.inf:
                self.widest = max(self.widest, 54)
        elif isinstance(value, (tuple, list)):
            for item in value:
                self.note(item)
        return value

    def __call__(self, inputs: tuple[Any, ...]) -> Truth:
        self.widest, self.floats = 0, False
        self.note(inputs)
        value, error = None, None
        try:
            value = self.function(*inputs)
        except Exception as raised:
            error = raised
        return Truth(value, error, self.widest <= (53 if self.floats else 63))


# ------------------------------------------------------------ the judge
@dataclass
class Verdict:
    """What became of one program: how many inputs ended how, and what was wrong, in words."""

    number: int
    refused: str = ""
    equal: int = 0
    stopped: int = 0
    """Raised where a number left its bits: exact or refused."""
    raised: int = 0
    """Raised as Python does."""
    otherwise: int = 0
    """Raised where Python raises, but another error."""
    wrong: tuple[str, ...] = ()


def judge(program: Program, compile_function: Callable[[Any], Any]) -> Verdict:
    """Compare what `compile_function` makes of a program with what Python does."""
    verdict = Verdict(program.number)
    try:
        compiled = compile_function(program.function())
    except CannotCompile as reason:
        verdict.refused = str(reason) or "without a reason"
        return verdict
    run = Interpreted(program)
    for inputs in program.inputs:
        truth = run(inputs)
        try:
            value, error = compiled(*inputs), None
        except CannotCompile as reason:
            verdict.refused = str(reason) or "without a reason"
            return verdict
        except Exception as raised:
            value, error = None, raised
        _count(verdict, inputs, truth, value, error)
    return verdict


def _count(verdict: Verdict, inputs: Any, truth: Truth, value: Any, error: Exception | None) -> None:
    if error is not None and truth.error is not None:
        if type(error) is type(truth.error):
            verdict.raised += 1
        else:
            verdict.otherwise += 1
    elif error is not None and not truth.fits:
        verdict.stopped += 1
    elif error is None and truth.error is None and same(value, truth.value):
        verdict.equal += 1
    else:
        got = f"{type(error).__name__}: {error}" if error is not None else repr(value)
        wanted = f"raises {type(truth.error).__name__}" if truth.error is not None else repr(truth.value)
        verdict.wrong += (f"f{inputs}: compiled {got}, interpreted {wanted}",)


def same(one: Any, other: Any) -> bool:
    """Equal, and of one kind: 1 and True are two things, 0.0 and -0.0 are two, and NaN is itself. What is a whole
    number on one path and a float on another is a float in compiled code: 1 and 1.0 are the same, as far as a float
    holds every whole number."""
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, float) and isinstance(other, float):
        return (math.isnan(one) and math.isnan(other)) or struct.pack("d", one) == struct.pack("d", other)
    if {type(one), type(other)} == {int, float}:
        return one == other and abs(one) <= 1 << 53
    return type(one) is type(other) and operator.eq(one, other)


if __name__ == "__main__":
    for text in sys.argv[1:]:
        shown = program(int(text))
        print(shown.source)
        run = Interpreted(shown)
        for arguments in shown.inputs:
            found = run(arguments)
            print(f"f{arguments} = {found.value!r}" if found.error is None else f"f{arguments} raises {found.error!r}")
