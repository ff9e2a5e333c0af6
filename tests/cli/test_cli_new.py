"""`plyforge new`: what it writes is lawful at both speeds, is never written over anything, and says what to do next."""

from __future__ import annotations

import pytest

import plyforge as pf
from command import plyforge
from patience import PATIENCE
from plyforge.check import check
from plyforge.cli.rules.new import class_name

KINDS = [(), ("--players", "3"), ("--chance",), ("--players", "3", "--chance"), ("--board",)]
BETWEEN = KINDS[1:]
"""What is written for them is looked at below; that it is compiled is for `make test-full`."""


@pytest.mark.parametrize(
    "more", [pytest.param(more, marks=pytest.mark.full if more in BETWEEN else ()) for more in KINDS]
)
def test_what_it_writes_is_lawful_and_runs(tmp_path, more):
    text = plyforge("new", "fox_and_geese", *more, cwd=tmp_path).stdout
    for verb in ("check", "play", "studio"):
        assert f"plyforge {verb} fox_and_geese.py" in text
    checked = plyforge("check", "fox_and_geese.py", "--seconds", str(10 * PATIENCE), cwd=tmp_path).stdout
    assert "FoxAndGeese: no law is broken" in checked
    assert "all that can be reached" in checked and "warning" not in checked
    notes = [line for line in checked.splitlines() if line.startswith("note")]
    if "--board" in more:  # until a board in a tuple compiles, this is said of it
        notes = [note for note in notes if "run interpreted only" not in note]
    assert notes == []
    written = (tmp_path / "fox_and_geese.py").read_text()
    assert "MyGame" not in written and "my_game" not in written
    played = plyforge("play", "fox_and_geese.py", "--as", "none", "--against", "random", "--interpreted", cwd=tmp_path)
    assert played.stderr == ""


def test_a_hidden_game_is_lawful_and_solved(tmp_path):
    text = plyforge("new", "fox_and_geese", "--hidden", cwd=tmp_path).stdout
    for verb in ("check", "play", "solve"):
        assert f"plyforge {verb} fox_and_geese.py" in text
    report = check(pf.load(str(tmp_path / "fox_and_geese.py")), states=500, native=False)
    assert report.ok and not report.warnings
    solved = pf.solve.hidden_equilibrium(str(tmp_path / "fox_and_geese.py"), using="lp", native=False)
    assert solved.tree.sets == 6 and solved.exploitability < 1e-9
    refused = plyforge("new", "other", "--hidden", "--board", cwd=tmp_path, code=2)
    assert "--hidden is a game for two" in refused.stderr


@pytest.mark.parametrize("more", [*KINDS, ("--hidden",)])
def test_the_parameters_it_shows_can_be_given(tmp_path, more):
    plyforge("new", "my_game", *more, cwd=tmp_path)
    path = tmp_path / "my_game.py"
    [spec] = {
        word
        for word in ("my_game.py(length=9)", "my_game.py(faces=6)", "my_game.py(rows=4)")
        if f'"{word}"' in path.read_text()
    }
    assert check(pf.load(str(tmp_path / spec)), states=500, native=False).ok


def test_a_board_is_drawn_and_pointed_at_without_a_line_of_drawing(tmp_path):
    plyforge("new", "my_game", "--board", cwd=tmp_path)
    written = (tmp_path / "my_game.py").read_text()
    assert "def board" not in written and "def show" not in written
    game = pf.load(str(tmp_path / "my_game.py"))
    s = game.result(game.start(), (1, 2))
    assert game.show(s) == "   0 1 2 3\n0  . . . .\n1  . . X .\n2  . . . ."
    assert len(game.view.board(game, s).places) == 12 and list(game.view.ways(game, s, (0, 0))) == [("(0, 0)",)]


def test_three_with_a_die_have_a_choice_and_all_can_win(tmp_path):
    plyforge("new", "my_game", "--players", "3", "--chance", cwd=tmp_path)
    game = pf.load(str(tmp_path / "my_game.py"))
    assert game.players == 3 and game.has_chance
    last = game.start()._replace(points=(2, 3, 3), left=0, die=2, player=2)
    found = pf.search(game, last, using="max_n", native=False)
    assert pf.format_action(game, last, found.action) == "leave"
    won = game.start()._replace(points=(2, 3, 2), left=0, die=2, player=2)
    assert pf.format_action(game, won, pf.search(game, won, using="max_n", native=False).action) == "add"


def test_there_is_a_choice_to_make_and_both_can_win(tmp_path):
    plyforge("new", "my_game", "--chance", cwd=tmp_path)
    game = pf.load(str(tmp_path / "my_game.py"))
    best = {pf.search(game, game.start()._replace(first=points, die=2), native=False).action for points in range(6)}
    assert best == {0, 1}


@pytest.mark.parametrize("name", ["my_game", "my_game.py", "My Game", "my-game"])
def test_a_name_or_a_file_may_be_given_and_nothing_is_written_over(tmp_path, name):
    plyforge("new", name, cwd=tmp_path)
    path = tmp_path / "my_game.py"
    assert "class MyGame(Game)" in path.read_text()
    path.write_text("mine\n")
    done = plyforge("new", name, "--chance", cwd=tmp_path, code=2)
    assert "there already" in done.stderr and done.stdout == "" and path.read_text() == "mine\n"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["no/such/folder/my_game.py"], "can't write no/such/folder/my_game.py"),
        (["a+b"], "no name for a game"),
        ([""], "no name for a game"),
        ([".."], "no name for a game"),
        (["random"], "try random_game"),
        (["my_game", "--board", "--chance"], "--board is a game for two"),
        (["my_game", "--board", "--players", "3"], "--board is a game for two"),
        (["my_game", "--players", "4"], "'4' is not one of"),
        ([], "NAME"),
    ],
)
def test_what_cannot_be_written_is_one_clear_line(tmp_path, arguments, words):
    done = plyforge("new", *arguments, cwd=tmp_path, code=2)
    assert words in done.stderr and len(done.stderr.strip().splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("stem", "name"),
    [
        ("fox_and_geese", "FoxAndGeese"),
        ("2048", "Game2048"),
        ("state", "StateGame"),
        ("none", "NoneGame"),
        ("mühle", "Mühle"),
        ("_x", "X"),
    ],
)
def test_the_class_has_a_name_of_its_own(stem, name):
    assert class_name(stem) == name
