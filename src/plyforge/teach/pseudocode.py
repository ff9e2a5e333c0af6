"""The algorithms as a lecture writes them, and which line a step of a recording stands at.

A line carries labels, `event` or `event:role`: the event of the watcher that happens there (enter, child, better, cut, leave), and what the
node does (max, min, own, chance, policy, end, horizon). A step lights the lines whose label fits it. So the text beside a recorded tree moves with
*the* algorithm, and can't run ahead of it.

The rule for equal values is part of the text: a cut at `v >= beta`, also at equality; a child is better only if it is strictly so, and of
several best actions the first is kept. That is what the kernels do.
"""

from __future__ import annotations

from typing import NamedTuple

from plyforge.search.recorded_tree import (
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
    return {CHOOSES_LARGEST: "max", CHOOSES_SMALLEST: "min", CHOOSES_OWN: "own"}.get(
        node.chooses or "", "own"
    )


FIRST_KEPT = "A child is better only if it is strictly better: of equal actions the first is kept."
CUT_AT_EQUALITY = (
    "A cut is made as soon as alpha >= beta, also at equality. Nothing is lost by that: an equal value would not be preferred to the action found before. "
    + FIRST_KEPT
)

_LEAVES = (
    Line("  if terminal(s): return utility(s)", ("leave:end",)),
    Line("  if depth = 0: return estimate(s)", ("leave:horizon",)),
)
_INNER = tuple(f"enter:{role}" for role in ("max", "min", "own", "chance", "policy", "end", "horizon"))


def _choosing(
    name: str, who: str, role: str, word: str, start: str, sign: str, window: str = ""
) -> tuple[Line, ...]:
    """The part of a function where one side chooses, without cuts."""
    call = f"{name}(result(s, a), depth - 1{window})"
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
    word, start = ("max", "-infinity") if largest else ("min", "+infinity")
    cut = "if v >= beta: return v" if largest else "if v <= alpha: return v"
    narrow = "alpha := max(alpha, v)" if largest else "beta := min(beta, v)"
    return (
        Line(f"  if player(s) = {who}:"),
        Line(f"    v := {start}"),
        Line("    for each action a of s:"),
        Line(f"      v := {word}(v, {name}(result(s, a), depth - 1, alpha, beta{rest}))", (f"child:{role}",)),
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
        Line(f"      v := v + p * {name}(result(s, a), depth - 1)", (f"child:{role}",)),
        Line("    return v", (f"leave:{role}",)),
    )


def _head(text: str) -> Line:
    return Line(text, _INNER)


def _star(name: str, peek: bool) -> tuple[Line, ...]:
    probing = (Line("    look at one action of each outcome first, for a bound"),) if peek else ()
    return (
        _head(f"{name}(s, depth, alpha, beta):"),
        *_LEAVES,
        Line("  if player(s) = CHANCE:"),
        *probing,
        Line("    v := 0"),
        Line("    for each outcome a, with probability p; `rest` is the probability of those after it:"),
        Line("      below := (alpha - v - rest * highest) / p;  above := (beta - v - rest * lowest) / p"),
        Line(f"      w := {name}(result(s, a), depth - 1, below, above)", ("child:chance",)),
        Line("      if w <= below or w >= above: return the bound", ("cut:chance",)),
        Line("      v := v + p * w"),
        Line("    return v", ("leave:chance",)),
        *_cutting(name, "MAX", "max"),
        *_cutting(name, "MIN", "min"),
    )


ALGORITHMS: dict[str, Pseudocode] = {
    "minimax": Pseudocode(
        "Minimax",
        (
            _head("minimax(s, depth):"),
            *_LEAVES,
            *_choosing("minimax", "MAX", "max", "max", "-infinity", ">"),
            *_choosing("minimax", "MIN", "min", "min", "+infinity", "<"),
        ),
        FIRST_KEPT,
    ),
    "negamax": Pseudocode(
        "Negamax",
        (
            _head("negamax(s, depth):                    the value to whoever moves"),
            Line("  if terminal(s): return utility(s), to whoever moves", ("leave:end",)),
            Line("  if depth = 0: return estimate(s), to whoever moves", ("leave:horizon",)),
            Line("  v := -infinity"),
            Line("  for each action a of s:"),
            Line(
                "    w := negamax(result(s, a), depth - 1), its sign turned if the player changes", ("child",)
            ),
            Line("    if w > v: v := w", ("better",)),
            Line("  return v", ("leave:max", "leave:min")),
        ),
        FIRST_KEPT,
    ),
    "alpha_beta": Pseudocode(
        "Alpha-beta",
        (
            _head("alpha_beta(s, depth, alpha, beta):"),
            *_LEAVES,
            *_cutting("alpha_beta", "MAX", "max"),
            *_cutting("alpha_beta", "MIN", "min"),
        ),
        CUT_AT_EQUALITY,
    ),
    "expectimax": Pseudocode(
        "Expectimax",
        (
            _head("expectimax(s, depth):                 the value to the player at the root"),
            *_LEAVES,
            Line("  if player(s) = the player at the root:"),
            Line("    v := -infinity"),
            Line("    for each action a of s:"),
            Line("      w := expectimax(result(s, a), depth - 1)", ("child:max", "child:min")),
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
            _head("expectiminimax(s, depth):"),
            *_LEAVES,
            *_average("expectiminimax"),
            *_choosing("expectiminimax", "MAX", "max", "max", "-infinity", ">"),
            *_choosing("expectiminimax", "MIN", "min", "min", "+infinity", "<"),
        ),
        FIRST_KEPT,
    ),
    "star1": Pseudocode("Star1", _star("star1", peek=False), CUT_AT_EQUALITY),
    "star2": Pseudocode("Star2", _star("star2", peek=True), CUT_AT_EQUALITY),
    "max_n": Pseudocode(
        "Max^n",
        (
            _head("max_n(s, depth):                      a tuple, one value for each player"),
            *_LEAVES,
            *_average("max_n"),
            Line("  i := player(s)"),
            Line("  for each action a of s:"),
            Line("    w := max_n(result(s, a), depth - 1)", ("child:own",)),
            Line("    if w[i] > v[i], or a is the first: v := w", ("better:own",)),
            Line("  return v", ("leave:own",)),
        ),
        FIRST_KEPT + " With three or more players that choice can change what the others get.",
    ),
    "paranoid": Pseudocode(
        "Paranoid",
        (
            _head("paranoid(s, depth, alpha, beta):      the value to the player at the root"),
            *_LEAVES,
            *_cutting("paranoid", "the player at the root", "max"),
            *_cutting("paranoid", "anybody else", "min"),
        ),
        CUT_AT_EQUALITY,
    ),
    "best_reply": Pseudocode(
        "Best reply",
        (
            _head("best_reply(s, depth, alpha, beta):    the value to the player at the root"),
            *_LEAVES,
            *_cutting("best_reply", "the player at the root", "max"),
            *_cutting("best_reply", "anybody else; a is one opponent's, the others pass", "min"),
        ),
        CUT_AT_EQUALITY,
    ),
    "engine": Pseudocode(
        "The engine: principal variation search with a table",
        (
            _head("search(s, depth, alpha, beta):"),
            Line("  if terminal(s): return utility(s)", ("leave:end",)),
            Line("  if the table or the rules know enough: return that", ("leave:known",)),
            Line("  if depth = 0: return estimate(s)", ("leave:horizon",)),
            Line("  for each action a of s, the most promising first:"),
            Line("    the first: search(result(s, a), depth - 1, alpha, beta)"),
            Line(
                "    the others: is it better at all? a window without an inside; if so, again in full",
                ("child",),
            ),
            Line("    if v is outside the window: note it in the table, return v", ("cut",)),
            Line("    narrow the window to v", ("better",)),
            Line("  note v in the table, return v", ("leave:max", "leave:min")),
        ),
        CUT_AT_EQUALITY,
    ),
    "uct": Pseudocode(
        "Monte Carlo tree search (UCT)",
        (
            Line("repeat:"),
            Line("  selection: from the root, go to the child with the largest", ("select",)),
            Line(
                "             mean + exploration * sqrt(ln(1 + visits here) / visits of the child)",
                ("select",),
            ),
            Line("             until a node is reached that nobody has looked at", ("select",)),
            Line("  expansion: at its second visit, a node gets its children", ("expand",)),
            Line("  simulation: play on at random to the end of the game", ("playout",)),
            Line("  back-up: every node on the way counts a visit and averages the outcome", ("back up",)),
            Line("           what reaches the end of the game is proven, from there upwards", ("prove",)),
            Line("choose the most visited action"),
        ),
        "Of equal children the first is followed. A child nobody has visited comes before all others.",
    ),
}
"""By the name of the search; those that are missing here have a tree, but no text."""


def pseudocode_of(using: str) -> Pseudocode:
    """The text of a search; an empty one if there is none."""
    return ALGORITHMS.get(using, Pseudocode(using.replace("_", "-"), (), ""))
