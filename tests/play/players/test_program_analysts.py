"""Outside programs that are asked for their opinion: in Python, in the terminal, on the command line, in the studio."""

from __future__ import annotations

import io
import json
import math
import os
import shutil
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import paths
import plyforge as pf
from plyforge.cli import plyforge_command
from plyforge.contract import parse_state
from plyforge.errors import BadLimits, PlyforgeError, Unsuitable
from plyforge.play import GameSession, Human
from plyforge.play.players import engines
from plyforge.play.players.programs.analyst import ProgramAnalyst
from plyforge.play.protocols.uci.words import read_info
from plyforge.play.terminal import play_in_terminal
from plyforge.play.words import explain
from plyforge.studio.analyse.handler import AnalyseDesk
from plyforge.studio.server.handler import Room

FAKE = f"{sys.executable} {paths.SUPPORT / 'fake_uci.py'}"
PATIENCE = 30.0
CHESS = pf.load("chess")


def installed(name: str) -> str:
    found = shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/games")
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLYFORGE_CONFIG_DIR", str(tmp_path / "settings"))


def wait_for(condition: Any) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "that took too long"
        time.sleep(0.01)


# ------------------------------------------------------------------ truths from other programs
def test_stockfish_announces_the_mates_that_are_there() -> None:
    fish = ProgramAnalyst(CHESS, f"uci:{installed('stockfish')}")
    try:
        for text, plies in (
            ("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", 1),  # the back rank
            ("7k/8/8/8/8/8/R7/1R4K1 w - - 0 1", 3),  # the ladder
        ):
            fish.start(parse_state(CHESS, text), depth=12)
            found = fish.wait()
            assert (found.value, found.distance, found.exact) == (1.0, plies, False)
            assert len(found.line) == plies and CHESS.terminal(_after(found.state, found.line))
        assert explain(found).startswith("White wins in 3 plies, it says; looked ")
    finally:
        fish.close()


def _after(state: Any, line: Any) -> Any:
    for action in line:
        state = CHESS.result(state, action)
    return state


def test_gnubg_has_the_opening_replies_of_the_books() -> None:
    """8/5 6/5 with 3-1, 24/18 13/11 or 24/14 and the like never before it: the one opening nobody disputes."""
    game = pf.load("backgammon")
    gnubg = ProgramAnalyst(game, f"gnubg:{installed('gnubg')}")
    try:
        for seed in range(200):
            session = GameSession(game, seed=seed)
            while session.player == pf.CHANCE:
                session.draw()
            if session.state.dice in (31, 13):
                break
        gnubg.start(session.state, history=session.states, lines=3)
        found = gnubg.wait()
        assert found.text(found.action) == "8/5 6/5" and len(found.lines) == 3
        sign = 1.0 if session.player == pf.MAX else -1.0
        own = [sign * value for value, _ in found.lines]
        assert own == sorted(own, reverse=True) and 0.1 < own[0] < 0.25
    finally:
        gnubg.close()


def test_gnu_go_says_who_is_ahead() -> None:
    game = pf.load("go(size=9, komi=30.5)")
    gnugo = ProgramAnalyst(game, f"gtp:{installed('gnugo')} --mode gtp --level 1")
    try:
        gnugo.start(game.start())
        found = gnugo.wait()
        assert found.action in list(game.actions(game.start())) and math.isnan(found.value)
        assert found.said.startswith("White is ahead by ") and "it says" in explain(found)
        assert found.to_json()["value"] is None
    finally:
        gnugo.close()


# ------------------------------------------------------------------ a program of our own making
def test_an_analysis_goes_on_until_it_is_stopped_and_is_told_on_the_way() -> None:
    fake = ProgramAnalyst(CHESS, f"uci:{FAKE}")
    told: list[Any] = []
    fake.on_progress(told.append)
    thread = threading.Thread(target=lambda: fake.start(CHESS.start(), lines=2))
    thread.start()
    wait_for(lambda: len(told) == 3)
    fake.stop()
    thread.join(PATIENCE)
    found = fake.wait()
    assert [found.text(line[0]) for _, line in found.lines] == ["e4", "d4"]
    assert found.line_text() == ["e4", "e5"], "what the rules don't allow ends a line"
    assert found.value == 0.0031 and found.distances == (None, 6) and found.lines[1][0] == -1.0
    assert (found.reason, found.depth, found.nodes) == ("stopped", 9, 71)
    fake.close()


