"""A search in one file, as somebody would add it: minimax that looks a few plies ahead, however deep it may look."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

from plyforge.contract import Game
from plyforge.kernel import Kernel
from plyforge.search.core.base import Search
from plyforge.search.core.parameters import parameter
from plyforge.search.core.requirements import TWO_PLAYERS_NO_CHANCE, Needs
from plyforge.search.core.searcher import Asked
from plyforge.search.textbook.minimax import Minimax


@dataclass(frozen=True)
class Shallow(Search):
    """Minimax that never looks far. What it does not see does not hurt it."""

    name: ClassVar[str] = "shallow"
    aliases: ClassVar[tuple[str, ...]] = ("nearsighted",)
    needs: ClassVar[Needs] = TWO_PLAYERS_NO_CHANCE
    kernel: ClassVar[Kernel] = Minimax.kernel

    plies: int = parameter(
        2, at_least=1, at_most=9, unit="plies", elsewhere=("horizon",), formerly=("sight",), help="How far it looks."
    )
    boldly: bool = parameter(False, help="True: it says so.")
    mood: str = parameter("calm", choices=("calm", "gloomy"), help="How it feels.")

    def answer(self, game: Game, asked: Asked, native: bool | None) -> Any:
        limits = asked.limits
        depth = self.plies if limits.depth is None else min(self.plies, limits.depth)
        return super().answer(game, replace(asked, limits=replace(limits, depth=depth)), native)
