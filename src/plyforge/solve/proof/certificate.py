"""Certificates: a proof that can be handed to somebody who trusts only the rules.

Proof-number search says that MAX gets at least a number, or that MIN holds MAX below it. The certificate says how: a
move of the winner for every state that can arise while the winner follows them, whatever the other player replies. Many
lines lead to the same state, so it is a graph and not a tree, kept as one table: text of a state, text of the move. The
replies are not written down. They follow from the rules, and a checker that has to find them all itself can't be shown
too few.

Claim: what `make_certificate` returns has been accepted by `verify_certificate.py`, which uses nothing of this file.

The moves come from the prover's table. It may have lost some, or (never seen yet) hold a wrong one, because two states
have equal keys: what is missing is proven again, and what does not fit together is an error here, not a wrong
certificate.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from plyforge.contract import MAX, MIN, Game, format_action, format_state
from plyforge.contract.naming import as_state, name_of, text_of
from plyforge.errors import BadText, PlyforgeError
from plyforge.games import load
from plyforge.reading import read_json
from plyforge.search.running.runner import Progress, exact_or_interpreted
from plyforge.solve.census import STATE_LIMIT, reachable
from plyforge.solve.proof.proof_number import Prover, words
from plyforge.solve.proof.verify_certificate import FORMAT, verify_certificate
from plyforge.solve.strategy import identity
from plyforge.writing import write_file

LARGEST_FILE = 64 << 20
"""Bytes of a certificate: about a million moves."""


@dataclass(frozen=True)
class Certificate:
    """The winner's moves against every reply."""

    game: Game
    state: Any
    """Where the moves begin."""
    winner: int
    """MAX: gets at least `at_least`. MIN: holds MAX below it."""
    at_least: float
    """The number that the claim is about."""
    moves: dict[str, str] = field(repr=False)
    """The text of each state where the winner moves, and the text of the move."""
    states: int
    """How many states the checker has visited, those of the other player and ends of the game among them."""

    @property
    def claim(self) -> str:
        """What is proven, in a sentence."""
        return words(self.game, self.at_least, self.winner == MAX)

    def to_json(self) -> dict[str, Any]:
        """As plain JSON values: what the checker reads, and what people want to know."""
        return {
            "format": FORMAT,
            "game": identity(self.game),
            "claim": self.claim,
            "start": format_state(self.game, self.state),
            "winner": "MAX" if self.winner == MAX else "MIN",
            "at_least": self.at_least,
            "moves": dict(self.moves),
        }

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write it to a file. Written aside and renamed: nobody ever sees half of it."""
        text = json.dumps(self.to_json(), indent=1, ensure_ascii=False) + "\n"
        write_file(path, text)

    def __str__(self) -> str:
        return f"{name_of(self.game)}: {self.claim}; {len(self.moves):,} moves, {self.states:,} states"


def read_certificate(path: str | os.PathLike[str]) -> Any:
    """What a file holds, for `verify_certificate`. Nothing is believed of it yet."""
    return read_json(path, LARGEST_FILE, "a certificate")


@exact_or_interpreted
def make_certificate(
    game: Game | str,
    state: Any = None,
    at_least: float | None = None,
    table_mib: float = 64,
    nodes: int | None = None,
    seconds: float | None = None,
    native: bool | None = None,
    limit: int | None = STATE_LIMIT,
    on_progress: Callable[[Progress], None] | None = None,
) -> Certificate:
    """Ask as `prove` does whether MAX gets at least so much, and keep what shows the answer, yes or no.

    `nodes` and `seconds` hold for each question to the prover: an answer that takes longer is an error. So are more
    than `limit` states.
    """
    game = load(game)
    prover = Prover(game, at_least, table_mib, native)

    def ask(here: Any) -> bool:
        proof = prover.prove(here, nodes, seconds, on_progress)
        if proof.proven is None:
            raise PlyforgeError(
                f"{name_of(game)}: {text_of(game, here)} was not decided within the limit ({proof.reason}) "
                f"after {proof.nodes:,} nodes: allow more, or ask about a state nearer to the end"
            )
        return proof.proven

    first = as_state(game, state)
    reached = ask(first)
    winner = MAX if reached else MIN
    moves: dict[str, str] = {}
    named: dict[str, Any] = {}

    def follow(here: Any) -> list[Any] | None:
        if game.player(here) != winner:
            return None
        action = _winning_move(game, here, reached, prover, ask)
        text = format_state(game, here)
        if named.setdefault(text, here) != here:
            raise BadText(
                f"{name_of(game)}: {text!r} is the text of two states; a certificate needs to tell them apart"
            )
        moves[text] = format_action(game, here, action)
        return [action]

    for _ in reachable(game, first, limit, on_progress, follow):
        pass
    certificate = Certificate(game, first, winner, prover.at_least, moves, 0)
    states = verify_certificate(certificate.to_json(), game, first)
    return Certificate(game, first, winner, prover.at_least, moves, states)


def _winning_move(game: Game, state: Any, reached: bool, prover: Prover, ask: Callable[[Any], bool]) -> Any:
    """The first action known to keep what is proven of `state`; where the table has lost it, the first that is found
    again."""
    for again in (False, True):
        if again:
            ask(state)  # the search ends with the winning child, and stores it just before the state itself
        for action in game.actions(state):
            child = game.result(state, action)
            if game.terminal(child):
                known: bool | None = float(game.utility(child)) >= prover.at_least
            else:
                known = prover.known(child)
            if known is reached:
                return action
    for action in game.actions(state):
        if ask(game.result(state, action)) is reached:
            return action
    raise PlyforgeError(
        f"{name_of(game)}: {text_of(game, state)} was taken for a win and is none. Two states have the same key: write"
        " a better key(s)"
    )
