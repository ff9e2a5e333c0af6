"""Check a certificate: play the winner's moves against every reply, by the rules alone.

A certificate claims that MAX gets at least a number, or (its winner is MIN) that MIN holds MAX below it, and gives a
move for each state where the winner moves. This file is all that has to be believed, beside the six functions of the
game: no solver, no table, no hash is asked. Text only names states and moves. A wrong name can make a certificate fail,
never pass: whatever it says, the moves that are played are legal ones, and the ends that are reached are the game's
own.
"""

from __future__ import annotations

import math
from typing import Any

from plyforge.contract import MAX, MIN, Game, format_action, format_state, parse_state
from plyforge.errors import BadText

FORMAT = "plyforge certificate 1"


def verify_certificate(certificate: Any, game: Game, state: Any = None) -> int:
    """How many states were checked. Raises BadText, with the place, if the certificate is malformed or proves nothing.

    `certificate` is what its JSON holds. `state` is what it has to be about; None: what it says itself.
    """
    if not isinstance(certificate, dict) or certificate.get("format") != FORMAT:
        raise BadText(f"this is not a certificate: an object with format {FORMAT!r} was expected")
    start, winner, bound, moves = (certificate.get(name) for name in ("start", "winner", "at_least", "moves"))
    if not isinstance(start, str) or not isinstance(moves, dict) or winner not in ("MAX", "MIN"):
        raise BadText("start must be the text of a state, moves an object, winner 'MAX' or 'MIN'")
    if isinstance(bound, bool) or not isinstance(bound, (int, float)) or not abs(bound) < math.inf:
        raise BadText(f"at_least is {bound!r}; it must be a finite number")
    if game.players > 2:
        raise BadText(f"a certificate is about two players; {type(game).__name__} has {game.players}")
    if game.hidden_information:
        raise BadText(
            f"a certificate is about games in which everybody sees the state; in {type(game).__name__} parts are hidden"
        )
    if state is None:
        state = game.start() if start == format_state(game, game.start()) else parse_state(game, start)
    if start != format_state(game, state):
        raise BadText(f"start is {start!r}, not {format_state(game, state)!r}")

    hero = MAX if winner == "MAX" else MIN
    proven: set[Any] = set()  # states from where every reply has been followed to a good end
    path: set[Any] = set()  # states on the line that is being followed
    waiting: list[tuple[Any, Any, bool]] = [(state, None, False)]
    while waiting:
        state, line, finished = waiting.pop()
        if finished:
            path.remove(state)
            proven.add(state)
        elif state in path:
            raise BadText(f"{_place(game, line)}: the state has come back, so the line need not end")
        elif state not in proven:
            if game.terminal(state):
                utility = float(game.utility(state))
                if not (utility >= bound if hero == MAX else utility < bound):
                    raise BadText(f"{_place(game, line)}: the game is over, and MAX has {utility:g}")
                proven.add(state)
                continue
            actions = list(game.actions(state)) if game.player(state) in (MAX, MIN) else []
            if game.player(state) == hero:
                move = moves.get(format_state(game, state))
                actions = [action for action in actions if format_action(game, state, action) == move]
            if not actions or (game.player(state) == hero and len(actions) > 1):
                raise BadText(f"{_place(game, line)}: no legal move is given for {format_state(game, state)}")
            path.add(state)
            waiting.append((state, line, True))
            waiting += [(game.result(state, action), (line, state, action), False) for action in actions]
    return len(proven)


def _place(game: Game, line: Any) -> str:
    """The actions that lead to a state, as text."""
    texts: list[str] = []
    while line is not None:
        line, state, action = line
        texts.insert(0, format_action(game, state, action))
    return f"after {' '.join(texts)}" if texts else "at the start"
