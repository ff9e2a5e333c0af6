"""Strategies: a move for every eventuality, as a thing that can be kept, checked and played.

A search answers one question, what to do now. A strategy, the lectures' contingent plan, is the whole
answer: a move of ours for every state that can arise while we follow it.

- `against="any"` covers every reply of the others. Claim: whatever they do, we get at least `value`.
- `against="best"` is what the lectures store: where the opponent's best reply is unique, that single branch; where
  several are tied, every tied subtree. Much smaller. Claim: the same value, as long as the others play best; whoever
  leaves the plan does no better by it, but a new plan is needed from there.

Every outcome of chance is covered in both, and `value` is then an expectation. It is the payoff of the plan's own
player. With more than two players, or without constant sum, "best" means the others' joint best against us: only that
can be promised.

`verify` proves the claim from the rules alone: it walks the replies, and takes nothing from the solver.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import math
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from plyforge.contract import (
    CHANCE,
    MAX,
    MIN,
    Game,
    format_action,
    format_state,
    legal_moves,
    parse_action,
    parse_state,
)
from plyforge.contract.naming import as_state, name_of, text_of
from plyforge.errors import BadText, IllegalAction, PlyforgeError
from plyforge.games import load
from plyforge.kernel.constant import describe
from plyforge.plain_text import shown
from plyforge.reading import read_json
from plyforge.search.core.requirements import ANY_GAME
from plyforge.search.running.runner import Progress
from plyforge.solve.census import STATE_LIMIT, Node, expand, post_order, reachable, utility_of
from plyforge.solve.graph.backward_induction import backward_induction, check_player, tie_slack
from plyforge.writing import write_file

FORMAT = "plyforge strategy 1"
"""The first field of a saved strategy."""
LARGEST_FILE = 64 << 20
"""Bytes of a saved strategy: about a million moves."""
AGAINST = ("any", "best")
"""Which replies a strategy covers."""
LONG = 200
"""Parameters of a game that take more characters than this are told apart by a digest."""


@dataclass(frozen=True)
class Strategy:
    """The full contingent plan of one player. Call it with a state to get its move."""

    game: Game
    state: Any
    """Where the plan begins."""
    player: int
    """Whose plan it is."""
    against: str
    """The replies it covers: "any" or "best"."""
    value: float
    """The payoff that it promises its player."""
    moves: dict[Any, Any] = field(repr=False)
    """The plan: state to action."""

    @property
    def states(self) -> tuple[Any, ...]:
        """The states that have a move of ours, those that can arise first coming first."""
        return tuple(self.moves)

    @property
    def size(self) -> int:
        """How many states have a move of ours."""
        return len(self.moves)

    def move(self, state: Any) -> Any:
        """Our move in a state (or its text)."""
        wanted = as_state(self.game, state)
        if wanted in self.moves:
            return self.moves[wanted]
        where = f"the plan has no move for {text_of(self.game, wanted)}"
        if self.game.terminal(wanted):
            raise PlyforgeError(f"{where}: the game is over")
        mover = self.game.player(wanted)
        if mover != self.player:
            raise PlyforgeError(f"{where}: there {_who(mover)} moves, and the plan is for {_who(self.player)}")
        covers = "best replies" if self.against == "best" else "states that arise when it is followed"
        raise PlyforgeError(f"{where}: it covers only {covers}. Make a new plan from that state")

    def __call__(self, state: Any) -> Any:
        return self.move(state)

    def __str__(self) -> str:
        return (
            f"{name_of(self.game)}: a plan for {_who(self.player)} against {self.against} replies, "
            f"worth {self.value:g}, a move for {self.size:,} states"
        )

    # ------------------------------------------------------------ kept as text
    def to_json(self) -> dict[str, Any]:
        """The plan as plain JSON values: states and actions as text.

        A state whose text does not read back as the same state is given by the actions that lead to it from `start`.
        """
        start = None if self.state == self.game.start() else _state_text(self.game, self.state)
        if start is None and self.state != self.game.start():
            raise BadText(
                f"{name_of(self.game)}: the plan begins in {text_of(self.game, self.state)}, and parse_state does not "
                "read that text as the same state. Plans from the start of the game can be kept, or write parse_state"
            )
        paths: dict[Any, list[str]] | None = None
        entries: list[dict[str, Any]] = []
        for state, action in self.moves.items():
            move = _action_text(self.game, state, action)
            text = _state_text(self.game, state)
            if text is not None:
                entries.append({"state": text, "move": move})
                continue
            paths = _paths(self) if paths is None else paths
            if state not in paths:
                raise PlyforgeError(f"{text_of(self.game, state)} can't arise when the plan is followed")
            entries.append({"after": paths[state], "move": move})
        return {
            "format": FORMAT,
            "game": identity(self.game),
            "start": start,
            "player": self.player,
            "against": self.against,
            "value": self.value,
            "size": self.size,
            "moves": entries,
        }

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the plan to a file. Written aside and renamed: nobody ever sees half of it."""
        text = json.dumps(self.to_json(), indent=1, ensure_ascii=False) + "\n"
        write_file(path, text)

    @classmethod
    def load(cls, path: str | os.PathLike[str], game: Game) -> Strategy:
        """Read a plan for `game` from a file. Everything is checked, nothing is executed. Raises BadText."""
        data = read_json(path, LARGEST_FILE, "a strategy")
        try:
            return cls.from_json(data, game)
        except BadText as error:
            raise BadText(f"{path}: {error}") from error

    @classmethod
    def from_json(cls, data: Any, game: Game) -> Strategy:
        """The plan that `to_json` wrote, for `game`. Raises BadText."""
        if not isinstance(data, dict) or data.get("format") != FORMAT:
            raise BadText(f"this is not a strategy: an object with format {FORMAT!r} was expected")
        if data.get("game") != identity(game):
            raise BadText(f"the strategy is for {str(data.get('game'))[:LONG]}, not for {identity(game)}")
        player: Any = data.get("player")
        against: Any = data.get("against")
        if not _is_int(player) or not 0 <= player < game.players:
            raise BadText(f"player is {shown(player)}; it must be from 0 to {game.players - 1}")
        if against not in AGAINST:
            raise BadText(f"against is {shown(against)}; it must be 'any' or 'best'")
        value = _read_number(data.get("value"))
        start, entries = data.get("start"), data.get("moves")
        if not isinstance(entries, list) or data.get("size") != len(entries):
            raise BadText("moves must be a list with as many entries as size says")
        root = game.start() if start is None else _read_state(game, start, "start")
        moves: dict[Any, Any] = {}
        for number, entry in enumerate(entries, 1):
            where = f"move {number}"
            if not isinstance(entry, dict) or not isinstance(entry.get("move"), str):
                raise BadText(f"{where} must be an object with a state (or after) and a move, all of them text")
            if "after" in entry:
                state = _follow_path(game, root, entry["after"], where)
            else:
                state = _read_state(game, entry.get("state"), where)
            if game.terminal(state) or game.player(state) != player:
                raise BadText(f"{where}: {_who(player)} does not move in {text_of(game, state)}")
            if state in moves:
                raise BadText(f"{where}: {text_of(game, state)} has a move already")
            moves[state] = _read_action(game, state, entry["move"], where)
        return cls(game, as_state(game, root), player, against, value, moves)


