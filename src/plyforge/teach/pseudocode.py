"""The algorithms as a lecture writes them, and which line a step of a recording stands at.

A line carries labels, `event` or `event:role`: the event of the watcher that happens there (enter, child, better, cut,
leave), and what the node does (max, min, own, chance, policy, end, horizon). A step lights the lines whose label fits
it. So the text beside a recorded tree moves with
*the* algorithm, and can't run ahead of it.

The rule for equal values is part of the text: a cut at `v >= beta`, also at equality; a child is better only if it is
strictly so, and of several best actions the first is kept. That is what the kernels do.
"""

from __future__ import annotations

from typing import NamedTuple

from plyforge.search.trace.tree import (
    AVERAGES,
    CHOOSES_LARGEST,
    CHOOSES_OWN,
    CHOOSES_SMALLEST,
    ESTIMATE,
    UTILITY,
    Event,
    Node,
)


class Line(NamedTuple):
    """One line of pseudocode."""

    text: str
    """With its indentation."""
    labels: tuple[str, ...] = ()


class Pseudocode(NamedTuple):
    """An algorithm in words."""

    name: str
    lines: tuple[Line, ...]
    rule: str
    """How it treats equal values, in a sentence."""

    def lit(self, event: Event) -> list[int]:
        """The numbers of the lines at which an event happens, from 0."""
        role = role_of(event.node)
        wanted = {event.kind, f"{event.kind}:{role}"}
        return [number for number, line in enumerate(self.lines) if wanted & set(line.labels)]


def role_of(node: Node) -> str:
    """What a node does, as the labels call it."""
    if node.source == UTILITY or node.player is None:
        return "end"
    if node.source == ESTIMATE:
        return "horizon"
    if node.chooses == AVERAGES:
        return "policy" if node.modelled else "chance"
    return {CHOOSES_LARGEST: "max", CHOOSES_SMALLEST: "min", CHOOSES_OWN: "own"}.get(node.chooses or "", "own")


FIRST_KEPT = "A child is better only if it is strictly better: of equal actions the first is kept."
CUT_AT_EQUALITY = (
    "A cut is made as soon as alpha >= beta, also at equality. Nothing is lost by that: an equal value would not be"
    " preferred to the action found before. " + FIRST_KEPT
)

_LEAVES = (
    Line("  if terminal(s): return utility(s)", ("leave:end",)),
    Line("  if d = 0: return estimate(s)", ("leave:horizon",)),
)
_INNER = tuple(f"enter:{role}" for role in ("max", "min", "own", "chance", "policy", "end", "horizon"))


def _choosing(name: str, who: str, role: str, word: str, start: str, sign: str, window: str = "") -> tuple[Line, ...]:
    """The part of a function where one side chooses, without cuts."""
    call = f"{name}(result(s, a), d - 1{window})"
    return (
        Line(f"  if player(s) = {who}:"),
        Line(f"    v := {start}"),
        Line("    for each action a of s:"),
        Line(f"      w := {call}", (f"child:{role}",)),
        Line(f"      if w {sign} v: v := w", (f"better:{role}",)),
        Line("    return v", (f"leave:{role}",)),
    )


def _cutting(name: str, who: str, role: str, rest: str = "") -> tuple[Line, ...]:
    """The part of a function where one side chooses within a window."""
    largest = role == "max"
    word, start = ("max", "−∞") if largest else ("min", "+∞")
    cut = "if v ≥ β: return v" if largest else "if v ≤ α: return v"
    narrow = "α := max(α, v)" if largest else "β := min(β, v)"
    return (
        Line(f"  if player(s) = {who}:"),
        Line(f"    v := {start}"),
        Line("    for each action a of s:"),
        Line(f"      v := {word}(v, {name}(result(s, a), d - 1{rest}, α, β))", (f"child:{role}",)),
        Line(f"      {cut}", (f"cut:{role}",)),
        Line(f"      {narrow}", (f"better:{role}",)),
        Line("    return v", (f"leave:{role}",)),
    )


def _average(
    name: str, role: str = "chance", who: str = "CHANCE", over: str = "outcome a, with probability p"
) -> tuple[Line, ...]:
    return (
        Line(f"  if player(s) = {who}:"),
        Line("    v := 0"),
        Line(f"    for each {over}:"),
        Line(f"      v := v + p·{name}(result(s, a), d - 1)", (f"child:{role}",)),
        Line("    return v", (f"leave:{role}",)),
    )


def _head(text: str) -> Line:
    return Line(text, _INNER)


def _star(name: str, peek: bool) -> tuple[Line, ...]:
    probing = (Line("    look at one action of each outcome first, for a bound"),) if peek else ()
    return (
        _head(f"{name}(s, d, α, β):"),
        *_LEAVES,
        Line("  if player(s) = CHANCE:"),
        *probing,
        Line("    v := 0"),
        Line("    for each outcome a, of probability p, rest: those after it:"),
        Line("      below := (α - v - rest·highest)/p;  above := (β - v - rest·lowest)/p"),
        Line(f"      w := {name}(result(s, a), d - 1, below, above)", ("child:chance",)),
        Line("      if w ≤ below or w ≥ above: return the bound", ("cut:chance",)),
        Line("      v := v + p·w"),
        Line("    return v", ("leave:chance",)),
        *_cutting(name, "MAX", "max"),
        *_cutting(name, "MIN", "min"),
    )