def test_a_program_that_does_not_stop_or_goes_is_told_and_is_there_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plyforge.play.protocols.uci.client.COMMAND_SECONDS", 1.0)
    deaf = ProgramAnalyst(CHESS, f"uci:{FAKE} --mode deaf")
    threading.Timer(0.1, deaf.stop).start()  # before the program is there
    deaf.start(CHESS.start())
    with pytest.raises(PlyforgeError, match="did not stop in 1 s"):
        deaf.wait()
    monkeypatch.undo()
    deaf.start(CHESS.start(), depth=1)
    assert deaf.wait().action is not None, "it was started anew"
    deaf.close()
    with pytest.raises(PlyforgeError, match="no program"):
        ProgramAnalyst(CHESS, "engine:depth=3")
    with pytest.raises(Unsuitable):
        ProgramAnalyst("tic_tac_toe", f"uci:{FAKE}")


@pytest.mark.parametrize(
    "line",
    [
        *("info", "info depth", "info score", "info score cp", "info score cp x", "info score mate"),
        *("info string score cp 3", "info depth 3 score cp 10 upperbound pv e2e4", "info score wdl 1 2 3"),
        "info multipv score cp",
    ],
)
def test_what_says_nothing_of_a_line_is_no_line(line: str) -> None:
    assert read_info(line) is None


def test_any_agent_has_an_opinion() -> None:
    """What it would play, and what it says of that."""
    agent = ProgramAnalyst("tic_tac_toe", f"python:{paths.SUPPORT / 'agents.py'}:First")
    talk = ProgramAnalyst("tic_tac_toe", f"talk:{sys.executable} -m plyforge talk tic_tac_toe --interpreted;depth=9")
    try:
        agent.start("x........", seconds=1.0)
        assert agent.wait().text(agent.wait().action) == "2"
        talk.start("xo.......", seconds=1.0)
        assert talk.wait().value == 1.0 and talk.wait().text(talk.wait().action) in "357"
    finally:
        agent.close()
        talk.close()


# ------------------------------------------------------------------ the faces
def test_the_terminal_asks_a_named_program_for_hints() -> None:
    engines.add("fake", FAKE, "uci")
    output = io.StringIO()
    lines = io.StringIO("hint fake 0.1\nhint\nhint nobody\nhint fake x\nquit\n")
    play_in_terminal(GameSession(CHESS), [Human(), Human()], source=lines, output=output, hints="fake")
    shown = output.getvalue()
    assert shown.count("  fake: about 0.00 for White; looked 1 ply ahead") == 2, "by name, and since --hints says so"
    assert shown.count("is not a number of seconds") == 2


def test_the_command_line_asks_it_too() -> None:
    engines.add("fake", FAKE, "uci")
    run = CliRunner().invoke(plyforge_command, ["search", "chess", "--using", "fake", "--seconds", "0.1", "--json"])
    found = json.loads(run.stdout)
    assert found["using"] == "fake" and found["exact"] is False and found["depth"] == 1
    run = CliRunner().invoke(plyforge_command, ["play", "chess", "--hints", "nobody"])
    assert run.exit_code == 1 and "no program has that name; there are fake" in str(run.exception)


def test_the_studio_analyses_with_a_named_program_and_with_no_other() -> None:
    engines.add("fake", FAKE, "uci")
    desk = AnalyseDesk(Room())
    offered = {each["name"]: each for each in desk.do("open", game="chess")["algorithms"]}
    assert offered["fake"]["family"] == "programs" and FAKE not in json.dumps(offered), "a page sees the name alone"
    assert "fake" not in {each["name"] for each in AnalyseDesk(Room()).do("open", game="connect4")["algorithms"]}
    for using in (f"uci:{FAKE}", "talk:cat", "python:/etc/passwd"):
        with pytest.raises(Unsuitable):
            desk.do("start", sides=[{"using": using}])
    with pytest.raises(BadLimits):
        desk.do("start", sides=[{"using": "fake", "options": {"Hash": 1}}])
    desk.do("start", sides=[{"using": "fake"}, {"using": "alpha_beta"}], lines=2, limits={"depth": 2})
    wait_for(lambda: len([said for said in news(desk) if said["status"] == "ended"]) == 2)
    desk.do("start", sides=[{"using": "fake"}], lines=2)
    wait_for(lambda: news(desk)[-1]["status"] == "thinking" and len(news(desk)[-1]["lines"]) == 2)
    desk.do("stop")
    wait_for(lambda: not desk.thinking)
    last = news(desk)[-1]
    assert (last["using"], last["best"], last["reason"]) == ("fake", "e4", "stopped")
    assert last["value"]["words"] == "about +0.31 for White" and not last["value"]["proven"]
    assert [line["value"]["words"] for line in last["lines"]] == [
        "about +0.31 for White",
        "Black wins in 6 plies, it says",
    ]
    json.dumps(desk.report(), allow_nan=False)
    program = desk.analysts["a"]._engine.player.program
    desk.close()
    wait_for(lambda: not program.alive)


def news(desk: AnalyseDesk) -> list[dict[str, Any]]:
    return [fields for kind, fields in desk.room.told if kind == "analysis"]
