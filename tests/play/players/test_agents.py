"""Participants from anywhere: Python files and programs that answer lines of JSON, good and bad ones."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import textwrap
import time
from pathlib import Path
from typing import Any

import pytest

import paths
import plyforge as pf
from patience import FOR_A_PROCESS
from plyforge.errors import BadText, PlyforgeError
from plyforge.play import GameSession, Match, parse_player
from plyforge.play.match.openings import Opening
from plyforge.play.match.played import PlayedGame
from plyforge.play.match.referee import Referee, TimeRules
from plyforge.play.players.given import contestant
from plyforge.play.players.player import Budget
from plyforge.play.players.programs.agent import MARK

AGENTS = paths.SUPPORT / "agents.py"


def agent(name: str, **settings: object) -> str:
    return f"python:{AGENTS}:{name}" + "".join(f";{key}={value}" for key, value in settings.items())


def bot(tmp_path: Path, answer: str, **more: str) -> str:
    """A program that answers with a line of Python's making."""
    file = tmp_path / "bot.py"
    file.write_text(
        textwrap.dedent(
            """
            import json, sys
            for line in sys.stdin:
                asked = json.loads(line)
                number, verb = asked["id"], asked["do"]
                if verb == "position":
                    actions = asked["actions"]
                print(ANSWER if verb == "go" else json.dumps({"id": number, "ok": True}), flush=True)
            """
        ).replace("ANSWER", answer)
    )
    return f"talk:{sys.executable} {file}"


def one_game(text: str, other: str = "random:seed=1", game: str = "tic_tac_toe", **rules: Any) -> PlayedGame:
    """A game in this process, `text` moving first."""
    rule_set = pf.load(game)
    opponents = [contestant(each, rule_set, native=False) for each in (text, other)]
    try:
        for opponent in opponents:
            opponent.prepare(rule_set)
        return Referee(rule_set, opponents, TimeRules(**rules)).play(0, "A", Opening(), 5)
    finally:
        for opponent in opponents:
            opponent.close()


