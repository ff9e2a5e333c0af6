"""The game in the terminal: driven through pipes, once in a pseudo-terminal, and stopped with Ctrl-C."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from patience import FOR_A_PROCESS, PATIENCE
from plyforge.contract import MAX, Game, parse_action
from plyforge.errors import BadLimits, IllegalAction
from plyforge.games import load
from plyforge.play import GameSession, SearchPlayer, StrategyPlayer, parse_player, restore, save
from plyforge.play.terminal import COMMANDS, TerminalGame, play_in_terminal
from screen import PLAY, Screen


def drive(
    game: Game | str, players: list[str | Any], *lines: str, state: str | None = None, seed: int = 1
) -> tuple[TerminalGame, str]:
    """Play with these lines as input; how it ended, and all that was shown."""
    rules = load(game)
    seats = [parse_player(p, rules, native=False) if isinstance(p, str) else p for p in players]
    output = io.StringIO()
    played = play_in_terminal(
        GameSession(rules, state, seed),
        seats,
        source=io.StringIO("".join(f"{line}\n" for line in lines)),
        output=output,
        adviser=SearchPlayer(depth=9, native=False),
    )
    return played, output.getvalue()


def run(*arguments: str, lines: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*PLAY, *arguments],
        input=lines,
        capture_output=True,
        text=True,
        timeout=FOR_A_PROCESS,
        env=os.environ | environment,
    )


class Count(NamedTuple):
    left: int
    score: int


@dataclass(frozen=True)
class Alone(Game):
    """Add 1 or 2, three times."""

    players = 1
    min_utility = 0.0
    max_utility = 6.0

    def start(self) -> Count:
        return Count(3, 0)

    def player(self, s: Count) -> int:
        return MAX

    def actions(self, s: Count) -> Iterator[int]:
        yield 1
        yield 2

    def result(self, s: Count, action: int) -> Count:
        return Count(s.left - 1, s.score + action)

    def terminal(self, s: Count) -> bool:
        return s.left == 0

    def utility(self, s: Count) -> float:
        return float(s.score)


class ConfusingNotation(type(Alone.notation)):
    def format_action(self, game, s: Count, action: int) -> str:
        return "undo" if action == 1 else "hint"


@dataclass(frozen=True)
class Confusing(Alone):
    """Its actions have the names of commands, and its text looks like markup."""

    notation = ConfusingNotation()

    def show(self, s: Count) -> str:
        return f"[red]{s.score}[/red] :smile:"


class Words:
    def __init__(self, said: str) -> None:
        self.said = said

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Words) and other.said == self.said

    def __hash__(self) -> int:
        return hash(self.said)

    def __repr__(self) -> str:
        return f"Words({self.said!r})"


@dataclass(frozen=True)
class NotCompiled(Game):
    """States are objects of a class that has no compiled form."""

    def start(self) -> Words:
        return Words("")

    def player(self, s: Words) -> int:
        return len(s.said) % 2

    def actions(self, s: Words) -> Iterator[str]:
        yield "a"
        yield "b"

    def result(self, s: Words, action: str) -> Words:
        return Words(s.said + action)

    def terminal(self, s: Words) -> bool:
        return len(s.said) == 4

    def utility(self, s: Words) -> float:
        return 1.0 if s.said.count("a") > 2 else -1.0


# ------------------------------------------------------------------ whole games
def test_perfect_players_draw_at_tic_tac_toe() -> None:
    played, shown = drive("tic_tac_toe", ["alpha_beta:depth=9", "alpha_beta:depth=9"])
    outcome = played.session.outcome
    assert outcome is not None and outcome.draw and len(played.session.history) == 9
    assert "The game is over after 9 plies: a draw.\n  Payoffs: 0 for X, 0 for O." in shown
    assert shown.count(" plays ") == shown.count("  a draw, proven; ") == 9


def test_a_person_who_blunders_loses_to_alpha_beta_and_is_told_so() -> None:
    _, shown = drive("tic_tac_toe", ["human", "alpha_beta:depth=9"], "1", "2", "4", "6", "8", "9", "7", "3")
    assert re.search(r"The game is over after \d plies: O \(MIN\) wins, you lose\.", shown)
    assert "Payoffs: -1 for X, +1 for O." in shown


def test_two_persons_play_each_other() -> None:
    played, shown = drive("tic_tac_toe", ["human", "human"], "1", "4", "2", "5", "3")
    assert (
        "The game is over after 5 plies: X (MAX) wins." in shown and "you" not in shown.split("over")[1].split("\n")[0]
    )
    assert "O (MIN), your move> 5\nO (MIN) plays 5" in shown
    assert played.session.over


def test_the_board_is_shown_after_every_move() -> None:
    _, shown = drive("connect4", ["human", "human"], "4", "4")
    assert "  . . . O . . .\n  . . . X . . .\n  1 2 3 4 5 6 7\n" in shown


def test_chance_is_shown_and_the_same_seed_plays_the_same_game() -> None:
    games = [drive("pig(goal=12)", ["random:seed=1", "random:seed=2"], seed=seed) for seed in (6, 6, 7)]
    assert games[0][1] == games[1][1] != games[2][1]
    session = games[0][0].session
    faces = [turn.action for turn in session.history if turn.player == -1]
    assert re.findall(r"Chance: (\d)  \(probability 0.167\)", games[0][1]) == [str(face) for face in faces]
    assert f"and {len(faces)} chance event" in games[0][1]


def test_three_players_one_of_them_a_person() -> None:
    _, shown = drive(
        "three_nim(sticks=7)",
        ["max_n", "human", SearchPlayer("max_n", native=False)],
        "1",
        "hint",
        "1",
        "1",
    )
    assert "player 0: max_n, 1 second a move\n  player 1: you\n  player 2: max_n, to the end of the game\n" in shown
    assert re.search(r"player 0 .*, player 1 .*, player 2 .*, proven", shown)
    assert re.search(r"player [012] wins, you (win|lose)\.", shown)


def test_one_player_plays_alone_and_may_give_up() -> None:
    _, shown = drive(Alone(), ["human"], "hint", "2", "2", "1")
    assert "Hint: 2" in shown and ": 6, proven; " in shown
    assert "The game is over after 3 plies: the end.\n  Payoffs: +5 for the player." in shown
    _, shown = drive(Alone(), ["human"], "2", "resign")
    assert "The game is over after 1 ply: the player gave up." in shown


def test_a_strategy_plays_and_its_illegal_move_is_an_error() -> None:
    _, shown = drive("tic_tac_toe", [StrategyPlayer(lambda s: 8 if s.x == 0 else 7), "human"], "1", "quit")
    assert "X (MAX) plays 9\n  as the strategy says" in shown and "X (MAX) plays 8" in shown
    with pytest.raises(IllegalAction, match="9 is not a legal action here"):
        drive("tic_tac_toe", [StrategyPlayer(lambda s: 8), "human"], "1", "2")


def test_the_number_of_players_must_fit() -> None:
    with pytest.raises(BadLimits, match="TicTacToe has 2 players, 1 were given"):
        drive("tic_tac_toe", ["human"])


# ------------------------------------------------------------------ commands
def test_undo_takes_back_to_the_persons_last_turn() -> None:
    played, shown = drive("tic_tac_toe", ["human", "random:seed=1"], "5", "undo", "9", "undo")
    assert len(played.session.history) == 0 and shown.count("Taken back.") == 2
    played, shown = drive("tic_tac_toe", ["random:seed=1", "human"], "undo", "quit")
    assert "There is nothing of yours to take back." in shown and len(played.session.history) == 1


def test_undo_goes_back_over_chance_and_several_turns() -> None:
    played, shown = drive("pig(goal=50)", ["human", "random:seed=3"], "roll", "roll", "undo 2", "quit", seed=4)
    assert not played.session.history and shown.count("Chance: ") == 2


def test_redo_plays_again_what_was_taken_back() -> None:
    played, _ = drive("tic_tac_toe", ["human", "random:seed=1"], "5", "undo", "redo", "redo", "quit")
    again, _ = drive("tic_tac_toe", ["human", "random:seed=1"], "5", "quit")
    assert played.session.history == again.session.history != ()


def test_the_end_can_be_taken_back() -> None:
    played, shown = drive("tic_tac_toe", ["human", "human"], "1", "4", "2", "5", "3", "undo", "9", "quit")
    assert not played.session.over and len(played.session.history) == 5
    assert shown.count("The game is over") == 1


def test_a_hint_is_the_searchs_answer_and_the_game_goes_on() -> None:
    played, shown = drive("tic_tac_toe", ["human", "human"], "hint", "3", state="xx.oo....")
    assert "Hint: 3\n  engine: X wins in 1 ply, proven" in shown
    assert "X (MAX) wins." in shown and len(played.session.history) == 1


def test_the_engine_says_what_it_has_proven() -> None:
    _, shown = drive("tic_tac_toe", ["human", "engine:depth=9"], "9", "quit", state="xx.oo....")
    assert "O (MIN): engine, 9 plies ahead" in shown
    assert "O (MIN) plays 6\n  I win in 1 ply, proven; looked as far as" in shown
    _, shown = drive("tic_tac_toe", ["engine:depth=9", "human"], "quit", state="x...o....")
    assert "X (MAX) plays" in shown and "  a draw, proven; " in shown
    _, shown = drive("nim(heaps=(1, 1))", ["engine", "human"], "quit")
    assert "I lose in 2 plies, proven" in shown


@pytest.mark.parametrize("name", ["engine:threads=2,table_mib=1", "uct:simulations=200", "flat", "puct:nodes=500"])
def test_engines_of_all_kinds_play_a_game_to_its_end(name: str) -> None:
    name += ",depth=3" if name.startswith("engine") else ""
    name += ":simulations=100,seed=3" if name == "flat" else ""
    played, shown = drive("tic_tac_toe", [name, "random:seed=5"])
    assert played.session.over and "The game is over" in shown
    assert "simulations in" in shown or "ahead" in shown or "proof" in shown


def test_dice_and_three_players_have_a_best_player_too() -> None:
    _, shown = drive("three_nim", ["best:simulations=100", "best:simulations=100", "random:seed=1"])
    assert "guarded_uct, 100 simulations a move" in shown and "The game is over" in shown
    _, shown = drive("pig(goal=6)", ["best:depth=2", "random:seed=1"], seed=2)
    assert "The game is over" in shown and "plies ahead" in shown


def test_a_hint_takes_seconds() -> None:
    _, shown = drive("tic_tac_toe", ["human", "human"], "hint 0.2", "hint never", "hint -1")
    assert (
        "Hint: " in shown
        and "'never' is not a number of seconds" in shown
        and "'-1' seconds can't be: write a positive number" in shown
    )


def test_resigning_loses() -> None:
    _, shown = drive("tic_tac_toe", ["human", "random"], "5", "resign", "undo", "quit")
    assert "The game is over after 2 plies: X (MAX) resigned, O (MIN) wins, you lose." in shown
    assert "You left: the game stops after 2 plies, not finished." in shown


def test_an_agreed_draw_is_told_and_can_be_taken_back(tmp_path: Path) -> None:
    session = GameSession(load("tic_tac_toe"))
    session.play_text("5")
    session.agree()
    kept = save(session, tmp_path / "drawn.json")
    _, shown = drive("tic_tac_toe", ["human", "human"], f"load {kept}", "undo", "1", "quit")
    assert "The game is over after 1 ply: a draw." in shown
    assert "You left: the game stops after 2 plies, not finished." in shown


def test_two_persons_agree_on_a_draw_or_play_on() -> None:
    played, shown = drive("tic_tac_toe", ["human", "human"], "5", "draw", "no", "1", "draw", "yes", "quit")
    assert "O (MIN) offers a draw. X (MAX), do you accept? (yes or no)> no" in shown
    assert "X (MAX) declines the draw." in shown and "O (MIN) accepts the draw." in shown
    assert "The game is over after 2 plies: a draw." in shown
    assert played.session.agreed and played.session.outcome is not None
    assert played.session.outcome.reason == "by agreement"
    played, shown = drive("tic_tac_toe", ["human", "human"], "draw")
    assert "End of input: the game stops after 0 plies" in shown and not played.session.over


@pytest.mark.parametrize("who", ["alpha_beta:depth=9", "engine:depth=9", "uct:simulations=3000,seed=1"])
def test_an_algorithm_accepts_a_draw_unless_it_expects_more(who: str) -> None:
    played, shown = drive("tic_tac_toe", ["human", who], "5", "draw", "quit")
    assert played.session.agreed and "O (MIN) accepts the draw: " in shown and "a draw." in shown
    played, shown = drive("tic_tac_toe", [who, "human"], "draw", "quit", state="xo.......")
    assert not played.session.over and "X (MAX) declines the draw: I win" in shown


def test_an_algorithm_that_has_won_or_has_not_searched_declines_a_draw() -> None:
    _, shown = drive("tic_tac_toe", ["alpha_beta:depth=9", "human"], "draw", state="xo.......")
    assert "X (MAX) declines the draw: I win, proven." in shown
    _, shown = drive("tic_tac_toe", ["human", "random"], "5", "draw")
    assert "O (MIN) declines the draw: it has not searched this position." in shown
    _, shown = drive("tic_tac_toe", ["human", "alpha_beta:depth=9"], "draw")
    assert "O (MIN) declines the draw: it has not searched this position." in shown
    again = ["5", "draw", "undo", "undo", "draw"]
    _, shown = drive("tic_tac_toe", ["human", "alpha_beta:depth=9"], *again)
    assert shown.count("accepts the draw") == 1 and shown.count("it has not searched this position") == 1


def test_no_draw_is_offered_where_there_is_none() -> None:
    for game in ("hex", "nim", "pig", "backgammon", "go"):
        played, shown = drive(game, ["human", "human"], "help", "draw", "yes")
        assert "Not possible: no draw can be agreed on in this game" in shown and not played.session.over
        assert not re.search(r"^  draw ", shown, re.MULTILINE)


def test_moves_board_and_help() -> None:
    _, shown = drive("tic_tac_toe", ["human", "human"], "moves", "board", "help")
    assert "9 legal: 1  2  3  4  5  6  7  8  9" in shown
    assert shown.count("7 | 8 | 9") == 2
    assert all(re.search(rf"^  {command} ", shown, re.MULTILINE) for command in COMMANDS if command != "seen")
    assert not re.search("^  seen ", shown, re.MULTILINE), "nothing is hidden"


def test_a_game_is_saved_and_loaded(tmp_path: Path) -> None:
    path = tmp_path / "my game.json"
    drive("tic_tac_toe", ["human", "human"], "5", "1", f'save "{path}"')
    assert restore(path).seats == ("human", "human")
    played, shown = drive("tic_tac_toe", ["human", "random"], f"load {path}", "9", "quit")
    assert [turn.action for turn in played.session.history][:3] == [4, 0, 8]
    assert "Loaded: 2 plies played." in shown


def test_what_can_not_be_saved_or_loaded_is_explained(tmp_path: Path) -> None:
    other = tmp_path / "other.json"
    other.write_text("{}")
    drive("connect4", ["human", "human"], "4", f"save {tmp_path}/connect4.json")
    played, shown = drive(
        "tic_tac_toe",
        ["human", "human"],
        "5",
        "save",
        "load",
        f"save {other}",
        f"save {tmp_path}/no/where.json",
        "save a\0b",
        f"load {other}",
        f"load {tmp_path}/connect4.json",
        f"load {tmp_path}/nothing.json",
    )
    for words in (
        "save needs the name of a file",
        "load needs the name of a file",
        "exists and is not a saved game",
        "can't be written",
        "is not the name of a file",
        "not a saved game",
        "this is a game of connect4, not of tic_tac_toe",
        "there is no file",
    ):
        assert words in shown
    assert len(played.session.history) == 1 and other.read_text() == "{}"


def test_illegal_input_is_explained_with_what_is_legal() -> None:
    played, shown = drive("tic_tac_toe", ["human", "human"], "5", "5", "middle", "udno", "/dance", "undo x", "")
    assert "Not possible: '5' is not a legal action here; legal: 1, 2, 3, 4, 6, 7, 8, 9" in shown
    assert "did you mean the command undo?" in shown
    assert "there is no command '/dance'" in shown
    assert "'x' is not a number of turns" in shown
    assert "Type an action or a command" in shown
    assert len(played.session.history) == 1


def test_hostile_input_is_harmless() -> None:
    lines = [
        "\x1b[2J\x07",
        "[bold]5[/bold]",
        "5" * 100_000,
        "save " + "x" * 5000,
        "undo " + "9" * 5000,
        "\ufffd",
        "٣",
    ]
    played, shown = drive("tic_tac_toe", ["human", "human"], *lines, "5")
    assert "\x1b" not in shown and "\x07" not in shown and "[bold]5[/bold]" in shown
    assert len(shown) < 40_000
    assert [turn.action for turn in played.session.history] == [4]


def test_an_action_named_like_a_command_is_an_action_and_a_slash_makes_it_a_command() -> None:
    played, shown = drive(Confusing(), ["human"], "undo", "/undo", "hint", "/hint", "quit")
    assert [turn.action for turn in played.session.history] == [2]
    assert "Taken back." in shown and "Hint: hint" in shown
    assert "  [red]2[/red] :smile:\n" in shown


def test_end_of_input_ends_the_game_with_a_note() -> None:
    _, shown = drive("tic_tac_toe", ["human", "random"], "5")
    assert shown.endswith("End of input: the game stops after 2 plies, not finished.\n")


def test_go_is_for_algorithms() -> None:
    _, shown = drive("tic_tac_toe", ["human", "random"], "go")
    assert "It is your move" in shown


def test_rules_that_do_not_compile_are_mentioned_once() -> None:
    output = io.StringIO()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        play_in_terminal(GameSession(NotCompiled()), [SearchPlayer(), SearchPlayer()], output=output)
    if os.environ.get("NUMBA_DISABLE_JIT") != "1":
        assert output.getvalue().count("Note: running interpreted") == 1
    assert "The game is over after 4 plies" in output.getvalue()


def test_they_are_mentioned_though_a_compiler_in_another_thread_catches_warnings_of_its_own() -> None:
    ended = threading.Event()

    def compile_something_else() -> None:
        while not ended.is_set():
            with warnings.catch_warnings(record=True):
                ended.wait(0.01)

    other = threading.Thread(target=compile_something_else)
    before, output = warnings.filters[:], io.StringIO()
    other.start()
    try:
        play_in_terminal(GameSession(NotCompiled()), [SearchPlayer(), SearchPlayer()], output=output)
    finally:
        ended.set()
        other.join()
        warnings.filters[:] = before
    if os.environ.get("NUMBA_DISABLE_JIT") != "1":
        assert output.getvalue().count("Note: running interpreted") == 1


# ------------------------------------------------------------------ the command
def test_the_command_plays_a_piped_game_without_colours(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    done = run("tic_tac_toe", "--against", "alpha_beta", "--interpreted", lines=f"5\nhint\nsave {path}\n")
    assert done.returncode == 0 and done.stderr == ""
    assert "\x1b" not in done.stdout and "O (MIN) plays 1" in done.stdout and "End of input" in done.stdout
    again = run("--load", str(path), "--interpreted", lines="undo\nquit\n")
    assert again.returncode == 0 and "2 plies played: 5 1" in again.stdout and "Taken back." in again.stdout
    assert "O (MIN): alpha_beta, 1 second a move" in again.stdout


def test_the_command_lets_two_algorithms_play_and_prints_the_record() -> None:
    done = run("tic_tac_toe", "--as", "none", "--against", "alpha_beta", "--interpreted", "--json")
    data = json.loads(done.stdout)
    assert done.returncode == 0 and data["result"]["winners"] == [] and len(data["actions"]) == 9
    assert "a draw" in done.stderr


def test_where_no_game_can_be_saved_is_told_before_it_begins(tmp_path: Path) -> None:
    other = tmp_path / "letter.txt"
    other.write_text("Dear Sir")
    for place, words in [
        (tmp_path / "no" / "where.json", "there is no folder"),
        (tmp_path, "name a file"),
        (other, "exists and is not a saved game"),
    ]:
        done = run("tic_tac_toe", "--interpreted", "--save", str(place), lines="5\n")
        assert done.returncode == 2 and done.stdout == "" and words in done.stderr
        assert len(done.stderr.splitlines()) == 1
    assert other.read_text() == "Dear Sir"


def test_the_command_begins_in_any_state_and_saves_at_the_end(tmp_path: Path) -> None:
    path = tmp_path / "end.json"
    done = run(
        "connect4", "--state", "112233", "--player", "0=alpha_beta:depth=1", "--player", "1=random:seed=1",
        "--interpreted", "--save", str(path),
    )  # fmt: skip
    assert done.returncode == 0 and "X (MAX) plays 4" in done.stdout and "X (MAX) wins" in done.stdout
    outcome = restore(path).outcome
    assert outcome is not None and outcome.winners == (MAX,)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "name a game"),
        (["tic_tac_two"], "there is no game called"),
        (["tic_tac_toe", "--against", "alpha_betta"], "did you mean alpha_beta"),
        (["tic_tac_toe", "--as", "2"], "players 0 to 1"),
        (["tic_tac_toe", "--as", "third"], "players 0 to 1"),
        (["tic_tac_toe", "--player", "1"], "--player 1=alpha_beta:depth=6"),
        (["tic_tac_toe", "--player", "5=human"], "players 0 to 1"),
        (["tic_tac_toe", "--player", "0=human", "--player", "0=random"], "twice"),
        (["tic_tac_toe", "--as", "first", "--player", "0=random"], "both say"),
        (["tic_tac_toe", "--player", "1=random", "--against", "minimax"], "nobody left"),
        (["tic_tac_toe", "--state", "xxx"], "not a tic-tac-toe board"),
        (["tic_tac_toe", "--depth", "-1"], "depth is -1"),
        (["tic_tac_toe", "--seconds", "0"], "positive number"),
        (["tic_tac_toe", "--seed", "-5"], "seed is -5"),
        (["--load", "/nowhere.json"], "there is no file"),
        (["--load", "/nowhere.json", "--state", "x"], "can't go together"),
        (["three_nim", "--against", "alpha_beta"], "Use 'max_n'"),
    ],
)
def test_what_the_command_can_not_do_is_one_line_and_code_2(
    arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    from plyforge.cli import main

    with pytest.raises(SystemExit) as stop:
        main(["play", *arguments])
    error = capsys.readouterr().err
    assert stop.value.code == 2 and says in error and error.count("\n") == 1


def test_help_teaches_and_imports_nothing_heavy() -> None:
    code = (
        "import sys\nfrom plyforge.cli import main\n"
        "try: main(['play', '--help'])\n"
        "finally: print([m for m in ('numpy', 'numba', 'rich', 'plyforge.search') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=FOR_A_PROCESS)
    assert "plyforge play connect4 --as second --against alpha_beta:depth=8" in done.stdout
    assert done.stdout.rstrip().endswith("[]")


# ------------------------------------------------------------------ Ctrl-C, and a terminal
@pytest.mark.parametrize("who", ["none", "first"])
def test_an_interrupt_without_a_terminal_ends_the_game_cleanly_within_a_second(who: str) -> None:
    process = subprocess.Popen(
        [*PLAY, "connect4", "--as", who, "--against", "alpha_beta:depth=40", "--interpreted"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    try:
        for line in process.stdout:  # until the board has been shown: then it thinks, or waits for a person
            if line.strip() == "1 2 3 4 5 6 7":
                break
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
    assert process.returncode == 130
    assert "Stopped by Ctrl-C: the game stops after 0 plies, not finished." in output
    assert errors == ""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals")
def test_in_a_terminal_a_person_stops_a_thinking_algorithm_and_goes_on() -> None:
    screen = Screen("connect4", "--against", "alpha_beta:depth=40", "--interpreted", COLORTERM="truecolor", NO_COLOR="")
    screen.wait_for("X (MAX), your move> ")
    screen.type("4\r")
    screen.wait_for("O (MIN) is thinking, ")  # the status line, after some seconds
    screen.type("\x03")
    screen.wait_for("Stopped thinking")
    screen.wait_for("O (MIN) was stopped> ")
    screen.type("go 0.2\r")
    screen.wait_for("O (MIN) plays ")
    screen.wait_for("X (MAX), your move> ")
    screen.type("und\t\r")  # Tab completes
    screen.wait_for("Taken back.")
    screen.wait_for("X (MAX), your move> ")
    time.sleep(0.3)  # Python misses an interrupt in the microseconds between the prompt and waiting for input
    screen.type("\x03")
    screen.wait_for("Stopped by Ctrl-C: the game stops after 0 plies, not finished.")
    assert screen.code() == 0
    assert "38;2;86;180;233mX (MAX) plays 4" in screen.shown  # sky blue of Okabe and Ito
    assert "Traceback" not in screen.shown


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals")
def test_in_a_terminal_no_color_is_honoured_and_end_of_input_leaves() -> None:
    screen = Screen("tic_tac_toe", "--against", "random:seed=1", "--interpreted", NO_COLOR="1")
    screen.wait_for("X (MAX), your move> ")
    screen.type("5\r")
    screen.wait_for("O (MIN) plays ")
    screen.wait_for("X (MAX), your move> ")
    screen.type("\x04")
    screen.wait_for("End of input")
    assert screen.code() == 0
    assert not re.search(r"\x1b\[[0-9;]*[34]8;", screen.shown)


def test_a_game_without_a_text_of_its_own_says_nothing_of_itself():
    from dataclasses import dataclass

    from plyforge.contract import Game
    from plyforge.contract.naming import about
    from plyforge.games.tic_tac_toe import TicTacToe
    from plyforge.studio.library.cards import _about

    class Silent(Game):
        pass

    class Heir(TicTacToe):
        pass

    @dataclass(frozen=True)
    class Data(Game):
        size: int = 3

    for game in (Silent(), Heir(), Data()):
        assert about(game) == ""
        assert _about("own", game, own=True) == ""
    assert about(TicTacToe()).startswith(TicTacToe.__doc__.strip().splitlines()[0])


class Grid(Game):
    """Two cells to choose from, each written as a pair."""

    def start(self):
        return (0, 0)

    def player(self, s):
        return s[0] % 2

    def actions(self, s):
        return [(0, 0), (0, 1), (1, 12), (11, 2)]

    def result(self, s, action):
        return (s[0] + 1, s[1] + action[1])

    def terminal(self, s):
        return s[0] == 2

    def utility(self, s):
        return 0.0


@pytest.mark.parametrize("text", ["(0, 1)", "(0,1)", "( 0 ,1 )", "0,1", "0 1", "0, 1"])
def test_blanks_and_parentheses_of_a_move_count_only_where_they_have_to(text):
    assert parse_action(Grid(), (0, 0), text) == (0, 1)


@pytest.mark.parametrize("text", ["01", "112", "", "()", "(0, 1, 1)"])
def test_nothing_else_is_taken_for_a_move(text):
    with pytest.raises(IllegalAction):
        parse_action(Grid(), (0, 0), text)


def test_moves_are_chosen_by_their_number():
    table, shown = drive(Grid(), ["human", "human"], "moves", "#3", "2")
    assert [turn.action for turn in table.session.history] == [(1, 12), (0, 1)]
    assert "#1 (0, 0)  #2 (0, 1)  #3 (1, 12)  #4 (11, 2)" in shown


def test_an_empty_line_lists_few_moves():
    _, shown = drive(Grid(), ["human", "human"], "")
    assert "#4 (11, 2)" in shown


def test_a_number_is_never_taken_for_another_move_that_is_a_number():
    table, shown = drive(load("tic_tac_toe"), ["human", "human"], "1", "1", "#1", "#99")
    # "1" is taken: it is not the first of those left. "#1" is.
    assert [turn.action for turn in table.session.history] == [0, 1]
    assert "there are #1 to #7" in shown


# ------------------------------------------------------------ nobody waits for the compiler
class Compiler:
    """Says how far compiling has come."""

    def __init__(self) -> None:
        self.ready, self.asked = False, []  # type: ignore[var-annotated]

    def native(self, game: Game, using: str | None) -> bool | None:
        self.asked.append(using)
        return None if self.ready else False

    def close(self) -> None:
        pass


def at_a_table(*players: Any) -> tuple[TerminalGame, Compiler]:
    output = io.StringIO()
    rules = load("tic_tac_toe")
    seats = [player if not isinstance(player, str) else parse_player(player, rules) for player in players]
    table = play_in_terminal(GameSession(rules), seats, source=io.StringIO(""), output=output)
    compiler = Compiler()
    table.warm = compiler  # type: ignore[assignment]
    return table, compiler


def test_until_it_is_compiled_the_same_search_moves_interpreted() -> None:
    table, compiler = at_a_table("human", "best:seconds=0.05")
    [_, player] = table.players
    assert isinstance(player, SearchPlayer)
    slow = table.at_speed(player)
    assert slow.native is False and slow.description == player.description
    assert table.at_speed(player) is slow  # with what it has learned
    table.session.play(4)
    table.let_think(1, player)
    assert table.thought is not None and len(table.session.history) == 2
    compiler.ready = True
    assert table.at_speed(player) is player
    assert set(compiler.asked) == {"engine"}


def test_a_search_to_a_depth_is_not_run_interpreted_meanwhile() -> None:
    table, compiler = at_a_table("human", "alpha_beta:depth=9")
    assert table.at_speed(table.players[1]) is table.players[1]
    assert not compiler.asked


def test_whoever_chose_a_speed_keeps_it() -> None:
    rules = load("tic_tac_toe")
    table, compiler = at_a_table("human", parse_player("best", rules, native=True))
    assert table.at_speed(table.players[1]) is table.players[1]
    assert not compiler.asked


def test_rules_without_an_estimate_are_told_what_would_make_the_opponent_stronger(tmp_path: Path) -> None:
    rules = tmp_path / "sticks.py"
    lines = [
        "import plyforge as pf",
        "class Sticks(pf.Game):",
        "    def start(self): return (5, 0)",
        "    def player(self, s): return s[1]",
        "    def actions(self, s): return [n for n in (1, 2) if n <= s[0]]",
        "    def result(self, s, n): return (s[0] - n, 1 - s[1])",
        "    def terminal(self, s): return s[0] == 0",
        "    def utility(self, s): return -1.0 if s[1] == 0 else 1.0",
    ]
    rules.write_text("\n".join(lines) + "\n")
    _, without = drive(str(rules), ["human", "best:simulations=5"], "quit")
    assert "no evaluate(s)" in without
    rules.write_text("\n".join([*lines, "    def evaluate(self, s): return 0.1"]) + "\n")
    _, with_one = drive(str(rules), ["human", "best:nodes=5"], "quit")
    assert "no evaluate(s)" not in with_one
    _, ours = drive("three_mens_morris", ["human", "best:simulations=5"], "quit")
    assert "no evaluate(s)" not in ours
