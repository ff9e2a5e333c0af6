"""Programs by names of the user's own."""

from __future__ import annotations

import json
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import paths
import plyforge as pf
from plyforge.cli import plyforge_command
from plyforge.errors import BadText, PlyforgeError
from plyforge.play import Match
from plyforge.play.players import engines
from plyforge.studio.play import seats

AGENT = f"python:{paths.SUPPORT / 'agents.py'}:First"


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PLYFORGE_CONFIG_DIR", str(tmp_path / "settings"))
    return tmp_path / "settings"


def run(*words: str) -> Any:
    return CliRunner().invoke(plyforge_command, ["engines", *words])


def test_a_name_is_added_listed_and_removed(own_folder: Path) -> None:
    assert "none yet" in run().output
    assert run("add", "mine", AGENT).exit_code == 0
    assert run("add", "other", f"{sys.executable} -c pass", "--protocol", "gtp").exit_code == 0
    assert json.loads(run("--json").output)["engines"]["mine"] == {"protocol": "python", "command": AGENT[7:]}
    assert oct((own_folder / "engines.json").stat().st_mode)[-3:] == "600"
    assert run("remove", "other").exit_code == 0 and list(engines.engines()) == ["mine"]


def test_a_named_program_plays_where_players_are_named() -> None:
    engines.add("mine", AGENT[7:], "python")
    match = Match("tic_tac_toe", "mine", "random", games=2, opening_plies=1, native=False, workers=1)
    assert match.players == (AGENT, "random"), "the record has what really plays"
    assert match.run().forfeited == 0
    words = ["play", "tic_tac_toe", "--as", "none", "--against", "mine", "--interpreted", "--json"]
    said = CliRunner().invoke(plyforge_command, words)
    assert said.exit_code == 0, said.output
    assert json.loads(said.stdout)["actions"][:3] == ["1", "2", "3"]


def test_the_studio_offers_the_name_and_never_the_command() -> None:
    engines.add("mine", AGENT[7:], "python")
    engines.add("fish", f"{sys.executable} -c pass", "uci")
    game = pf.load("tic_tac_toe")
    offered = {each["name"]: each for each in seats.algorithms(game)}
    assert "mine" in offered and "fish" not in offered, "a chess program plays chess"
    seat = seats.seat_of(game, "mine")
    assert "agents.py" not in seat.text + seat.label + json.dumps(offered["mine"])
    action = seat.player.choose(game, game.start()).action  # type: ignore[union-attr]
    assert action in list(game.actions(game.start()))
    seats.stop(seat)
    with pytest.raises(PlyforgeError, match="start a program"):
        seats.seat_of(game, AGENT)


@pytest.mark.parametrize(
    "words, said",
    [
        (("add", "engine", "x", "--protocol", "uci"), "there is no program 'x'"),
        (("add", "engine", sys.executable, "--protocol", "uci"), "can't name a program"),
        (("add", "Two Words", sys.executable, "--protocol", "uci"), "can't name a program"),
        (("add", "fish", sys.executable), "--protocol uci"),
        (("add", "fish", sys.executable, "--protocol", "xyz"), "there is no protocol 'xyz'"),
        (("remove", "fish"), "no program is named 'fish'"),
    ],
)
def test_what_is_no_engine_is_refused(words: tuple[str, ...], said: str, own_folder: Path) -> None:
    result = run(*words)
    assert result.exit_code != 0 and said in result.output + str(result.exception)
    assert not own_folder.exists()


def test_names_that_are_added_at_once_are_all_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    real = engines.engines

    def slow() -> Any:
        known = real()
        time.sleep(0.02)
        return known

    monkeypatch.setattr(engines, "engines", slow)
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda number: engines.add(f"p{number}", AGENT[7:], "python"), range(6)))
    assert sorted(real()) == [f"p{number}" for number in range(6)]


def test_a_folder_of_settings_that_can_not_be_made_is_told(own_folder: Path) -> None:
    own_folder.write_text("a file")
    with pytest.raises(PlyforgeError, match="can't be made"):
        engines.add("mine", AGENT[7:], "python")


def test_a_file_that_others_may_write_starts_nothing(own_folder: Path) -> None:
    engines.add("mine", AGENT[7:], "python")
    (own_folder / "engines.json").chmod(0o666)
    with pytest.raises(PlyforgeError, match="chmod 600"):
        Match("tic_tac_toe", "mine", "random", games=2)
    (own_folder / "engines.json").chmod(0o600)
    (own_folder / "engines.json").write_text("[]")
    with pytest.raises(BadText, match="no list of engines"):
        engines.engines()
