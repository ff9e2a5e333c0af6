"""Where a tree on the page comes from, and how it is recorded: bounded in nodes, told of while it goes on, stopped at
once.

A source is an object with one of

    {"game": "connect4", "state": "44"}                      any position of any game
    {"text": "[[3, 12, 8], [2, 4, 6]]"}                      a tree that somebody typed
    {"figure": "alpha_beta"}                                 a figure of the lectures
    {"random": {"shape": "minimax", "depth": 3, "branching": 2, "seed": 1, "ties": false}}
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from plyforge.contract import Game, parse_state
from plyforge.errors import BadLimits, PlyforgeError, Unsuitable
from plyforge.games.trees.figures import FIGURES
from plyforge.games.trees.tree import Tree
from plyforge.search import Control, make_search, search, suitable
from plyforge.search.core.base import Search
from plyforge.search.engine.engine import Engine
from plyforge.search.mcts.tree_search import TreeSearch
from plyforge.search.registry import SAMPLING, TEXTBOOK, of_kind
from plyforge.search.trace.engine import record_engine
from plyforge.search.trace.mcts import MOST_SIMULATIONS, GrownTree, grow
from plyforge.search.trace.recorder import Recorder
from plyforge.search.trace.tree import RecordedTree
from plyforge.solve.hidden import hidden_equilibrium
from plyforge.solve.hidden.drawn import drawn_tree
from plyforge.solve.hidden.solution import NEEDS, is_zero_sum
from plyforge.studio.server import limits
from plyforge.teach.reordered import Reordered, reordered
from plyforge.teach.trees import regular_tree, tree_from_text

KEPT_NODES = 20_000
"""Of a recording; what is beyond is searched, counted and said to be there."""
TELL_EVERY = 5_000
"""Nodes between two reports of progress."""
DEFAULT_DEPTH = 2
"""For games; explicit trees are looked at to their ends."""
TABLE_MIB = 4
PATIENCE = 60.0
"""Seconds after which a search that always has an answer (the engine, Monte Carlo) gives the one it has."""
SOLVED = {"lp": "Linear program", "cfr_plus": "CFR+"}
"""Of games that hide something the game's own tree is shown, solved by one of these."""


class Stopped(PlyforgeError):
    """Somebody has stopped the recording."""


@dataclass(frozen=True)
class Source:
    """A game, and the state to begin from."""

    game: Game
    state: Any
    explicit: bool
    """True if the tree is given node by node, so that a search looks to its ends."""
    text: str | None = None
    """Of an explicit tree: what to type to get it."""


def find_source(given: dict[str, Any], find_game: Callable[[str], Game]) -> Source:
    """What a page means. Raises what is wrong with it, in words."""
    if "text" in given:
        return _explicit(tree_from_text(str(given["text"])))
    if "figure" in given:
        name = given["figure"]
        if name not in FIGURES:
            raise BadLimits(f"there is no figure {name!r}; there are {', '.join(FIGURES)}")
        return _explicit(Tree(figure=name))
    if "random" in given:
        wanted = given["random"]
        if not isinstance(wanted, dict):
            raise BadLimits("a random tree is an object: shape, depth, branching, seed, ties")
        kinds = {"shape": str, "depth": int, "branching": int, "seed": int, "largest": int, "ties": bool}
        for name, value in wanted.items():
            if name not in kinds or type(value) is not kinds[name]:
                raise BadLimits(f"{name} of a random tree is not right: {value!r}")
        return _explicit(Tree.of(regular_tree(**wanted)))
    if "game" in given:
        game = find_game(str(given["game"]))
        text = given.get("state")
        state = game.start() if text in (None, "") else parse_state(game, str(text))
        if isinstance(game, Tree):
            return Source(game, state, True, game.text)
        return Source(game, state, False)
    raise BadLimits("a tree comes from a game, a text, a figure or at random: name one of them")


def _explicit(game: Tree) -> Source:
    return Source(game, game.start(), True, game.text)


def shown_searches() -> dict[str, type[Search]]:
    """What can be seen step by step: searches that walk a plain tree, and those that grow one and nothing beside it."""
    plain = {name: cls for name, cls in of_kind(TEXTBOOK).items() if cls.drawn}
    grown = {name: cls for name, cls in of_kind(SAMPLING).items() if issubclass(cls, TreeSearch)}
    return plain | {name: cls for name, cls in grown.items() if cls.start is TreeSearch.start}


def title_of(name: str) -> str:
    """What people call an algorithm."""
    return SOLVED[name] if name in SOLVED else shown_searches()[name].called()


def described_search(name: str) -> dict[str, Any]:
    """What a page is told of an algorithm: does it draw samples, and does the order of actions matter to it?"""
    cls = shown_searches().get(name)
    samples = cls is not None and issubclass(cls, TreeSearch)
    ordered = cls is not None and not issubclass(cls, (TreeSearch, Engine))
    return {"name": name, "title": title_of(name), "samples": samples, "ordered": ordered}


