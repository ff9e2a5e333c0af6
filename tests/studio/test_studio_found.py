"""Rules without a drawing in the studio: the board that is found is sent, pointed at and played on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from plyforge.studio.analyse.handler import AnalyseDesk
from plyforge.studio.library.library import Shelf
from plyforge.studio.play.handler import PlayDesk
from plyforge.studio.server.handler import Room
from studio_browser import opened, running

WALK = '''
from typing import NamedTuple

from plyforge import MAX, Game


class State(NamedTuple):
    board: tuple[int, ...]
    player: int


class Walk(Game):
    """Men walk straight ahead on 3 rows and 3 columns; whoever can't has lost."""

    def start(self):
        return State((2, 2, 2, 0, 0, 0, 1, 1, 1), MAX)

    def player(self, s):
        return s.player

    def actions(self, s):
        ahead = -1 if s.player == MAX else 1
        for r in range(3):
            for c in range(3):
                to = r + ahead
                if s.board[3 * r + c] == s.player + 1 and 0 <= to < 3 and s.board[3 * to + c] == 0:
                    yield ((r, c), (to, c))

    def result(self, s, move):
        (r, c), (to, _) = move
        cells = list(s.board)
        cells[3 * to + c], cells[3 * r + c] = cells[3 * r + c], 0
        return State(tuple(cells), 1 - s.player)

    def terminal(self, s):
        return not list(self.actions(s))

    def utility(self, s):
        return -1.0 if s.player == MAX else 1.0
'''


@pytest.fixture
def walk(tmp_path: Path) -> Path:
    file = tmp_path / "walk.py"
    file.write_text(WALK)
    return file


def test_the_page_is_sent_the_board_and_the_ways(walk: Path) -> None:
    desk = PlayDesk(Room(Shelf((str(walk),))))
    stands = desk.do("new", game="walk", players=["human", "human"])
    assert len(stands["board"]["places"]) == 9 and len(stands["board"]["pieces"]) == 6
    assert stands["board"]["found"] == "sure"
    assert {action["text"]: action["ways"] for action in stands["actions"]} == {
        f"((2, {c}), (1, {c}))": [(f"(2, {c})", f"(1, {c})")] for c in range(3)
    }
    after = desk.do("move", text="((2, 1), (1, 1))")
    assert after["last"] == ["(2, 1)", "(1, 1)"]
    assert {piece["place"]: piece["owner"] for piece in after["board"]["pieces"]}["(1, 1)"] == 0


def test_the_analyst_points_at_it_too(walk: Path) -> None:
    desk = AnalyseDesk(Room(Shelf((str(walk),))))
    position = desk.do("open", game="walk")
    shown = position.get("position", position)
    assert len(shown["board"]["places"]) == 9
    assert next(each["ways"] for each in shown["legal"]) == [("(2, 0)", "(1, 0)")]


def test_a_move_is_clicked_and_every_action_has_a_button(browser: Any, walk: Path) -> None:
    with running(walk) as studio, opened(browser, studio) as page:
        page.goto_view("#/play/walk?players=human|human")
        page.locator(".play-board[data-stage='waits']").wait_for()
        page.locator(".hit[data-place='(2, 1)']").click()
        page.locator(".hit[data-place='(1, 1)']").click()
        page.locator(".hit[data-place='(1, 1)'][aria-label*='last move']").wait_for()
        assert page.locator(".moves button").count() == 1
        page.locator(".every-action summary").click()
        page.locator(".every-action button", has_text="((0, 0), (1, 0))").click()
        page.locator(".hit[data-place='(1, 0)'][aria-label*='last move']").wait_for()
        assert page.locator(".moves button").count() == 2
        assert page.problems == []
