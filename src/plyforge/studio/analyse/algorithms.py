"""Which algorithms suit a game, what each of them is in a sentence, and what can be set about it.

All of it is what searches say of themselves (`search/registry.py`), so a game that somebody wrote five minutes ago gets
the right list, and so does a search. What is set here comes from a page: each setting has a kind and bounds, the
search's own or nearer ones of the studio (`limits.CAPS`), and nothing else gets through. A model of an opponent is one
of three; files are not among them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from plyforge.contract import Game
from plyforge.errors import BadLimits, Unsuitable
from plyforge.evaluate import opinion
from plyforge.play.engine import strongest
from plyforge.play.players.opponent_model import parse_model
from plyforge.play.players.programs.analyst import analysts
from plyforge.search import Search, make_search, searches, suitable
from plyforge.search.core.parameters import Parameter, parameters_of, written_parameters
from plyforge.search.engine.table_search import TableSearch
from plyforge.studio.server import limits

FAMILIES = {"textbook": "depths", "sampling": "samples", "simultaneous": "mixes", "hidden": "mixes", "paths": "paths"}
"""What there is to show of each kind of search."""
LIMITS = {
    "depths": ("seconds", "depth", "nodes"),
    "samples": ("seconds", "simulations", "nodes", "depth"),
    "mixes": ("seconds", "simulations", "nodes", "depth"),
    "paths": ("seconds", "nodes"),
}
"""The limits that it knows. Those that go depth by depth make no simulations; those that look for paths have no
depth."""
RANKS = ("engine", "samples", "mixes", "paths", "depths")
"""The families in the order in which people see them, after the engines."""
ELSEWHERE = ("simulations", "lines")
"""Parameters that a page has another place for."""
MOST = 2.0**53
"""The largest whole number that a page can write."""


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
    hint: str = ""
    """Its range, in words."""
    help: str = ""
    """What it means."""
    none: str = ""
    """What it means to leave it open."""
    parameter: Parameter | None = field(default=None, compare=False)

    @classmethod
    def of(cls, parameter: Parameter) -> Setting | None:
        """The setting of a parameter; None for what a page does not set."""
        if parameter.kind not in ("whole", "number", "yes", "choice"):
            return None
        common: dict[str, Any] = {
            "name": parameter.name,
            "title": parameter.label,
            "help": parameter.help,
            "none": parameter.none,
            "parameter": parameter,
        }
        if parameter.kind == "yes" and parameter.optional:
            maybe = (("", parameter.none.capitalize() or "As usual"), ("yes", "Yes"), ("no", "No"))
            return cls(kind="choice", default="", choices=maybe, **common)
        if parameter.kind in ("yes", "choice"):
            choices = tuple((each, each) for each in parameter.choices)
            return cls(kind=parameter.kind, default=parameter.default, choices=choices, **common)
        least = parameter.at_least if parameter.above is None else parameter.above
        bounds = (parameter.at_most, parameter.below, limits.CAPS.get(parameter.name))
        most = min((float(bound) for bound in bounds if bound is not None), default=MOST)
        if isinstance(parameter.default, (int, float)):
            most = max(most, parameter.default)
        hint = f"{least:g} to {most:g}" if least is not None and most < 1e9 else parameter.range
        return cls(kind=parameter.kind, default=parameter.default, least=least, most=most, hint=hint, **common)

    def to_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "title": self.title,
            "kind": self.kind,
            "default": self.default,
            "least": self.least,
            "most": self.most,
            "choices": [list(choice) for choice in self.choices],
            "hint": self.hint,
            "help": self.help,
            "none": self.none,
        }

    def read(self, value: Any) -> Any:
        """The value that a page sent. Raises BadLimits."""
        if self.kind == "choice":
            if value not in [choice for choice, _ in self.choices]:
                raise BadLimits(f"{self.title}: there is no {value!r}")
            if self.parameter is not None and self.parameter.kind == "yes":
                return {"": None, "yes": True, "no": False}[value]
            return value
        if self.kind == "yes":
            if type(value) is not bool:
                raise BadLimits(f"{self.title} is yes or no")
            return value
        whole = self.kind == "whole"
        if type(value) not in ((int,) if whole else (int, float)):
            raise BadLimits(f"{self.title} must be a {'whole ' if whole else ''}number")
        if not (self.least is None or value >= self.least) or not (self.most is None or value <= self.most):
            raise BadLimits(f"{self.title} is {value}; it must be {self.hint}")
        if self.parameter is not None:
            self.parameter.check(value)
        return value


LEARNED = Setting(
    "estimates", "Estimates", "choice", "learned",
    choices=(("learned", "learned weights"), ("own", "the rules' own")),
)  # fmt: skip
OWN = Setting("estimates", "Estimates", "choice", "own", choices=LEARNED.choices)
"""What a state is worth at the depth limit, in games with weights; the engine goes by what was learned, the
textbook's searches by the rules."""
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

    search: type[Search]

    @property
    def name(self) -> str:
        return self.search.name

    @property
    def title(self) -> str:
        return self.search.called()

    @property
    def family(self) -> str:
        """samples, mixes, paths or depths: what there is to show."""
        return FAMILIES[self.search.kind]

    @property
    def many_lines(self) -> bool:
        """True if it can tell several best lines."""
        return "lines" in parameters_of(self.search)

    @property
    def limits(self) -> tuple[str, ...]:
        """The limits that it knows."""
        return LIMITS[self.family]

    @property
    def rank(self) -> int:
        """Where it stands among the algorithms: first those that people play against, then the textbook's."""
        return 0 if issubclass(self.search, TableSearch) else RANKS.index(self.family)

    def own_settings(self, game: Game) -> list[Setting]:
        """Those of its parameters that mean something in this game."""
        found = [
            Setting.of(each)
            for each in written_parameters(self.search)
            if each.name not in ELSEWHERE and each.in_play is None and (each.where is None or each.where(game))
        ]
        return [setting for setting in found if setting is not None]

    def settings_for(self, game: Game) -> tuple[Setting, ...]:
        """What can be set about it in this game, for an analysis."""
        found = self.own_settings(game)
        if "policy" in parameters_of(self.search):
            found.insert(0, MODEL)
        if self.family == "depths" and opinion(game) is not None:
            found.append(LEARNED if self.name == "engine" else OWN)
        return tuple(found)

    def to_json(self, game: Game) -> dict[str, Any]:
        return {
            "name": self.name,
            "title": self.title,
            "says": self.search.says(),
            "family": self.family,
            "lines": self.many_lines,
            "limits": list(self.limits),
            "missing": self.search.unsuited(game),
            "settings": [setting.to_json() for setting in self.settings_for(game)],
        }


