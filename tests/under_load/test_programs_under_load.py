"""Games against the programs that people use, fast, with something else to do on every core: no crash, no illegal
action, no late move of ours.

Each match has PLYFORGE_TEST_GAMES games, 100 where nobody says, in a time control of its own; who wins is told, and not
judged. What the other program does wrong is told, too: with so little time on a busy machine it may lose on time, but
it crashes or is taken to play something illegal only if we have told it something wrong. One fault of another's is
known: GNU Chess ends itself where its two processes have more to say to each other than its buffer holds.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator

import pytest

from busy import BUSY
from conftest import compiles
from plyforge.play.match.match import Match, cores
from plyforge.search import Clock

GAMES = int(os.environ.get("PLYFORGE_TEST_GAMES", "100"))
PATH = f"{os.environ.get('PATH', '')}:/usr/games"
LIMITED = ";UCI_LimitStrength=true;UCI_Elo=1800"
OWN_FAULT = "ForwardEngineOutputToUser"
"""Where in GNU Chess 6.2.7 an assertion about the room in its own buffer fails: on a busy machine, in 1 game of 100."""
GNUGO = "--mode gtp --level 1 --chinese-rules --capture-all-dead"


@pytest.fixture(scope="module", autouse=True)
def every_core_busy() -> Iterator[None]:
    """A spinning process for each core that is ours."""
    loads = [subprocess.Popen([sys.executable, "-c", BUSY]) for _ in range(cores())]
    yield
    for load in loads:
        load.kill()
        load.wait()


def opponent(program: str, protocol: str, words: str = "") -> str:
    """The program as a player, or a skip."""
    path = shutil.which(program, path=PATH)
    if path is None:
        pytest.skip(f"{program} is not installed here (Debian's package {program})")
    return f"{protocol}:{path}{words}"


@compiles
@pytest.mark.full
@pytest.mark.parametrize(
    ("game", "ours", "program", "words", "clock"),
    [
        pytest.param("chess", "engine", ("stockfish", "uci"), LIMITED, Clock(1.0, 0.02), id="stockfish"),
        pytest.param("chess", "engine", ("gnuchess", "uci"), " -u", Clock(1.0, 0.02), id="gnuchess"),
        pytest.param("go", "uct", ("gnugo", "gtp"), f" {GNUGO}", Clock(5.0, 0.05), id="gnugo"),
        pytest.param("backgammon", "dice_engine", ("gnubg", "gnubg"), ";plies=0", Clock(2.0, 0.05), id="gnubg"),
    ],
)
def test_no_crash_nothing_illegal_and_nothing_late(game, ours, program, words, clock) -> None:
    other = opponent(*program, words)
    match = Match(game, ours, other, games=GAMES, clock=clock, seed=21)
    standing = match.run()
    ours_late = [played.number for played in standing.games if (played.late[0] or -1.0) > 0.0]
    told = [f"game {played.number}: {played.message}" for played in standing.games if played.message]
    print(
        f"{other}: {standing.results.text()}; late {ours_late}, {standing.times('A')}, {standing.forfeits}",
        *told,
    )
    assert standing.finished and not standing.forfeits["A"] and not ours_late
    theirs = [played for played in standing.games if OWN_FAULT not in (played.message or "")]
    wrong = {played.reason for played in theirs if played.forfeited == "B"}
    assert not {"illegal", "crash", "protocol"} & wrong, told
