"""Matches: many games in worker processes, on disk at once, gone on with after a kill."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import plyforge as pf
from made_up_games import played
from patience import PATIENCE
from plyforge.errors import BadLimits, PlyforgeError, Unsuitable
from plyforge.play import Human, RandomPlayer, SearchPlayer
from plyforge.play.match.match import Match
from plyforge.play.match.multiplayer import TableMatch
from plyforge.play.match.record import MatchRecord
from plyforge.play.match.score import Standing
from plyforge.play.match.worker import MOST_REPLAYS
from plyforge.work.crew import MOST_FAILURES
from plyforge.work.processes import Local, ProcessWorker
from programs import fake, gone

UCT = "uct:simulations=60"


def small(record: Path | None = None, **more: Any) -> Match:
    """A quick match."""
    settings: dict[str, Any] = {
        "games": 4,
        "native": False,
        "workers": 1,
        "record": record,
        "opening_plies": 1,
    }
    return Match("tic_tac_toe", "random", "random", **settings | more)


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "plyforge", "match", *words]


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def essence(path: Path) -> dict[int, tuple[Any, ...]]:
    """What has to be the same whenever the same match is played: everything but times."""
    games = lines(path)[1:]
    found = {one["number"]: (one["first"], tuple(one["actions"]), one["winner"], one["reason"]) for one in games}
    assert len(found) == len(games), "a game is there twice"
    return found


# ------------------------------------------------------------------ the whole
def test_a_match_has_pairs_and_counts_them(tmp_path):
    record = tmp_path / "match.jsonl"
    seen: list[int] = []
    match = Match(
        "tic_tac_toe",
        "alpha_beta:depth=9",
        "random",
        games=12,
        opening_plies=1,
        native=False,
        workers=2,
        record=record,
    )
    standing = match.run(lambda standing: seen.append(len(standing.games)))
    assert seen[0] == 0 and seen[-1] == 12 and seen == sorted(seen), "games that come together count together"
    assert standing.finished and standing.forfeited == 0
    assert standing.results.losses == 0, "a perfect player does not lose a drawn game"
    assert standing.results.wins > 6
    assert standing.as_first.games == standing.as_second.games == 6
    assert standing.estimate is not None and standing.estimate.pairs == 6 and standing.estimate.score > 0.75
    games = {one["number"]: one for one in lines(record)[1:]}
    assert sorted(games) == list(range(12))
    for number in range(0, 12, 2):
        one, other = games[number], games[number + 1]
        assert (one["first"], other["first"]) == ("A", "B")
        assert one["actions"][:1] == other["actions"][:1] and one["seed"] == other["seed"]
    assert len({games[number]["actions"][0] for number in range(0, 12, 2)}) == 6, "openings are distinct"
    for one in games.values():  # every game can be played again by the rules, and ends as it says
        state = pf.state_after(match.game, *one["actions"])
        assert match.game.terminal(state) and match.game.utility(state) == one["utilities"][0]


def test_the_command_line_tells_the_same_as_json_and_as_a_table(tmp_path):
    words = ["tic_tac_toe", "random", "random:seed=4", "--games", "4", "--interpreted", "--workers", "1"]
    words += ["--record", str(tmp_path / "m.jsonl")]
    run = subprocess.run([*command(*words), "--json"], capture_output=True, text=True, check=True)
    found = json.loads(run.stdout)
    assert found["games"] == found["wanted"] == 4 and found["finished"] and not found["interrupted"]
    assert found["wins"] + found["draws"] + found["losses"] == 4
    assert found["players"] == ["random", "random:seed=4"] and found["game"] == "tic_tac_toe"
    assert set(found["forfeits"]["A"]) == {"time", "illegal", "crash", "stall", "protocol"}
    table = subprocess.run(command(*words), capture_output=True, text=True, check=True).stdout
    assert f"{found['wins']} win" in table and "Elo of A - B" in table and "4 of 4" in table


def test_the_table_cuts_neither_the_record_nor_a_player(tmp_path):
    folder = tmp_path / ("a_long_name_" * 8)
    folder.mkdir()
    player = "engine:nodes=9,threads=1,table_mib=1,quiescence=no,selective=no,depth=1"
    words = ["tic_tac_toe", player, "random", "--games", "2", "--interpreted", "--workers", "1"]
    words += ["--record", str(folder / "m.jsonl")]
    environment = os.environ | {"COLUMNS": "60", "NO_COLOR": "1"}
    table = subprocess.run(command(*words), capture_output=True, text=True, check=True, env=environment).stdout
    assert f"kept in         {folder / 'm.jsonl'}\n" in table
    assert player in "".join(line[16:].rstrip() for line in table.splitlines())


def test_players_of_different_strength_are_told_apart(tmp_path):
    standing = Match(
        "hex(size=3)",
        "alpha_beta:depth=9",
        "random",
        games=8,
        opening_plies=1,
        native=False,
        record=tmp_path / "m",
    ).run()
    assert standing.estimate is not None and standing.estimate.score > 0.7


def test_dice_are_the_same_in_both_games_of_a_pair(tmp_path):
    record = tmp_path / "m.jsonl"
    Match("pig(goal=10)", "random", "random", games=4, opening_plies=0, native=False, workers=1, record=record).run()
    games = {one["number"]: one for one in lines(record)[1:]}
    for number in (0, 2):
        one, other = games[number]["actions"], games[number + 1]["actions"]
        same = next((ply for ply in range(min(len(one), len(other))) if one[ply] != other[ply]), None)
        if same is not None:  # they part by a player's choice, never by a throw
            assert {one[same], other[same]} == {"roll", "hold"}
    assert games[0]["seed"] != games[2]["seed"]


def test_outside_programs_play_and_misbehave_without_harm_to_the_match(tmp_path):
    record = tmp_path / "m.jsonl"
    good = Match("tic_tac_toe", f"gtp:{fake()}", "random", games=4, workers=1, opening_plies=2, record=record).run()
    assert good.results.games == 4 and good.forfeited == 0
    bad = Match(
        "tic_tac_toe", "random", f"gtp:{fake(mode='crash', after=1)}", games=4, workers=2, opening_plies=1
    ).run()
    assert bad.forfeits["B"]["crash"] + bad.results.games == 4 and bad.forfeits["B"]["crash"] >= 3
    assert bad.with_forfeits is not None and bad.with_forfeits.score > 0.7


def test_a_program_that_can_not_be_started_stops_the_match_before_it_begins(tmp_path):
    record = tmp_path / "m.jsonl"
    wrong = Match("tic_tac_toe", f"gtp:{sys.executable} -c pass", "random", games=4, record=record)
    with pytest.raises(PlyforgeError, match="exit code 0 instead of an answer to 'protocol_version'"):
        wrong.run()
    assert len(lines(record)) == 1


# ------------------------------------------------------------------ workers that die or hang
RULES = """
import os, time
from typing import NamedTuple
from plyforge import Game

