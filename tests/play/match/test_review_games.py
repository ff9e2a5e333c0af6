"""Whole games judged by workers: the same whoever does it, gone on with after a stop, and right where it is known."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from plyforge.errors import BadLimits, PlyforgeError, Unsuitable
from plyforge.play import GameSession
from plyforge.play.review import Review, review


def corner_and_edge() -> GameSession:
    """X takes a corner, O an edge beside it: that loses, as every table of the game says; the centre draws."""
    session = GameSession("tic_tac_toe")
    for text in ("1", "2"):
        session.play_text(text)
    return session


def test_an_edge_beside_the_corner_loses_and_the_centre_is_better() -> None:
    (game,) = review([corner_and_edge()], depth=9, native=False, workers=1)
    first, second = game.turns
    assert first.exact and first.values == (0.0, 0.0) and first.grade == "", "a corner draws"
    assert second.exact and second.values == (1.0, -1.0) and second.cost == 1.0 and second.grade == "blunder"
    assert second.best == ("5",)
    assert [line["blunder"] for line in game.summary()] == [0, 1]


def test_it_is_the_same_whoever_does_it_and_goes_on_from_its_record(tmp_path: Path) -> None:
    sessions = [corner_and_edge(), corner_and_edge()]
    record = tmp_path / "review.jsonl"
    settings = {"depth": 4, "native": False, "record": record}
    one = Review(sessions, workers=1, **settings).run()
    lines = record.read_bytes().splitlines(keepends=True)
    assert len(lines) == 1 + 6
    record.write_bytes(b"".join(lines[:3]))
    two = Review(sessions, workers=2, **settings).run()
    assert [game.to_json() for game in one] == [game.to_json() for game in two]
    assert len(record.read_bytes().splitlines()) == 1 + 6
    with pytest.raises(PlyforgeError, match="not the record of this run"):
        Review(sessions[:1], workers=1, **settings).run()


def test_what_cannot_be_reviewed_is_said() -> None:
    with pytest.raises(Unsuitable, match="something is hidden"):
        Review([GameSession("kuhn_poker", seed=1)])
    with pytest.raises(BadLimits, match="no game"):
        Review([])


def test_the_command(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_text(json.dumps(corner_and_edge().to_json()))
    words = [sys.executable, "-m", "plyforge", "review", str(file), "--depth", "9", "--interpreted", "--workers", "1"]
    found = json.loads(subprocess.run([*words, "--json"], capture_output=True, check=True, text=True).stdout)
    assert found["games"][0]["turns"][1]["grade"] == "blunder" and not found["interrupted"]
    shown = subprocess.run(words, capture_output=True, check=True, text=True).stdout
    assert "??" in shown and "blunders" in shown
    wrong = subprocess.run([*words[:4], str(tmp_path / "no.pgn")], capture_output=True, text=True)
    assert wrong.returncode == 2 and "no.pgn" in wrong.stderr and "Traceback" not in wrong.stderr
