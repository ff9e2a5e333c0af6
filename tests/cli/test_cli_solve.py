"""`plyforge solve` as its users meet it: what it says, what it refuses, and that nothing is lost when it is stopped
or killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import plyforge as pf
from command import as_json, plyforge
from conftest import compiles
from plyforge.errors import BadText
from plyforge.solve import Solver, read_certificate, value_iteration
from plyforge.solve.proof.verify_certificate import verify_certificate
from plyforge.solve.table_file import Standing, describe_table

LONG = "connect4(width=4, height=4, graded=True)"
"""Takes a few seconds interpreted."""


# ------------------------------------------------------------ what it says
def test_it_prints_value_best_actions_and_distance_in_words() -> None:
    text = plyforge("solve", "hexapawn", "--interpreted").stdout
    assert "-1  MIN wins" in text
    assert "a1-a2, b1-b2, c1-c2" in text
    assert "6 plies to the end" in text
    assert "nodes a second" in text
    assert "6 plies" not in plyforge("solve", "hexapawn", "--interpreted", "--no-distance").stdout


def test_with_json_it_prints_one_object_and_nothing_else() -> None:
    found = as_json("solve", "tic_tac_toe", "xo.x.....", "--interpreted", "--threads", 2, "--table-mib", 1)
    solved = Solver(pf.load("tic_tac_toe"), native=False).solve("xo.x.....")
    assert found["value"] == solved.value == 1.0 and found["words"] == "X wins in 4 plies, proven"
    assert sorted(found["best"]) == sorted(solved.best_text())
    assert found["distance"] == solved.distance and found["state"] == "xo.x....."
    assert found["nodes"] > 0 and found["rate"] > 0 and found["native"] is False
    assert found["table"] is None and found["proofs"] == [] and found["certificate"] is None


def test_the_second_prover_agrees_and_the_certificate_is_one(tmp_path: Path) -> None:
    file = tmp_path / "nim.json"
    found = as_json("solve", "nim(heaps=(3, 4, 5))", "--interpreted", "--prove", "--certificate", file)
    assert [proof["proven"] for proof in found["proofs"]] == [True]
    assert found["certificate"]["claim"] == "MAX wins"
    game = pf.load("nim(heaps=(3, 4, 5))")
    assert verify_certificate(read_certificate(file), game) == found["certificate"]["states"] == 51


def test_a_draw_and_a_loss_are_proven_and_certified_too(tmp_path: Path) -> None:
    draw = plyforge(
        "solve", "tic_tac_toe", "xoxo.....", "--interpreted", "--prove", "--certificate", tmp_path / "d.json"
    ).stdout
    assert "a draw" in draw or "wins" in draw
    assert "agrees: X" in draw and "checked against the rules" in draw
    loss = as_json("solve", "hexapawn", "--interpreted", "--prove", "--certificate", tmp_path / "l.json")
    assert [proof["proven"] for proof in loss["proofs"]] == [False, False]  # MAX does not win, and MIN does
    assert loss["certificate"]["claim"] == "MAX gets less than 0"
    assert read_certificate(tmp_path / "l.json")["winner"] == "MIN"


def test_games_with_more_players_are_solved_backwards() -> None:
    found = as_json("solve", "three_nim")
    assert found["using"] == "backward_induction" and found["value"] == list(
        pf.solve.backward_induction(pf.load("three_nim")).value
    )
    dice = as_json("solve", "random_tree(depth=4, dice=True)")
    assert dice["value"] == pf.solve.backward_induction(pf.load("random_tree(depth=4, dice=True)")).value
    assert "by backward induction" in plyforge("solve", "three_nim").stdout
    assert "table is an option of search" in plyforge("solve", "three_nim", "--table", "x", code=2).stderr


CIRCLE = """
from typing import NamedTuple
import plyforge as pf

class Place(NamedTuple):
    at: int
    player: int

class Circle(pf.Game):
    def start(self): return Place(0, 0)
    def player(self, s): return s.player
    def actions(self, s):
        yield 1
        yield 2
    def result(self, s, step): return Place((s.at + step) % 5, 1 - s.player)
    def terminal(self, s): return s.at == 4
    def utility(self, s): return 1.0 if s.player == 1 else -1.0
