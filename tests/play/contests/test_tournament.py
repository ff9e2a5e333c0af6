"""Tournaments: ratings against published and simulated ones, records that go on after a kill."""

from __future__ import annotations

import json
import math
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from made_up_games import played as made_up
from patience import PATIENCE
from plyforge.cli import plyforge_command
from plyforge.errors import BadLimits, BadText, PlyforgeError
from plyforge.games import load
from plyforge.play import Tournament
from plyforge.play.contests.tournament import session_of
from plyforge.play.formats import registry
from plyforge.play.match.bradley_terry import ELO, ratings
from plyforge.play.match.rating import elo, estimate, expected

SETTINGS: dict[str, Any] = {"native": False, "workers": 1, "opening_plies": 1}

# American League, 1987 (wins of the row against the column), and what Agresti, "Categorical Data Analysis", section
# 10.6, gives for it: log odds above the last team, and two probabilities.
BASEBALL = """
- 7 9 7 7 9 11
6 - 7 5 11 9 9
4 6 - 7 7 8 12
6 8 6 - 6 7 10
6 2 6 7 - 7 12
4 4 5 6 6 - 6
2 4 1 3 1 7 -
"""
PUBLISHED = (1.581, 1.436, 1.294, 1.248, 1.108, 0.684, 0.0)


def test_the_published_example_is_found() -> None:
    wins = [[0 if word == "-" else int(word) for word in line.split()] for line in BASEBALL.split("\n") if line]
    results = {(i, j): [[1.0]] * wins[i][j] + [[0.0]] * wins[j][i] for i in range(7) for j in range(i + 1, 7)}
    found = ratings(7, results)
    assert [(each.elo - found[6].elo) / ELO for each in found] == pytest.approx(PUBLISHED, abs=5e-4)
    assert sum(each.elo for each in found) == pytest.approx(0.0, abs=1e-9)
    assert all(each.bounded and each.games == 78 for each in found)


def test_of_two_players_it_is_the_logit_of_the_score_with_the_match_s_own_error() -> None:
    pairs = [[1.0, 0.5], [1.0, 0.0], [0.5, 0.5], [1.0, 0.5]] * 40
    one, other = ratings(2, {(0, 1): pairs})
    share = estimate(pairs)
    assert share is not None
    assert one.elo - other.elo == pytest.approx(elo(share.score))
    # delta method: d elo / d score = ELO / (p (1 - p)); each rating is half of the difference
    slope = ELO / (share.score * (1 - share.score))
    assert 2 * one.error == pytest.approx(slope * (share.high - share.low) / 2, rel=1e-6)


