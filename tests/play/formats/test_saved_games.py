"""Games on disk: what is saved is restored, and what is damaged is refused."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import paths
from party_games import TIC_TAC_TOE, X_WINS, DiceRace, ThreeSticks, played
from plyforge.contract import MAX, MIN
from plyforge.errors import BadText, PlyforgeError
from plyforge.games import load
from plyforge.play import (
    GameSession,
    Record,
    game_text,
    restore,
    save,
)
from plyforge.play.formats import record
from plyforge.reading import parse_json


@pytest.mark.parametrize(
    "text",
    [
        "tic_tac_toe",
        "connect4",
        "connect4(width=6, height=5)",
        "three_nim(sticks=9)",
        "nim(heaps=(1, 2))",
        "tree([[1, 2], [3, {'chance': [4, 5]}]])",
    ],
)
def test_a_game_has_a_text_that_makes_it_again(text: str) -> None:
    game = load(text)
    assert load(game_text(game)) == game


def test_only_what_differs_from_the_defaults_is_named() -> None:
    assert game_text(load("connect4(7, 6, 4)")) == "connect4"
    assert game_text(load("connect4(5)")) == "connect4(width=5)"


RULES = paths.SUPPORT / "party_games.py"


def test_a_rules_file_is_named_by_its_path() -> None:
    assert game_text(DiceRace(goal=9)) == f"{RULES}:DiceRace(goal=9)"


def test_a_game_that_no_text_can_name_is_not_saved() -> None:
    class Local(ThreeSticks):
        pass

    with pytest.raises(BadText, match="top level"):
        game_text(Local())
    with pytest.raises(BadText, match="its goal is <object"):
        game_text(DiceRace(goal=object()))  # type: ignore[arg-type]


@pytest.mark.parametrize("actions", [[], ["5"], X_WINS, ["1", "2", "3", "5", "8", "6", "4", "7", "9"]])
def test_what_is_saved_is_restored(tmp_path: Path, actions: list[str]) -> None:
    session = played(TIC_TAC_TOE, *actions, seed=12)
    session.seats = ("human", "alpha_beta:depth=3")
    again = restore(save(session, tmp_path / "game.json"))
    assert again.game == session.game and again.history == session.history and again.seed == 12
    assert again.outcome == session.outcome and again.seats == session.seats
    assert GameSession.from_json(json.loads(json.dumps(session.to_json()))).history == session.history


def test_a_saved_game_with_dice_goes_on_with_the_dice_it_would_have_had(tmp_path: Path) -> None:
    session = played(DiceRace(), "1", seed=31)
    save(session, tmp_path / "race.json")
    again = restore(tmp_path / "race.json", DiceRace())
    for one in (session, again):
        one.draw()
        one.play(2)
        one.draw()
    assert again.history == session.history


def test_a_resignation_is_saved(tmp_path: Path) -> None:
    session = played(TIC_TAC_TOE, "5")
    session.resign(MAX)
    outcome = restore(save(session, tmp_path / "g")).outcome
    assert outcome is not None and outcome.winners == (MIN,) and outcome.resigned == MAX


def test_an_agreed_draw_is_saved(tmp_path: Path) -> None:
    session = played(TIC_TAC_TOE, "5")
    session.agree()
    again = restore(save(session, tmp_path / "g"))
    assert again.agreed and again.outcome == session.outcome and len(again.history) == 1


def test_a_game_that_was_saved_before_draws_were_agreed_is_restored() -> None:
    data = played(TIC_TAC_TOE, "5").to_json()
    del data["agreed"], data["drawn_from"]
    assert len(GameSession.from_json(data).history) == 1


def test_a_start_that_is_not_the_games_own_is_saved_as_text(tmp_path: Path) -> None:
    session = GameSession(load("connect4"), "4455")
    session.play_text("4")
    again = restore(save(session, tmp_path / "g.json"))
    assert again.state == session.state and len(again.history) == 1


GOOD = {
    "format": "plyforge game",
    "version": 1,
    "game": "tic_tac_toe",
    "start": ".........",
    "seed": 7,
    "players": ["human", "random"],
    "actions": X_WINS,
    "resigned": None,
    "result": {"winners": [0], "utilities": [1.0, -1.0], "reason": "by the rules"},
}


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"format": "chess game"}, "not a saved game"),
        ({"version": 2}, "version: 2 was written by a newer Plyforge"),
        ({"version": True}, "version: expected a whole number"),
        ({"game": "tic_tac_two"}, "game: there is no game called 'tic_tac_two'; did you mean tic_tac_toe"),
        ({"game": 5}, "game: expected text, found 5"),
        ({"game": "connect4(width=-1)"}, "game: connect4 needs"),
        ({"game": "connect4(" + "(" * 100_000 + ")" * 100_000 + ")"}, "game: "),
        ({"start": 3}, "start: expected text or null"),
        ({"start": "xxxxxxxxx"}, "start: 'xxxxxxxxx' can't arise"),
        ({"seed": -1}, "seed: expected a whole number from 0"),
        ({"seed": 1.5}, "seed: "),
        ({"seed": True}, "seed: "),
        ({"players": "human"}, "players: expected a list of texts"),
        ({"players": ["human"]}, "players: 1 are named, tic_tac_toe has 2"),
        ({"actions": {"1": 2}}, "actions: expected a list"),
        ({"actions": ["1", 4]}, "actions, number 2: expected text, found 4"),
        (
            {"actions": ["1", "4", "2", "5", "7", "9", "4"], "result": None},
            "action 7, '4': .* legal: 3, 6, 8",
        ),
        ({"actions": [*X_WINS, "9"]}, "action 6, '9': .*the game is over"),
        ({"actions": ["1"]}, "result: there is one, but the game is not over"),
        ({"resigned": 0}, "resigned: nobody can resign: the game is over"),
        ({"resigned": 2, "actions": [], "result": None}, "resigned: there is no player 2"),
        ({"resigned": "MAX"}, "resigned: expected the number of a player"),
        ({"late": True}, "late: expected false, or true where somebody is out"),
        ({"late": 1, "resigned": 0}, "late: expected false"),
        ({"agreed": True}, "agreed: no draw can be agreed: the game is over"),
        ({"agreed": 1}, "agreed: expected false, or true where nobody is out"),
        ({"agreed": True, "resigned": 0}, "agreed: expected false, or true where nobody is out"),
        ({"drawn_from": -1}, "drawn_from: expected a number of actions"),
        ({"drawn_from": True}, "drawn_from: expected a number of actions"),
        ({"result": {"winners": [1], "utilities": [1, -1], "reason": ""}}, r"result: it says winners \[1\]"),
        ({"result": {"winners": [0], "utilities": [1], "reason": ""}}, "result: it says"),
        ({"result": {"winners": [0], "utilities": [2, -1], "reason": ""}}, "result: it says"),
        ({"result": {"winners": [0], "utilities": None, "reason": ""}}, "result: it says"),
        ({"result": {"winners": [0], "utilities": [10**400, 1], "reason": ""}}, "result: utilities"),
        ({"result": {"winners": 0, "utilities": [1, -1], "reason": ""}}, "result: winners is 0"),
        ({"result": {"winners": [0], "utilities": "1", "reason": ""}}, "result: utilities is '1'"),
        ({"result": {"winners": [0], "utilities": [1, -1], "reason": 1}}, "result: reason is 1"),
        ({"result": "MAX"}, "result: expected winners"),
        ({"surprise": 1}, "there is no field 'surprise'"),
    ],
)
def test_a_saved_game_that_is_not_right_is_refused_with_the_place(
    tmp_path: Path, change: dict[str, Any], says: str
) -> None:
    path = tmp_path / "game.json"
    path.write_text(json.dumps(GOOD))
    assert restore(path).over  # without the change it is fine
    path.write_text(json.dumps(GOOD | change))
    with pytest.raises(BadText, match=says) as caught:
        restore(path)
    assert str(caught.value).startswith(f"{path}: ") and "\n" not in str(caught.value)


@pytest.mark.parametrize("missing", ["version", "game", "start", "seed", "actions"])
def test_a_saved_game_with_a_field_missing_is_refused(missing: str) -> None:
    with pytest.raises(BadText, match=missing):
        Record.from_json({key: value for key, value in GOOD.items() if key != missing})


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "not JSON: line 1, column 1"),
        (b"{", "not JSON"),
        (b'{"format": "plyforge game",\n "version": }', "not JSON: line 2, column 13"),
        (b"[]", "not a saved game"),
        (b"null", "not a saved game"),
        (b"\xff\xfe", "byte 0 is not UTF-8"),
        (b"[" * 200_000, "nested too deeply"),
        (b"NaN", "NaN is not a number"),
        (b"9" * 10_000, "not JSON"),
        (b" " * (record.LARGEST_FILE + 1), "larger than 4 MiB"),
    ],
)
def test_a_file_that_is_not_a_saved_game_is_refused(tmp_path: Path, content: bytes, says: str) -> None:
    path = tmp_path / "game.json"
    path.write_bytes(content)
    with pytest.raises(BadText, match=says):
        restore(path)


def test_a_file_cut_short_anywhere_is_refused(tmp_path: Path) -> None:
    path = save(played(TIC_TAC_TOE, *X_WINS), tmp_path / "game.json")
    content = path.read_bytes().rstrip()
    for length in range(len(content)):
        path.write_bytes(content[:length])
        with pytest.raises(BadText):
            restore(path)


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_a_damaged_file_is_a_game_or_bad_text_and_nothing_else(data: st.DataObject) -> None:
    content = bytearray(json.dumps(GOOD).encode())
    for _ in range(data.draw(st.integers(1, 3))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    try:
        session = Record.from_json(parse_json(bytes(content), "it")).session()
    except BadText:
        return
    assert session.game.players == 2


def test_a_file_that_is_not_there_or_not_a_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadText, match="can't be read"):
        restore(tmp_path / "nowhere.json")
    with pytest.raises(BadText, match="can't be read"):
        restore(tmp_path)
    for name in ("", "a\0b", "x" * 5000):
        with pytest.raises(BadText):
            restore(name)


@pytest.mark.parametrize("game", ["{rules}", "{rules}:Trap", "tree({rules}", "tree({rules}:Trap", "../{name}"])
def test_reading_a_saved_game_runs_no_rules_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: str) -> None:
    (tmp_path / "tree(").mkdir()
    rules = tmp_path / "trap.py"
    rules.write_text(f"open({str(tmp_path / 'sprung')!r}, 'w')\n")
    monkeypatch.chdir(tmp_path / "tree(")
    text = game.format(rules=rules, name=rules.name)
    with pytest.raises(BadText, match=r"A rules file is a program|no game called"):
        Record.from_json(GOOD | {"game": text}).session()
    with pytest.raises(BadText):
        Record.from_json(GOOD | {"game": text}).session(TIC_TAC_TOE)
    assert not (tmp_path / "sprung").exists()


def test_a_record_of_one_game_is_not_taken_for_another() -> None:
    data = played(TIC_TAC_TOE, "5").to_json()
    with pytest.raises(BadText, match="this is a game of tic_tac_toe, not of connect4"):
        GameSession.from_json(data, load("connect4"))
    same = Record.from_json(played(load("connect4"), "5").to_json() | {"game": "connect4(7, 6)"})
    assert same.session(load("connect4")).history


def test_saving_replaces_saved_games_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    save(played(TIC_TAC_TOE, "5"), path)
    save(played(TIC_TAC_TOE, "5", "1"), path)
    assert len(restore(path).history) == 2
    notes = tmp_path / "notes.txt"
    notes.write_text("mine")
    for target in (notes, tmp_path):
        with pytest.raises(PlyforgeError, match=r"exists and is not a saved game|it is not a file"):
            save(played(TIC_TAC_TOE), target)
    assert notes.read_text() == "mine"
    with pytest.raises(PlyforgeError, match="can't be written"):
        save(played(TIC_TAC_TOE), tmp_path / "no" / "such" / "folder.json")
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["game.json", "notes.txt"]


def test_a_failed_write_leaves_the_old_file_and_no_rubbish(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = save(played(TIC_TAC_TOE, "5"), tmp_path / "game.json")

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(PlyforgeError, match="No space left"):
        save(played(TIC_TAC_TOE, "5", "1"), path)
    monkeypatch.undo()
    assert len(restore(path).history) == 1
    assert [entry.name for entry in tmp_path.iterdir()] == ["game.json"]


def test_saving_follows_a_link(tmp_path: Path) -> None:
    save(played(TIC_TAC_TOE), tmp_path / "real.json")
    link = tmp_path / "link.json"
    link.symlink_to(tmp_path / "real.json")
    save(played(TIC_TAC_TOE, "5"), link)
    assert link.is_symlink() and len(restore(tmp_path / "real.json").history) == 1
