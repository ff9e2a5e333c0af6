"""Assumptions against realities: the table of the lectures, for any game of two sides."""

from __future__ import annotations

import json
import math
import statistics

import pytest

import plyforge as pf
from plyforge.cli import main
from plyforge.errors import BadLimits, BadText, Unsuitable
from plyforge.play import SearchPlayer, parse_player
from plyforge.play.contests.versus import Cell, Contest, Versus
from plyforge.play.match.openings import opening_at
from plyforge.play.match.rating import student
from plyforge.play.players.search_player import MixedPlayer

TRAP = "pacman(maze='trap')"


def small(game: str = "tic_tac_toe", *rest, **more) -> Versus:
    settings = {"games": 4, "depth": 2, "against_depth": 2, "workers": 1, "native": False}
    return Versus(game, *rest, **settings | more)


# ------------------------------------------------------------------ the lectures' table
@pytest.mark.full
def test_the_lectures_table_comes_out_minimax_is_safe_optimism_does_best_and_collapses():
    """CE417, slide 68: minimax 5/5 with 483 and 5/5 with 493, expectimax 1/5 with -303 and 5/5 with 503. Here 100
    games a cell, as the command plays them."""
    table = Versus(TRAP, ["minimax", "expectimax"], ["adversarial", "random"], games=100)
    cells = {(cell.assume, cell.against): cell for cell in table.run()}
    assert (table.depth, table.against_depth) == (8, 4)  # 4 rounds and 2, of two agents
    for reality in ("adversarial", "random"):
        assert cells["minimax", reality].standing.results.wins >= 98
    assert cells["expectimax", "adversarial"].standing.results.wins <= 30
    assert cells["expectimax", "adversarial"].mean < -200
    hopeful, cautious = cells["expectimax", "random"], cells["minimax", "random"]
    assert hopeful.standing.results.wins >= 98
    assert hopeful.mean - cautious.mean > math.hypot(hopeful.error, cautious.error)


def test_in_the_trap_the_worst_case_says_stay_out_and_the_average_says_go_in():
    """The two assumptions part at the first step into the alley: what a chance node makes of it, and what a MIN node
    does."""
    game = pf.load(TRAP)
    start = pf.state_after(game, "west", "west")  # at the mouth of an alley; the ghost is on its way
    cautious = pf.search(game, start, "alpha_beta", depth=8, native=False)
    hopeful = pf.search(game, start, "expectimax", depth=8, native=False)
    assert hopeful.text(hopeful.action) == "south"
    assert cautious.text(cautious.action) != "south"


# ------------------------------------------------------------------ the machinery
def test_cells_have_the_same_openings_and_the_hero_keeps_the_seat():
    table = small("tic_tac_toe", ["random"], ["random", "mixed"], games=5, seat=1)
    for cell in table.run():
        assert [game.first for game in cell.standing.games] == ["B"] * 5
        assert cell.standing.results.games == 5 and cell.distinct <= 5
    first, second = ([game.actions[:2] for game in cell.standing.games] for cell in table.cells)
    assert first == second
    assert len(set(first)) > 1


def test_the_same_seed_plays_the_same_games():
    def actions(seed: int) -> list[tuple[str, ...]]:
        (cell,) = small("tic_tac_toe", ["minimax"], ["mixed"], seed=seed).run()
        return [game.actions for game in cell.standing.games]

    assert actions(1) == actions(1)


def test_the_mean_is_that_of_the_heros_utilities_with_students_error():
    (cell,) = small("kalah(houses=2, seeds=1)", ["minimax"], ["random"], games=6, seat=1).run()
    values = [game.utilities[1] for game in cell.standing.games]
    assert cell.mean == pytest.approx(statistics.fmean(values))
    assert cell.error == pytest.approx(student(5) * statistics.stdev(values) / 6**0.5)
    won = sum(value > 0 for value in values) + 0.5 * sum(value == 0 for value in values)
    assert cell.won.score == pytest.approx(won / 6)


