"""Formats beside their games: every face reads and writes all of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from plyforge.cli import plyforge_command
from plyforge.errors import BadText, PlyforgeError
from plyforge.play import GameSession
from plyforge.play.formats import registry
from plyforge.play.players import engines

SCHOLARS_MATE = '[Event "A"]\n[White "W"]\n[Black "B"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n'
LINES = {
    "pgn": ("chess", ["e4", "e5", "Nf3"]),
    "pdn": ("checkers", ["11-15", "23-19"]),
    "sgf": ("go(size=9)", ["E5", "C3"]),
    "mat": ("backgammon", ["X31", "8/5 6/5"]),
}


@pytest.mark.parametrize("kind", LINES)
def test_a_game_comes_back_from_its_own_format_and_from_json(kind: str, tmp_path: Path) -> None:
    game, moves = LINES[kind]
    session = GameSession(game)
    for move in moves:
        session.play_text(move)
    assert registry.formats_of(session.game) == [kind, "json"]
    for file in (f"a.{kind}", "a.json"):
        back = registry.restore(registry.save(session, tmp_path / file))
        assert (back.game, back.actions_text()) == (session.game, session.actions_text())
        assert back.seats == ()
    session.seats = ("Ada", "random:seed=3")
    written = {"mat": ("Ada", "random seed=3")}.get(kind, session.seats)  # a colon stands before a score there
    assert registry.restore(registry.save(session, tmp_path / f"a.{kind}")).seats == written
    run = CliRunner().invoke(plyforge_command, ["convert", str(tmp_path / f"a.{kind}"), str(tmp_path / "a.json")])
    assert run.exit_code == 0, run.output
    assert json.loads((tmp_path / "a.json").read_text())["players"] == list(written), "names are not lost on the way"


def test_convert_checks_every_move_and_counts_games(tmp_path: Path) -> None:
    source, target = tmp_path / "g.pgn", tmp_path / "g.json"
    source.write_text(SCHOLARS_MATE + "\n" + SCHOLARS_MATE.replace("4. Qxf7# 1-0", "1/2-1/2"))
    run = CliRunner().invoke(plyforge_command, ["convert", str(source), str(target), "--number", "1"])
    assert run.exit_code == 0, run.output
    assert json.loads(target.read_text())["result"]["winners"] == [0]
    run = CliRunner().invoke(plyforge_command, ["convert", str(source), str(tmp_path / "both.pgn")])
    assert "2 games" in run.output
    both = registry.restore_all(tmp_path / "both.pgn")
    assert [len(session.history) for session in both] == [7, 6]
    assert both[1].outcome is not None and both[1].outcome.reason == "by agreement"
    run = CliRunner().invoke(plyforge_command, ["convert", str(source), str(tmp_path / "g.txt"), "--number", "2"])
    assert "g.txt, as json: .txt names no format" in run.output
    source.write_text(SCHOLARS_MATE.replace("Qxf7#", "Qxe8"))
    with pytest.raises(BadText, match="Qxe8"):
        registry.restore(source)


def test_play_loads_what_others_wrote(tmp_path: Path) -> None:
    source = tmp_path / "g.pgn"
    source.write_text(SCHOLARS_MATE)
    run = CliRunner().invoke(plyforge_command, ["play", "--load", str(source), "--json"], input="quit\n")
    assert run.exit_code == 0, run.output
    assert json.loads(run.stdout)["actions"][-1] == "Qxf7#"


def test_other_files_are_refused_and_left_alone(tmp_path: Path) -> None:
    session = GameSession("chess")
    notes = tmp_path / "notes.pgn"
    notes.write_text("[ my notes")
    with pytest.raises(PlyforgeError, match="not a saved game"):
        registry.save(session, notes)
    assert notes.read_text() == "[ my notes"
    with pytest.raises(BadText, match="no format of this game"):
        registry.save(session, tmp_path / "g.sgf")
    with pytest.raises(BadText, match="no game number"):
        registry.restore(registry.save(session, tmp_path / "g.pgn"), number=2)
    for number in (0, -1, 10**20):
        with pytest.raises(BadText, match="no game number"):
            registry.restore(tmp_path / "g.pgn", number=number)
    with pytest.raises(BadText, match="no game number 2, but 1 in all"):
        registry.restore(registry.save(session, tmp_path / "g.json"), number=2)
    with pytest.raises(BadText, match="not of connect4"):
        registry.restore(tmp_path / "g.pgn", "connect4")


def test_a_file_starts_no_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever sends somebody a game can't run anything there, in any format; what the user has named is the user's."""
    monkeypatch.setenv("PLYFORGE_CONFIG_DIR", str(tmp_path / "settings"))
    mark = tmp_path / "started"
    session = GameSession("chess")
    session.seats = (f"uci:touch {mark}", "random")
    for name in ("game.json", "game.pgn"):
        file = str(registry.save(session, tmp_path / name))
        run = CliRunner().invoke(plyforge_command, ["play", "--load", file, "--interpreted", "--depth", "1"], input="")
        assert run.exit_code == 0 and "a file starts none" in run.output, run.output
        assert not mark.exists()
    engines.add("mine", f"touch {mark}", "uci")
    with pytest.raises(PlyforgeError, match="instead of an answer"):
        CliRunner().invoke(plyforge_command, ["play", "--load", file, "--interpreted"], catch_exceptions=False)
    assert mark.exists()
