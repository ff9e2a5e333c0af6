"""`plyforge solve` where players choose at once: backward induction with an equilibrium at every stage."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from plyforge.cli import options
from plyforge.cli.solve_words import print_rows, state_text
from plyforge.contract import format_action, format_choice

if TYPE_CHECKING:
    from plyforge.contract import Game


def print_stages(game: Game, root: Any, as_json: bool) -> None:
    """Solve, and show the value and everybody's mix."""
    from plyforge.cli.report import mixer, value_text
    from plyforge.solve import stage_equilibrium

    progress = options.ProgressLine()
    try:
        solved = stage_equilibrium(game, root, on_progress=progress)
    finally:
        progress.clear()
    policies = [
        {format_choice(game, root, player, choice): share for choice, share in policy.items()}
        for player, policy in enumerate(solved.policy_of(root) if root in solved.mixes else ())
    ]
    best = format_action(game, root, solved.best[root]) if root in solved.best else None
    value = solved.value
    if as_json:
        options.print_json(
            {
                "game": str(game),
                "state": state_text(game, root),
                "value": list(value) if isinstance(value, tuple) else value,
                "policies": policies,
                "best": best,
                "regret": solved.regret,
                "states": solved.states,
                "seconds": solved.seconds,
                "using": "stage equilibrium",
            }
        )
        return
    whose = "one number for each player" if isinstance(value, tuple) else "to MAX, the first player"
    number = value_text(value) if isinstance(value, tuple) else f"{0.0 if abs(value) < 1e-12 else value:.10g}"
    rows = [("value", f"{number}  {whose}")]
    if best is not None:
        rows.append(("best", best))
    for player, policy in enumerate(policies):
        mix = "  ".join(f"{text} {share:.6g}" for text, share in policy.items() if share > 0.0)
        rows.append((f"mix of {mixer(game, player)}", mix))
    if not policies and best is None:
        rows.append(("mix", "none: chance moves, or the game is over"))
    rows.append(
        (
            "solved",
            (
                f"{solved.states:,} states, {solved.seconds:.2f} s, by an equilibrium at every stage; regret"
                f" {solved.regret:.1g}"
            ),
        )
    )
    print_rows(game, root, rows)