class Heap(NamedTuple):
    sticks: int
    player: int

class Deadly(Game):
    worth_compiling = False

    def start(self): return Heap(20, 0)
    def player(self, s): return s.player
    def actions(self, s):
        for n in range(1, min(3, s.sticks) + 1): yield n
    def result(self, s, n): return Heap(s.sticks - n, 1 - s.player)
    def terminal(self, s): return s.sticks == 0
    def utility(self, s): return -1.0 if s.player == 0 else 1.0
    def evaluate(self, s):
        print("rules may print")
        if s.sticks < 14:
            {deed}
        return 0.0
"""


@pytest.mark.parametrize(
    ("deed", "kind", "words"),
    [
        ("os._exit(7)", "crash", "exit code 7"),
        ("os.kill(os.getpid(), 11)", "crash", "signal 11"),
        ("time.sleep(600)", "stall", "no answer in 3 s"),
        ("raise KeyError('lost')", "crash", "KeyError"),
    ],
)
def test_whoever_kills_or_hangs_its_process_loses_and_the_match_goes_on(tmp_path, deed, kind, words):
    rules = tmp_path / "deadly.py"
    rules.write_text(RULES.replace("{deed}", deed))
    match = Match(str(rules), "random", "alpha_beta:depth=1", games=2, opening_plies=0, workers=1, patience=3.0, seed=3)
    standing = match.run()
    assert standing.forfeits["B"] == {kind: 2} and standing.forfeits["A"] == {}
    assert all(words in one.message for one in standing.games), standing.games[0].message
    assert all(len(one.actions) >= 2 for one in standing.games), "what was played before is kept"


ONCE = "os.path.exists({mark!r}) or (open({mark!r}, 'w').close(), os.kill(os.getpid(), 9))"


@pytest.mark.parametrize("always", [False, pytest.param(True, marks=pytest.mark.full)])
def test_a_game_whose_worker_is_ended_from_outside_is_played_again(tmp_path, always):
    rules = tmp_path / "deadly.py"
    deed = "os.kill(os.getpid(), 9)" if always else ONCE.format(mark=str(tmp_path / "mark"))
    rules.write_text(RULES.replace("{deed}", deed))
    match = Match(str(rules), "random", "alpha_beta:depth=1", games=2, opening_plies=0, workers=1, seed=3)
    standing = match.run()
    again = [note for note in match.notes if "is played again: its process was ended by signal 9" in note]
    assert standing.forfeits["B"] == ({"crash": 2} if always else {}) and standing.forfeits["A"] == {}
    assert len(again) == (2 * MOST_REPLAYS if always else 1)
    assert [one.number for one in sorted(standing.games, key=lambda one: one.number)] == [0, 1]


@pytest.mark.parametrize("times", [1, MOST_FAILURES])
def test_a_worker_that_is_ended_from_outside_while_it_starts_is_replaced(monkeypatch, times):
    start, started = Local.start, []

    def start_and_kill(launcher, post):
        started.append(start(launcher, post))
        if len(started) <= times:
            started[-1].process.kill()
        return started[-1]

    monkeypatch.setattr(Local, "start", start_and_kill)
    match = Match("tic_tac_toe", "random", "random", games=2, workers=1)
    if times == MOST_FAILURES:
        with pytest.raises(PlyforgeError, match=r"no worker stays alive, the last one was .* ended by signal 9"):
            match.run()
    else:
        standing = match.run()
        assert standing.results.games == 2 and standing.forfeits["A"] == standing.forfeits["B"] == {}


def test_the_last_words_of_a_worker_are_waited_for(tmp_path, monkeypatch):
    def late(worker):
        for line in worker.process.stderr:
            if line == b"farewell\n":
                time.sleep(0.6)  # a busy machine
            worker.errors.append(line.decode().rstrip())

    monkeypatch.setattr(ProcessWorker, "_read_errors", late)
    rules = tmp_path / "deadly.py"
    rules.write_text(RULES.replace("{deed}", "os.write(2, b'farewell\\n'); os._exit(7)"))
    standing = Match(str(rules), "random", "alpha_beta:depth=1", games=2, opening_plies=0, workers=1, seed=3).run()
    assert all("exit code 7" in one.message and "farewell" in one.message for one in standing.games)


# ------------------------------------------------------------------ killed, and gone on with
def test_a_killed_match_goes_on_to_the_very_same_games(tmp_path):
    whole, record = tmp_path / "whole.jsonl", tmp_path / "killed.jsonl"
    words = [
        "hex(size=3)",
        UCT,
        "random",
        "--games",
        "24",
        "--interpreted",
        "--workers",
        "2",
        "--opening-plies",
        "1",
    ]
    words = [word if word != "1" else "2" for word in words]
    process = subprocess.Popen(
        command(*words, "--record", str(record)), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    wait_for(lambda: record.exists() and record.read_bytes().count(b"\n") >= 5, process)
    workers = children(process.pid)
    process.kill()
    process.wait()
    assert workers and all(gone(worker) for worker in workers), "workers must not outlive their match"
    before = essence(record)
    assert 4 <= len(before) < 24
    with record.open("ab") as file:
        file.write(b'{"number": 23, "first": "B", "act')  # as if it had been cut off while writing
    run = subprocess.run([*command(*words, "--record", str(record)), "--json"], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert "cut off" in run.stderr and json.loads(run.stdout)["games"] == 24
    subprocess.run(command(*words, "--record", str(whole)), check=True, capture_output=True)
    after = essence(record)
    assert before.items() <= after.items()
    assert after == essence(whole)


def test_ctrl_c_keeps_what_is_finished_and_tells_it(tmp_path):
    record = tmp_path / "m.jsonl"
    words = [
        "hex(size=3)",
        UCT,
        "random",
        "--games",
        "40",
        "--interpreted",
        "--record",
        str(record),
        "--json",
    ]
    process = subprocess.Popen(command(*words), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    wait_for(lambda: record.exists() and record.read_bytes().count(b"\n") >= 3, process)
    workers = children(process.pid)
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=2 * PATIENCE)
    assert process.returncode == 130
    found = json.loads(output)
    assert found["interrupted"] and 2 <= found["games"] < 40
    assert found["games"] == len(lines(record)) - 1
    assert "of 40 games: the same command goes on" in errors
    assert all(gone(worker) for worker in workers)


def wait_for(happened: Any, process: subprocess.Popen[Any]) -> None:
    for _ in range(1200):
        if happened():
            return
        assert process.poll() is None, "it ended too early"
        time.sleep(0.05)
    raise AssertionError("it took too long")


def children(parent: int) -> list[int]:
    """The processes that a process has started."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[1]) == parent:
                found.append(int(entry.name))
    return found


