"""Players from descriptions, as the command line takes them.

    human    random    random:seed=3    minimax    alpha_beta:depth=6    expectiminimax:seconds=2
                                                   uct:simulations=10000
    best                                                 the strongest search for the game, whichever that is
    best:seconds=2
    engine:depth=8,threads=2                             alpha-beta with all that the game knows
    engine:network=connect4.learn                        and with what plyforge learn has learned
    mixed:share=0.8,depth=4                              a search in 4 of 5 moves, any action in the others
    ladder:casual                                        a rung of a ladder: `ladder.py`
    strategy:plan.json                                   a plan that was saved
    model:epsilon:0.2                                    an opponent who errs
    expectimax:depth=4,against=epsilon:0.2               whoever knows that
    safe_response:risk=1,against=learned:her.json        the same with care
    python:agent.py:Agent                                a class of your own with choose(game, state)
    talk:./bot      gtp:COMMAND      uci:COMMAND         a program

With a game, `best` is read as what it stands for: the player that is made, and so what is saved of it, names the search
itself and its seed.

A search named without any limit thinks for one second a move: the end of most games is out of reach, and where it is
not, deepening gets there.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any

from plyforge.contract import Game
from plyforge.errors import BadLimits, BadText, Unsuitable
from plyforge.evaluate import Evaluation, Network, OwnEvaluation, learned_opinion
from plyforge.evaluate.installed import INSTALLED, installed_network
from plyforge.evaluate.layers import own_network
from plyforge.evaluate.learned import learned_from, shipped_file
from plyforge.evaluate.ntuples import NTUPLES
from plyforge.evaluate.ntuples.kept import network_or_error
from plyforge.evaluate.weighted import game_name
from plyforge.games import load
from plyforge.plain_text import require_length
from plyforge.play.players.ladder import LADDER, is_rung, rung_player
from plyforge.play.players.player import Human, Player, RandomPlayer, StrategyPlayer
from plyforge.play.players.search_player import LIMITS, MixedPlayer, SearchPlayer
from plyforge.search import BEST, Limits, choose, searches, suitable
from plyforge.search.contest import hold, undecided
from plyforge.search.core.parameters import Parameter, parameters_of, written_parameters
from plyforge.search.names import nearest, nearest_parameter

LONGEST = 1 << 13
"""Letters of a description: it may name a file."""
ENGINE_SECONDS = 1.0
"""How long `best`, or a search named in a description, thinks about a move where no limit is given."""

PROGRAMS = ("gtp", "uci", "gnubg", "python", "talk")
"""What descriptions of outside programs begin with, which `program_player` reads."""


OWN = {
    each.name: each
    for each in (
        Parameter("share", "number", help="How many of its moves are the search's."),
        Parameter("seed", "whole", help="Of its random numbers."),
        Parameter("against", "text", help="What opponents are taken to do: a model, as in epsilon:0.2."),
        Parameter("network", "text", help="The network that it judges by: a run's folder, a file, own or learned."),
        Parameter("bear_off", "yes", help="In backgammon: judge the end of a race by databases."),
        Parameter("resign", "number", help="In a match: give up where it expects less than this part."),
        Parameter("draw", "number", help="In a match: offer a draw where it expects one within this part."),
    )
}
"""What a description says of a player beside its search's limits and parameters."""


def parse_player(
    text: str,
    game: Game | str | None = None,
    *,
    depth: int | None = None,
    nodes: int | None = None,
    seconds: float | None = None,
    native: bool | None = None,
    seed: int | None = None,
    further: Sequence[str] = (),
    resigns: bool = False,
) -> Player | Human:
    """The player that `text` describes; see the module's text. With `game`, also checked against it.

    Limits and seed given here hold for a description that names none of its own. `further` are kinds of players that
    the caller also knows: an error names them. `resigns` if the caller lets players resign and offer draws: then a
    search may say when it does.
    """
    require_length(text, LONGEST, "player", BadText)
    game = None if game is None else load(game)
    if game is not None:
        text = explicit(text, game, seed)
    name, colon, rest = text.strip().partition(":")
    name = name.strip().replace("-", "_").lower()
    if is_program(text):
        return _program(text, text, game, seconds, seed)
    if name not in player_kinds():
        from plyforge.play.players.engines import with_program

        program = with_program(text)
        if program != text:
            return _program(text, program, game, seconds, seed)
        raise BadText(
            f"{text!r} is not a player: {_did_you_mean(name)}there are {', '.join([*player_kinds(), *further])}"
        )
    if name == LADDER:
        raise BadText(f"{text!r} can't be read: a rung is one of a game's ladder, and no game is given")
    if name == "strategy":
        return _strategy(text, rest.strip(), game, seed)
    if name == "model":
        return _model(text, rest.strip(), game, seed)
    allowed = _allowed(name, game)
    if resigns and name not in ("human", "random", "mixed", "safe_response"):
        allowed |= {key: OWN[key] for key in ("resign", "draw")}
    options = _read_options(text, rest, allowed) if colon else {}
    if name == "human":
        return Human()
    if name == "random":
        return RandomPlayer(options.get("seed", seed))
    limits = {key: options.pop(key) for key in LIMITS if key in options}
    if not limits and "simulations" not in options:
        given = {"depth": depth, "nodes": nodes, "seconds": seconds}
        limits = {key: value for key, value in given.items() if value is not None}
        limits = limits or {"seconds": ENGINE_SECONDS}
    if name == "mixed":
        textbook = None if game is None else suitable(game)
        skilled = SearchPlayer(textbook, native=native, **limits)
        return MixedPlayer(skilled, options.get("share", 0.5), options.get("seed", seed))
    if seed is not None and "seed" not in options and "seed" in allowed:
        options["seed"] = seed
    return _searching(text, name, game, limits, options, native)


