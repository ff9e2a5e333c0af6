"""The ladder of our own opponents: every rung is a player, and its ratings can be measured."""

from __future__ import annotations

import json
import runpy
from pathlib import Path

import pytest
from click.testing import CliRunner

import plyforge as pf
from paths import ROOT
from plyforge.cli import plyforge_command
from plyforge.errors import BadText
from plyforge.play import Match, parse_player
from plyforge.play.players import ladder as ladders
from plyforge.play.players.ladder import GAMES, Rung, ladder
from plyforge.studio.play.handler import PlayDesk
from plyforge.studio.server.handler import Room


@pytest.mark.parametrize("game", GAMES)
def test_every_rung_is_a_player_without_a_clock(game: str) -> None:
    rungs = ladder(game)
    assert rungs[0].name == "Beginner" and rungs[-1].name == "Full strength"
    assert len({rung.player for rung in rungs}) == len(rungs)
    for rung in rungs:
        parse_player(rung.player, pf.load(game), native=False)
        assert "seconds" not in rung.player

    elos = [rung.elo for rung in rungs]
    assert all(elo is not None for elo in elos) and elos == sorted(elos), "a name promises no more than was measured"
    assert all(rung.error and rung.rating.startswith("Elo ") for rung in rungs)


def test_a_rung_is_a_player_wherever_players_are_named() -> None:
    game = pf.load("connect4")
    assert parse_player("ladder:casual", game, native=False).description == "uct:simulations=30"
    match = Match(game, "ladder:beginner", "ladder:casual", games=2, native=False)
    assert match.players[1] == "uct:simulations=30", "the record has who really plays"
    for text, where in (
        ("ladder:nobody", game),
        ("ladder:casual", pf.load("connect4(width=5)")),
        ("ladder:casual", None),
    ):
        with pytest.raises(BadText):
            parse_player(text, where)


def test_whoever_chooses_an_opponent_sees_the_ratings() -> None:
    offered = PlayDesk(Room()).do("options", game="connect4")["steps"]
    assert [step["rating"] for step in offered[:-1]] == [rung.rating for rung in ladder("connect4")]
    assert not PlayDesk(Room()).do("options", game="tic_tac_toe")["steps"][0]["rating"]
    shown = CliRunner().invoke(plyforge_command, ["games", "--ladder"]).output
    assert all(f"{rung.text:<22} {rung.rating}" in shown for game in GAMES for rung in ladder(game))
    said = json.loads(CliRunner().invoke(plyforge_command, ["games", "--ladder", "--json"]).output)
    assert list(said["ladders"]) == list(GAMES)


def test_the_terminal_says_who_stands_on_which_rung_and_where_the_others_are() -> None:
    for against, says, all_of_them in (("ladder:casual", "O (MIN): Casual, Elo ", 0), ("random", "O (MIN): random", 1)):
        words = ["play", "othello", "--against", against, "--interpreted"]
        shown = CliRunner().invoke(plyforge_command, words, input="quit\n").output
        assert says in shown and shown.count("plyforge games --ladder") == all_of_them
    with pytest.raises(BadText, match=r"there are ladder:beginner, Elo .*; ladder:full_strength, Elo "):
        parse_player("ladder:", pf.load("othello"))


def test_a_game_without_one_is_told() -> None:
    with pytest.raises(BadText, match="there is one for chess"):
        ladder("pig")


@pytest.mark.full
def test_it_is_measured_by_a_tournament_of_neighbours(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    rungs = [Rung(str(sims), f"uct:simulations={sims}") for sims in (1, 2, 9)] + [Rung("r", "mixed:share=0,depth=1")]
    monkeypatch.setattr(ladders, "measured", lambda game: rungs)
    measure = runpy.run_path(str(ROOT / "benchmarks" / "ladder.py"), run_name="not_main")["measure"]
    found = measure("tic_tac_toe", 2, tmp_path / "l.jsonl", 1)
    assert found["finished"] and found["games"] == 2 * (2 + 2 + 1)
    assert [rung["games"] for rung in found["rungs"]] == [4, 6, 6, 4]
