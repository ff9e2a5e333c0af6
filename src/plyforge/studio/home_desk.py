"""The desk of the home view: what games there are, and own rules loaded anew."""

from __future__ import annotations

from typing import Any

from plyforge.studio.desk import Desk, does


class HomeDesk(Desk):
    """Answers what the home view asks."""

    @does
    def cards(self) -> dict[str, Any]:
        """Every game, as a card shows it. When an own file has changed, news of kind "shelf" brings its new card."""
        return {"cards": self.room.shelf.cards()}

    @does
    def reload(self, game: str) -> None:
        """Load an own rules file anew."""
        self.room.shelf.reload(game)
