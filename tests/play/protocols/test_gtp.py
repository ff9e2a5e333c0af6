"""Outside programs over GTP: what they say, and what happens if they misbehave."""

from __future__ import annotations

import os
import shutil
import sys
import time
from pathlib import Path

import pytest

import plyforge as pf
from patience import PATIENCE
from plyforge.errors import BadText, Unsuitable
from plyforge.play.match.openings import Opening
from plyforge.play.match.played import PlayedGame
from plyforge.play.match.referee import Referee, TimeRules
from plyforge.play.players.given import contestant
from plyforge.play.players.programs.gtp import GtpPlayer, colours
from plyforge.play.protocols.gtp import client
from plyforge.play.protocols.gtp.client import GtpProgram
from plyforge.play.protocols.process import ProgramFailed
from plyforge.search import Clock
from programs import fake, gone

RHINO = shutil.which("gtp-rhino", path=f"{os.environ.get('PATH', '')}:/usr/games")


def script(tmp_path: Path, body: str) -> str:
    """The command line of a program of a few lines."""
    file = tmp_path / "program.py"
    file.write_text(f"import sys, time, os\n{body}\n")
    return f"{sys.executable} {file}"


def game_with(tmp_path: Path, mode: str, after: int = 1, **rules: float) -> tuple[PlayedGame, GtpPlayer]:
    """A game of tic-tac-toe that the fake program begins against a random player."""
    game = pf.load("tic_tac_toe")
    program = contestant(f"gtp:{fake(mode=mode, after=after)}", game)
    other = contestant("random", game)
    assert isinstance(program, GtpPlayer)
    try:
        for opponent in (program, other):
            opponent.prepare(game)
        limits = {"patience": 2.0, "tolerance": 0.1} | rules
        played = Referee(game, [program, other], TimeRules(**limits)).play(0, "A", Opening(("5", "1")), 3)  # type: ignore[arg-type]
        return played, program
    finally:
        program.close()


# ------------------------------------------------------------------ the client
def test_answers_are_read_as_the_protocol_says(tmp_path):
    program = GtpProgram(
        script(
            tmp_path,
            "answers = ['=1 hello\\tworld\\r', '\\n\\n= a\\nb\\n c', '?', '= \\x07D3', '?12 unknown command']\n"
            "for line, said in zip(sys.stdin, answers):\n    print(said + '\\n', flush=True)",
        )
    )
    assert program.ask("one") == "hello world"
    assert program.ask("two") == "a\nb\n c"
    with pytest.raises(ProgramFailed, match="refuses 'three': no reason given"):
        program.ask("three")
    assert program.ask("four") == "D3"
    with pytest.raises(ProgramFailed, match="unknown command") as failed:
        program.ask("five")
    assert failed.value.kind == "refused"
    with pytest.raises(ProgramFailed) as failed:
        program.ask("six")
    assert failed.value.kind == "crash"
    program.close()


def test_a_crash_is_told_with_the_exit_code_and_the_last_words(tmp_path):
    program = GtpProgram(script(tmp_path, "input(); sys.exit('the board is on fire')"))
    with pytest.raises(ProgramFailed, match=r"exit code 1 .*the board is on fire") as failed:
        program.ask("genmove black")
    assert failed.value.kind == "crash"
    with pytest.raises(ProgramFailed, match="on fire"):  # and nothing more is asked of it
        program.ask("genmove black")
    assert not program.alive


def test_last_words_are_waited_for(tmp_path, monkeypatch):
    read = GtpProgram._read_errors

    def late(program, output):
        time.sleep(0.6)  # a busy machine
        read(program, output)

    monkeypatch.setattr(GtpProgram, "_read_errors", late)
    program = GtpProgram(script(tmp_path, "input(); sys.exit('the board is on fire')"))
    with pytest.raises(ProgramFailed, match="the board is on fire"):
        program.ask("genmove black")