def _searching(
    text: str, name: str, game: Game | None, limits: dict[str, Any], options: dict[str, Any], native: bool | None
) -> Player:
    """A player that searches, with what a description says of it beside its limits."""
    against = options.pop("against", "")
    policy = None
    if against:
        if game is None:
            raise BadText(f"{text!r} can't be read: a model of an opponent is one for a game, and none is given")
        from plyforge.play.players.opponent_model import parse_model

        policy = parse_model(against, game)
    network = options.pop("network", "")
    if network and game is None:
        raise BadText(f"{text!r} can't be read: a network judges one game, and none is given")
    bear_off = options.pop("bear_off", False)
    if bear_off and (game is None or game_name(game) != "backgammon"):
        raise BadText(f"{text!r} can't be read: there are databases of bearing off for backgammon alone")
    if name == "safe_response":
        return _safe(text, policy, limits, options, native)
    player = SearchPlayer(
        None if name == BEST else name,
        native=native,
        policy=policy,
        against=against,
        evaluate=None if game is None else _evaluation(network, bear_off, game),
        network=network,
        bear_off=bear_off,
        resign=options.pop("resign", None),
        draw=options.pop("draw", None),
        options=options,
        **limits,
    )
    if game is not None:
        player.engine(game)
    return player


def explicit(
    text: str, game: Game, seed: int | None = None, *, contest: bool = False, native: bool | None = None
) -> str:
    """The description that `text` stands for: of `best`, that of the search behind it, with its seed; of a rung of the
    ladder, its player; any other is what it is.

    Without a seed one is drawn, so that no two games are the same. With `contest`, candidates play first, where rules
    need that and it has not been: for whoever can wait.
    """
    if is_rung(text):
        return rung_player(text, game)
    if not is_best(text):
        return text
    if contest and awaits_contest(text, game, native):
        hold(game, native=native)
    rest = text.strip().partition(":")[2]
    search, _, usual = choose(game).text.partition(":")
    said = {part.partition("=")[0].strip() for part in rest.split(",")}
    parts = [part for part in usual.split(",") if part and part.partition("=")[0] not in said]
    takes_seed = "seed" in parameters_of(searches()[search])
    if takes_seed and "seed" not in said:
        parts = [part for part in parts if not part.startswith("seed=")]
        parts.append(f"seed={secrets.randbits(31) if seed is None else seed}")
    parts += [rest] if rest.strip() else []
    return f"{search}:{','.join(parts)}" if parts else search


def is_program(text: str) -> bool:
    """True if a description would start a program."""
    name, colon, _ = text.partition(":")
    return bool(colon) and name.strip().replace("-", "_").lower() in PROGRAMS


def is_best(text: str) -> bool:
    """True if a description begins with `best`."""
    return text.strip().partition(":")[0].strip().replace("-", "_").lower() == BEST


def awaits_contest(text: str, game: Game, native: bool | None = None) -> bool:
    """True if nobody knows yet what `best` stands for in a game, and learning and a contest would tell: that takes a
    while, once."""
    can = native is not False and game.worth_compiling
    return can and is_best(text) and choose(game).contested and undecided(game)


def player_kinds() -> list[str]:
    """The names that a description can begin with."""
    return [
        "human",
        "random",
        BEST,
        "engine",
        *(n for n in searches() if n != "engine"),
        "mixed",
        LADDER,
        "strategy",
        "model",
    ]


