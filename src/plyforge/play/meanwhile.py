"""The same search, interpreted, for as long as its compiled code is on its way: `Engine(game, at_once=True)`.

One process for all engines of this one compiles (`warm.py`). Invariant: once the search is compiled, it is never
interpreted again; rules that can't be compiled stay interpreted.
"""

from __future__ import annotations

import atexit
import functools
from collections.abc import Mapping
from typing import Any

from plyforge.contract import Game
from plyforge.play.compile import code_of
from plyforge.play.players.search_player import SearchPlayer
from plyforge.play.warm import Warm
from plyforge.search import Search


@functools.cache
def shared_warm() -> Warm:
    """What compiles for all engines."""
    warm = Warm()
    atexit.register(warm.close)
    return warm


class Meanwhile:
    """What thinks while a search is being compiled."""

    def __init__(self, search: Search, game: Game, using: str | None, options: Mapping[str, Any]) -> None:
        self.search, self.game = search, game
        self.code = code_of(SearchPlayer(using=using, options=options))
        self.interpreted: Any = None
        shared_warm().native(game, self.code)  # it begins

    def searcher(self) -> Any:
        """Who thinks now; None: the search itself, which is compiled."""
        if shared_warm().native(self.game, self.code) is None:
            return None
        if self.interpreted is None:
            self.interpreted = self.search.start(self.game, False)
        return self.interpreted

    def forget(self) -> None:
        """A new game begins."""
        self.interpreted = None


__all__ = ["Meanwhile", "shared_warm"]