def test_names_become_players_with_dice_as_well():
    def players(game: str, assume: str, against: str) -> tuple[str, str]:
        return Versus(game, [assume], [against], depth=6, against_depth=3, native=False).cells[0].players

    assert players("tic_tac_toe", "minimax", "adversarial") == ("alpha_beta:depth=6", "alpha_beta:depth=3")
    assert players("pig", "minimax", "mixed") == ("expectiminimax:depth=6", "mixed:share=0.5,depth=3")
    assert players("pig", "expectimax", "random") == ("expectimax:depth=6", "random")
    assert players("tic_tac_toe", "reflex", "uct:simulations=5") == (
        "alpha_beta:depth=1",
        "uct:simulations=5",
    )


def test_depths_are_rounds_of_all_agents_and_dice_need_no_opening():
    table = Versus("pacman(maze='ring')", ["minimax"], ["random"], native=False, games=1)
    assert (table.depth, table.against_depth, table.opening_plies) == (12, 6, 3)
    assert Versus("pig", ["minimax"], ["random"], native=False, games=1).opening_plies == 0


@pytest.mark.parametrize(
    ("settings", "error", "words"),
    [
        ({"assume": ["hope"]}, BadText, "'hope' is not understood here: write minimax, expectimax, reflex"),
        ({"against": ["minimax"]}, BadText, "write adversarial, random, mixed"),
        ({"assume": []}, BadLimits, "nothing to compare"),
        ({"games": 0}, BadLimits, "at least 1"),
        ({"depth": 0}, BadLimits, "depth is 0"),
        ({"share": 2.0}, BadLimits, "probability"),
        ({"seat": 2}, BadLimits, "player 0 or player 1"),
        ({"game": "three_nim"}, Unsuitable, "two sides"),
        ({"game": "nim(heaps=(1, 1))"}, pf.PlyforgeError, "over or decided after 2 random plies"),
    ],
)
def test_what_makes_no_sense_is_refused(settings, error, words):
    with pytest.raises(error, match=words):
        Versus(**{"game": "tic_tac_toe", "games": 1, "native": False} | settings)


def test_openings_are_drawn_by_the_seed_and_go_on():
    game = pf.load("tic_tac_toe")
    found = [opening_at(game, 5, seed) for seed in range(30)]
    assert found == [opening_at(game, 5, seed) for seed in range(30)] and len(set(found)) > 20
    assert all(not game.terminal(pf.state_after(game, *opening.actions)) for opening in found)


# ------------------------------------------------------------------ the record
def games_of(table: Versus) -> list[list[tuple[str, ...]]]:
    return [[game.actions for game in sorted(cell.standing.games, key=lambda g: g.number)] for cell in table.cells]


@pytest.mark.full
def test_a_table_that_was_stopped_goes_on_without_losing_or_doubling_a_game(tmp_path):
    """Stopped by Ctrl-C in the second cell, and its last line cut off: then as if nothing had happened, and more
    games and cells after that."""
    file = tmp_path / "table.jsonl"
    players = (["minimax"], ["random", "mixed"])
    whole = small("tic_tac_toe", *players)
    whole.run()

    def stop(cell):
        if cell.against == "mixed" and len(cell.standing.games) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        small("tic_tac_toe", *players, record=file).run(stop)
    assert len(file.read_bytes().splitlines()) == 1 + 4 + 2
    file.write_bytes(file.read_bytes()[:-20])
    again = small("tic_tac_toe", *players, record=file)
    again.run()
    assert games_of(again)[0] == games_of(whole)[0] and [len(games) for games in games_of(again)] == [4, 4]
    assert any("cut off" in note for note in again.notes)
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert lines[0]["format"] == "plyforge versus"
    numbers = [(*line["players"], line["game"]["number"]) for line in lines[1:]]
    assert len(numbers) == len(set(numbers)) == 8
    longer = small("tic_tac_toe", ["minimax", "random"], ["random"], games=5, record=file)
    longer.run()
    assert [len(games) for games in games_of(longer)] == [5, 5]
    assert games_of(longer)[0][:4] == games_of(whole)[0]
    assert len(file.read_bytes().splitlines()) == 1 + 8 + 1 + 5