def test_a_silent_program_is_killed_with_its_children(tmp_path):
    child = tmp_path / "child"
    program = GtpProgram(
        script(
            tmp_path,
            "import subprocess\np = subprocess.Popen([sys.executable, '-c', 'import time;"
            f" time.sleep(600)'])\nopen({str(child)!r}, 'w').write(str(p.pid))\nfor line in sys.stdin:\n   "
            " time.sleep(600) if 'gen' in line else print('= \\n', flush=True)",
        )
    )
    program.ask("name", 20)
    number = int(child.read_text())
    began = time.monotonic()
    with pytest.raises(ProgramFailed, match=r"not answered 'genmove black' in 0.3 s") as failed:
        program.ask("genmove black", 0.3)
    assert failed.value.kind == "stall"
    assert time.monotonic() - began < PATIENCE
    for pid in (program.process.pid, number):
        assert gone(pid), "the program and what it started must be dead"


def test_what_is_not_gtp_is_refused(tmp_path):
    program = GtpProgram(script(tmp_path, "input(); print('Welcome to SuperGo!', flush=True); input()"))
    with pytest.raises(ProgramFailed, match="'Welcome to SuperGo!', which is not GTP") as failed:
        program.ask("name", 20)
    assert failed.value.kind == "protocol"


def test_an_answer_without_end_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(client, "LONGEST_ANSWER", 10_000)
    program = GtpProgram(script(tmp_path, "input()\nwhile True:\n    sys.stdout.write('= ' + 'x' * 999 + '\\n')"))
    with pytest.raises(ProgramFailed, match="without end") as failed:
        program.ask("name", 20)
    assert failed.value.kind == "protocol"


def test_closing_never_hangs(tmp_path):
    program = GtpProgram(
        script(
            tmp_path,
            "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
            "input(); print('= \\n', flush=True)\nwhile True: time.sleep(1)",
        )
    )
    program.ask("name", 20)
    began = time.monotonic()
    program.close()
    program.close()
    assert time.monotonic() - began < PATIENCE and gone(program.process.pid)


def test_a_program_that_is_not_there_is_a_clear_error():
    with pytest.raises(BadText, match="no program 'no-such-program'"):
        contestant("gtp:no-such-program --level 3", pf.load("tic_tac_toe"))
    with pytest.raises(BadText, match="not a command line"):
        contestant("gtp:python 'unclosed", pf.load("tic_tac_toe"))
    with pytest.raises(BadText, match="named by its command line"):
        contestant("gtp:", pf.load("tic_tac_toe"))
    with pytest.raises(Unsuitable, match="no dice"):
        contestant(f"gtp:{fake()}", pf.load("pig"))


# ------------------------------------------------------------------ as an opponent
def test_a_program_plays_by_the_rules_and_is_told_of_everything(tmp_path):
    game = pf.load("tic_tac_toe")
    log = tmp_path / "log"
    program = contestant(f"gtp:{fake(log=log)}", game, seconds=2.0)
    other = contestant("random", game)
    for opponent in (program, other):
        opponent.prepare(game)
    referee = Referee(game, [program, other], TimeRules(seconds=2.0, tolerance=5.0))
    played = [referee.play(number, "AB"[number % 2], Opening(("5", "1")), 3) for number in range(4)]
    program.close()
    assert all(one.winner in ("A", "B", "draw") and one.reason == "by the rules" for one in played)
    said = log.read_text().splitlines()
    assert said.count("clear_board") == 1 + 4
    assert "time_settings 0 2 1" in said
    games = "\n".join(said).split("clear_board\n")[2:]
    for one, text in zip(played, games, strict=True):
        lines = text.splitlines()
        assert lines[:2] == ["play black 5", "play white 1"]
        colour = "black" if one.first == "A" else "white"
        mine = [line for line in lines if line == f"genmove {colour}"]
        assert len(mine) == one.moves[0]
        # every action of the other one but the last, if that ended the game, was told
        told = [line for line in lines[2:] if line.startswith("play")]
        assert len(told) in (one.moves[1] - 1, one.moves[1])
        assert all(line.split()[1] != colour for line in told)


@pytest.mark.parametrize(
    ("mode", "kind", "words"),
    [
        ("crash", "crash", "exit code 3.*out of luck"),
        ("killed", "crash", "SIGSEGV"),
        ("close", "crash", "closed its output"),
        ("stall", "stall", "has not answered 'genmove black'"),
        ("illegal", "illegal", "'z99' is not a legal action"),
        ("garbage", "protocol", "you should resign.*not GTP"),
        ("refuse", "protocol", "refuses 'genmove black': no"),
    ],
)
def test_misbehaving_forfeits_the_game_by_its_own_kind(tmp_path, mode, kind, words):
    played, program = game_with(tmp_path, mode)
    assert played.forfeited == "A" and played.winner is None and played.reason == kind
    import re

    assert re.search(words, played.message), played.message
    assert len(played.actions) == 4  # the opening, a move of each: all that happened before is kept
    assert program.program is not None and gone(program.program.process.pid)


