"""From a click to the kernel: the threads that a request of a page passes, and no more than three of them.

The first reads the socket, the second is the desk's, the third is the job's, in which the search runs. Whoever tells of
progress or keeps the time is beside that way, not on it.
"""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest

from patience import PATIENCE
from plyforge.games.tic_tac_toe import TicTacToe
from plyforge.play.job import Job
from plyforge.studio.analyse.handler import AnalyseDesk
from plyforge.studio.play.handler import PlayDesk
from plyforge.studio.server.handler import Room
from plyforge.studio.server.worker import Worker

MOST = 3


@pytest.fixture
def trace(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """Which threads handed work on, and in which a search came to the end of a game: (what, its thread), in order."""
    seen: list[tuple[str, str]] = []
    for owner, name, what in ((Job, "start", "handed to a job"), (TicTacToe, "utility", "kernel")):
        usual = getattr(owner, name)

        def noted(self: Any, *given: Any, _usual: Any = usual, _what: str = what, **more: Any) -> Any:
            seen.append((_what, threading.current_thread().name))
            return _usual(self, *given, **more)

        monkeypatch.setattr(owner, name, noted)
    return seen


def ways(trace: list[tuple[str, str]]) -> list[list[str]]:
    """The threads of each way from the socket to a kernel."""
    handing = [name for what, name in trace if what == "handed to a job"]
    return [["the socket's", handing[0], name] for name in dict.fromkeys(n for what, n in trace if what == "kernel")]


def click(desk: Any, name: str, **fields: Any) -> None:
    """As the server does: the socket's thread leaves it to the desk's."""
    worker, done = Worker("studio desk"), threading.Event()
    worker.run(lambda: (desk.do(name, **fields), done.set()))
    assert done.wait(PATIENCE)
    worker.close()


def wait_for(condition: Any) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "that took too long"
        time.sleep(0.01)


@pytest.mark.parametrize("using", ["engine", "alpha_beta", "uct"])
def test_a_click_on_analyse(trace: list[tuple[str, str]], using: str) -> None:
    desk = AnalyseDesk(Room())
    desk.do("open", game="tic_tac_toe")
    limits = {"simulations": 50} if using == "uct" else {"depth": 9}
    click(desk, "start", sides=[{"using": using}], limits=limits)
    wait_for(lambda: any(said.get("status") == "ended" for _, said in desk.room.told))
    desk.close()
    assert ways(trace) == [["the socket's", "studio desk", "studio analyst"]]


def test_a_click_on_the_board_a_hint_and_a_comparison(trace: list[tuple[str, str]]) -> None:
    desk = PlayDesk(Room())
    desk.do("new", game="tic_tac_toe", players=["human", "alpha_beta:depth=9"])
    click(desk, "move", text="5")
    wait_for(lambda: desk.session is not None and len(desk.session.history) == 2)
    assert ways(trace) == [["the socket's", "studio desk", "studio player"]]
    trace.clear()
    click(desk, "hint", step=3)
    wait_for(lambda: any(kind == "hint" for kind, _ in desk.room.told))
    assert ways(trace) == [["the socket's", "studio desk", "studio adviser"]]
    desk.close()
    trace.clear()
    analyse = AnalyseDesk(Room())
    analyse.do("open", game="tic_tac_toe")
    click(analyse, "compare", seconds=0.3, using=["alpha_beta", "minimax"])
    wait_for(lambda: any(said.get("done") for kind, said in analyse.room.told if kind == "compared"))
    assert ways(trace) == [["the socket's", "studio desk", "studio comparison"]]
    analyse.close()
    assert all(len(way) <= MOST for way in ways(trace))
