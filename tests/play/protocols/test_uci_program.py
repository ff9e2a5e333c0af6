"""Outside chess programs over UCI: what they are told, and what happens if they misbehave."""

from __future__ import annotations

import os
import re
import shutil
import sys
import time

import pytest

import paths
import plyforge as pf
from plyforge.errors import BadText, Unsuitable
from plyforge.play.match.openings import Opening
from plyforge.play.match.played import PlayedGame
from plyforge.play.match.referee import Referee, TimeRules
from plyforge.play.players.given import contestant
from plyforge.play.players.programs.uci import UciPlayer
from plyforge.play.protocols.process import ProgramFailed
from plyforge.play.protocols.uci.client import UciProgram
from plyforge.search import Clock
from programs import gone

FAKE = paths.SUPPORT / "fake_uci.py"
STOCKFISH = shutil.which("stockfish", path=f"{os.environ.get('PATH', '')}:/usr/games")
OPENING = Opening(("e4", "e5"))


def fake(**options: object) -> str:
    """The command line of the fake program."""
    return " ".join([sys.executable, str(FAKE), *(f"--{name}={value}" for name, value in options.items())])


def play(program: UciPlayer, rules: TimeRules, opening: Opening = OPENING, games: int = 1) -> list[PlayedGame]:
    """Games that the program begins against a random player."""
    game = pf.load("chess")
    other = contestant("random", game)
    try:
        for opponent in (program, other):
            opponent.prepare(game)
        referee = Referee(game, [program, other], rules)
        return [referee.play(number, "A", opening, 3) for number in range(games)]
    finally:
        program.close()


def opponent(settings: str = "", timed: bool = False, **options: object) -> UciPlayer:
    return UciPlayer(f"uci:{fake(**options)}{settings}", timed)