def make_strategy(
    game: Game | str,
    player: int = MAX,
    against: str = "any",
    state: Any = None,
    limit: int | None = STATE_LIMIT,
    on_progress: Callable[[Progress], None] | None = None,
) -> Strategy:
    """Solve the game from `state` (a state, its text, or None for the start) and keep what `player` needs of it.

    Where several moves are equally good the plan takes the first. More than `limit` states are refused.
    """
    game = load(game)
    check_player(game, player)
    if against not in AGAINST:
        raise PlyforgeError(f"against is {against!r}; it must be 'any' or 'best'")
    solution = backward_induction(game, state, limit, hero=player, on_progress=on_progress)

    def follow(here: Any) -> Iterable[Any] | None:
        if game.player(here) == player:
            return solution.actions[here][:1]
        return solution.actions[here] if against == "best" else None

    moves = {}
    for here in reachable(game, solution.state, None, None, follow):
        if not game.terminal(here) and game.player(here) == player:
            moves[here] = solution.actions[here][0]
    return Strategy(game, solution.state, player, against, float(solution.value), moves)


def verify(
    strategy: Strategy,
    limit: int | None = STATE_LIMIT,
    on_progress: Callable[[Progress], None] | None = None,
) -> float:
    """Prove from the rules alone that the plan keeps its promise. The payoff that its player is sure of.

    All replies are walked. Our own moves are the plan's; where a plan against best replies has been left, all of ours
    are tried, and the best of them counts. Raises PlyforgeError, with the reason, if a state that can arise has no
    move, if a move is illegal, or if the plan's player may get less than `value`.
    """
    game, player, moves = strategy.game, strategy.player, strategy.moves
    ANY_GAME.check(game, "verifying a plan")
    slack = tie_slack(game)

    def own_moves(state: Any) -> Iterable[Any] | None:
        if game.player(state) != player:
            return None
        if state in moves:
            return [_legal_move(game, state, moves[state])]
        if strategy.against == "best":
            return None
        raise PlyforgeError(f"the plan has no move for {text_of(game, state)}, which can arise when it is followed")

    sure: dict[Any, float] = {}
    for node in post_order(game, strategy.state, limit, on_progress, own_moves):
        sure[node.state] = _sure_payoff(game, player, node, sure)
    found = sure[strategy.state]
    if found < strategy.value - slack:
        raise PlyforgeError(
            f"the plan promises {_who(player)} {strategy.value:g}, and may get {found:g}: "
            f"{_worst_line(game, strategy.state, own_moves, sure)}"
        )

    def best_replies(state: Any) -> Iterable[Any] | None:
        if game.player(state) == player:
            if state not in moves:
                raise PlyforgeError(
                    f"the plan has no move for {text_of(game, state)}, which arises when the others play best"
                )
            return [moves[state]]
        node = expand(game, state)
        worst = min(sure[successor] for successor in node.successors)
        return [
            action
            for action, successor in zip(node.actions, node.successors, strict=True)
            if sure[successor] - worst <= slack
        ]

    if strategy.against == "best":
        for _ in reachable(game, strategy.state, None, None, best_replies):
            pass
    return found