ALGORITHMS: dict[str, Pseudocode] = {
    "minimax": Pseudocode(
        "Minimax",
        (
            _head("minimax(s, d):"),
            *_LEAVES,
            *_choosing("minimax", "MAX", "max", "max", "−∞", ">"),
            *_choosing("minimax", "MIN", "min", "min", "+∞", "<"),
        ),
        FIRST_KEPT,
    ),
    "negamax": Pseudocode(
        "Negamax",
        (
            _head("negamax(s, d):   the value to whoever moves"),
            Line("  if terminal(s): return utility(s), to whoever moves", ("leave:end",)),
            Line("  if d = 0: return estimate(s), to whoever moves", ("leave:horizon",)),
            Line("  v := −∞"),
            Line("  for each action a of s:"),
            Line("    w := ± negamax(result(s, a), d - 1)", ("child",)),
            Line("    if w > v: v := w", ("better",)),
            Line("  return v", ("leave:max", "leave:min")),
        ),
        FIRST_KEPT,
    ),
    "alpha_beta": Pseudocode(
        "Alpha-beta",
        (
            _head("alpha_beta(s, d, α, β):"),
            *_LEAVES,
            *_cutting("alpha_beta", "MAX", "max"),
            *_cutting("alpha_beta", "MIN", "min"),
        ),
        CUT_AT_EQUALITY,
    ),
    "expectimax": Pseudocode(
        "Expectimax",
        (
            _head("expectimax(s, d):   the value to the root's player"),
            *_LEAVES,
            Line("  if player(s) = the player at the root:"),
            Line("    v := −∞"),
            Line("    for each action a of s:"),
            Line("      w := expectimax(result(s, a), d - 1)", ("child:max", "child:min")),
            Line("      if w > v: v := w", ("better:max", "better:min")),
            Line("    return v", ("leave:max", "leave:min")),
            *_average("expectimax"),
            *_average("expectimax", "policy", "an opponent", "action a, taken with probability p"),
        ),
        FIRST_KEPT,
    ),
    "expectiminimax": Pseudocode(
        "Expectiminimax",
        (
            _head("expectiminimax(s, d):"),
            *_LEAVES,
            *_average("expectiminimax"),
            *_choosing("expectiminimax", "MAX", "max", "max", "−∞", ">"),
            *_choosing("expectiminimax", "MIN", "min", "min", "+∞", "<"),
        ),
        FIRST_KEPT,
    ),
    "star1": Pseudocode("Star1", _star("star1", peek=False), CUT_AT_EQUALITY),
    "star2": Pseudocode("Star2", _star("star2", peek=True), CUT_AT_EQUALITY),
    "max_n": Pseudocode(
        "Max^n",
        (
            _head("max_n(s, d):   a tuple, a value for each"),
            *_LEAVES,
            *_average("max_n"),
            Line("  i := player(s)"),
            Line("  for each action a of s:"),
            Line("    w := max_n(result(s, a), d - 1)", ("child:own",)),
            Line("    if w[i] > v[i], or a is the first: v := w", ("better:own",)),
            Line("  return v", ("leave:own",)),
        ),
        FIRST_KEPT + " With three or more players that choice can change what the others get.",
    ),
    "paranoid": Pseudocode(
        "Paranoid",
        (
            _head("paranoid(s, d, α, β):   the root player's value"),
            *_LEAVES,
            *_cutting("paranoid", "the player at the root", "max"),
            *_cutting("paranoid", "anybody else", "min"),
        ),
        CUT_AT_EQUALITY,
    ),
    "best_reply": Pseudocode(
        "Best reply",
        (
            _head("best_reply(s, d, α, β):   the root player's value"),
            *_LEAVES,
            *_cutting("best_reply", "the player at the root", "max"),
            *_cutting("best_reply", "anybody else (others pass)", "min"),
        ),
        CUT_AT_EQUALITY,
    ),
    "engine": Pseudocode(
        "The engine",
        (
            _head("search(s, d, α, β):"),
            Line("  if terminal(s): return utility(s)", ("leave:end",)),
            Line("  if the table or the rules know enough: return that", ("leave:known",)),
            Line("  if d = 0: return estimate(s)", ("leave:horizon",)),
            Line("  for each action a of s, the most promising first:"),
            Line("    the first: search(result(s, a), d - 1, α, β)"),
            Line("    the others: better at all? if so, again in full", ("child",)),
            Line("    if v is outside the window: to the table, return v", ("cut",)),
            Line("    narrow the window to v", ("better",)),
            Line("  v to the table, return v", ("leave:max", "leave:min")),
        ),
        "What is shown is the last run, at full depth: shallower runs before it have filled the table. A move may be"
        " there twice, first asked whether it is better at all, then how much.",
    ),
    "uct": Pseudocode(
        "Monte Carlo tree search (UCT)",
        (
            Line("repeat:"),
            Line("  selection: from the root down, the child with", ("select",)),
            Line("    the largest mean + c·sqrt(ln(1 + N) / n),", ("select",)),
            Line("    N visits here, n there; unvisited ones first", ("select",)),
            Line("  expansion: children, at a node's second visit", ("expand",)),
            Line("  simulation: play on at random to the end", ("playout",)),
            Line("  proof: at an end of the game, its utility", ("prove",)),
            Line("  back-up: all on the way count and average it", ("back up",)),
            Line("choose the most visited action"),
        ),
        "Of equal children the first is followed. A child nobody has visited comes before all others.",
    ),
}
"""By the name of the search; those that are missing here have a tree, but no text."""


def pseudocode_of(using: str) -> Pseudocode:
    """The text of a search; an empty one if there is none."""
    return ALGORITHMS.get(using, Pseudocode(using.replace("_", "-"), (), ""))