def test_a_program_is_told_of_the_whole_game_and_plays_by_the_rules(tmp_path):
    log = tmp_path / "log"
    played = play(opponent(";hash=32;depth=3", log=log), TimeRules(tolerance=5.0, plies_limit=9), games=2)
    assert [one.reason for one in played] == ["limit of plies"] * 2
    said = log.read_text().splitlines()
    assert said[:3] == ["uci", "setoption name Hash value 32", "isready"]
    assert said.count("ucinewgame") == 2
    positions = [line for line in said if line.startswith("position")]
    assert positions[0] == "position startpos moves e2e4 e7e5"
    game = pf.load("chess")
    state, texts = game.start(), []
    for action in played[0].actions:
        chosen = pf.parse_action(game, state, action)
        from plyforge.games.chess.notation import uci_text

        texts.append(uci_text(state, chosen))
        state = game.result(state, chosen)
    last = positions[len(positions) // 2 - 1].split()[3:]
    assert last == texts[: len(last)] and len(last) == 8
    assert {line for line in said if line.startswith("go")} == {"go depth 3"}


@pytest.mark.parametrize(
    ("rules", "go"),
    [
        (TimeRules(seconds=0.25, tolerance=5.0, plies_limit=3), "go movetime 250"),
        (
            TimeRules(clock=Clock(60, 1.5), tolerance=5.0, plies_limit=3),
            "go wtime 60000 btime 60000 winc 1500 binc 1500",
        ),
        (
            TimeRules(clock=Clock(60, 0, 40), tolerance=5.0, plies_limit=3),
            "go wtime 60000 btime 60000 winc 0 binc 0 movestogo 40",
        ),
    ],
)
def test_the_time_of_the_match_is_handed_over(tmp_path, rules, go):
    log = tmp_path / "log"
    play(opponent(timed=True, log=log), rules)
    assert [line for line in log.read_text().splitlines() if line.startswith("go")] == [go]


def test_without_any_limit_it_has_a_second_and_its_own_limits_go_first():
    game = pf.load("chess")
    plain = contestant(f"uci:{fake()}", game)
    assert (plain.limited, plain.seconds) == (True, 1.0)
    timed = contestant(f"uci:{fake()}", game, seconds=3.0)
    assert not timed.limited
    own = contestant(f"uci:{fake()};seconds=0.5;Threads=2", game, clock=Clock(60))
    assert (own.limited, own.seconds, own.threads) == (True, 0.5, 2)


def test_a_position_can_be_set_up(tmp_path):
    log = tmp_path / "log"
    fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
    play(opponent(";nodes=10", log=log), TimeRules(tolerance=5.0, plies_limit=1), Opening((), fen))
    assert f"position fen {fen}" in log.read_text().splitlines()


@pytest.mark.parametrize(
    ("mode", "kind", "words"),
    [
        ("crash", "crash", "exit code 3.*out of luck"),
        ("killed", "crash", "SIGSEGV"),
        ("stall", "stall", "has not answered 'go depth 1'"),
        ("illegal", "illegal", "'e1e8' is not a legal move"),
        ("none", "illegal", r"'\(none\)' is not a move"),
        ("empty", "protocol", "without a move"),
        ("spew", "protocol", "without end"),
    ],
)
def test_misbehaving_forfeits_the_game_by_its_own_kind(mode, kind, words):
    program = opponent(";depth=1", mode=mode, after=1)
    (played,) = play(program, TimeRules(patience=3.0, tolerance=0.1))
    assert played.forfeited == "A" and played.winner is None and played.reason == kind
    assert re.search(words, played.message), played.message
    assert len(played.actions) == 4  # the opening, a move of each
    assert program.program is not None and gone(program.program.process.pid)


def test_a_slow_program_loses_on_time():
    (played,) = play(opponent(";seconds=0.2", mode="slow"), TimeRules(tolerance=0.05, patience=30.0))
    assert (played.forfeited, played.reason) == ("A", "time")


def test_an_answer_that_nobody_asked_for_is_no_answer_to_the_next_question():
    (played,) = play(opponent(";depth=1", mode="twice"), TimeRules(tolerance=5.0, plies_limit=9))
    assert played.reason == "limit of plies", played.message


def test_a_program_that_failed_is_started_anew_for_the_next_game():
    played = play(opponent(";depth=1", mode="crash", after=1), TimeRules(), games=2)
    assert [one.reason for one in played] == ["crash", "crash"]


def test_what_can_not_be_is_a_clear_error():
    chess = pf.load("chess")
    with pytest.raises(BadText, match="no program 'no-such-program'"):
        contestant("uci:no-such-program", chess)
    with pytest.raises(BadText, match="'Hash' is no option"):
        contestant(f"uci:{fake()};Hash", chess)
    with pytest.raises(BadText, match="depth must be a positive number, not 'deep'"):
        contestant(f"uci:{fake()};depth=deep", chess)
    with pytest.raises(Unsuitable, match="UCI is for chess: TicTacToe"):
        contestant(f"uci:{fake()}", pf.load("tic_tac_toe"))
    with pytest.raises(ProgramFailed, match="has no option 'Contempt'; it has Hash, MultiPV, Clear Hash"):
        UciProgram(fake(), {"Contempt": "3"})
    for value in ("65", "0", "many"):
        with pytest.raises(ProgramFailed, match=f"takes a whole number from 1 to 64 for Hash, not '{value}'"):
            UciProgram(fake(), {"hash": value})
    with pytest.raises(ProgramFailed, match="has no option 'UCI_Chess960'"):
        contestant(f"uci:{fake()}", pf.load("chess(chess960=True)")).prepare(pf.load("chess(chess960=True)"))


def test_an_unknown_player_is_told_of_programs_too():
    with pytest.raises(BadText, match="gtp:COMMAND, uci:COMMAND"):
        contestant("stockfish", pf.load("chess"))


@pytest.mark.skipif(STOCKFISH is None, reason="stockfish is not installed (Debian's package stockfish)")
def test_stockfish_beats_a_random_player_within_its_time():
    began = time.monotonic()
    program = UciPlayer(f"uci:{STOCKFISH};Hash=1;nodes=2000")
    (played,) = play(program, TimeRules(tolerance=5.0))
    assert (played.winner, played.reason, played.forfeited) == ("A", "by the rules", None), played.message
    assert time.monotonic() - began < 60
