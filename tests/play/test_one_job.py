"""One background job under every face: whatever asks, `play.Engine` is told to start, tells how it stands, can be told
to stop, and has a result. A face has no thinking of its own.
"""

from __future__ import annotations

import io
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

import plyforge as pf
from patience import PATIENCE
from plyforge.play import Engine, GameSession, Human, Match, parse_player
from plyforge.play.protocols.gtp.server import Gtp
from plyforge.play.protocols.json_lines.server import Talk
from plyforge.play.protocols.uci.server import Uci
from plyforge.play.terminal import play_in_terminal
from plyforge.studio.analyse.handler import AnalyseDesk
from plyforge.studio.play.handler import PlayDesk
from plyforge.studio.server.handler import Room

LITTLE = "alpha_beta:depth=2"


def in_the_terminal() -> None:
    player = parse_player(LITTLE, "tic_tac_toe", native=False)
    play_in_terminal(GameSession("tic_tac_toe"), [player, Human()], output=io.StringIO(), source=io.StringIO("quit\n"))


def over_uci() -> None:
    Uci(io.StringIO("position startpos\ngo nodes 1\n"), io.StringIO(), native=False, seed=1).run()


def over_gtp() -> None:
    game = pf.load("tic_tac_toe")
    Gtp(io.StringIO("genmove b\n"), io.StringIO(), game, parse_player(LITTLE, game, native=False)).run()


def in_lines_of_json() -> None:
    asked = io.StringIO('{"id": 1, "do": "go", "using": "alpha_beta", "depth": 2}\n')
    Talk(asked, io.StringIO(), "tic_tac_toe", native=False).run()


def analysing_in_the_studio() -> None:
    desk = AnalyseDesk(Room())
    desk.do("open", game="tic_tac_toe")
    desk.do("start", sides=[{"using": "alpha_beta"}], limits={"depth": 2})
    until(lambda: any(said.get("status") == "ended" for _, said in desk.room.told))
    desk.close()


def playing_in_the_studio() -> None:
    desk = PlayDesk(Room())
    desk.do("new", game="tic_tac_toe", players=[LITTLE, "human"])
    until(lambda: desk.session is not None and desk.session.ply == 1)
    desk.close()


def in_a_match() -> None:
    Match("tic_tac_toe", lambda state: pf.legal_moves("tic_tac_toe", state)[0], LITTLE, games=2, native=False).run()


def until(what: Callable[[], Any]) -> None:
    end = time.monotonic() + PATIENCE
    while not what():
        assert time.monotonic() < end, "that took too long"
        time.sleep(0.01)


@pytest.mark.parametrize(
    ("face", "hands_over"),
    [
        (in_the_terminal, True),
        (over_uci, True),
        (over_gtp, True),
        (in_lines_of_json, True),
        (analysing_in_the_studio, False),
        (playing_in_the_studio, False),
        (in_a_match, True),
    ],
)
def test_the_engine_is_the_job(face: Callable[[], None], hands_over: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """It thinks in the thread that asked where that has room for a search, as the studio's do; else in its own."""
    asked_in: list[int] = []
    thought_in: list[int] = []
    for name, noted in (("start", asked_in), ("_think", thought_in)):
        usual = getattr(Engine, name)

        def note(self: Engine, *given: Any, _usual: Any = usual, _noted: list[int] = noted, **more: Any) -> Any:
            _noted.append(threading.get_ident())
            return _usual(self, *given, **more)

        monkeypatch.setattr(Engine, name, note)
    face()
    assert asked_in and len(asked_in) == len(thought_in)
    assert all((asked != thought) == hands_over for asked, thought in zip(asked_in, thought_in, strict=True))
