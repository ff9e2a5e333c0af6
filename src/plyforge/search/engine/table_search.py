"""What the searches with a table share: how big it is, who makes it, and that one may be kept between searches."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from plyforge.contract import Game
from plyforge.search.core.base import Search
from plyforge.search.core.control import Control
from plyforge.search.core.limits import Limits
from plyforge.search.core.parameters import parameter
from plyforge.search.core.result import Result
from plyforge.search.core.runner import Progress
from plyforge.search.engine.transposition_table import MOST_MEBIBYTES, Table, take_table


@dataclass(frozen=True)
class TableSearch(Search):
    """A search that remembers states in a table."""

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

    @abstractmethod
    def search(
        self,
        game: Game,
        state: Any = None,
        limits: Limits | None = None,
        *,
        native: bool | None = None,
        watch: Any = None,
        on_progress: Callable[[Progress], None] | None = None,
        control: Control | None = None,
        table: Table | None = None,
        history: Sequence[Any] = (),
    ) -> Result:
        """As in every search; depths are searched one after the other up to `limits`, or until the value is proven.

        `table` is one that was kept from an earlier search of this game; without it there is a new one. `history` is
        the states of the game so far, in games that can come back to them (`history.repetition`).
        """