def algorithms() -> dict[str, Algorithm]:
    """All algorithms by name, in the order in which people see them."""
    found = sorted(map(Algorithm, searches().values()), key=lambda algorithm: algorithm.rank)
    return {algorithm.name: algorithm for algorithm in found}


def algorithms_for(game: Game) -> dict[str, Any]:
    """The algorithms as a page wants them: those that suit, and why the others don't."""
    return {
        "algorithms": [*(algorithm.to_json(game) for algorithm in algorithms().values()), *programs_for(game)],
        "strongest": strongest(game),
        "textbook": suitable(game),
    }


def programs_for(game: Game) -> list[dict[str, Any]]:
    """The programs that the user has named in `plyforge engines`, as a page wants them: by name alone."""
    return [
        {
            "name": name,
            "title": name,
            "says": f"A program of yours, over {protocol}. What it says is its opinion: nothing is proven here.",
            "family": "programs",
            "lines": protocol in ("uci", "gnubg"),
            "limits": ["seconds", "depth", "nodes"] if protocol == "uci" else ["seconds"],
            "missing": None,
            "settings": [],
        }
        for name, protocol in analysts(game).items()
    ]


def algorithm(name: str, game: Game) -> Algorithm:
    """The algorithm of that name, which must suit the game. Raises Unsuitable."""
    found = algorithms().get(name)
    if found is None:
        raise Unsuitable(f"there is no algorithm called {name[:40]!r}")
    problem = found.search.unsuited(game)
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
    if chosen.many_lines:
        given["lines"] = lines
    if "policy" in given:
        given["policy"] = parse_model(given["policy"], game)
    estimates = given.pop("estimates", "learned" if name == "engine" else "own")
    evaluate = opinion(game) if estimates == "learned" else None
    return make_search(name, game, evaluate=evaluate, **given)


__all__ = ["Algorithm", "Setting", "algorithm", "algorithms", "algorithms_for", "make"]
