"""Every other face of a game of hidden information: it refuses in words, or is given observations alone. By a canary
that no message, no line to a program and no record of an unfinished game may hold."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

import paths
import plyforge as pf
from plyforge.cli import plyforge_command
from plyforge.errors import PlyforgeError
from plyforge.learn.run import Run
from plyforge.play import GameSession, Match
from plyforge.play.match.openings import Opening
from plyforge.play.match.referee import Referee, TimeRules
from plyforge.play.players.given import contestant
from plyforge.play.protocols.json_lines.server import Talk
from plyforge.play.protocols.process import Program
from plyforge.play.review.whole_games import Review
from plyforge.solve.sampling.rollouts import rollouts

CANARY = str(paths.HIDDEN_RULES / "canary.py")
CANARIES = ("7340912856", "9182736450")
AGENT = f"python:{paths.SUPPORT / 'agents.py'}:First"


def tells(text: str) -> bool:
    return any(canary in text for canary in CANARIES)


def dealt() -> GameSession:
    session = GameSession(CANARY, seed=3)
    session.draw()
    session.play_text("guess 0")
    return session


FACES: dict[str, Callable[[Path], object]] = {
    "talk": lambda path: Talk(io.StringIO('{"do": "position"}\n'), io.StringIO(), CANARY, native=False),
    "learn": lambda path: Run(CANARY, path / "run", native=False),
    "review": lambda path: Review([dealt()]),
    "rollout": lambda path: rollouts(CANARY, native=False),
    "search": lambda path: pf.search(CANARY, dealt()._state, using="uct", simulations=10, native=False),
    "engine": lambda path: pf.play.Engine(CANARY, using="uct", native=False),
    "draw": lambda path: pf.record(CANARY, dealt()._state, using="minimax", depth=2),
}


@pytest.mark.parametrize("face", FACES)
def test_faces_that_were_not_taught_refuse_and_tell_nothing(face: str, tmp_path: Path) -> None:
    with pytest.raises(PlyforgeError) as refused:
        FACES[face](tmp_path)
    assert "hidden" in str(refused.value) and not tells(str(refused.value)) and not list(tmp_path.iterdir())


@pytest.mark.parametrize("words", [["review"], ["convert"], ["play", CANARY, "--load"]])
def test_commands_that_read_an_unfinished_game_tell_nothing(words: list[str], tmp_path: Path) -> None:
    from plyforge.play.formats import record

    file = tmp_path / "game.json"
    record.save(dealt(), file)
    more = [str(tmp_path / "out.json")] if words == ["convert"] else []
    ran = CliRunner().invoke(plyforge_command, [*words, str(file), *more], input="quit\n")
    written = "".join(path.read_text() for path in tmp_path.iterdir())
    assert not tells(f"{ran.output} {ran.exception} {written}")


def test_programs_are_sent_observations_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """All lines that two agents in processes of their own are sent, until the referee has a result."""
    sent: list[str] = []
    send = Program.send

    def noted(self: Program, *lines: str) -> None:
        sent.extend(lines)
        send(self, *lines)

    monkeypatch.setattr(Program, "send", noted)
    game = pf.load(CANARY)
    players = [contestant(AGENT, game, native=False) for _ in range(2)]
    for player in players:
        player.prepare(game)
    played = Referee(game, players, TimeRules()).play(0, "A", Opening(), 3)
    for player in players:
        player.close()
    assert played.forfeited is None and len([line for line in sent if '"go"' in line]) == 4
    assert not tells(" ".join(sent)), "the other's, or the secret"
    assert tells(" ".join(played.actions)), "when it is over it is on record"


def test_records_of_matches_have_finished_games_alone(tmp_path: Path) -> None:
    file = tmp_path / "m.jsonl"
    Match(CANARY, "is_mcts:simulations=5", "random", games=2, record=file, native=False, workers=1).run()
    lines = [line for line in file.read_text().splitlines() if tells(line)]
    for line in lines:
        actions = json.loads(line)["actions"]
        assert pf.load(CANARY).terminal(pf.state_after(pf.load(CANARY), *actions))
    assert len(lines) == 2
