"""Which algorithms suit a game, what each of them is in a sentence, and what can be set about it.

The names are those of `plyforge.search`; whether one suits is asked of its `Needs`, so a game that somebody wrote five
minutes ago gets the right list. What is set here comes from a page: each setting has a kind and bounds, and nothing
else gets through. A model of an opponent is one of three; files are not among them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from plyforge.contract import Game, defines, knows_priors
from plyforge.errors import BadLimits, Unsuitable
from plyforge.evaluate import opinion
from plyforge.play.engine import strongest
from plyforge.play.players.opponent_model import parse_model
from plyforge.search import AT_ONCE, MONTE_CARLO, PATHS, SEARCHES, Search, Windowed, make_search, suitable
from plyforge.search.engine.table_search import TableSearch
from plyforge.studio import limits

EVERY: dict[str, type[Search]] = SEARCHES | MONTE_CARLO | AT_ONCE | PATHS


@dataclass(frozen=True)
class Setting:
    """Something that can be set about an algorithm."""

    name: str
    """As the search calls it."""
    title: str
    """As people do."""
    kind: str
    """whole, number, yes or choice."""
    default: Any
    least: float | None = None
    most: float | None = None
    choices: tuple[tuple[str, str], ...] = ()
    """Of a choice: what is sent, and what it is called."""

    def to_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "title": self.title,
            "kind": self.kind,
            "default": self.default,
            "least": self.least,
            "most": self.most,
            "choices": [list(choice) for choice in self.choices],
        }

    def read(self, value: Any) -> Any:
        """The value that a page sent. Raises BadLimits."""
        if self.kind == "choice":
            if value not in [choice for choice, _ in self.choices]:
                raise BadLimits(f"{self.title}: there is no {value!r}")
            return value
        if self.kind == "yes":
            if type(value) is not bool:
                raise BadLimits(f"{self.title} is yes or no")
            return value
        whole = self.kind == "whole"
        if type(value) not in ((int,) if whole else (int, float)):
            raise BadLimits(f"{self.title} must be a {'whole ' if whole else ''}number")
        if not (self.least is None or value >= self.least) or not (self.most is None or value <= self.most):
            raise BadLimits(f"{self.title} is {value}; it must be from {self.least:g} to {self.most:g}")
        return value


THREADS = Setting("threads", "Threads", "whole", 1, 1, limits.SEARCH_THREADS)
TABLE = Setting("table_mib", "Table, MiB", "whole", 64, 1, limits.TABLE_MIB)
MEMORY = Setting("memory_mib", "Memory, MiB", "whole", limits.TABLE_MIB, 16, limits.TABLE_MIB)
SEED = Setting("seed", "Seed", "whole", 1, 0, 2**53)
EXPLORATION = Setting("exploration", "Exploration", "number", 1.0, 0.0, 100.0)
ROLLOUTS = Setting("rollouts", "Rollouts for each new state", "whole", 1, 1, 1000)
ROLLOUT_DEPTH = Setting("rollout_depth", "Plies of a rollout, at most", "whole", None, 0, 10_000)
GUARD = Setting("guard", "Alpha-beta's part of the time", "number", 0.2, 0.0, 0.9)
SOLVE = Setting("solve", "Prove what can be proven", "yes", True)
WEIGHTED = Setting("weighted", "Skilled rollouts", "yes", False)
ALL_BEST = Setting("all_best", "Find every best action", "yes", False)
QUIESCENCE = Setting("quiescence", "Follow noisy actions beyond the depth", "yes", True)
SELECTIVE = Setting("selective", "Look less deep where the rules allow it", "yes", True)
LEARNED = Setting(
    "estimates", "Estimates", "choice", "learned",
    choices=(("learned", "learned weights"), ("own", "the rules' own")),
)  # fmt: skip
OWN = Setting("estimates", "Estimates", "choice", "own", choices=LEARNED.choices)
"""What a state is worth at the depth limit, in games with weights; the engine goes by what was learned, the
textbook's searches by the rules."""
RISK = Setting("risk", "What may be staked", "number", 0.0, 0.0, 1e6)
MODEL = Setting(
    "policy", "Opponents", "choice", "uniform",
    choices=(
        ("uniform", "play anything"),
        ("epsilon:0.1,depth=2", "look 2 plies ahead, slip 1 time in 10"),
        ("epsilon:0.3,depth=2", "look 2 plies ahead, slip 3 times in 10"),
        ("softmax:0.5,depth=2", "look 2 plies ahead, prefer the better"),
    ),
)  # fmt: skip


