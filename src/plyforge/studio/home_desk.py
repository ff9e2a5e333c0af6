"""The desk of the home view: what games there are."""

from __future__ import annotations

from typing import Any

from plyforge.studio.desk import Desk, does


class HomeDesk(Desk):
    """Answers what the home view asks."""

    @does
    def cards(self) -> dict[str, Any]:
        """Every game, as a card shows it."""
        return {"cards": self.room.shelf.cards()}