def _sure_payoff(game: Game, player: int, node: Node, sure: dict[Any, float]) -> float:
    if node.player is None:
        return utility_of(game, node.state)[player]
    if node.player == CHANCE:
        return sum(c * sure[successor] for c, successor in zip(node.chances, node.successors, strict=True))
    choose = max if node.player == player else min
    return choose(sure[successor] for successor in node.successors)


def _legal_move(game: Game, state: Any, action: Any) -> Any:
    if action not in list(game.actions(state)):
        raise PlyforgeError(f"the plan's move {action!r} is not legal in {text_of(game, state)}")
    return action


def _worst_line(game: Game, state: Any, own_moves: Any, sure: dict[Any, float]) -> str:
    """How the disappointment comes about, up to the first chance node."""
    texts: list[str] = []
    while True:
        node = expand(game, state, own_moves)
        if node.player is None or node.player == CHANCE:
            return f"after {' '.join(texts)}" if texts else "at once"
        numbers = [sure[successor] for successor in node.successors]
        index = numbers.index(sure[state])
        texts.append(format_action(game, state, node.actions[index]))
        state = node.successors[index]


# ------------------------------------------------------------------ text
def identity(game: Game) -> str:
    """A game and its parameters in one line: equal for equal games, in any process, whatever file they come from."""
    if dataclasses.is_dataclass(game):
        parameters = {f.name: getattr(game, f.name) for f in dataclasses.fields(game)}
    else:
        parameters = {name: value for name, value in vars(game).items() if not name.startswith("_")}
    inside = ", ".join(f"{name}={describe(value)}" for name, value in parameters.items())
    if len(inside) > LONG:
        inside = "#" + hashlib.sha256(inside.encode()).hexdigest()[:16]
    return f"{name_of(game)}({inside})"


def _state_text(game: Game, state: Any) -> str | None:
    """A text that is read as that very state. None where the rules have no such text, or one that leaves things out."""
    try:
        text = format_state(game, state)
        return text if parse_state(game, text) == state else None
    except Exception:  # anyone's code, and any failure means the same
        return None


def _action_text(game: Game, state: Any, action: Any) -> str:
    text = format_action(game, state, action)
    if parse_action(game, state, text) != action:
        raise BadText(
            f"{name_of(game)}: the action {action!r} in {text_of(game, state)} does not read back from {text!r}"
        )
    return text


def _paths(strategy: Strategy) -> dict[Any, list[str]]:
    """For each state that can arise, a shortest sequence of actions, as text, that leads there."""
    game = strategy.game

    def follow(state: Any) -> Iterable[Any] | None:
        if game.player(state) != strategy.player:
            return None
        return [strategy.moves[state]] if state in strategy.moves else None

    paths: dict[Any, list[str]] = {strategy.state: []}
    for state in reachable(game, strategy.state, None, None, follow):
        node = expand(game, state, follow)
        for action, successor in zip(node.actions, node.successors, strict=True):
            if successor not in paths:
                paths[successor] = [*paths[state], _action_text(game, state, action)]
    return paths


def _read_state(game: Game, text: Any, where: str) -> Any:
    if not isinstance(text, str):
        raise BadText(f"{where}: the state must be text, not {shown(text)}")
    try:
        return as_state(game, text)
    except Exception as error:  # anyone's parse_state
        raise BadText(f"{where}: {shown(text)} can't be read as a state: {error}") from error


def _read_action(game: Game, state: Any, text: str, where: str) -> Any:
    try:
        action = parse_action(game, state, text)
    except IllegalAction as error:
        raise BadText(f"{where}, in {text_of(game, state)}: {error}") from error
    except Exception as error:  # anyone's parse_action
        raise BadText(f"{where}: {shown(text)} can't be read as an action: {error}") from error
    if action not in legal_moves(game, state):
        raise BadText(f"{where}: {shown(text)} is not a legal action in {text_of(game, state)}")
    return action


def _follow_path(game: Game, state: Any, texts: Any, where: str) -> Any:
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise BadText(f"{where}: after must be a list of actions, as text")
    for text in texts:
        state = game.result(state, _read_action(game, state, text, where))
    return state


def _read_number(value: Any) -> float:
    try:
        if (_is_int(value) or isinstance(value, float)) and math.isfinite(value):
            return float(value)
    except OverflowError:
        pass
    raise BadText(f"value is {str(value)[:40]}; it must be a number")


def _is_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _who(player: int) -> str:
    return {MAX: "MAX", MIN: "MIN", CHANCE: "chance"}.get(player, f"player {player}")
