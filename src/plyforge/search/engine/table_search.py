"""What the searches with a table share: how big it is, who makes it, and that one may be kept between searches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from plyforge.contract import Game
from plyforge.kernel import Record
from plyforge.search.core.base import Search
from plyforge.search.core.parameters import parameter
from plyforge.search.core.result import Result
from plyforge.search.core.searcher import Asked, Searcher
from plyforge.search.engine.complete_line import whole_line
from plyforge.search.engine.memory import forget_all
from plyforge.search.engine.result import EngineResult
from plyforge.search.engine.transposition_table import MOST_MEBIBYTES, Table, hand_back, take_table
from plyforge.search.running.control import Control


@dataclass(frozen=True)
class TableSearch(Search):
    """A search that remembers states in a table."""

    anytime: ClassVar[bool] = True

    all_best: bool = parameter(
        False, title="Find every best action", help="Find every action that is tied for best, not only the first found."
    )
    table_mib: float = parameter(
        64.0,
        at_least=0,
        below=MOST_MEBIBYTES,
        unit="MiB",
        title="Table",
        uci="Hash",
        elsewhere=("hash", "table", "hashmb"),
        help="The size of the transposition table; 0 for none.",
    )

    def new_table(self) -> Table | None:
        """A table of the size that this search wants; None if it wants none."""
        return take_table(self.table_mib) if self.table_mib > 0 else None

    def make_ready(self, game: Game, table: Table) -> None:
        """After a first search with this table, before any clock runs: have all the memory that searches will use."""
        table.make_ready()

    def start(
        self, game: Game, native: bool | None = None, *, lasting: bool = True, table: Table | None = None
    ) -> TableSearcher:
        """`table` is one that others use, too."""
        return TableSearcher(self, game, native, lasting, table)

    def answer_with(self, game: Game, asked: Asked, native: bool | None, table: Table | None) -> Result:
        """One thought, over a table that is kept; None: one that is as good as new, and handed on."""
        raise NotImplementedError


class TableSearcher(Searcher):
    """A search over one table."""

    search: TableSearch

    def __init__(
        self,
        search: TableSearch,
        game: Game,
        native: bool | None = None,
        lasting: bool = True,
        table: Table | None = None,
    ) -> None:
        super().__init__(search, game, native, lasting)
        self.table = table
        """Of one that lasts, from its first thought on."""
        self.shared = table is not None
        """True if the table is not this searcher's own."""

    def answer(self, asked: Asked) -> Result:
        if self.lasting and not self.shared:
            if self.table is None or self.table.asked_for != self.search.table_mib:
                self.table = self.search.new_table()
        return self.search.answer_with(self.game, asked, self.native, self.table)

    def forget(self) -> None:
        """To get other memory takes longer than a quick move, so the table stays, and the memories beside it."""
        if self.table is not None:
            memories = [memory for memory in self.table.memories if isinstance(memory, Record)]
            self.table.renew()
            for memory in memories:
                forget_all(memory)
            self.table.memories = memories

    def take_over(self, other: Searcher) -> None:
        if isinstance(other, TableSearcher):
            other.forget()
            self.table, other.table = other.table, None

    def make_ready(self) -> None:
        if self.table is not None and self.native is not False:
            self.search.make_ready(self.game, self.table)

    def whole_line(
        self, found: Any, *, seconds: float, history: Sequence[Any] = (), control: Control | None = None
    ) -> tuple[Any, ...]:
        if not isinstance(found, EngineResult):
            return tuple(found.line)
        return whole_line(self.search, found, seconds=seconds, table=self.table, history=history, control=control)

    def close(self) -> None:
        if self.table is not None and self.lasting and not self.shared:
            hand_back(self.table)
        self.table = None
