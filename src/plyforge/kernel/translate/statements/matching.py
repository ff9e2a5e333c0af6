"""`match` as a chain of `if`: a pattern becomes a test of the subject and names for its parts.

    match action:                    subject = action
        case (0, by) if by < n:      if is_sequence(subject) and len(subject) == 2 and subject[0] == 0 and subject[1] <
                                     n:
            ...                          by = subject[1]
                                         ...
        case _:                      else:
            ...                          ...

Python binds the names of a pattern before it looks at the guard; here the guard reads the parts themselves, and the
names are bound where the case is taken. The two differ only where a name that a refused guard has bound is read
elsewhere: that is refused.

What a subject is (a sequence, an instance of a class) is known from its type; the two functions that ask are
`exact/control.py`'s.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable
from typing import Any

IS_SEQUENCE = "_plyforge_is_sequence"
IS_INSTANCE = "_plyforge_is_instance"
Refuse = Callable[[str, Any], Any]


def without_match(function: Any, temporary: Callable[[], str], refuse: Refuse) -> Any:
    """The function with each `match` written as `if`."""
    if not any(isinstance(node, ast.Match) for node in ast.walk(function)):
        return function
    _guards_leave_nothing(function, refuse)
    last = function.body[-1]
    if isinstance(last, ast.Match) and all(isinstance(case.body[-1], ast.Return) for case in last.cases):
        # where no case fits, Python gives None: the types often know that one does
        nothing: list[ast.stmt] = [ast.parse("raise ValueError('no case fits')").body[0]]
        last.cases.append(ast.match_case(ast.MatchAs(), None, nothing))
        for node in ast.walk(last.cases[-1]):
            ast.copy_location(node, last)
    return _Matcher(temporary, refuse).visit(function)


def _guards_leave_nothing(function: Any, refuse: Refuse) -> None:
    """Refuses names that a guard which says no leaves bound, and that somebody reads where no pattern has bound
    them."""
    cases = [node for node in ast.walk(function) if isinstance(node, ast.match_case)]
    for case in cases:
        for name in _captured(case.pattern) if case.guard is not None else ():
            inside = {id(n) for each in cases if name in _captured(each.pattern) for n in ast.walk(each)}
            for node in ast.walk(function):
                if isinstance(node, ast.Name) and node.id == name and id(node) not in inside:
                    refuse(
                        f"the name '{name}' is bound by a `case` with an `if`, and used elsewhere, too: give it"
                        " another",
                        case.pattern,
                    )


class _Matcher(ast.NodeTransformer):
    def __init__(self, temporary: Callable[[], str], refuse: Refuse) -> None:
        self.temporary, self.refuse = temporary, refuse

    def visit_Match(self, node: ast.Match) -> Any:
        name = self.temporary()
        chain: list[ast.stmt] = []
        for case in reversed(node.cases):
            test, bound = self.pattern(case.pattern, ast.Name(name, ast.Load()))
            if case.guard is not None:
                test = [*test, _Parts(bound, self.refuse).visit(case.guard)]
            taken: list[ast.stmt] = [ast.Assign([ast.Name(each, ast.Store())], value) for each, value in bound.items()]
            taken += [statement for inner in case.body for statement in _several(self.visit(inner))]
            chain = [ast.If(_all(test), taken, chain)] if test else taken
            chain = [_placed(statement, case.pattern) for statement in chain]
        first = ast.Assign([ast.Name(name, ast.Store())], node.subject)
        return [_placed(first, node), *chain]

    def pattern(self, pattern: Any, subject: ast.expr) -> tuple[list[ast.expr], dict[str, ast.expr]]:
        """What must be true of the subject, in this order, and the names for its parts."""
        if isinstance(pattern, ast.MatchValue):
            return [ast.Compare(subject, [ast.Eq()], [pattern.value])], {}
        if isinstance(pattern, ast.MatchSingleton):
            return [ast.Compare(subject, [ast.Is()], [ast.Constant(pattern.value)])], {}
        if isinstance(pattern, ast.MatchAs):
            tests, bound = ([], {}) if pattern.pattern is None else self.pattern(pattern.pattern, subject)
            return tests, bound if pattern.name is None else {**bound, pattern.name: subject}
        if isinstance(pattern, ast.MatchOr):
            return self.alternatives(pattern, subject)
        if isinstance(pattern, ast.MatchSequence):
            return self.sequence(pattern, subject)
        if isinstance(pattern, ast.MatchClass):
            return self.instance(pattern, subject)
        self.refuse("it uses `match` with a dict: compare with `if`", pattern)
        raise AssertionError

    def alternatives(self, pattern: ast.MatchOr, subject: ast.expr) -> Any:
        found = [self.pattern(each, subject) for each in pattern.patterns]
        tests: list[ast.expr] = []
        for test, _ in found:
            tests.append(_all(test) if test else ast.Constant(True))
        bound = dict(found[-1][1])
        for test, names in reversed(found[:-1]):  # the first alternative that fits gives the names
            bound = {name: ast.IfExp(_all(test), names[name], bound[name]) for name in names}
        return [ast.BoolOp(ast.Or(), tests)], bound

    def sequence(self, pattern: ast.MatchSequence, subject: ast.expr) -> Any:
        parts = pattern.patterns
        stars = [place for place, each in enumerate(parts) if isinstance(each, ast.MatchStar)]
        size = _call("len", subject)
        least = ast.Constant(len(parts) - len(stars))
        compare = ast.GtE() if stars else ast.Eq()
        tests: list[ast.expr] = [_call(IS_SEQUENCE, subject), ast.Compare(size, [compare], [least])]
        bound: dict[str, ast.expr] = {}
        for place, each in enumerate(parts):
            after = place - len(parts)
            if isinstance(each, ast.MatchStar):
                if each.name is not None:
                    upper = ast.Constant(after + 1) if after < -1 else None
                    piece = ast.Subscript(subject, ast.Slice(ast.Constant(place), upper), ast.Load())
                    bound[each.name] = _call("list", piece)
                continue
            at = ast.Constant(after if stars and place > stars[0] else place)
            more, names = self.pattern(each, ast.Subscript(subject, at, ast.Load()))
            tests += more
            bound.update(names)
        return tests, bound

    def instance(self, pattern: ast.MatchClass, subject: ast.expr) -> Any:
        tests: list[ast.expr] = [_call(IS_INSTANCE, subject, pattern.cls)]
        bound: dict[str, ast.expr] = {}
        if len(pattern.patterns) == 1 and isinstance(pattern.cls, ast.Name) and pattern.cls.id in ("int", "float"):
            more, bound = self.pattern(pattern.patterns[0], subject)
            return [*tests, *more], bound
        parts: list[ast.expr] = [
            ast.Subscript(subject, ast.Constant(place), ast.Load()) for place in range(len(pattern.patterns))
        ]
        parts += [ast.Attribute(subject, name, ast.Load()) for name in pattern.kwd_attrs]
        for each, part in zip([*pattern.patterns, *pattern.kwd_patterns], parts, strict=True):
            more, names = self.pattern(each, part)
            tests += more
            bound.update(names)
        return tests, bound


class _Parts(ast.NodeTransformer):
    """A guard that reads the parts of the subject instead of the names for them."""

    def __init__(self, bound: dict[str, ast.expr], refuse: Refuse) -> None:
        self.bound, self.refuse = bound, refuse

    def visit_Name(self, node: ast.Name) -> Any:
        if node.id not in self.bound:
            return node
        if not isinstance(node.ctx, ast.Load):
            self.refuse(f"the name '{node.id}' means two things in this `case`: give one another name", node)
        return self.bound[node.id]

    def visit_arg(self, node: ast.arg) -> Any:
        if node.arg in self.bound:
            self.refuse(f"the name '{node.arg}' means two things in this `case`: give one another name", node)
        return node


def _captured(pattern: ast.pattern) -> set[str]:
    found = {each.name for each in ast.walk(pattern) if isinstance(each, (ast.MatchAs, ast.MatchStar))}
    return {name for name in found if name is not None}


def _all(tests: list[ast.expr]) -> ast.expr:
    return tests[0] if len(tests) == 1 else ast.BoolOp(ast.And(), tests)


def _call(name: str, *args: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(name, ast.Load()), list(args), [])


def _several(made: Any) -> list[ast.stmt]:
    return made if isinstance(made, list) else [made]


def _placed(new: Any, old: Any) -> Any:
    """New nodes where the old one is. A part of the subject stands in several tests, each of which is rewritten
    later: every one gets its own."""
    made = copy.deepcopy(new)
    for inner in ast.walk(made):
        if not hasattr(inner, "lineno"):
            ast.copy_location(inner, old)
    return made