"""


def test_where_states_can_come_back_values_are_iterated_or_followed_from_the_ends(tmp_path: Path) -> None:
    pig = as_json("solve", "pig(goal=5)", "--interpreted")
    assert pig["using"] == "value_iteration" and pig["best"] == ["roll"]
    assert pig["value"] == pytest.approx(value_iteration(pf.load("pig(goal=5)"), native=False).value)
    (tmp_path / "circle.py").write_text(CIRCLE)
    done = plyforge("solve", tmp_path / "circle.py", "--interpreted", "--json")
    circle = json.loads(done.stdout)
    assert "states can come back" in done.stderr and circle["using"] == "retrograde"
    assert circle["value"] == 1.0 and circle["distance"] == len(circle["line"])


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["tic_tac_toe", "xxx", "--state", "ooo"], "give the state once"),
        (["tic_tac_toe", "rubbish"], "rubbish"),
        (["no_such_game"], "no_such_game"),
        (["hexapawn", "--interpreted", "--threads", "1000"], "threads is 1000"),
        (["hexapawn", "--interpreted", "--table-mib", "-1"], "MiB"),
        (
            ["hexapawn", "--interpreted", "--table", "no/such/folder/t", "--table-mib", "1"],
            "make the folder first",
        ),
        (["hexapawn", "--interpreted", "--certificate", "no/such/folder/t"], "there is no folder"),
        (["hexapawn", "--interpreted", "--checkpoint", "0"], "checkpoint is 0"),
    ],
    ids=str,
)
def test_bad_input_is_one_line_and_exit_code_2(arguments: list[str], says: str, tmp_path: Path) -> None:
    done = plyforge("solve", *arguments, code=2, cwd=tmp_path)
    assert says in done.stderr and done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


def test_a_table_file_of_another_game_or_size_is_refused_and_left_alone(tmp_path: Path) -> None:
    table = tmp_path / "t.table"
    plyforge("solve", "hexapawn", "--interpreted", "--table", table, "--table-mib", 1)
    good = table.read_bytes()
    other = plyforge("solve", "hexapawn(width=4)", "--interpreted", "--table", table, code=2)
    assert "is about Hexapawn(width=3" in other.stderr
    size = plyforge("solve", "hexapawn", "--interpreted", "--table", table, "--table-mib", 2, code=2)
    assert "has 1 MiB: leave table_mib (--table-mib) out" in size.stderr
    table.write_bytes(good[:-5])
    broken = plyforge("solve", "hexapawn", "--interpreted", "--table", table, code=2)
    assert "is damaged" in broken.stderr and table.read_bytes() == good[:-5]
    table.write_bytes(good)
    assert as_json("solve", "hexapawn", "--interpreted", "--table", table, "--no-distance")["nodes"] < 10


# ------------------------------------------------------------ stopped, killed, resumed
def start(spec: str, table: Path, *arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "plyforge", "solve", spec, "--table", str(table), "--json", *arguments]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=dict(os.environ, NO_COLOR="1")
    )


def wait_until(process: subprocess.Popen[str], table: Path, spec: str, far: Callable[[Standing], bool]) -> Standing:
    """Until the table file says that the work has come so far."""
    game = pf.load(spec)
    deadline = time.monotonic() + 300
    while time.monotonic() < deadline:
        assert process.poll() is None, ("it ended too early", process.communicate())
        if table.exists():
            try:
                standing = describe_table(table, game, game.start()).standing
            except BadText as error:
                raise AssertionError("a checkpoint was seen half written") from error
            if far(standing):
                return standing
        time.sleep(0.02)
    raise AssertionError("it never came so far")


def stop_kill_and_go_on(spec: str, table: Path, nodes: int, *arguments: str) -> dict[str, Any]:
    """Ctrl-C after a quarter of the work, a kill after half of it, and the rest in peace."""
    process = start(spec, table, *arguments)
    wait_until(process, table, spec, lambda standing: standing.nodes > nodes // 4)
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=60)
    assert process.returncode == 130, errors
    # a quick machine has the value by then, and only the other actions are left
    assert "the value is " in errors and "the same command goes on from there" in errors
    told = json.loads(output)
    assert told["interrupted"] is True and told["nodes"] > nodes // 4

    process = start(spec, table, *arguments)
    last = wait_until(
        process, table, spec, lambda standing: standing.nodes > max(nodes // 2, told["nodes"] + nodes // 20)
    )
    process.kill()
    process.communicate()
    game = pf.load(spec)
    assert describe_table(table, game, game.start()).standing.nodes >= last.nodes

    process = start(spec, table, *arguments)
    output, errors = process.communicate(timeout=600)
    assert process.returncode == 0, errors
    return json.loads(output)


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_a_solve_in_the_background_that_is_told_to_end_keeps_what_it_has(tmp_path: Path) -> None:
    table = tmp_path / "c4.table"
    usual = signal.signal(signal.SIGINT, signal.SIG_IGN)  # as a shell does for its jobs in the background
    try:
        process = start(LONG, table, "--interpreted", "--checkpoint", "0.1", "--table-mib", "1")
    finally:
        signal.signal(signal.SIGINT, usual)
    wait_until(process, table, LONG, lambda standing: standing.nodes > 0)
    process.terminate()
    output, errors = process.communicate(timeout=60)
    assert process.returncode == 130 and "the same command goes on from there" in errors
    assert json.loads(output)["interrupted"] is True


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_a_solve_that_was_stopped_and_then_killed_goes_on_from_its_last_checkpoint(tmp_path: Path) -> None:
    whole = Solver(pf.load(LONG), native=False, table_mib=1).solve()
    found = stop_kill_and_go_on(
        LONG, tmp_path / "c4.table", whole.nodes, "--interpreted", "--checkpoint", "0.1", "--table-mib", "1"
    )
    assert found["value"] == whole.value and found["best"] == whole.best_text()
    assert found["nodes"] < 0.75 * whole.nodes
    assert found["nodes_in_all"] > 0.5 * whole.nodes


@compiles
@pytest.mark.full
@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_a_compiled_solve_that_was_killed_goes_on_from_its_last_checkpoint(tmp_path: Path) -> None:
    spec = "connect4(width=7, height=5, graded=True)"
    whole = Solver(pf.load(spec), table_mib=4).solve()
    found = stop_kill_and_go_on(spec, tmp_path / "c4.table", whole.nodes, "--checkpoint", "0.3", "--table-mib", "4")
    assert found["value"] == whole.value == 0.0 and found["best"] == whole.best_text()
    assert found["nodes"] < 0.75 * whole.nodes