def test_a_record_of_something_else_is_not_written_to(tmp_path):
    file = tmp_path / "table.jsonl"
    small("tic_tac_toe", ["random"], ["random"], games=1, record=file).run()
    before = file.read_bytes()
    with pytest.raises(pf.PlyforgeError, match="seed is 0 there, and 3 here"):
        small("tic_tac_toe", ["random"], ["random"], games=1, record=file, seed=3).run()
    match = tmp_path / "match.jsonl"
    match.write_text('{"format": "plyforge match", "version": 1}\n')
    with pytest.raises(pf.PlyforgeError, match="its first line is not that of a versus"):
        small("tic_tac_toe", ["random"], ["random"], games=1, record=match).run()
    broken = file.read_bytes().replace(b'"players"', b'"plays"')
    file.write_bytes(broken)
    with pytest.raises(pf.PlyforgeError, match="line 2: not a game of a match: it does not have players"):
        small("tic_tac_toe", ["random"], ["random"], games=1, record=file).run()
    assert file.read_bytes() == broken != before


# ------------------------------------------------------------------ mixed players
def test_a_mixed_player_plays_well_as_often_as_it_says():
    game = pf.load("tic_tac_toe")
    state = pf.parse_state(game, "xx.oo....")  # X wins at once, or plays anything
    player = parse_player("mixed:share=0.75,depth=1,seed=5", game)
    assert isinstance(player, MixedPlayer) and player.description == "mixed:share=0.75,depth=1,seed=5"
    player.skilled = SearchPlayer("alpha_beta", depth=1, native=False)
    wins = sum(pf.format_action(game, state, player.choose(game, state).action) == "3" for _ in range(300))
    assert 0.7 < wins / 300 < 0.88  # 0.75 + 0.25 / 5
    for share, least in ((0.0, 0.05), (1.0, 1.0)):
        always = MixedPlayer(player.skilled, share, seed=1)
        found = [pf.format_action(game, state, always.choose(game, state).action) for _ in range(40)]
        assert found.count("3") / 40 >= least and (share == 1.0 or found.count("3") < 30)
    with pytest.raises(BadLimits, match="probability"):
        parse_player("mixed:share=1.5", game)


# ------------------------------------------------------------------ the command
def run(capsys, *words: str, code: int = 0) -> tuple[str, str]:
    """What the command prints, in this process."""
    with pytest.raises(SystemExit) as ended:
        main(["versus", *words])
    assert ended.value.code == code
    said = capsys.readouterr()
    return said.out, said.err


QUICK = ("nim(heaps=(1, 2, 2))", "--games", "3", "--depth", "2", "--workers", "1", "--interpreted")


def test_the_command_prints_a_table_and_one_json_object(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "120")
    text, _ = run(capsys, *QUICK, "--assume", "minimax", "--against", "random,mixed:share=0.2,depth=2")
    assert "minimax" in text and "v. random" in text and "v. mixed:share=0.2,depth=2" in text
    assert "of 3 won" in text and "± " in text and "2 plies ahead" in text
    text, _ = run(capsys, *QUICK, "--assume", "minimax", "--against", "random", "--json")
    said = json.loads(text)
    assert said["depth"] == {"plies": 2, "rounds": 1.0} and said["interrupted"] is False
    (cell,) = said["cells"]
    assert cell["games"] == cell["wins"] + cell["draws"] + cell["losses"] == 3
    assert cell["players"] == ["alpha_beta:depth=2", "random"]


def test_a_depth_is_given_in_one_way(capsys):
    _, errors = run(capsys, "nim", "--depth", "2", "--rounds", "1", code=2)
    assert "--depth and --rounds say the same" in errors


def test_ctrl_c_prints_what_there_is(capsys, monkeypatch):
    def stop_after_two(progress, cell):
        if len(cell.standing.games) == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr("plyforge.cli.contests.versus.VersusProgress.__call__", stop_after_two)
    text, errors = run(capsys, *QUICK, "--json", code=130)
    said = json.loads(text)
    assert said["interrupted"] and [cell["games"] for cell in said["cells"]] == [2, 0, 0, 0, 0, 0]
    assert said["cells"][0]["mean"] is not None and said["cells"][1]["mean"] is None
    assert "stopped after 2 of 18 games" in errors


def test_a_cell_without_games_has_no_mean():
    game = pf.load("tic_tac_toe")
    cell = Cell("minimax", "random", ("alpha_beta:depth=1", "random"), 0, game)
    assert (cell.mean, cell.error, cell.won, cell.distinct) == (None, None, None, 0)
    assert Contest(cell, 1, opening_plies=0, workers=1, native=False).order(0)["first"] == "A"
