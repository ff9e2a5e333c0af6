"""The endings of checkers: as many wins, draws and losses as published, probes at both speeds, and the command line."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from typing import Any

import numpy as np
import pytest

import plyforge as pf
from conftest import compiles
from known.checkers import OUTCOMES
from patience import PATIENCE
from plyforge.cli import plyforge_command
from plyforge.contract import MAX
from plyforge.endings.database import Database
from plyforge.endings.files import DRAW, LOSS, UNKNOWN, WIN
from plyforge.endings.probe import probe
from plyforge.kernel import kernel
from plyforge.kernel.entry import native_function
from plyforge.solve import strongly
from plyforge.solve.endings.build import build
from plyforge.solve.endings.verify import verify_database

GAME = pf.load("checkers")


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Database:
    folder = tmp_path_factory.mktemp("two")
    build(GAME, 2, folder, native=False)
    return Database.open(folder, GAME)


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> Database:
    folder = tmp_path_factory.mktemp("three")
    build(GAME, 3, folder, native=True)
    return Database.open(folder, GAME)


def published(pieces: int) -> dict[str, int]:
    return dict(zip(("win", "draw", "loss"), OUTCOMES[pieces], strict=True))


def counted(database: Database, pieces: int) -> dict[str, int]:
    headers = [file.header for kind, file in database.files.items() if sum(kind) == pieces]
    return {name: sum(header["counts"][name] for header in headers) for name in ("win", "draw", "loss")}


def test_two_pieces_are_won_drawn_and_lost_as_often_as_published(two):
    assert counted(two, 2) == published(2) == {"win": 716, "draw": 2370, "loss": 402}


@compiles
def test_three_pieces_are_won_drawn_and_lost_as_often_as_published(three):
    assert counted(three, 2) == published(2)
    assert counted(three, 3) == published(3)


@compiles
@pytest.mark.full
def test_four_pieces_are_won_drawn_and_lost_as_often_as_published_small_and_verified(tmp_path):
    began = time.perf_counter()
    built = build(GAME, 4, tmp_path, native=True)
    assert time.perf_counter() - began < 120
    database = Database.open(tmp_path, GAME)
    for pieces in (2, 3, 4):
        assert counted(database, pieces) == published(pieces)
    assert built.bits_per_state == pytest.approx(database.bits_per_state) and built.bits_per_state < 1.5
    assert verify_database(database, native=True).counts == built.counts


@compiles
@pytest.mark.full
def test_the_verifier_agrees_with_three_pieces(three):
    assert verify_database(three, native=True).counts == three.counts


@compiles
def test_files_of_two_pieces_are_the_same_bytes_compiled(two, three):
    for kind in two.files:
        name = f"{GAME.tablebase.format_slice(GAME, kind)}.values"
        slow, fast = two.files[kind], three.files[kind]
        assert (slow.section("content") == fast.section("content")).all(), name
        assert (two.all_distances(kind) == three.all_distances(kind)).all(), name


@kernel
def ask_many(game, database, codes, places, values):
    """As a search would, one after the other."""
    for number in range(len(codes)):
        values[number] = probe(game, database, game.tablebase.state_at(game, codes[number], places[number]))


@compiles
def test_compiled_probes_say_what_interpreted_ones_do(three):
    dice = random.Random(1)
    kinds = list(three.files)
    chosen = [dice.choice(kinds) for _ in range(500)]
    codes = np.array([GAME.tablebase.slice_code(GAME, kind) for kind in chosen])
    places = np.array([dice.randrange(GAME.tablebase.slice_size(GAME, kind)) for kind in chosen])
    values = np.zeros(500, np.int64)
    args = (GAME, three.address, codes, places, values)
    native_function(ask_many, *args)(*args)
    for number in range(500):
        assert values[number] == three.code(GAME.tablebase.state_at(GAME, int(codes[number]), int(places[number])))
    assert values.min() > UNKNOWN


def test_endings_that_anyone_sees_are_judged_right(two):
    for mover in "WB":  # who moves captures the other's last piece
        assert two.outcome(f"{mover}:WK10:BK6") == "win" and two.distance(f"{mover}:WK10:BK6") == 1
        assert len(two.line(f"{mover}:WK10:BK6")) == 1
    assert two.outcome("W:WK32:BK1") == "draw" and two.line("W:WK32:BK1") == ()
    assert two.outcome("W:W32:B27") == "win" and two.distance("W:W32:B27") == 1


def test_both_sides_to_move_are_answered_though_one_is_stored(two):
    dice = random.Random(2)
    for kind in two.files:
        for _ in range(20):
            state = GAME.tablebase.state_at(
                GAME, GAME.tablebase.slice_code(GAME, kind), dice.randrange(GAME.tablebase.slice_size(GAME, kind))
            )
            assert state.player == MAX
            values = [two.code(GAME.result(state, action)) for action in pf.legal_moves(GAME, state)]
            if not GAME.terminal(state):
                assert two.code(state) == max(values)  # MAX chooses
            other = state._replace(player=1)
            if not GAME.terminal(other):
                assert two.code(other) == min(two.code(GAME.result(other, a)) for a in pf.legal_moves(GAME, other))


def test_every_state_that_follows_from_an_ending_is_worth_what_retrograde_analysis_without_an_index_says(two):
    solved = strongly(GAME, "B:W21:B12", native=False)
    seen = 0
    for state in solved.lookup.all():
        assert two.code(state) == {-1.0: LOSS, 0.0: DRAW, 1.0: WIN}[solved.value_of(state)]
        assert two.distance(state) == solved.distance_of(state)
        seen += 1
    assert seen > 1000


def test_what_has_too_many_pieces_is_unknown(two):
    assert two.code(GAME.start()) == UNKNOWN
    assert two.outcome("W:WK3:B2,7") is None and two.distance("W:WK3:B2,7") is None


# ------------------------------------------------------------ the command line
def run(*arguments: str) -> tuple[int, str, str]:
    from click.testing import CliRunner

    done = CliRunner().invoke(plyforge_command, ["solve", *arguments])
    return done.exit_code, done.stdout, done.stderr + ("" if done.exception is None else str(done.exception))


def test_a_position_is_looked_up(two):
    code, out, _ = run("checkers", "--state", "W:WK3:B2", "--table", str(two.folder))
    assert code == 0 and "draw: White draws" in out
    code, out, _ = run("checkers", "--state", "W:WK10:BK6", "--table", str(two.folder), "--json")
    found = json.loads(out)
    assert code == 0 and found["outcome"] == "win" and found["distance"] == 1 and len(found["line"]) == 1
    assert found["best"] == found["line"]


def test_the_folder_describes_itself(two):
    code, out, _ = run("checkers", "--table", str(two.folder), "--json")
    found = json.loads(out)
    assert code == 0 and found["counts"] == {"win": 716, "draw": 2370, "loss": 402} and len(found["slices"]) == 3
    code, out, _ = run("checkers", "--table", str(two.folder))
    assert code == 0 and "k-m" in out


def test_it_is_built_and_verified(tmp_path):
    arguments = ("checkers", "--table", str(tmp_path / "new"), "--interpreted")
    code, out, err = run(*arguments, "--pieces", "2", "--json")
    found = json.loads(out)
    assert code == 0 and found["built"] == 3 and found["counts"]["win"] == 716, err
    code, out, _ = run(*arguments, "--pieces", "2")
    assert code == 0 and "there already" in out
    code, out, _ = run(*arguments, "--verify", "--json")  # interpreted
    assert code == 0 and json.loads(out)["states"] == 3488
    assert json.loads(out)["counts"] == found["counts"]


def test_what_means_nothing_is_refused(two, tmp_path):
    folder = str(two.folder)
    for arguments, says in {
        ("checkers", "--pieces", "2"): "--table",
        ("checkers", "--verify"): "--table",
        ("checkers", "--pieces", "2", "--table", folder, "--verify"): "build first",
        ("checkers", "--pieces", "2", "--table", folder, "--prove"): "--prove",
        ("checkers", "--pieces", "2", "--table", folder, "--strongly"): "--strongly",
        ("checkers", "--state", "W:WK3:B2", "--table", folder, "--threads", "2"): "threads is an option of search",
        ("tic_tac_toe", "--strongly", "--prove"): "--prove",
        ("tic_tac_toe", "--memory-mib", "5"): "--memory-mib",
        ("tic_tac_toe", "--pieces", "2", "--table", str(tmp_path)): "no index",
        ("checkers", "--pieces", "0", "--table", str(tmp_path)): "pieces",
        ("checkers", "--pieces", "4", "--table", str(tmp_path), "--memory-mib", "3", "--interpreted"): "MiB of memory",
        ("checkers", "--state", "W:WK3,K9:BK2", "--table", folder): "is not in",
        ("checkers", "--state", "W:WK3:BK2", "--table", str(tmp_path)): "build some first",
        ("checkers", "--state", "W:W3:BK2", "--table", folder): "",
        ("checkers", "--state", "W:WK3:BK2", "--table", str(tmp_path / "nowhere")): "there is no folder",
        ("three_mens_morris", "--certificate", str(tmp_path / "c")): "from its ends backwards",
    }.items():
        code, _, err = run(*arguments)
        assert code != 0 and says in err, (arguments, err)


def test_every_state_of_a_small_game_from_the_command_line(tmp_path):
    arguments = ("three_mens_morris", "--strongly", "--interpreted", "--table", str(tmp_path / "m"))
    code, out, _ = run(*arguments)
    assert code == 0 and "X wins" in out and "5,390" in out and "kept in" in out
    code, out, _ = run(*arguments, "--json")
    found = json.loads(out)
    assert found["value"] == 1.0 and found["distance"] == 9 and found["read"] and found["states"] == 5390
    code, _, err = run("tic_tac_toe", "--strongly", "--interpreted", "--table", str(tmp_path / "m"))
    assert code != 0 and "is about" in err


def test_control_c_stops_a_build_and_says_how_to_go_on(tmp_path):
    command = [
        sys.executable,
        "-m",
        "plyforge",
        "solve",
        "checkers",
        "--pieces",
        "3",
        "--interpreted",
        "--table",
        str(tmp_path),
    ]
    child: Any = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    end = time.monotonic() + 2 * PATIENCE
    while not (tmp_path / "k-k.values").exists() and time.monotonic() < end:
        time.sleep(0.01)
    os.kill(child.pid, signal.SIGINT)
    _, err = child.communicate(timeout=2 * PATIENCE)
    assert child.returncode == 130, err
    assert "goes on from there" in err and "Traceback" not in err
    assert not list(tmp_path.glob(".plyforge-*"))