def suitable_searches(game: Game) -> list[str]:
    """The algorithms whose tree can be shown for a game, in the order in which searches are shown."""
    if game.hidden_information:
        fits = NEEDS.missing(game) is None
        return [name for name in SOLVED if fits and (name != "lp" or is_zero_sum(game))]
    return [
        name for name, cls in shown_searches().items() if cls.needs.missing(game) is None and cls.needless(game) is None
    ]


def instead_of(using: str, game: Game) -> tuple[str, str]:
    """A search whose tree can be shown for a game in place of one that can't, and a sentence that says so. Where it
    can be shown: itself, and nothing."""
    names = suitable_searches(game)
    every = shown_searches()
    if using in names or using not in (every | SOLVED) or not names:
        return using, ""
    chosen = suitable(game) if suitable(game) in names else names[0]
    why = (
        every[using].needs.missing(game) or every[using].needless(game) if using in every else "nothing is hidden in it"
    )
    return chosen, f"{title_of(using)} does not suit this tree: {why}. {title_of(chosen)} is shown instead."


class Recording:
    """One recording, from its start to its end; `stop` ends it from another thread."""

    def __init__(self, tell: Callable[[int], None] = lambda nodes: None) -> None:
        self.tell = tell
        self.control = Control()
        self.stopped = threading.Event()

    def stop(self) -> None:
        """End it, with an error."""
        self.stopped.set()
        self.control.stop()

    def make(
        self,
        source: Source,
        using: str,
        depth: int | None,
        order: str = "given",
        seed: int = 1,
        simulations: int = 100,
    ) -> RecordedTree | GrownTree:
        """Search, and keep the tree."""
        game, state = source.game, source.state
        if using not in suitable_searches(game):
            raise Unsuitable(
                f"{using} can't be shown for this game; {', '.join(suitable_searches(game)) or 'no search'} can"
            )
        if using in SOLVED:
            with self.patience():
                return drawn_tree(hidden_equilibrium(game, state, using, limit=KEPT_NODES))
        chosen = make_search(using, game)
        if depth is None and not source.explicit:
            depth = DEFAULT_DEPTH
        if depth is not None and not 1 <= depth <= limits.SEARCH_DEPTH:
            raise BadLimits(f"depth is {depth}; it must be from 1 to {limits.SEARCH_DEPTH}")
        if isinstance(chosen, TreeSearch):
            if not 1 <= simulations <= MOST_SIMULATIONS:
                raise BadLimits(f"simulations are {simulations}; there can be 1 to {MOST_SIMULATIONS:,}")
            return self.grow(game, state, chosen, simulations, seed)
        arranged = reordered(game, order, state, using, depth, seed)
        if isinstance(arranged, Reordered):
            game, state = arranged, arranged.standing(state)
        if isinstance(chosen, Engine):
            engine = make_search(using, game, table_mib=TABLE_MIB)
            assert isinstance(engine, Engine)
            with self.patience():
                return record_engine(
                    game,
                    state,
                    engine,
                    depth,
                    nodes=limits.TREE_NODES,
                    limit=KEPT_NODES,
                    control=self.control,
                )
        recorder = _Watching(self, game, chosen)
        result = search(game, state, chosen, depth=depth, watch=recorder)
        return recorder.tree(result)

    def grow(self, game: Game, state: Any, chosen: TreeSearch, simulations: int, seed: int) -> GrownTree:
        """Grow a tree; whoever stops it, or runs out of patience, gets what there is by then."""
        with self.patience():
            grown = grow(
                game,
                state,
                chosen,
                simulations=simulations,
                seed=seed,
                control=self.control,
                on_simulation=self.tell,
            )
        if not grown.simulations:
            self.check()
        return grown

    @contextmanager
    def patience(self) -> Iterator[None]:
        """Stop what can be stopped with an answer before the page stops waiting."""
        timer = threading.Timer(PATIENCE, self.control.stop)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def check(self) -> None:
        """Raise if it was stopped."""
        if self.stopped.is_set():
            raise Stopped("stopped")


class _Watching(Recorder):
    """A recorder that tells how far it is, and ends when told to, or when there is too much."""

    def __init__(self, recording: Recording, game: Game, chosen: Any) -> None:
        super().__init__(game, search=chosen, limit=KEPT_NODES)
        self.recording = recording
        self.entered = 0

    def enter(self, memory: Any, state: Any, depth: int, alpha: float, beta: float) -> None:
        self.entered += 1
        if self.entered % TELL_EVERY == 0:
            self.recording.tell(self.entered)
            self.recording.check()
        if self.entered > limits.TREE_NODES:
            raise Unsuitable(f"there are more than {limits.TREE_NODES:,} nodes: look less deep")
        super().enter(memory, state, depth, alpha, beta)