def test_a_match_can_be_made_longer(tmp_path):
    record = tmp_path / "m.jsonl"
    small(record).run()
    before = essence(record)
    longer = small(record, games=6, opening_plies=None)
    assert longer.run().finished
    after = essence(record)
    assert len(before) == 4 and len(after) == 6 and before.items() <= after.items()
    assert len(small(record).run().games) == 4  # and a shorter one counts its own


@pytest.mark.full
def test_without_a_record_the_last_match_can_be_gone_on_with(tmp_path):
    words = ["tic_tac_toe", "random", "random", "--games", "2", "--interpreted", "--json"]
    environment = os.environ | {"PLYFORGE_CACHE_DIR": str(tmp_path)}

    def run(*more: str) -> Any:
        return subprocess.run(command(*words, *more), capture_output=True, text=True, env=environment)

    nothing = run("--resume")
    assert nothing.returncode == 2 and "no match of these settings" in nothing.stderr
    first = json.loads(run().stdout)
    written = Path(first["record"]).read_bytes()
    again = json.loads(run("--resume").stdout)
    assert again["record"] == first["record"] and Path(first["record"]).parent.parent == tmp_path
    assert Path(first["record"]).read_bytes() == written, "there was nothing left to play"
    assert len(list(Path(first["record"]).parent.iterdir())) == 1