@pytest.fixture(autouse=True)
def own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Processes that a test starts are told from those of other tests that run meanwhile."""
    monkeypatch.setenv("PLYFORGE_TEST_OWNER", str(os.getpid()))


def marked() -> int:
    """How many processes of agents there are that this test has started."""
    found, owner = 0, f"PLYFORGE_TEST_OWNER={os.getpid()}".encode()
    for entry in Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            words = (entry / "environ").read_bytes().split(b"\0") if entry.name.isdigit() else []
            found += owner in words and any(word.startswith(f"{MARK}=".encode()) for word in words)
    return found


def nothing_left() -> bool:
    """True as soon as none of them is there: one that was killed takes its time to go on a busy machine."""
    end = time.monotonic() + FOR_A_PROCESS
    while marked() and time.monotonic() < end:
        time.sleep(0.05)
    return marked() == 0


# ------------------------------------------------------------------ good ones
def test_an_agent_plays_a_match_as_the_same_player_in_this_process_would(tmp_path: Path) -> None:
    class First:
        def choose(self, game: Any, state: Any) -> Any:
            return next(iter(game.actions(state)))

    settings: dict[str, Any] = {"games": 4, "opening_plies": 1, "native": False, "workers": 1, "seed": 3}
    played = Match("tic_tac_toe", agent("First"), "random", record=tmp_path / "a.jsonl", **settings).run()
    at_home = Match("tic_tac_toe", First(), "random", **settings).run()
    assert [game.actions for game in played.games] == [game.actions for game in at_home.games]
    assert played.forfeited == 0


def test_the_same_seed_gives_the_same_games_and_another_one_others() -> None:
    games = [one_game(agent("Lucky"), "random:seed=2").actions for _ in range(2)]
    assert games[0] == games[1]
    rules = pf.load("tic_tac_toe")
    opponent = contestant(agent("Lucky"), rules)
    opponent.prepare(rules)
    firsts = set()
    for seed in range(8):
        opponent.new_game(0, None, seed)
        firsts.add(opponent.choose(rules, rules.start(), budget=Budget(patience=60)).action)
    opponent.close()
    assert len(firsts) > 1


def test_a_rules_file_of_somebodys_own_and_an_agent_beside_it(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "plyforge", "new", "mine"], cwd=tmp_path, check=True, capture_output=True)
    (tmp_path / "agent.py").write_text("def choose(game, state):\n    return list(game.actions(state))[-1]\n")
    done = one_game(f"python:{tmp_path}/agent.py", game=str(tmp_path / "mine.py"))
    assert done.forfeited is None and done.moves[0] > 0


def test_our_own_lines_of_json_are_such_a_program() -> None:
    text = f"talk:{sys.executable} -m plyforge talk tic_tac_toe --interpreted;depth=9"
    done = one_game(text)
    assert done.forfeited is None and done.winner in ("A", "draw"), "a search to the end does not lose"


def test_dice_are_told_to_a_program() -> None:
    text = f"talk:{sys.executable} -m plyforge talk 'pig(goal=12)' --interpreted;depth=1"
    assert one_game(text, game="pig(goal=12)").forfeited is None


def test_the_command_line_plays_an_agent_and_takes_moves_back() -> None:
    words = ["play", "tic_tac_toe", "--against", agent("First"), "--interpreted", "--json"]
    run = subprocess.run(
        [sys.executable, "-m", "plyforge", *words], input="5\nundo\n9\nquit\n", capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout)["actions"] == ["9", "1"]
    assert nothing_left()


def test_a_hidden_game_shows_an_agent_what_it_may_see() -> None:
    for seed in range(3):
        session = GameSession("kuhn_poker", seed=seed)
        player = parse_player(agent("Seeing"), session.game)
        while not session.over:
            mover = session.player
            if mover is not None and mover < 0:
                session.draw()
                continue
            assert mover is not None
            seen = session.observation(mover)
            session.play(player.choose(session.game, seen, history=session.observations(mover)).action)  # type: ignore[union-attr]
            player._told = None  # type: ignore[union-attr]  # the other seat is another game for it
        player.close()  # type: ignore[union-attr]


# ------------------------------------------------------------------ bad ones
@pytest.mark.parametrize(
    "name, kind, words",
    [
        ("Chatty", None, ""),
        ("Changing", None, ""),
        ("Mute", "stall", "has not answered 'go' in"),
        ("Hungry", "crash", "MemoryError"),
        ("Forking", None, ""),
        ("Writing", "protocol", "an id that was not asked for"),
        ("Cheating", "illegal", "99 is not legal"),
        ("Raising", "crash", "KeyError: 'no such thing' (agents.py, line"),
        ("Leaving", "crash", "ended with exit code 7"),
        ("Quitting", "crash", "SystemExit"),
    ],
)
def test_what_an_agent_does_costs_it_the_game_and_nothing_else(name: str, kind: str | None, words: str) -> None:
    patience = 1.0 if name == "Mute" else None
    done = one_game(agent(name, memory_mib=200), patience=patience)
    assert done.forfeited == (None if kind is None else "A"), done.message
    assert kind is None or done.reason == kind, done.message
    assert words in done.message
    assert nothing_left(), "something of it is left"


@pytest.mark.parametrize(
    "answer, kind, words",
    [
        ("'hello there'", "protocol", "is no object of JSON"),
        ("'[1]'", "protocol", "is no object of JSON"),
        ('json.dumps({"id": 99, "ok": True})', "protocol", "an id that was not asked for"),
        ('json.dumps({"id": number})', "protocol", "no ok of true or false"),
        ('json.dumps({"id": number, "ok": True})', "protocol", "names no action"),
        ('json.dumps({"id": number, "ok": True, "found": {"action": "z9"}})', "illegal", "z9"),
        ('json.dumps({"id": number, "ok": False, "error": {"message": "tired"}})', "crash", "tired"),
        ('"x" * 2000000', "protocol", ""),
    ],
)
def test_a_program_that_answers_wrongly(tmp_path: Path, answer: str, kind: str, words: str) -> None:
    done = one_game(bot(tmp_path, answer))
    assert (done.forfeited, done.reason) == ("A", kind), done.message
    assert words in done.message


@pytest.mark.parametrize(
    "text, words",
    [
        ("python:nowhere.py:Agent", "there is no Python file 'nowhere.py'"),
        ("python:", "there is no Python file ''"),
        (agent("First", speed=3), "'speed=3' is no setting"),
        (agent("First", seconds="fast"), "is no setting"),
        ("talk:./no-such-bot", "there is no program './no-such-bot'"),
    ],
)
def test_who_is_not_there_is_told_before_anything_begins(text: str, words: str) -> None:
    with pytest.raises(BadText) as error:
        Match("tic_tac_toe", text, "random", games=2)
    assert words in str(error.value)


@pytest.mark.parametrize(
    "name, words", [("Nobody", "has no class 'Nobody'"), ("Broken", "not today"), ("", "say which class")]
)
def test_an_agent_that_cannot_be_made_ends_the_match_before_it_begins(name: str, words: str) -> None:
    text = agent(name) if name else f"python:{AGENTS}"
    rules = pf.load("tic_tac_toe")
    with pytest.raises(PlyforgeError) as error:
        contestant(text, rules).prepare(rules)
    assert words in str(error.value)


def test_a_page_names_no_programs() -> None:
    from plyforge.studio.play.seats import seat_of

    programs = (agent("First"), "talk:./bot", "gtp:gnugo", "uci:stockfish", "gnubg:gnubg", " Python:x.py")
    for text in (*programs, "engine:network=/etc/passwd", "engine:seconds=1,network = ownx", "engine:database=egdb"):
        with pytest.raises(PlyforgeError, match="would read a file or start a program"):
            seat_of(pf.load("tic_tac_toe"), text)


def test_a_changed_agent_is_told_when_a_record_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("def choose(game, state):\n    return list(game.actions(state))[0]\n")
    settings: dict[str, Any] = {"opening_plies": 1, "native": False, "workers": 1, "record": tmp_path / "r.jsonl"}
    Match("tic_tac_toe", f"python:{file}", "random", games=2, **settings).run()
    file.write_text("def choose(game, state):\n    return list(game.actions(state))[-1]\n")
    match = Match("tic_tac_toe", f"python:{file}", "random", games=4, **settings)
    match.run()
    assert any("were changed since this match began" in note for note in match.notes)
