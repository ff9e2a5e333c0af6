"""The desk of the home view: what games there are, and own rules loaded anew."""

from __future__ import annotations

import threading
from typing import Any

from plyforge.studio.server.frames import write_json
from plyforge.studio.server.handler import Desk, does

_making = threading.Lock()


class HomeDesk(Desk):
    """Answers what the home view asks."""

    @does
    def cards(self) -> dict[str, Any]:
        """Own rules as they stand, and where to fetch the cards of all other games, which don't change.

        When an own file has changed, news of kind "shelf" brings its new card.
        """
        return {"own": self.room.shelf.own_cards(), "catalogue": self._catalogue()}

    @does
    def reload(self, game: str) -> None:
        """Load an own rules file anew."""
        self.room.shelf.reload(game)

    @does(at_once=True)
    def stop(self, game: str) -> None:
        """End an own rules file that does not come back, whatever it is at."""
        self.room.shelf.stop(game)

    def _catalogue(self) -> str:
        """The address of the catalogue's cards: made once, for all pages."""
        shelf, made = self.room.shelf, self.room.made
        with _making:
            if made.at(shelf.address) is None:
                content = write_json({"cards": shelf.cards()})
                shelf.address = made.add("games.json", content, "application/json", owner=shelf)
            return shelf.address
