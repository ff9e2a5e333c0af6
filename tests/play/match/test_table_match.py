"""Games round a table: every player in every seat, the same games from the same seed."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from click.testing import CliRunner

from plyforge.cli import plyforge_command
from plyforge.contract import state_after
from plyforge.errors import BadLimits, BadText, PlyforgeError
from plyforge.games.several_players.three_nim import ThreeNim
from plyforge.play.match.multiplayer import TableMatch

NIM = ThreeNim(20)


def table(*players: str, **more) -> TableMatch:
    return TableMatch(NIM, players, native=False, **more)


def test_everybody_sits_everywhere_and_next_to_everybody() -> None:
    match = table("random", "max_n:depth=2", "paranoid:depth=2", rounds=2)
    standing = match.run()
    assert match.wanted == len(standing.games) == 12
    seatings = Counter(game.seats for game in standing.games)
    assert len(seatings) == 6 and set(seatings.values()) == {2}
    for line in standing.lines:
        assert line.games == 12 and line.payoff.low <= line.payoff.score <= line.payoff.high
    assert sum(line.payoff.score for line in standing.lines) == pytest.approx(NIM.utility_sum)
    assert sum(line.wins for line in standing.lines) == 12
    assert standing.lines[0].payoff.score >= standing.lines[-1].payoff.score


def test_games_of_a_round_share_their_opening_and_are_lawful() -> None:
    standing = table("random", "random", "max_n:depth=3", rounds=2).run()
    assert len(standing.players) == 2 and len(standing.games) == 6  # three seatings that differ
    openings = {game.round: game.actions[:3] for game in standing.games}
    for game in standing.games:
        assert game.actions[:3] == openings[game.round]
        end = state_after(NIM, *game.actions)
        assert NIM.terminal(end) and NIM.utility(end) == game.payoffs
    lines = {line.player: line for line in standing.lines}
    assert lines["random"].games == 12 and lines["max_n:depth=3"].games == 6


def test_the_same_seed_plays_the_same_games() -> None:
    one, again, other = (
        table("random", "random", "max_n:depth=2", rounds=2, seed=seed).run().games for seed in (5, 5, 6)
    )
    assert one == again != other


def test_a_match_that_was_stopped_goes_on_without_losing_or_doubling_a_game(tmp_path) -> None:
    file, players = tmp_path / "table.jsonl", ("random", "random", "max_n:depth=2")
    whole = table(*players, rounds=3).run().games

    def stop(standing) -> None:
        if len(standing.games) == 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        table(*players, rounds=2, record=file).run(stop)
    assert len(file.read_bytes().splitlines()) == 1 + 4
    file.write_bytes(file.read_bytes()[:-7])  # the last line is cut off: its game is played again
    match = table(*players, rounds=3, record=file)
    assert match.run().games == whole and "cut off" in match.notes[0]
    content = file.read_bytes()
    assert len(content.splitlines()) == 1 + len(whole)
    assert table(*players, rounds=3, record=file).run().games == whole and file.read_bytes() == content
    with pytest.raises(PlyforgeError, match="is not the record of this match: players is"):
        table("random", "max_n:depth=2", "random", rounds=3, record=file).run()
    file.write_bytes(content.replace(b'"seats": [', b'"seats": [true, '))
    with pytest.raises(PlyforgeError, match="line 2: not a game of a match: seats can't be"):
        table(*players, rounds=3, record=file).run()


def test_six_rotate_instead_of_taking_all_orders() -> None:
    players = [f"random:seed={number}" for number in range(6)]
    match = TableMatch("chinese_checkers(players=6, size=1, move_limit=3)", players, rounds=1, native=False)
    assert len(match.seatings()) == 6
    standing = match.run()
    assert all(sum(game.payoffs) == pytest.approx(1.0) for game in standing.games)
    for line in standing.lines:
        assert line.games == 6


@pytest.mark.parametrize(
    "players, why",
    [
        (("random", "random"), "3 seats"),
        (("random", "random", "max_n"), "not time"),
        (("random", "random", "max_n:seconds=1"), "not time"),
        (("random", "random", "human"), "person"),
        (("random", "random", "nobody"), "not a player"),
    ],
)
def test_tables_that_can_not_be_laid_are_refused(players, why) -> None:
    with pytest.raises((BadLimits, BadText), match=why):
        table(*players)


def test_the_command() -> None:
    arguments = [
        "table",
        "three_nim(sticks=20)",
        "max_n:depth=2",
        "random",
        "random",
        "--rounds",
        "2",
        "--interpreted",
    ]
    found = CliRunner().invoke(plyforge_command, [*arguments, "--json"], standalone_mode=False)
    said = json.loads(found.output)
    assert said["games"] == said["wanted"] == 6 and len(said["lines"]) == 2
    shown = CliRunner().invoke(plyforge_command, arguments, standalone_mode=False).output
    assert "6 of 6 games" in shown and "max_n:depth=2" in shown
    low, high = NIM.min_utility, NIM.max_utility
    assert f"mean payoff, 0 % is {low:g} and 100 % is {high:g}, with its interval of 95 %:" in shown


def test_more_rounds_than_openings_are_refused_with_how_many_there_are() -> None:
    with pytest.raises(
        BadLimits,
        match=r"10 rounds want an opening each, and ThreeNim has 7 of 3 plies: play at most so many",
    ):
        table("random", "random", "random", rounds=10)