def simulated(strengths: list[float], games: int, luck: random.Random) -> dict[tuple[int, int], list[list[float]]]:
    found: dict[tuple[int, int], list[list[float]]] = {}
    for i in range(len(strengths)):
        for j in range(i + 1, len(strengths)):
            share = expected(strengths[i] - strengths[j])
            draw = min(share, 1 - share) * 0.6
            one = lambda share=share, draw=draw: (  # noqa: E731
                0.5 if (roll := luck.random()) < draw else 1.0 if roll < draw + share - draw / 2 else 0.0
            )
            found[i, j] = [[one(), one()] for _ in range(games // 2)]
    return found


def test_a_simulated_ladder_is_recovered_within_its_interval() -> None:
    ladder = [-300.0, -100.0, 0.0, 120.0, 280.0]
    luck, inside, runs = random.Random(4), 0, 60
    for _ in range(runs):
        found = ratings(5, simulated(ladder, 60, luck))
        inside += sum(each.low <= true <= each.high for each, true in zip(found, ladder, strict=True))
    share = inside / (5 * runs)
    assert 0.95 - 4 * math.sqrt(0.95 * 0.05 / (5 * runs)) < share, "intervals of 95 % hold the truth"
    assert share < 0.995, "and are not wide for nothing"


def test_who_wins_everything_has_no_bound_and_is_still_ahead() -> None:
    found = ratings(3, {(0, 1): [[1.0, 1.0]] * 4, (1, 2): [[0.5, 1.0]] * 3})
    assert [each.bounded for each in found] == [False, False, False]
    assert found[0].elo > found[1].elo > found[2].elo and all(math.isfinite(each.elo) for each in found)
    alone = ratings(3, {(0, 1): [[1.0, 0.0]]})
    assert alone[2].games == 0 and math.isinf(alone[2].error) and alone[0].bounded


# ------------------------------------------------------------------ played ones
def played(
    record: Path | None = None,
    players: tuple[str, ...] = ("alpha_beta:depth=9", "random", "random:seed=3"),
    **more: Any,
) -> Tournament:
    return Tournament("tic_tac_toe", players, **SETTINGS | {"games": 4, "record": record} | more)


def essence(record: Path) -> dict[Any, Any]:
    lines = [json.loads(line) for line in record.read_text().splitlines()[1:]]
    found = {(*line["players"], line["game"]["number"]): line["game"]["actions"] for line in lines}
    assert len(found) == len(lines), "a game is there twice"
    return found


def test_everybody_meets_everybody_in_the_same_openings(tmp_path: Path) -> None:
    tournament = played(tmp_path / "t.jsonl")
    standing = tournament.run()
    assert len(standing.games) == standing.wanted == 12
    assert standing.order[0] == 0 and standing.forfeits == [0, 0, 0]
    for one in range(3):
        for other in range(3):
            if one != other:
                points, games = standing.between(one, other)
                assert games == 4 and points + standing.between(other, one)[0] == 4
    openings = {(pair[2], actions[0]) for pair, actions in essence(tmp_path / "t.jsonl").items()}
    assert len(openings) == 4, "one opening for each game number"
    table = standing.table()
    assert table[1][1] == "alpha_beta:depth=9" and table[1][6] == "-"
    thoughts = [thought for game in standing.games for thought in game.thoughts if thought]
    assert thoughts and all({"value", "depth", "nodes"} <= set(thought) for thought in thoughts)


def test_a_gauntlet_and_a_longer_tournament_go_on_from_the_record(tmp_path: Path) -> None:
    record = tmp_path / "t.jsonl"
    assert len(played(record, gauntlet=True).run().games) == 8
    before = essence(record)
    standing = played(record, games=6).run()
    assert len(standing.games) == 18
    after = essence(record)
    assert all(after[key] == value for key, value in before.items())
    with pytest.raises(PlyforgeError, match="not the record of this"):
        played(record, seed=5).run()


@pytest.mark.full
def test_killed_at_any_moment_it_ends_as_if_nothing_had_been(tmp_path: Path) -> None:
    record, whole = tmp_path / "t.jsonl", tmp_path / "whole.jsonl"
    words = [sys.executable, "-m", "plyforge", "tournament", "tic_tac_toe", "uct:simulations=40,seed=1", "random"]
    words += ["random:seed=3", "--games", "6", "--interpreted", "--workers", "1", "--opening-plies", "1", "--json"]
    process = subprocess.Popen([*words, "--record", str(record)], stdout=subprocess.PIPE)
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and not (record.exists() and record.read_text().count("\n") > 3):
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    run = subprocess.run([*words, "--record", str(record)], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    said = json.loads(run.stdout)
    assert said["finished"] and said["games"] == 18 and len(said["players"]) == 3
    Tournament(
        "tic_tac_toe", ["uct:simulations=40,seed=1", "random", "random:seed=3"], games=6, record=whole, **SETTINGS
    ).run()
    assert essence(record) == essence(whole)


@pytest.mark.full
def test_games_are_written_in_the_game_s_own_format(tmp_path: Path) -> None:
    target = tmp_path / "games.pgn"
    words = ["tournament", "chess", "random", "random:seed=3", "--games", "2", "--workers", "1", "--interpreted"]
    run = CliRunner().invoke(plyforge_command, [*words, "--pgn", str(target), "--opening-plies", "0"])
    assert run.exit_code == 0, run.output
    assert "random:seed=3" in run.output and "Elo" in run.output
    games = registry.restore_all(target)
    assert len(games) == 2 and all(len(game.history) > 10 for game in games)
    assert "[White" in target.read_text()
    refused = CliRunner().invoke(plyforge_command, [*words, "--pgn", str(tmp_path / "games.sgf")])
    assert refused.exit_code == 2 and "it has pgn" in str(refused.output)


def test_a_forfeit_is_a_game_that_was_resigned() -> None:
    game = load("tic_tac_toe")
    session = session_of(game, made_up(1, None, reason="illegal", forfeited="B"), ("x", "y"))
    assert session.resigned == 0 and session.seats == ("y", "x")
    assert session_of(game, made_up(0, "draw", reason="limit of plies"), ("x", "y")).agreed


@pytest.mark.parametrize(
    "players, more, error, words",
    [
        (("random",), {}, BadLimits, "at least 2 players"),
        (("random", "random"), {}, BadText, "named twice"),
        (("random", "random:seed=2"), {"games": 3}, BadLimits, "even number of games"),
        (("random", "nobody"), {}, BadText, "'nobody' is not a player"),
    ],
)
def test_what_can_not_be_played_is_refused(players: Any, more: Any, error: Any, words: str) -> None:
    with pytest.raises(error, match=words):
        played(None, players, **more)