def test_resigning_is_a_result_and_no_forfeit(tmp_path):
    played, _ = game_with(tmp_path, "resign")
    assert (played.winner, played.reason, played.forfeited) == ("B", "resigned", None)


def test_a_slow_program_loses_on_time(tmp_path):
    played, _ = game_with(tmp_path, "slow", seconds=0.2, tolerance=0.05, patience=30.0)
    assert (played.forfeited, played.reason) == ("A", "time")
    assert "allowed were 0.200 s" in played.message
    assert played.late[0] is not None and played.late[0] > 0.15


def test_a_program_that_failed_is_started_anew_for_the_next_game():
    game = pf.load("tic_tac_toe")
    program = contestant(f"gtp:{fake(mode='crash', after=1)}", game)
    other = contestant("random", game)
    for opponent in (program, other):
        opponent.prepare(game)
    referee = Referee(game, [program, other], TimeRules())
    kinds = [referee.play(number, "A", Opening(("5", "1")), 3) for number in range(2)]
    program.close()
    assert [one.reason for one in kinds] == ["crash", "crash"]
    assert all(one.moves[0] == 1 for one in kinds)


def test_states_can_not_be_set_up_over_gtp():
    game = pf.load("tic_tac_toe")
    program = contestant(f"gtp:{fake()}", game)
    program.prepare(game)
    with pytest.raises(Unsuitable, match="write the openings as moves"):
        program.new_game(0, pf.state_after(game, "5"), 1)
    program.close()


def test_the_first_player_is_black_unless_the_rules_call_it_white():
    class White(type(pf.load("tic_tac_toe"))):  # type: ignore[misc]
        notation = pf.Notation(player_names=("White", "Black"))

    assert colours(pf.load("othello")) == ("black", "white")
    assert colours(White()) == ("white", "black")


# ------------------------------------------------------------------ a real one
rhino = pytest.mark.skipif(RHINO is None, reason="gtp-rhino is not installed (Debian's package grhino)")


@rhino
def test_rhino_plays_othello_with_us_passes_and_all():
    game = pf.load("othello")
    program = contestant(f"gtp:{RHINO} --level=1", game)
    other = contestant("random", game)
    for opponent in (program, other):
        opponent.prepare(game)
    referee = Referee(game, [program, other], TimeRules())
    played = [referee.play(number, "AB"[number % 2], Opening(("d3", "c3")), number) for number in range(16)]
    program.close()
    assert all(one.forfeited is None for one in played), [one.message for one in played]
    assert any("pass" in one.actions for one in played), "no game with a pass: take other seeds"
    assert sum(one.winner == "A" for one in played) >= 14, "rhino beats a random player"


@rhino
def test_rhino_refuses_what_it_can_not_play():
    for name, words in (("tic_tac_toe", "plays Othello, not tictactoe"), ("othello(size=6)", "unacceptable size")):
        game = pf.load(name)
        with pytest.raises(ProgramFailed, match=words):
            contestant(f"gtp:{RHINO}", game).prepare(game)


def test_a_program_is_told_of_the_moves_that_its_time_is_for(tmp_path):
    game, log = pf.load("tic_tac_toe"), tmp_path / "log"
    clock = Clock(60.0, moves_to_go=3)
    program = contestant(f"gtp:{fake(log=log)}", game, clock=clock)
    other = contestant("random", game)
    for opponent in (program, other):
        opponent.prepare(game)
    Referee(game, [program, other], TimeRules(clock=clock, tolerance=5.0)).play(0, "A", Opening(()), 3)
    program.close()
    said = log.read_text().splitlines()
    assert "time_settings 0 60 3" in said
    told = [line.split()[2:] for line in said if line.startswith("time_left")]
    assert [stones for _, stones in told][:3] == ["3", "2", "1"]
    assert all(int(seconds) <= 60 for seconds, _ in told[:3])