# ------------------------------------------------------------------ the file
def test_the_record_of_another_match_is_refused_and_left_alone(tmp_path):
    record = tmp_path / "m.jsonl"
    small(record).run()
    content = record.read_bytes()
    for other, words in [
        ({"seed": 5}, "seed is 0 there, and 5 here"),
        ({"seconds": 2.0}, "seconds is null there, and 2.0 here"),
        ({"opening_plies": 2}, "openings is"),
        ({"plies_limit": 7}, "plies_limit is 1000 there"),
    ]:
        with pytest.raises(PlyforgeError, match=words):
            small(record, **other).run()
    with pytest.raises(PlyforgeError, match="players is"):
        Match("tic_tac_toe", "random", "random:seed=2", games=4, native=False, opening_plies=1, record=record).run()
    with pytest.raises(PlyforgeError, match="game is"):
        Match("connect4", "random", "random", games=4, native=False, opening_plies=1, record=record).run()
    assert record.read_bytes() == content


@pytest.mark.parametrize(
    "content", [b"my diary", b"my diary\n", b"{}\n", b"\x00\xff\n\n", b"[1]\n", b'{"format": "x"}\n']
)
def test_a_file_that_is_no_record_is_refused_and_left_alone(tmp_path, content):
    file = tmp_path / "diary"
    file.write_bytes(content)
    with pytest.raises(PlyforgeError, match="not the record of this match"):
        small(file).run()
    assert file.read_bytes() == content


def test_a_damaged_line_in_the_middle_is_named_and_nothing_is_changed(tmp_path):
    record = tmp_path / "m.jsonl"
    small(record).run()
    whole = record.read_bytes().splitlines(keepends=True)
    record.write_bytes(b"".join([*whole[:2], whole[2][:30] + b"\n", *whole[3:]]))
    content = record.read_bytes()
    with pytest.raises(PlyforgeError, match="line 3: not a game"):
        small(record).run()
    assert record.read_bytes() == content
    record.write_bytes(b"".join([*whole, whole[-1]]))
    with pytest.raises(PlyforgeError, match=r"line 6: game \d is there twice"):
        small(record).run()


