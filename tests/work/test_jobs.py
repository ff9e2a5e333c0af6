"""What Plyforge does by many workers is what one process does: rollouts, learning, tables, databases, checks."""

from __future__ import annotations

import json

import numpy as np
import pytest
from click.testing import CliRunner

from plyforge.check import check
from plyforge.cli import plyforge_command
from plyforge.errors import BadText, PlyforgeError, Unsuitable
from plyforge.games import load
from plyforge.learn import TemporalDifferences
from plyforge.play.match.multiplayer import TableMatch
from plyforge.solve import rollouts
from plyforge.solve.endings.build import Builder, build
from plyforge.solve.endings.by_workers import build_by_workers

PLAYERS = ("random", "max_n:depth=2", "random")


def test_workers_roll_out_the_same_games_to_the_last_bit() -> None:
    how = {"games": 30, "adjust": True, "native": False, "plies": 12}
    alone = rollouts("pig", "80 85 10 max", **how)
    shared = rollouts("pig", "80 85 10 max", workers=2, **how)
    assert [entry.action for entry in alone.entries] == [entry.action for entry in shared.entries]
    for one, other in zip(alone.entries, shared.entries, strict=True):
        assert np.array_equal(one.values, other.values) and np.array_equal(one.unadjusted, other.unadjusted)
    with pytest.raises(Unsuitable, match="workers know the game's own evaluation only"):
        rollouts("pig", evaluate=lambda s: 0.0, workers=2, **how)


def test_what_is_learned_depends_on_the_shards_and_not_on_the_workers(tmp_path) -> None:
    def learned(name: str, games: int = 30, **who) -> np.ndarray:
        how = {"games": games, "units": 4, "batch": 10, "native": False}
        return TemporalDifferences("connect4(width=4, height=3)", tmp_path / name, **how, **who).run().first.copy()

    one, two = learned("one"), learned("two", shards=2)
    assert not np.array_equal(one, two)
    assert np.array_equal(two, learned("workers", workers=2))
    learned("stopped", games=10, shards=2)
    with pytest.raises(PlyforgeError, match="a network of another run"):
        learned("stopped", shards=3)


def test_workers_play_the_same_table_and_go_on_with_what_one_process_began(tmp_path) -> None:
    def played(name: str, rounds: int, **who) -> set[str]:
        how = {"rounds": rounds, "native": False, "record": tmp_path / name}
        TableMatch("three_nim(sticks=12)", PLAYERS, **how, **who).run()
        return set((tmp_path / name).read_text().splitlines())

    alone = played("alone", 3)
    played("shared", 1)
    assert played("shared", 3, workers=2) == alone
    with pytest.raises(Unsuitable, match="workers can't be given objects"):
        TableMatch("three_nim(sticks=12)", ("random", lambda s: 1, "random"), workers=2)


def test_rules_of_ones_own_go_to_workers_by_their_files(tmp_path) -> None:
    rules = tmp_path / "race.py"
    rules.write_text(
        "import plyforge as pf\n"
        "class Race(pf.Game):\n"
        "    def start(self): return (0, 0)\n"
        "    def player(self, s): return s[1] % 2\n"
        "    def actions(self, s): return (1, 2)\n"
        "    def result(self, s, a): return (s[0] + a, s[1] + 1)\n"
        "    def terminal(self, s): return s[0] >= 8\n"
        "    def utility(self, s): return 1.0 if s[1] % 2 == 1 else -1.0\n"
    )
    alone, shared = (rollouts(str(rules), games=8, native=False, workers=workers) for workers in (None, 2))
    assert str(alone) == str(shared)


def test_the_command_line_says_where_work_can_be_done() -> None:
    run = CliRunner().invoke
    said = run(plyforge_command, ["rollout", "pig", "--games", "8", "--interpreted", "--on", "mars"])
    assert isinstance(said.exception, BadText) and "'mars' is no place for work" in str(said.exception)
    arguments = ["rollout", "pig", "--games", "16", "--plies", "4", "--interpreted", "--json"]
    alone, shared = (json.loads(run(plyforge_command, arguments + more).stdout) for more in ([], ["--on", "local*2"]))
    assert alone["entries"] == shared["entries"]


def test_slices_of_a_database_come_out_the_same_byte_for_byte(tmp_path, monkeypatch) -> None:
    """Also where the look at a few states does not show what a slice leads to."""
    alone = build("checkers", 2, tmp_path / "alone", native=False)
    usual = Builder.todo
    monkeypatch.setattr(Builder, "todo", lambda self: {code: set() for code in reversed(usual(self))})
    slices: list[str] = []
    how = {"workers": 1, "native": False, "on_progress": lambda progress: slices.append(progress.slice)}
    shared = build_by_workers("checkers", 2, tmp_path / "shared", **how)
    assert slices == ["k-k", "k-m", "m-m"], "asked for the other way round"
    assert shared.counts == alone.counts and shared.built == alone.built == 3
    files = sorted(path.name for path in (tmp_path / "alone").glob("[!.]*"))
    assert len(files) == 6
    for name in files:
        assert (tmp_path / "alone" / name).read_bytes() == (tmp_path / "shared" / name).read_bytes()
    assert build_by_workers("checkers", 2, tmp_path / "shared", workers=2, native=False).built == 0


def test_walks_of_a_check_find_the_same_whoever_does_them(tmp_path) -> None:
    """A mistake so late in the game that no look from the start gets there."""
    rules = tmp_path / "late.py"
    rules.write_text(
        "import plyforge as pf\n"
        "class Late(pf.Game):\n"
        "    def start(self): return (0, 0)\n"
        "    def player(self, s): return s[1] % 2\n"
        "    def actions(self, s): return (1, 2, 3) if s[1] < 150 else (1, 1)\n"
        "    def result(self, s, a): return (s[0] * 3 + a if s[1] < 12 else s[0] + a, s[1] + 1)\n"
        "    def terminal(self, s): return s[1] >= 300\n"
        "    def utility(self, s): return 1.0 if s[0] % 2 else -1.0\n"
    )
    how = ["check", str(rules), "--seconds", "60", "--states", "60", "--interpreted", "--json", "--walks", "3"]
    assert check(load(str(rules)), 60.0, 60, native=False).ok, "not from the start"
    one, two = (CliRunner().invoke(plyforge_command, [*how, "--workers", str(many)]) for many in (1, 2))
    said, again = json.loads(one.stdout), json.loads(two.stdout)
    assert one.exit_code == 1 and said["violations"] and said["states"] > 120
    said.pop("seconds"), again.pop("seconds")
    assert said == again
