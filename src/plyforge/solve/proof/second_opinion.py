"""What a solved value can be held against: another prover, and a proof that the rules alone can check.

Proof-number search shares no line with the search that found the value: where two programs agree, a bug would have to
be in both. A certificate is written, read back, and checked by a short program that knows the rules and nothing else.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, NamedTuple

from plyforge.contract.value_words import even
from plyforge.errors import PlyforgeError
from plyforge.search.running.runner import Progress
from plyforge.solve.proof.certificate import make_certificate, read_certificate
from plyforge.solve.proof.proof_number import Proof, prove, win
from plyforge.solve.proof.verify_certificate import verify_certificate
from plyforge.solve.solver import Solved

OnProgress = Callable[[Progress], None] | None


def second_opinion(solved: Solved, on_progress: OnProgress = None) -> list[Proof]:
    """Does MAX win? If not, does MIN? The answers of proof-number search. Raises PlyforgeError if they contradict the
    value."""
    game, proofs = solved.game, []
    for at_least in (win(game), even(game)):
        size = solved.solver.table.mebibytes
        proof = prove(game, solved.state, at_least, size, native=solved.native, on_progress=on_progress)
        proofs.append(proof)
        if proof.proven is not (solved.value >= at_least):
            raise PlyforgeError(
                f"the two provers disagree: the value is {solved.value:g}, but proof-number search says: {proof}."
                " Two states may have equal keys, or there is a bug: please report it"
            )
        if proof.proven or game.players < 2:
            break
    return proofs


class Certified(NamedTuple):
    """A certificate that was written and checked."""

    file: str
    claim: str
    moves: int
    """That it holds."""
    states: int
    """That checking it went through."""


def certify(solved: Solved, path: str | os.PathLike[str], on_progress: OnProgress = None) -> Certified:
    """Write the winner's moves against every reply, read them back, and have them checked by the rules alone."""
    game = solved.game
    at_least: Any = win(game) if solved.value > even(game) else even(game)
    if game.players < 2:
        at_least = solved.value
    size = solved.solver.table.mebibytes
    made = make_certificate(game, solved.state, at_least, size, native=solved.native, on_progress=on_progress)
    made.save(path)
    states = verify_certificate(read_certificate(path), game, solved.state)
    return Certified(os.fspath(path), made.claim, len(made.moves), states)