def test_wherever_a_record_is_cut_off_the_match_goes_on(tmp_path):
    identity = {"game": "x", "seed": 1, "sources": "s"}
    path = tmp_path / "m.jsonl"
    with MatchRecord(path, identity) as record:
        for number in range(3):
            record.add(played(number))
    whole = path.read_bytes()
    header = whole.index(b"\n") + 1
    ends = [place for place, letter in enumerate(whole) if letter == ord("\n")]
    lengths = {*range(0, len(whole), 37), *(end + step for end in ends for step in (0, 1, 2))}
    for length in sorted(length for length in lengths if length < len(whole)):
        path.write_bytes(whole[:length])
        with MatchRecord(path, identity) as record:
            finished = whole[header:length].count(b"\n") if length >= header else 0
            assert list(record.games) == list(range(finished))
            assert record.dropped == (length not in (0, header) and whole[length - 1 : length] != b"\n")
            for number in range(finished, 3):
                record.add(played(number))
        assert path.read_bytes() == whole


def test_a_game_is_never_written_twice_and_a_file_never_by_two(tmp_path):
    path = tmp_path / "m.jsonl"
    with MatchRecord(path, {"seed": 1}) as record:
        record.add(played(3))
        with pytest.raises(PlyforgeError, match="game 3 is there already"):
            record.add(played(3))
        with pytest.raises(PlyforgeError, match="in use"):
            MatchRecord(path, {"seed": 1})
    with MatchRecord(path, {"seed": 1}) as record:
        assert list(record.games) == [3]


def test_changed_sources_are_told_and_not_refused(tmp_path):
    record = tmp_path / "m.jsonl"
    small(record).run()
    found = lines(record)
    found[0]["sources"] = "0" * 16
    record.write_text("".join(json.dumps(line) + "\n" for line in found))
    match = small(record)
    match.run()
    assert any("changed since" in note for note in match.notes)


def test_a_record_that_can_not_be_written_is_a_clear_error(tmp_path):
    for wrong in (tmp_path, tmp_path / "no" / "folder", Path("/dev/null")):
        with pytest.raises(PlyforgeError, match="can't write the record"):
            small(wrong).run()


def test_a_full_disk_is_a_clear_error_and_harms_nothing(tmp_path, monkeypatch):
    path = tmp_path / "m.jsonl"
    with MatchRecord(path, {"seed": 1}) as record:
        record.add(played(0))
        content = path.read_bytes()

        def full(handle: int) -> None:
            raise OSError(28, "No space left on device")

        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", full)
            with pytest.raises(PlyforgeError, match=r"No space left on device. The games before are kept"):
                record.add(played(1))
        assert path.read_bytes() == content
        record.add(played(1))
    with MatchRecord(path, {"seed": 1}) as record:
        assert list(record.games) == [0, 1]


# ------------------------------------------------------------------ what is refused
def test_what_is_no_match_is_refused():
    with pytest.raises(Unsuitable, match=r"between two players; ThreeNim has 3 players. plyforge table"):
        Match("three_nim", "random", "random")
    for wrong in ({"games": 7}, {"games": 0}, {"seed": -1}, {"workers": 0}, {"opening_plies": -2}):
        with pytest.raises(BadLimits):
            small(None, **wrong)
    with pytest.raises(PlyforgeError, match="9 openings, and 40 games need 20: play at most 18 games"):
        small(None, games=40)
    with pytest.raises(Unsuitable):
        Match("pig", "alpha_beta", "random")


def test_states_as_openings_and_programs_do_not_go_together(tmp_path):
    file = tmp_path / "openings"
    game = pf.load("tic_tac_toe")
    file.write_text(f"state: {pf.format_state(game, pf.state_after(game, '5'))}\n")
    with pytest.raises(Unsuitable, match="write the openings as moves"):
        Match(game, f"gtp:{fake()}", "random", games=2, openings=file)
    assert Match(game, "random", "random", games=2, openings=file, native=False, workers=1).run().finished


def test_workers_are_as_many_as_cores_allow(monkeypatch):
    monkeypatch.setattr("plyforge.play.match.match.cores", lambda: 4)
    assert small(None, workers=None).workers == 4
    assert Match("connect4", "random", "engine:threads=2,depth=3", games=2).workers == 2
    assert Match("connect4", "engine:threads=8,depth=3", "random", games=2).workers == 1