@dataclass(frozen=True)
class Algorithm:
    """One algorithm, for people."""

    name: str
    title: str
    says: str
    """What it does, in a sentence."""
    settings: tuple[Setting, ...] = ()
    search: type[Search] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "search", EVERY[self.name])

    @property
    def family(self) -> str:
        """samples, mixes, paths or depths: what there is to show."""
        if self.name in AT_ONCE:
            return "mixes"
        if self.name in MONTE_CARLO:
            return "samples"
        return "paths" if self.name in PATHS else "depths"

    @property
    def many_lines(self) -> bool:
        """True if it can tell several best lines."""
        return self.name == "engine" or self.name in MONTE_CARLO

    @property
    def limits(self) -> tuple[str, ...]:
        """The limits that it knows. Those that go depth by depth make no simulations; those that look for paths have
        no depth."""
        if self.family in ("samples", "mixes"):
            return ("seconds", "simulations", "nodes", "depth")
        return ("seconds", "nodes") if self.family == "paths" else ("seconds", "depth", "nodes")

    def missing(self, game: Game) -> str | None:
        """Why it does not suit `game`; None if it does."""
        problem = self.search.needs.missing(game)
        if problem is not None:
            return problem
        if self.family == "paths" and not defines(game.costs, "cost"):
            return "nothing costs anything in it"
        if self.name in ("star1", "star2", "dice_engine", "uct", "puct", "guarded_uct") and not (
            float(game.max_utility) - float(game.min_utility) < float("inf")
        ):
            return "its utility has no bounds"
        return None

    def settings_for(self, game: Game) -> tuple[Setting, ...]:
        """What can be set about it in this game."""
        learned = self.family == "depths" and opinion(game) is not None
        estimates = ((LEARNED if self.name == "engine" else OWN),) if learned else ()
        return tuple(
            setting
            for setting in (*self.settings, *estimates)
            if (setting is not WEIGHTED or knows_priors(game) or defines(game.heuristics, "rollout"))
            and (setting is not QUIESCENCE or defines(game.heuristics, "tactical_actions"))
            and (setting is not SELECTIVE or game.heuristics.selective)
        )

    def to_json(self, game: Game) -> dict[str, Any]:
        return {
            "name": self.name,
            "title": self.title,
            "says": self.says,
            "family": self.family,
            "lines": self.many_lines,
            "limits": list(self.limits),
            "missing": self.missing(game),
            "settings": [setting.to_json() for setting in self.settings_for(game)],
        }


