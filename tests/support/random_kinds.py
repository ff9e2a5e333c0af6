"""Random programs with values of more kinds: tuples and texts of any length, values that may be None, dataclasses.

One program in ten is written by this writer (`random_programs.program`). What is made of such values goes into ints and
truths, so that everything else is as in the others.
"""

from __future__ import annotations

from random_programs import Writer

HEAD = """from dataclasses import dataclass, replace


@dataclass(frozen=True, order=True)
class Cell:
    row: int
    column: int = 3


"""
WORDS = ("'a'", "'ab'", "'ba'", "'xyz'", "''", "'aab'")


class KindsWriter(Writer):
    """Writes one program."""

    head = HEAD

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.rows: list[str] = []
        self.maybes: list[str] = []
        self.objects: list[str] = []
        self.texts: list[str] = []

    def block(self, depth: int, looping: bool) -> list[str]:
        known = self.rows[:], self.maybes[:], self.objects[:], self.texts[:]
        lines = super().block(depth, looping)
        self.rows, self.maybes, self.objects, self.texts = known
        return lines

    def statements(self, count: int, depth: int, looping: bool) -> list[str]:
        first = [] if looping or depth < 2 else [line for _ in range(4) for line in self.assign(depth, False)]
        return first + super().statements(count, depth, looping)

    def whole(self, depth: int) -> str:
        if depth > 0 and self.chance(0.25):
            return self.part(depth - 1) or super().whole(depth)
        return super().whole(depth)

    def truth(self, depth: int) -> str:
        if depth > 0 and self.chance(0.3):
            return self.asked(depth - 1) or super().truth(depth)
        return super().truth(depth)

    def part(self, depth: int) -> str:
        """An int that is a part of something else; empty where there is nothing yet."""
        ways = []
        if self.rows:
            row = self.random.choice(self.rows)
            ways += [f"len({row})", f"sum({row})", f"{row}.count({self.whole(0)})"]
            ways += [
                f"({row}[{self.whole(0)} % len({row})] if {row} else {self.whole(0)})",
                f"len({row}[1:])",
            ]
        if self.maybes:
            maybe = self.random.choice(self.maybes)
            ways += [f"({self.whole(0)} if {maybe} is None else {maybe})"] * 2
            if self.chance(self.careless):
                ways.append(f"({maybe} + 1)")
        if self.objects:
            cell = self.random.choice(self.objects)
            ways += [f"{cell}.row", f"{cell}.column", f"replace({cell}, row={self.whole(depth)}).row"]
        if self.texts:
            text = self.random.choice(self.texts)
            ways += [f"len({text})", f"{text}.count('a')", f"{text}.find({self.random.choice(WORDS[1:4])})"]
        return self.random.choice(ways) if ways else ""

    def asked(self, depth: int) -> str:
        """A truth about something; empty where there is nothing yet."""
        ways = []
        if self.rows:
            row, other = self.random.choice(self.rows), self.random.choice(self.rows)
            ways += [f"({row} == {other})", f"({self.whole(0)} in {row})", f"({row} != ({self.whole(0)},))"]
        if self.maybes:
            maybe, other = self.random.choice(self.maybes), self.random.choice(self.maybes)
            ways += [f"({maybe} is not None)", f"({maybe} == {other})", f"({maybe} == {self.whole(0)})"]
            ways.append(f"bool({maybe})")
        if self.objects:
            cell = self.random.choice(self.objects)
            made = f"Cell({self.whole(0)}, {self.whole(0)})"
            ways += [f"({cell} {self.random.choice(('==', '!=', '<', '>='))} {made})"]
            ways += [f"({cell} == ({cell}.row, {cell}.column))"]
        if self.texts:
            text, other = self.random.choice(self.texts), self.random.choice(self.texts)
            ways += [f"({text} == {other})", f"({self.random.choice(WORDS)} in {text})"]
            ways += [
                f"{text}.startswith({self.random.choice(WORDS)})",
                f"({text} != {self.random.choice(WORDS)})",
            ]
        return self.random.choice(ways) if ways else ""

    def assign(self, depth: int, looping: bool) -> list[str]:
        if self.chance(0.4):
            return super().assign(depth, looping)
        kind = self.random.choice(("row", "maybe", "object", "text"))
        if kind == "row":
            if self.rows and not looping and self.chance(0.4):
                name = self.random.choice(self.rows)
                return [f"{name} = {name}[{self.random.choice('012')}:] + ({self.whole(1)},)"]
            name = self.fresh("row")
            line = f"{name} = tuple([v for v in board])[:{self.whole(1)} % {self.size}] + ({self.whole(1)},)"
            self.rows.append(name)
            return [line]
        if kind == "maybe":
            name = self.fresh("maybe")
            line = f"{name} = {self.whole(1)} if {self.truth(1)} else None"
            self.maybes.append(name)
            return [line]
        if kind == "object":
            name = self.random.choice(self.objects) if self.objects and self.chance(0.4) else self.fresh("cell_")
            line = f"{name} = Cell({self.whole(1)}{f', {self.whole(1)}' if self.chance(0.7) else ''})"
            self.objects = [*dict.fromkeys([*self.objects, name])]
            return [line]
        if self.texts and not looping and self.chance(0.4):
            name = self.random.choice(self.texts)
            return [
                f"{name} = {name} + ({self.random.choice(WORDS)} if {self.truth(1)} else {self.random.choice(WORDS)})"
            ]
        name = self.fresh("text")
        line = f"{name} = {self.random.choice(WORDS)} if {self.truth(1)} else {self.random.choice(WORDS)}"
        self.texts.append(name)
        return [line]