def _allowed(name: str, game: Game | None) -> dict[str, Parameter]:
    """The options that a kind of player takes: limits, and those parameters of its search that text can give."""
    limits = {key: parameters_of(Limits)[key] for key in LIMITS}
    if name in ("human", "random", "mixed", BEST):  # `best` of no game: what every search of its kinds takes
        own = {"human": (), "random": ("seed",), "mixed": ("share", "seed"), BEST: ("seed",)}[name]
        return (limits if name in ("mixed", BEST) else {}) | {key: OWN[key] for key in own}
    cls = searches()[name]
    known = parameters_of(cls)
    found = {"depth": limits["depth"]} if name == "safe_response" else limits
    found |= {each.name: each for each in written_parameters(cls)}
    if "policy" in known:
        found["against"] = OWN["against"]
    if "evaluation" in known and name != "safe_response":
        found |= {key: OWN[key] for key in ("network", "bear_off")}
    return found


def _evaluation(network: str, bear_off: bool, game: Game) -> Evaluation | None:
    """What a description says that a player judges by; None if it says nothing."""
    found: Evaluation | None = None
    if network == NTUPLES:
        found = network_or_error(game)
    elif network == INSTALLED:
        found = installed_network(game)
        if found is None:
            raise Unsuitable(
                f"nothing that was learned of {game_name(game)} is installed: plyforge learn GAME --install does that"
            )
    elif network == "own" and shipped_file(game).is_file() and not own_network(game).is_file():
        found = learned_from(shipped_file(game), game)
    elif network:
        if network == "own":
            Network.own(game)  # or an error that says that there is none
        found = learned_opinion(own_network(game) if network == "own" else network, game)
    if bear_off:
        from plyforge.solve.sampling.bear_off import bear_off_evaluation

        found = bear_off_evaluation(found or OwnEvaluation())
    return found


def _program(text: str, program: str, game: Game | None, seconds: float | None, seed: int | None) -> Player:
    from plyforge.play.players.programs import program_player

    if game is None:
        raise BadText(f"{text!r} can't be read: a program plays one game, and none is given")
    player = program_player(program, game, seconds=ENGINE_SECONDS if seconds is None else seconds)
    assert player is not None
    player.description, player.seed = text, seed or 0
    return player


def _strategy(text: str, path: str, game: Game | None, seed: int | None) -> Player:
    if not path or game is None:
        raise BadText(f"{text!r} is not a player: a strategy is read from a file, as in strategy:plan.json")
    if game.hidden_information:
        from plyforge.play.players.mixed_strategy_player import MixedStrategyPlayer
        from plyforge.solve.hidden.strategy_file import MixedStrategy

        return MixedStrategyPlayer(MixedStrategy.load(path, game), f"strategy:{path}", seed)
    from plyforge.solve.strategy import Strategy

    return StrategyPlayer(Strategy.load(path, game), f"strategy:{path}")


def _model(text: str, described: str, game: Game | None, seed: int | None) -> Player:
    from plyforge.play.players.model_player import ModelPlayer
    from plyforge.play.players.opponent_model import parse_model

    if game is None:
        raise BadText(f"{text!r} can't be read: a model of an opponent is one for a game, and none is given")
    return ModelPlayer(parse_model(described, game), seed, text.strip())


def _safe(text: str, policy: Any, limits: dict[str, Any], options: dict[str, Any], native: bool | None) -> Player:
    """It has no clock: without a depth it looks to the end of the game."""
    from plyforge.play.players.model_player import SafePlayer
    from plyforge.search import SafeResponse

    given = options if policy is None else options | {"policy": policy}
    return SafePlayer(SafeResponse(**given), limits.get("depth"), native, text.strip())


def _read_options(text: str, rest: str, allowed: dict[str, Parameter]) -> dict[str, Any]:
    options: dict[str, Any] = {}
    renamed = {old: each.name for each in allowed.values() for old in each.formerly}
    for part in rest.split(","):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        key = renamed.get(key, key)
        if key not in allowed or not equals:
            near = nearest_parameter(key, allowed) if equals else None
            takes = f"it takes {', '.join(f'{key}=...' for key in allowed)}" if allowed else "it takes no options"
            hint = "" if near is None else f"did you mean {near}? "
            raise BadText(f"{text!r} is not a player: {part.strip()!r} is not understood, {hint}{takes}")
        if key in options:
            raise BadText(f"{text!r} is not a player: {key} is given twice")
        try:
            options[key] = allowed[key].read(value)
        except BadLimits as error:
            raise BadLimits(f"{text!r}: {error}") from None
        except ValueError:
            raise BadLimits(f"{text!r}: {key} must be {allowed[key].reads}, not {value[:40]!r}") from None
    return options


def _did_you_mean(name: str) -> str:
    near = nearest(name, player_kinds())
    return "" if near is None else f"did you mean {near}? "


__all__ = ["ENGINE_SECONDS", "explicit", "is_program", "parse_player", "player_kinds"]
