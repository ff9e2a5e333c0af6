"""Moving pictures: a chase in place of itself in a terminal, plain lines elsewhere, and replays of saved games."""

from __future__ import annotations

import io
import os
import pty
import re
import subprocess
import sys

import pytest
from rich.console import Console

import plyforge as pf
from plyforge.errors import BadLimits
from plyforge.play import GameSession, Human, RandomPlayer, save
from plyforge.play.terminal.animation import Keys, LiveGame, Screen, coloured, play_live, replay

LANE = "pacman(maze='#######/#@.   #/####A##/#### ##/#######')"


SHORT = "pacman(maze='corridor', rounds=6)"


def finished(name: str = LANE, seed: int = 3) -> GameSession:
    game = pf.load(name)
    session = GameSession(game, seed=seed)
    player = RandomPlayer(seed)
    while not session.over:
        session.play(player.choose(game, session.state).action)
    return session


def test_without_a_terminal_every_round_is_printed():
    output = io.StringIO()
    game = pf.load(SHORT)
    played = play_live(GameSession(game, seed=1), [RandomPlayer(1), RandomPlayer(2)], output=output)
    text = output.getvalue()
    assert played.session.over and "\x1b" not in text
    rounds = -(-len(played.session.history) // game.notation.agents(game))
    assert text.count("of 6") == rounds + 1  # the start, and after every round
    assert re.search(r"^@ \w+, A \w+$", text, re.MULTILINE)
    assert "wins: " in text.splitlines()[-1]


def test_a_replay_ends_as_the_game_did():
    session, output = finished(), io.StringIO()
    assert replay(session, output=output)
    assert session.game.show(session.state) in output.getvalue()


def test_a_replay_goes_past_draws_that_nobody_claimed():
    session, output = GameSession(pf.load("chess")), io.StringIO()
    for text in [*("Nf3", "Nf6", "Ng1", "Ng8") * 2, "e4", "e5"]:
        session.play_on()
        session.play_text(text)
    assert replay(session, output=output)
    assert "4 . . . . P . . ." in output.getvalue()


def test_a_replay_shows_any_game():
    output = io.StringIO()
    assert replay(finished("tic_tac_toe"), output=output)
    assert output.getvalue().count("MAX") + output.getvalue().count("X") > 4


def test_in_a_terminal_the_picture_is_redrawn_in_place_and_in_colour():
    output = io.StringIO()
    console = Console(file=output, force_terminal=True, width=60, color_system="truecolor")
    game = pf.load(LANE)
    LiveGame(GameSession(game, seed=1), [RandomPlayer(1), RandomPlayer(2)], Screen(game, console, 0.0)).run()
    assert "\x1b[1A" in output.getvalue()  # up again, to write over the last picture


def test_colours_change_nothing_but_colours():
    picture = pf.load("pacman(maze='trap')").show(pf.load("pacman(maze='trap')").start())
    assert coloured(picture).plain == picture and coloured("no maze").plain == "no maze"
    assert {span.style for span in coloured(picture).spans} > {"bold #F0E442", "#0072B2"}


def test_a_delay_out_of_range_is_refused():
    with pytest.raises(BadLimits, match="delay"):
        Screen(pf.load(LANE), Console(), -1.0)


class Script(Keys):
    """Keys that a test presses."""

    def __init__(self, *keys: str) -> None:
        self.left = list(keys)

    def __enter__(self) -> Keys:
        return self

    def __exit__(self, *exception: object) -> None:
        pass

    def read(self) -> str:
        return self.left.pop(0) if self.left else "end"


def test_a_person_steers_and_keys_that_mean_nothing_do_nothing():
    game = pf.load(LANE)
    screen = Screen(game, Console(file=io.StringIO()))
    won = LiveGame(GameSession(game), [Human(), RandomPlayer(1)], screen, Script("x", "up", "right")).run()
    assert [turn.action for turn in won.session.history] == [4] and won.session.outcome.winners == (0,)
    left = LiveGame(GameSession(game), [Human(), RandomPlayer(1)], screen, Script("space", "q")).run()
    assert not left.session.over and len(left.session.history) == 2


def test_arrow_keys_and_letters_are_read_from_a_terminal():
    master, slave = pty.openpty()
    with open(slave, "rb", buffering=0) as source, Keys(source) as keys:  # noqa: PTH123
        for typed, name in (
            (b"\x1b[A", "up"),
            (b"\x1bOD", "left"),
            (b"d", "right"),
            (b" ", "space"),
            (b"q", "q"),
        ):
            os.write(master, typed)
            assert keys.read() == name
    os.close(master)


def test_the_command_plays_saves_and_replays(tmp_path):
    def plyforge(*words: str) -> str:
        command = [sys.executable, "-m", "plyforge", "play", *words]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    kept = tmp_path / "chase.json"
    text = plyforge(SHORT, "--as", "none", "--against", "random", "--seed", "1", "--save", str(kept))
    assert "round 1 of 6" in text
    again = plyforge("--load", str(kept), "--replay")
    assert again.count("of 6") == text.count("of 6") == 7
    failed = subprocess.run(
        [sys.executable, "-m", "plyforge", "play", LANE, "--replay"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert failed.returncode == 2 and "--load game.json --replay" in failed.stderr


def test_a_saved_chase_goes_through_the_record(tmp_path):
    session = finished()
    path = save(session, tmp_path / "chase.json")
    assert pf.play.restore(path).state == session.state