SAMPLING = (EXPLORATION, ROLLOUTS, ROLLOUT_DEPTH, WEIGHTED, SOLVE, SEED, THREADS, MEMORY)
ALGORITHMS: tuple[Algorithm, ...] = (
    Algorithm(
        "engine",
        "Engine",
        "Alpha-beta as people play against it: deepening, a table, good ordering.",
        (THREADS, TABLE, QUIESCENCE, SELECTIVE, ALL_BEST),
    ),
    Algorithm("dice_engine", "Dice engine", "Expectiminimax with a table and Star pruning.", (TABLE, ALL_BEST)),
    Algorithm("uct", "UCT", "Monte Carlo tree search: tries what is good or little known.", SAMPLING),
    Algorithm("puct", "PUCT", "Monte Carlo tree search that trusts what the rules find promising.", SAMPLING),
    Algorithm("guarded_uct", "Guarded UCT", "UCT whose choice alpha-beta has looked at.", (*SAMPLING, GUARD)),
    Algorithm(
        "flat",
        "Flat Monte Carlo",
        "The same number of random games after each action.",
        (ROLLOUTS, ROLLOUT_DEPTH, WEIGHTED, SEED, THREADS),
    ),
    Algorithm(
        "regret_matching",
        "Regret matching",
        "Mixes choices by what each would have brought.",
        (ROLLOUT_DEPTH, SEED, MEMORY),
    ),
    Algorithm(
        "decoupled_uct", "Decoupled UCT", "Each player samples as if alone.", (EXPLORATION, ROLLOUT_DEPTH, SEED, MEMORY)
    ),
    Algorithm("a_star", "A*", "The best path, the most promising state first."),
    Algorithm("ida_star", "IDA*", "The best path, again and again a little further, in no memory."),
    Algorithm("real_time_a_star", "Real-time A*", "A* that has an answer at any moment and goes on from there."),
    Algorithm("lrta_star", "LRTA*", "Walks, and learns how far it really is."),
    Algorithm("alpha_beta", "Alpha-beta", "Minimax that does not look where it can't matter.", (ALL_BEST,)),
    Algorithm("minimax", "Minimax", "Looks at everything."),
    Algorithm("negamax", "Negamax", "Minimax seen from whoever moves."),
    Algorithm("expectiminimax", "Expectiminimax", "Minimax that averages over chance."),
    Algorithm("star1", "Star1", "Expectiminimax that cuts at chance nodes by bounds.", (ALL_BEST,)),
    Algorithm("star2", "Star2", "Star1 that asks one action of each outcome first.", (ALL_BEST,)),
    Algorithm("max_n", "Max^n", "Everybody for themselves."),
    Algorithm("paranoid", "Paranoid", "Everybody against whoever moves."),
    Algorithm("best_reply", "Best reply", "Of all opponents, the one who hurts most answers."),
    Algorithm("expectimax", "Expectimax", "The best against opponents who are not perfect.", (MODEL,)),
    Algorithm(
        "safe_response", "Safe response", "Exploits opponents, and never risks more than allowed.", (MODEL, RISK)
    ),
)
BY_NAME = {algorithm.name: algorithm for algorithm in ALGORITHMS}


def algorithms_for(game: Game) -> dict[str, Any]:
    """The algorithms as a page wants them: those that suit, and why the others don't."""
    return {
        "algorithms": [algorithm.to_json(game) for algorithm in ALGORITHMS],
        "strongest": strongest(game),
        "textbook": suitable(game),
    }


def algorithm(name: str, game: Game) -> Algorithm:
    """The algorithm of that name, which must suit the game. Raises Unsuitable."""
    if name not in BY_NAME:
        raise Unsuitable(f"there is no algorithm called {name[:40]!r}")
    found = BY_NAME[name]
    problem = found.missing(game)
    if problem is not None:
        raise Unsuitable(f"{found.title} does not suit this game: {problem}")
    return found


def make(name: str, game: Game, options: dict[str, Any] | None = None, lines: int = 1) -> Search:
    """The search with what a page has set. Raises Unsuitable or BadLimits."""
    chosen = algorithm(name, game)
    known = {setting.name: setting for setting in chosen.settings_for(game)}
    given: dict[str, Any] = {}
    for key, value in (options or {}).items():
        if key not in known:
            raise BadLimits(f"{chosen.title} has no setting {str(key)[:40]!r}")
        if value is not None:
            given[key] = known[key].read(value)
    if "memory_mib" not in given and MEMORY in chosen.settings:
        given["memory_mib"] = MEMORY.default
    if chosen.many_lines:
        given["lines"] = lines
    if "policy" in given:
        given["policy"] = parse_model(given["policy"], game)
    all_best = bool(given.pop("all_best", False)) and issubclass(chosen.search, (Windowed, TableSearch))
    estimates = given.pop("estimates", "learned" if name == "engine" else "own")
    evaluate = opinion(game) if estimates == "learned" else None
    return make_search(name, game, evaluate=evaluate, all_best=all_best, **given)


__all__ = ["ALGORITHMS", "Algorithm", "Setting", "algorithm", "algorithms_for", "make"]
