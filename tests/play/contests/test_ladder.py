"""The ladder of our own opponents: every rung is a player, and its ratings can be measured."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

import plyforge as pf
from paths import ROOT
from plyforge.errors import BadText
from plyforge.play import parse_player
from plyforge.play.players import ladder as ladders
from plyforge.play.players.ladder import GAMES, Rung, ladder


@pytest.mark.parametrize("game", GAMES)
def test_every_rung_is_a_player_without_a_clock(game: str) -> None:
    rungs = ladder(game)
    assert rungs[0].name == "Beginner" and rungs[-1].name == "Full strength"
    assert len({rung.player for rung in rungs}) == len(rungs)
    for rung in rungs:
        parse_player(rung.player, pf.load(game), native=False)
        assert "seconds" not in rung.player


def test_a_game_without_one_is_told() -> None:
    with pytest.raises(BadText, match="there is one for chess"):
        ladder("pig")


def test_it_is_measured_by_a_tournament_of_neighbours(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    rungs = [Rung(str(depth), f"alpha_beta:depth={depth}") for depth in (1, 2, 9)] + [Rung("r", "random:seed=1")]
    monkeypatch.setattr(ladders, "ladder", lambda game: rungs)
    measure = runpy.run_path(str(ROOT / "benchmarks" / "ladder.py"), run_name="not_main")["measure"]
    found = measure("tic_tac_toe", 2, tmp_path / "l.jsonl", 1)
    assert found["finished"] and found["games"] == 2 * (2 + 2 + 1)
    assert [rung["games"] for rung in found["rungs"]] == [4, 6, 6, 4]
