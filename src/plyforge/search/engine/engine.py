"""The engine: alpha-beta as people play against it, on any game of two players without chance, at both speeds.

Its pieces are files of their own:

    principal_variation.py   the exact kernel; what is an estimate and what is proven
    selective_search.py      the kernel for games that allow to look less deep
    quiescence.py            tactical actions beyond the horizon
    steps/                   what these three consist of, a file each group of steps
    interpreted/             the same kernels, written out for one game, where nothing is compiled
    thinking/                depth after depth, with narrow windows, until a limit or a proof
    transposition_table.py   what is known about states that were met before
    proof.py                 where only a proof is asked for, and the rules know a shorter way to one
    mate_distance.py         after a selective proof: does it end sooner?
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

from plyforge.contract import Game, defines
from plyforge.endings import Database
from plyforge.errors import BadLimits, Unsuitable
from plyforge.kernel import Kernel
from plyforge.search.core.limits import Limits
from plyforge.search.core.parameters import parameter
from plyforge.search.core.requirements import TWO_PLAYERS_NO_CHANCE, Needs
from plyforge.search.core.searcher import NO_LIMITS, Asked
from plyforge.search.engine.principal_variation import principal_variation
from plyforge.search.engine.proof import proof
from plyforge.search.engine.result import EngineResult
from plyforge.search.engine.table_search import TableSearch
from plyforge.search.engine.tablebase import check_database, known_at_root
from plyforge.search.engine.thinking.after_proof import make_ready_for_proofs
from plyforge.search.engine.thinking.deepening import Thinking
from plyforge.search.engine.transposition_table import Table
from plyforge.search.running.brief import only_brief
from plyforge.search.running.runner import TakesLonger

MOST_THREADS = 256


@dataclass(frozen=True)
class Engine(TableSearch):
    """Alpha-beta as people play against it: iterative deepening, a table, good ordering, quiescence search."""

    name: ClassVar[str] = "engine"
    title: ClassVar[str] = "Engine"
    aliases: ClassVar[tuple[str, ...]] = (
        "negascout", "pvs", "principalvariation", "principalvariationsearch", "scout", "mtdf", "ids",
        "iterativedeepening", "stockfish",
    )  # fmt: skip
    needs: ClassVar[Needs] = TWO_PLAYERS_NO_CHANCE
    kernel: ClassVar[Kernel] = principal_variation

    threads: int = parameter(
        1,
        at_least=1,
        at_most=MOST_THREADS,
        uci="Threads",
        compiled=True,
        help="How many threads search. With one, the same call visits the same nodes every time.",
    )
    quiescence: bool = parameter(
        True,
        title="Quiescence search",
        where=lambda game: defines(game.heuristics, "tactical_actions"),
        help="Follow tactical actions beyond the depth limit (quiescence search), where the game names them.",
    )
    selective: bool = parameter(
        True,
        title="Selective search",
        where=lambda game: bool(game.heuristics.selective),
        help="Look less deep where the game's traits allow it: null move, reductions, pruning.",
    )
    lines: int = parameter(
        1, at_least=1, uci="MultiPV", elsewhere=("multipv",), help="How many of the best lines to find."
    )
    only: tuple[Any, ...] = parameter(
        (), elsewhere=("searchmoves",), help="Search only these root actions; all if empty."
    )
    database: Database | None = parameter(
        None,
        text="a folder",
        uci="Endings",
        title="Endgame database",
        none="without",
        elsewhere=("tablebase", "syzygypath"),
        help="A database of endings of the game, whose values are proven.",
    )
    seed: int | None = parameter(
        None,
        none="the first of the rules' order",
        elsewhere=("randomseed",),
        help="Decides which action of the root is looked at first, and so which one is chosen among equals.",
    )
    within: int | None = parameter(
        None,
        at_least=1,
        unit="plies",
        internal=True,
        none="no such wish",
        help="Plies in which a win is wanted: where a selective search has found none by its depth limit, everything is"
        " looked at so far.",
    )

    def check(self) -> None:
        super().check()
        if not isinstance(self.only, (tuple, list)):
            raise BadLimits(f"only is {self.only!r}; it must be a tuple of actions, as in only=(3, 4)")

    @property
    def is_plain(self) -> bool:
        """True if one best line is all that is asked for, and nobody has a say in which."""
        few = self.lines == 1 and self.threads == 1 and not self.all_best and not self.only
        return few and self.seed is None and self.database is None

    def make_ready(self, game: Game, table: Table) -> None:
        super().make_ready(game, table)
        if self.selective and game.heuristics.selective:
            make_ready_for_proofs()
            # what follows a proof looks at everything: its kernel must not be compiled on a clock
            exact = replace(self, selective=False, quiescence=False, threads=1, lines=1, all_best=False, database=None)
            replace(exact, only=()).search(game, limits=Limits(depth=1))

    def answer_with(self, game: Game, asked: Asked, native: bool | None, table: Table | None) -> EngineResult:
        """Depths are searched one after the other up to the limits, or until the value is proven."""
        state, limits, on_progress, control = asked.state, asked.limits, asked.on_progress, asked.control
        if asked.watch is not None:
            raise Unsuitable("the engine has watchers of its own: `search.trace.recorder.record` keeps its tree")
        check_database(self, game)
        if self.database is not None:
            how = {"native": native, "on_progress": on_progress, "control": control, "history": asked.history}
            known = known_at_root(self, game, state, asked.time, limits=limits, **how)
            if known is not None:
                return known
        other = game.heuristics.by_distance(game) if limits == NO_LIMITS else None
        if other is not None and on_progress is None and control is None and table is None:
            proven = proof(self, game, other, state, native) if self.is_plain else None
            if proven is not None:
                return proven
        # a table that is kept must not see a search that is begun twice
        for briefly in (table is None, False):
            if only_brief() and not briefly:
                raise TakesLonger
            thinking = Thinking(self, game, state, native, on_progress, control, table, asked.history, time=asked.time)
            found = thinking.answer(limits, briefly)
            thinking.hand_on(own_table=table is None)
            if found is not None:
                break
        assert found is not None
        return found


__all__ = ["Engine", "EngineResult", "Table"]
