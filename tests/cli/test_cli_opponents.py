"""The command line for opponents who are not perfect: search --against, opponent, exploit."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from plyforge.cli import plyforge_command
from plyforge.errors import PlyforgeError
from plyforge.games.tic_tac_toe import TicTacToe
from plyforge.play import GameSession, save


def run(*arguments: str) -> str:
    done = CliRunner().invoke(plyforge_command, list(arguments), standalone_mode=False)
    if done.exception is not None:
        raise done.exception
    return done.output


def test_expectimax_against_a_model() -> None:
    common = ("search", "tic_tac_toe", "--state", "xoxxo....", "--to-the-end", "--interpreted", "--json")
    found = json.loads(run(*common, "--against", "epsilon:0.2,depth=2"))
    assert (found["using"], found["action"], found["value"]) == ("expectimax", "8", -1.0)
    found = json.loads(run(*common, "--against", "uniform", "--risk", "1"))
    assert (found["using"], found["action"]) == ("safe_response", "8")


def test_a_model_learned_from_a_saved_game(tmp_path: Path) -> None:
    session = GameSession(TicTacToe(), seed=0)
    session.seats = ("ann", "bob")
    for action in ("5", "1", "9"):
        session.play_text(action)
    save(session, tmp_path / "game.json")
    model = str(tmp_path / "model.json")
    said = json.loads(run("opponent", "tic_tac_toe", str(tmp_path / "game.json"), "--of", "bob", "-o", model, "--json"))
    assert (said["games"], said["states"], said["choices"]) == (1, 1, 1)
    assert "1 choices in 1 states" in run(
        "opponent", "tic_tac_toe", str(tmp_path / "game.json"), "--of", "bob", "-o", model
    )
    found = json.loads(
        run(
            "search",
            "tic_tac_toe",
            "--against",
            f"learned:{model}",
            "--depth",
            "2",
            "--interpreted",
            "--json",
        )
    )
    assert found["using"] == "expectimax"


def test_the_table_of_risks() -> None:
    shown = run("exploit", "tree(figure='worst_case')", "--risk", "0,1").splitlines()
    assert shown[0] == "the first player is sure of 10"
    assert shown[2].split() == ["0", "10", "10"] and shown[3].split() == ["1", "9", "54.5"]
    said = json.loads(run("exploit", "nim(heaps=(1, 2))", "--as", "second", "--no-gifts", "--json"))
    assert [row["risk"] for row in said["rows"]] == [0.0, 0.5, 1.0, 1.5, 2.0] and said["player"] == 1
    assert all(row["guaranteed"] >= row["value"] - row["risk"] for row in said["rows"])


@pytest.mark.parametrize(
    "arguments, words",
    [
        (("search", "tic_tac_toe", "--against", "somebody"), "not a model of an opponent"),
        (("search", "tic_tac_toe", "--using", "minimax", "--against", "uniform"), "takes no policy"),
        (("search", "tic_tac_toe", "--using", "minimax", "--risk", "1"), "takes no risk"),
        (("exploit", "tic_tac_toe", "--risk", "much"), "write numbers"),
        (("exploit", "three_nim"), "3 players"),
        (("opponent", "tic_tac_toe", "/no/such/file", "-o", "model.json"), "no file"),
    ],
)
def test_what_can_not_be_is_refused(arguments: tuple[str, ...], words: str) -> None:
    with pytest.raises(PlyforgeError, match=words):
        run(*arguments)
