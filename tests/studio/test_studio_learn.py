"""The desk of the Learn view: what a page is told is what a run's files say and what its network thinks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import plyforge as pf
from plyforge.errors import BadLimits, PlyforgeError
from plyforge.learn import Run
from plyforge.learn.folder import BEST
from plyforge.studio.learn.handler import LearnDesk
from plyforge.studio.server.handler import Room
from studio_browser import opened, running

REPLAY = {"against": "generation 0", "seat": 0, "points": 1.0, "moves": ["5", "1", "9"]}


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a run whose network has won its place, and things that are no runs."""
    folder = tmp_path_factory.mktemp("runs")
    path = folder / "t.learn"
    run = Run("tic_tac_toe", path, batch=20, walks=2, shards=1, gates=False, native=False)
    run.go_on(games=40)
    run.learner.write_network(path / BEST, {"game": "tic_tac_toe", "method": "td"})
    match = {"score": 0.8, "low": 0.7, "high": 0.9, "games": 40}
    run.folder.add_line(
        {"generation": 2, "gate": "H1", "best": 2, "against": {"generation 0": match}, "replays": [REPLAY]}
    )
    (folder / "broken.learn").mkdir()
    (folder / "broken.learn" / "run.json").write_text("{")
    (folder / "empty.learn").mkdir()
    (folder / "file.learn").write_text("")
    return folder


def test_runs_are_found_and_told(learned: Path) -> None:
    desk = LearnDesk(Room(), learned)
    assert desk.do("runs")["runs"] == [{"run": "t.learn", "game": "tic_tac_toe", "method": "td"}]
    told = desk.do("run", run="t.learn")
    assert (told["games"], told["generation"], told["best"], told["has_best"]) == (40, 2, 2, True)
    assert told["replays"] == [{"generation": 2, **REPLAY}] and told["against"]["generation 0"]["score"] == 0.8
    drawn = desk.room.made.get(told["curves"].split("/")[2]).content.decode()
    assert drawn.startswith("<svg") and "held back" in drawn
    assert desk.do("run", run="t.learn", stamp=told["stamp"]) == {"stamp": told["stamp"], "same": True}
    json.dumps(told, allow_nan=False)


def test_the_opinion_is_the_network_s(learned: Path) -> None:
    """X has two in a row: the move that wins is best, and worth what winning is; others what the network says."""
    desk, game = LearnDesk(Room(), learned), pf.load("tic_tac_toe")
    run: Any = Run("tic_tac_toe", learned / "t.learn", gates=False, native=False)
    told = desk.do("opinion", game="tic_tac_toe", run="t.learn", moves=["1", "4", "2", "5"])
    assert told["moves"][0]["text"] == "3" and told["moves"][0]["merit"] == 1.0 and told["moves"][0]["value"]["proven"]
    assert told["moves"][0]["ways"] and told["board"] and told["value"]["numbers"] is not None
    s = pf.state_after(game, "1", "4", "2", "5", "7")
    row = next(row for row in told["moves"] if row["text"] == "7")
    assert row["value"]["numbers"][0] == pytest.approx(run.network().estimate(game, s), abs=1e-9)
    over = desk.do("opinion", game="tic_tac_toe", run="t.learn", moves=["1", "4", "2", "5", "3"])
    assert over["over"] and over["moves"] == [] and over["value"]["proven"] and over["turn"] is None


@pytest.mark.parametrize("name", ["../t.learn", "file.learn", "", "/etc", "none.learn"])
def test_no_text_of_a_page_is_a_path(learned: Path, name: str) -> None:
    with pytest.raises(BadLimits, match="no run"):
        LearnDesk(Room(), learned).do("run", run=name)


def test_what_is_wrong_is_said(learned: Path) -> None:
    desk = LearnDesk(Room(), learned)
    for game, moves in (("tic_tac_toe", ["x"]), ("tic_tac_toe", ["1", "1"]), ("connect4", []), ("hexapawn", [])):
        with pytest.raises(PlyforgeError):
            desk.do("opinion", game=game, run="t.learn", moves=moves)
    with pytest.raises(BadLimits, match="behind the end"):
        desk.do("opinion", game="tic_tac_toe", run="t.learn", moves=["1", "4", "2", "5", "3", "6"])
    assert LearnDesk(Room(), learned / "empty.learn").do("runs")["runs"] == []


def test_a_variant_is_called_by_its_arguments(tmp_path: Path) -> None:
    Run("connect4(width=4, height=4)", tmp_path / "c.learn", walks=1, batch=2, shards=1, gates=False, native=False)
    name = LearnDesk(Room(), tmp_path).do("runs")["runs"][0]["game"]
    assert pf.load(name) == pf.load("connect4(width=4, height=4)")


def test_the_page_shows_it(learned: Path, browser: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Curves, a game to go through, and the opinion on the board after its first move."""
    monkeypatch.chdir(learned)
    with running() as studio, opened(browser, studio) as page:
        page.goto_view("#/learn?run=t.learn")
        page.wait_until("document.querySelectorAll('.opinion-moves li').length === 9")
        assert page.locator(".curves img").count() == 1 and page.locator(".view-learn .arrow").count() == 9
        page.get_by_label("Forward").click()
        page.wait_until("document.querySelectorAll('.opinion-moves li').length === 8")
        assert "After 1 of 3 plies" in page.locator(".view-learn [role=status]").inner_text()
        assert page.problems == []