# ------------------------------------------------------------------ the sum
def test_forfeits_are_counted_apart_from_results():
    games = [
        played(0), played(1, "draw"), played(2, "B"), played(3, None, reason="time", forfeited="B"),
        played(4, "draw", reason="limit of plies"), played(5, None, reason="crash", forfeited="A"),
    ]  # fmt: skip
    standing = Standing(games, 8)
    assert (standing.results.wins, standing.results.draws, standing.results.losses) == (1, 2, 1)
    assert standing.forfeits["A"] == {"crash": 1} and standing.forfeits["B"] == {"time": 1}
    assert standing.forfeited == 2 and standing.drawn_by_limit == 1 and not standing.finished
    assert standing.estimate is not None and standing.with_forfeits is not None
    assert (standing.estimate.score, standing.estimate.games) == (0.5, 4)
    assert standing.with_forfeits.score == pytest.approx((1 + 0.5 + 0 + 1 + 0.5 + 0) / 6)
    assert standing.as_first.games == 3 and standing.as_second.games == 1
    assert (
        standing.short() == "A +1 =2 -1, 50.0 %, Elo +0 (-348 to +348), 2 forfeits" or "2 forfeits" in standing.short()
    )


def test_times_are_means_over_moves_and_the_longest_overshoot():
    games = [played(0, late=(-0.1, 0.03)), played(1, late=(-0.2, None), used=(0.5, 0.1), moves=(3, 1))]
    standing = Standing(games, 2)
    assert standing.times("A").mean == pytest.approx(0.6 / 4)
    assert standing.times("A").to_json()["longest_overshoot"] == 0.0
    assert standing.times("B").to_json()["longest_overshoot"] == 0.03
    assert json.loads(json.dumps(standing.to_json(), allow_nan=False))["games"] == 2


class LastLegal:
    """Somebody's own player: no description, no history."""

    def choose(self, game, state):
        return pf.legal_moves(game, state)[-1]


@pytest.mark.parametrize(
    ("player", "text"),
    [
        (RandomPlayer(3), "random:seed=3"),
        (SearchPlayer("alpha_beta", depth=2), "alpha_beta:depth=2"),
        (pf.search.Uct(simulations=10, solve=False), "uct:simulations=10,solve=False"),
    ],
)
def test_players_that_text_can_describe_play_as_their_text(player, text):
    match = Match("tic_tac_toe", player, "random", games=2, native=False)
    assert match.players == (text, "random")
    assert match.at_home is None


@pytest.mark.parametrize(
    ("player", "text"),
    [
        (LastLegal(), "LastLegal"),
        (lambda s: pf.legal_moves(pf.load("tic_tac_toe"), s)[-1], "<lambda>"),
        (
            SearchPlayer("alpha_beta", depth=9, evaluate=lambda s: 0.0),
            "alpha_beta:depth=9 with evaluate of its own",
        ),
        (SearchPlayer("alpha_beta"), "alpha_beta"),
    ],
)
def test_players_of_somebodys_own_play_in_this_process(player, text):
    match = Match("tic_tac_toe", player, "random:seed=1", games=4, native=False)
    assert match.players == (text, "random:seed=1")
    standing = match.run()
    assert len(standing.games) == 4
    assert standing.forfeited == 0
    if isinstance(player, SearchPlayer):  # to the end of the game: never loses
        assert standing.results.losses == 0
    # The same games again: seeds and openings are those of any match.
    again = Match("tic_tac_toe", player, "random:seed=1", games=4, native=False).run()
    assert [game.actions for game in again.games] == [game.actions for game in standing.games]


def test_a_player_of_somebodys_own_that_fails_loses_its_games():
    class Broken:
        def choose(self, game, state):
            raise KeyError("nothing")

    standing = Match("tic_tac_toe", Broken(), LastLegal(), games=2, native=False).run()
    assert [(game.reason, game.forfeited) for game in standing.games] == [("crash", "A")] * 2
    assert "KeyError" in standing.games[0].message


def test_what_is_no_player_is_refused_in_a_sentence():
    for player, words in (
        (3, "3 is no player: give a description"),
        (LastLegal, "LastLegal is a class"),
        (Human(), "a person"),
    ):
        with pytest.raises(pf.BadText, match=words):
            Match("tic_tac_toe", player, "random", games=2)


def test_twins_round_a_table_are_told_apart():
    match = TableMatch(
        "three_nim", [LastLegal(), LastLegal(), "random:seed=2"], rounds=1, native=False, opening_plies=0
    )
    assert match.players == ("LastLegal", "LastLegal (2)", "random:seed=2")
    assert len(match.run().games) == 6
