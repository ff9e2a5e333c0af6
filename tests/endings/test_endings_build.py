"""Databases of endings: random games with an index against retrograde analysis of the whole, the verifier, and all
that can happen to files."""

from __future__ import annotations

import itertools
import os
import signal
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plyforge as pf
from conftest import compiles
from patience import FOR_A_PROCESS
from plyforge.contract import MAX, Game, TablebaseIndex
from plyforge.endings import files
from plyforge.endings.database import Database
from plyforge.endings.files import (
    BLOCK,
    DRAW,
    LOSS,
    MOST_BYTES,
    UNKNOWN,
    WIN,
    pack_values,
    unpack_values,
    values_path,
)
from plyforge.endings.probe import probe
from plyforge.kernel import kernel
from plyforge.kernel.entry import native_function
from plyforge.search import Control
from plyforge.solve import strongly
from plyforge.solve.endings import build as endings_build
from plyforge.solve.endings.build import build
from plyforge.solve.endings.verify import verify_database


# ------------------------------------------------------------ packing
def packed(values: np.ndarray, pack: Any = pack_values) -> tuple[np.ndarray, np.ndarray]:
    blocks = -(-len(values) // BLOCK)
    content, starts = np.zeros(blocks * MOST_BYTES, np.uint8), np.zeros(blocks + 1, np.uint32)
    return content[: pack(values, content, starts)], starts


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(1, 700)), max_size=20), st.integers(0, 2**32 - 1))
def test_values_come_back_as_they_were_packed_but_for_those_without_a_state(runs, seed):
    noise = np.random.default_rng(seed).integers(0, 4, 50)
    values = np.concatenate([np.zeros(0, int), *[np.full(n, v) for v, n in runs], noise]).astype(np.uint8)
    content, starts = packed(values)
    again = np.zeros(len(values), np.uint8)
    unpack_values(content, starts, again)
    assert ((again == values) | (values == 0)).all()
    assert ((again >= 1) & (again <= 3)).all()


@compiles
def test_packing_is_the_same_at_both_speeds():
    values = np.random.default_rng(1).integers(0, 4, 5000).repeat(3).astype(np.uint8)
    values[2000:7000] = 3
    slow, fast = (
        packed(values),
        packed(values, native_function(pack_values, values, values, np.zeros(1, np.uint32))),
    )
    assert (slow[0] == fast[0]).all() and (slow[1] == fast[1]).all()


def test_a_long_run_costs_a_few_bytes():
    content, _ = packed(np.full(BLOCK, WIN, np.uint8))
    assert len(content) <= 6


# ------------------------------------------------------------ random games with an index
class Place(NamedTuple):
    vertex: int
    turned: int
    """1: the sides are exchanged."""


class Layer(NamedTuple):
    number: int


class LayersTablebase(TablebaseIndex):
    def slices(self, game, pieces: int) -> list[Layer]:
        return [Layer(n) for n in range(1, min(pieces + 1, len(game.first) - 1))]

    def slice_size(self, game, kind: Layer) -> int:
        return game.first[kind.number + 1] - game.first[kind.number]

    def slice_code(self, game, kind: Layer) -> int:
        return 3 * kind.number  # codes need not be without gaps

    def canonical(self, game, s: Place) -> tuple[Place, bool]:
        return Place(s.vertex, 0), s.turned == 1

    def slice_of(self, game, s: Place) -> int:
        for number in range(1, len(game.first) - 1):
            if game.first[number] <= s.vertex < game.first[number + 1]:
                return 3 * number
        return -1

    def index(self, game, s: Place) -> int:
        return s.vertex - game.first[game.tablebase.slice_of(game, s) // 3]

    def state_at(self, game, code: int, index: int) -> Place:
        return Place(game.first[code // 3] + index, 0)

    def index_valid(self, game, s: Place) -> bool:
        return game.holes[s.vertex] == 0


@dataclass(frozen=True)
class Layers(Game):
    """A random graph in layers: edges stay in a layer or go to a lower one, and may exchange the sides. Layer 0 is
    outside of the index, and over.

    Vertices are numbered layer after layer; `first[n]` is where layer n begins.
    """

    tablebase = LayersTablebase()

    first: tuple[int, ...]
    movers: tuple[int, ...]
    first_edge: tuple[int, ...]
    """Where the edges of a vertex begin, and one more."""
    edges: tuple[int, ...]
    """Twice the vertex, plus 1 if the sides are exchanged. At least one, for the compiler's sake."""
    payoff: tuple[float, ...]
    holes: tuple[int, ...]
    """1: a number without a state."""

    def start(self) -> Place:
        return Place(len(self.movers) - 1, 0)

    def player(self, s: Place) -> int:
        return self.movers[s.vertex] ^ s.turned

    def actions(self, s: Place) -> Iterator[int]:
        for number in range(self.first_edge[s.vertex + 1] - self.first_edge[s.vertex]):
            yield number

    def result(self, s: Place, action: int) -> Place:
        edge = self.edges[self.first_edge[s.vertex] + action]
        return Place(edge >> 1, s.turned ^ (edge & 1))

    def terminal(self, s: Place) -> bool:
        return self.first_edge[s.vertex] == self.first_edge[s.vertex + 1]

    def utility(self, s: Place) -> float:
        return -self.payoff[s.vertex] if s.turned else self.payoff[s.vertex]


def layers(first: Any, movers: Any, edges: Any, payoff: Any, holes: Any) -> Layers:
    """The same with the edges of each vertex in a tuple of their own."""
    return Layers(
        first,
        movers,
        (0, *itertools.accumulate(map(len, edges))),
        (*itertools.chain(*edges), 0),
        payoff,
        holes,
    )


@st.composite
def layered(draw: Any) -> Layers:
    sizes = [draw(st.integers(1, 5)) for _ in range(draw(st.integers(2, 4)))]
    first = (0, *itertools.accumulate(sizes))
    movers, edges, holes = [], [], [0] * first[-1]
    for layer in range(1, len(sizes)):
        for vertex in range(first[layer], first[layer + 1] - 1):
            holes[vertex] = draw(st.integers(0, 5)) // 5
    solid = [vertex for vertex in range(first[-1]) if not holes[vertex]]
    for layer in range(len(sizes)):
        for _ in range(first[layer], first[layer + 1]):
            reach = [2 * vertex + side for vertex in solid if vertex < first[layer + 1] for side in (0, 1)]
            movers.append(draw(st.integers(0, 1)))
            edges.append(tuple(draw(st.lists(st.sampled_from(reach), max_size=4)) if layer else ()))
    payoff = draw(st.tuples(*[st.sampled_from([-1.0, 0.0, 1.0])] * first[-1]))
    return layers(first, tuple(movers), edges, payoff, tuple(holes))


def every_state(game: Layers) -> Iterator[Place]:
    for vertex, turned in itertools.product(range(game.first[1], len(game.movers)), (0, 1)):
        if not game.holes[vertex]:
            yield Place(vertex, turned)


@settings(max_examples=40, deadline=None)
@given(layered(), st.integers(1, 3))
def test_random_endings_are_worth_what_retrograde_analysis_of_the_whole_says(game, threads):
    with tempfile.TemporaryDirectory() as folder:
        built = build(game, 9, folder, threads=threads, native=False)
        database = Database.open(folder, game)
        for state in every_state(game):
            solved = strongly(game, state, native=False)
            assert database.code(state) == {-1.0: LOSS, 0.0: DRAW, 1.0: WIN}[solved.value]
            assert database.distance(state) == (None if solved.value == 0 else solved.distance)
            assert set(database.best(state)) == set(solved.best)
            if solved.value != 0:
                assert len(database.line(state)) == solved.distance
        verified = verify_database(database, native=False)
        assert verified.counts == built.counts == database.counts
        assert verified.states == sum(1 for _ in every_state(game)) // 2


EDGES = ((), (), (7,), (0, 8, 9), (7, 1), (10, 4), (13, 19, 12), (17,), (5,), (15,), (), (16,))
FIXED = layers(
    first=(0, 2, 6, 12),
    movers=(1, 1, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1),
    edges=EDGES,
    payoff=(1.0, -1.0) + (0.0,) * 10,
    holes=(0,) * 12,
)


def with_edges(*edges: tuple[int, ...]) -> Layers:
    """The same vertices, other edges."""
    return layers(FIXED.first, FIXED.movers, edges, FIXED.payoff, FIXED.holes)


@kernel
def ask(game, database, state):
    """As a search would."""
    return probe(game, database, state)


@compiles
def test_files_are_the_same_bytes_at_both_speeds_and_with_any_number_of_threads(tmp_path):
    for name, native, threads in [
        ("slow", False, 1),
        ("fast", True, 1),
        ("two", True, 2),
        ("five", False, 5),
    ]:
        build(FIXED, 9, tmp_path / name, native=native, threads=threads)
    files = sorted(path.name for path in (tmp_path / "slow").iterdir() if path.name[0] != ".")
    assert len(files) == 4
    for name in ("fast", "two", "five"):
        for file in files:
            assert (tmp_path / name / file).read_bytes() == (tmp_path / "slow" / file).read_bytes()
    database = Database.open(tmp_path / "slow", FIXED)
    assert verify_database(database, native=True).native
    asked = native_function(ask, FIXED, database.address, FIXED.start())
    for state in every_state(FIXED):
        assert asked(FIXED, database.address, state) == database.code(state)
        assert asked(FIXED, 0, state) == UNKNOWN


def test_sides_that_do_not_draw_alike_are_not_exchanged(tmp_path):
    class Uneven(Layers):
        max_utility = 3.0

    fields = {name: getattr(FIXED, name) for name in ("first", "movers", "first_edge", "edges", "payoff", "holes")}
    with pytest.raises(pf.Unsuitable, match="not worth the same"):
        build(Uneven(**fields), 9, tmp_path, native=False)


# ------------------------------------------------------------ the verifier
@pytest.mark.parametrize("what", ["value", "distance"])
def test_the_verifier_names_the_state_that_is_wrong(tmp_path, what):
    build(FIXED, 9, tmp_path, native=False)
    database = Database.open(tmp_path, FIXED)
    kind = FIXED.tablebase.slices(FIXED, 9)[1]
    size = FIXED.tablebase.slice_size(FIXED, kind)
    states = [
        FIXED.tablebase.state_at(FIXED, FIXED.tablebase.slice_code(FIXED, kind), number) for number in range(size)
    ]
    values = np.array([database.code(state) for state in states], np.uint8)
    distances = np.array([database.distance(state) or 0 for state in states], np.uint16)
    about = dict(database.files[kind].header)
    wrong = next(n for n in range(size) if values[n] != DRAW)
    if what == "value":
        values[wrong] = 4 - values[wrong]
    else:
        distances[wrong] += 2
    files.write_values(values_path(tmp_path, about["slice"]), about, values, pack_values)
    files.write_distances(files.distances_path(tmp_path, about["slice"]), about, distances)
    with pytest.raises(pf.BadText, match=r"does not follow"):
        verify_database(Database.open(tmp_path, FIXED), native=False)


# ------------------------------------------------------------ what can go wrong
def folder_bytes(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if not path.name.startswith(".")}


def test_a_build_that_was_stopped_goes_on_and_ends_with_the_same_bytes(tmp_path, monkeypatch):
    build(FIXED, 9, tmp_path / "whole", native=False)
    write = endings_build.write_values

    def stops_at_the_second(path: Path, *rest: Any) -> int:
        if path.stem == "2":
            raise KeyboardInterrupt
        return write(path, *rest)

    monkeypatch.setattr(endings_build, "write_values", stops_at_the_second)
    with pytest.raises(KeyboardInterrupt):
        build(FIXED, 9, tmp_path / "part", native=False)
    monkeypatch.undo()
    assert "1.values" in folder_bytes(tmp_path / "part") and "2.values" not in folder_bytes(tmp_path / "part")
    before = (tmp_path / "part" / "1.values").stat().st_mtime_ns
    (tmp_path / "part" / ".plyforge-0123456789abcdef.part").write_bytes(b"half a file")
    built = build(FIXED, 9, tmp_path / "part", native=False)
    assert built.built == 1 and built.slices == 2
    assert (tmp_path / "part" / "1.values").stat().st_mtime_ns == before
    assert folder_bytes(tmp_path / "part") == folder_bytes(tmp_path / "whole")
    assert not list((tmp_path / "part").glob(".plyforge-*"))
    assert build(FIXED, 9, tmp_path / "part", native=False).built == 0


def test_a_killed_process_costs_no_more_than_the_slice_in_work(tmp_path):
    folder = tmp_path / "killed"
    program = textwrap.dedent(
        f"""
        import os, signal
        from pathlib import Path
        import plyforge as pf
        from plyforge.solve.endings.build import build

        def kill_in_the_middle(progress):
            if Path({str(folder)!r}, "k-k.values").exists() and progress.states:
                os.kill(os.getpid(), signal.SIGKILL)

        build(pf.load("checkers"), 2, {str(folder)!r}, native=False, on_progress=kill_in_the_middle)
        """
    )
    child = subprocess.run([sys.executable, "-c", program], timeout=FOR_A_PROCESS)
    assert child.returncode == -signal.SIGKILL
    kept = folder_bytes(folder)
    assert "k-k.values" in kept and "m-m.values" not in kept
    built = build(pf.load("checkers"), 2, folder, native=False)
    assert built.built < built.slices
    assert built.counts == {"win": 716, "draw": 2370, "loss": 402}
    assert {name: folder_bytes(folder)[name] for name in kept} == kept


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_a_full_disk_is_said_and_harms_nothing(tmp_path, monkeypatch, number):
    calls = itertools.count(1)

    def full(handle: int) -> None:
        if next(calls) == number:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr("plyforge.atomic.os.fsync", full)
    monkeypatch.setattr("plyforge.atomic.os.name", "not posix")  # so that folders are not synced
    with pytest.raises(pf.PlyforgeError, match=r"No space left on device: it needs .* MiB"):
        build(FIXED, 9, tmp_path, native=False)
    monkeypatch.undo()
    assert not list(tmp_path.glob(".plyforge-*"))
    assert build(FIXED, 9, tmp_path, native=False).built == (2 if number <= 2 else 1)
    verify_database(Database.open(tmp_path, FIXED), native=False)


def test_a_real_limit_on_the_size_of_files_is_a_clear_error(tmp_path):
    program = textwrap.dedent(
        f"""
        import resource, signal
        import plyforge as pf
        from plyforge.solve.endings.build import build
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (600, 600))
        try:
            build(pf.load("checkers"), 2, {str(tmp_path)!r}, native=False)
        except pf.PlyforgeError as error:
            print(error)
        """
    )
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=FOR_A_PROCESS)
    assert "can't be written" in said.stdout and "MiB" in said.stdout, said
    assert [path.name for path in tmp_path.iterdir()] == [".building"]


def test_a_folder_that_cannot_be_written_is_said_before_anything_is_done(tmp_path):
    (tmp_path / "file").write_text("no folder")
    for folder in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(pf.PlyforgeError, match="can't be written"):
            build(FIXED, 9, folder, native=False)
    assert (tmp_path / "file").read_text() == "no folder"
    if os.geteuid() != 0:
        (tmp_path / "closed").mkdir(mode=0o500)
        with pytest.raises(pf.PlyforgeError, match="where you may write"):
            build(FIXED, 9, tmp_path / "closed", native=False)


def test_two_builders_keep_out_of_each_others_folder(tmp_path):
    builder = endings_build.Builder(FIXED, 9, tmp_path, 1, 100.0, False)
    with builder.alone_in_folder(), pytest.raises(pf.PlyforgeError, match="another process"):
        build(FIXED, 9, tmp_path, native=False)
    build(FIXED, 9, tmp_path, native=False)


def test_what_does_not_fit_is_refused_before_anything_is_begun(tmp_path):
    with pytest.raises(pf.BadLimits, match=r"needs about .* MiB of memory"):
        build(pf.load("checkers"), 4, tmp_path, memory_mib=20, native=False)
    assert [path.name for path in tmp_path.iterdir()] == [".building"]


def test_a_build_can_be_stopped_from_another_thread(tmp_path):
    control = Control()
    control.stop()
    with pytest.raises(pf.PlyforgeError, match="stopped"):
        build(FIXED, 9, tmp_path, native=False, control=control)
    assert not folder_bytes(tmp_path)


def test_nonsense_is_refused(tmp_path):
    for pieces in (0, -1, True, 2.5, "4"):
        with pytest.raises(pf.BadLimits, match="pieces"):
            build(FIXED, pieces, tmp_path)  # type: ignore[arg-type]
    for more in ({"threads": 0}, {"memory_mib": 0}, {"memory_mib": float("nan")}):
        with pytest.raises(pf.BadLimits):
            build(FIXED, 1, tmp_path, native=False, **more)
    with pytest.raises(pf.Unsuitable, match="has no index"):
        build(pf.load("tic_tac_toe"), 3, tmp_path)
    with pytest.raises(pf.Unsuitable, match="has no index"):
        Database.open(tmp_path, pf.load("tic_tac_toe"))


def test_rules_whose_slices_are_in_the_wrong_order_are_found(tmp_path):
    class BackwardsTablebase(LayersTablebase):
        def slices(self, game, pieces: int) -> list[Layer]:
            return list(reversed(super().slices(game, pieces)))

    class Backwards(Layers):
        tablebase = BackwardsTablebase()

    fields = {name: getattr(FIXED, name) for name in ("first", "movers", "first_edge", "edges", "payoff", "holes")}
    with pytest.raises(pf.BadRules, match="comes after it"):
        build(Backwards(**fields), 9, tmp_path, native=False)
    with pytest.raises(pf.BadRules, match="in no slice and not the end"):
        build(with_edges((1,), *EDGES[1:]), 9, tmp_path / "out", native=False)


# ------------------------------------------------------------ reading
@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder: Path = tmp_path_factory.mktemp("good")
    build(FIXED, 9, folder, native=False)
    return folder


def spoil(good: Path, folder: Path, name: str, change: Any) -> None:
    for path in good.iterdir():
        content = path.read_bytes()
        (folder / path.name).write_bytes(change(content) if path.name == name else content)


def test_every_flipped_byte_of_the_values_is_found(good, tmp_path):
    size = len((good / "2.values").read_bytes())
    for at in range(0, size, 7):
        spoil(good, tmp_path, "2.values", lambda c, at=at: c[:at] + bytes([c[at] ^ 0x40]) + c[at + 1 :])
        before = (tmp_path / "2.values").read_bytes()
        with pytest.raises(pf.BadText):
            Database.open(tmp_path, FIXED)
        assert (tmp_path / "2.values").read_bytes() == before


@pytest.mark.parametrize(
    "name, change, says",
    [
        ("2.values", lambda c: c[:-1], "end is missing"),
        ("2.values", lambda c: c + b"x", "something was added"),
        ("2.values", lambda c: c[:10], "first bytes|not a database"),
        ("2.values", lambda c: b"", "empty"),
        ("2.values", lambda c: b"a letter home, nothing else to see", "not a database file"),
        ("2.values", lambda c: c[:16] + b"\xff" + c[17:], "header"),
    ],
)
def test_damaged_truncated_and_foreign_values_are_refused(good, tmp_path, name, change, says):
    spoil(good, tmp_path, name, change)
    before = folder_bytes(tmp_path)
    with pytest.raises(pf.BadText, match=says):
        Database.open(tmp_path, FIXED)
    with pytest.raises(pf.BadText, match=says):
        build(FIXED, 9, tmp_path, native=False)
    assert folder_bytes(tmp_path) == before


def test_damaged_distances_are_found_when_they_are_needed(good, tmp_path):
    spoil(good, tmp_path, "2.distances", lambda c: c[:-80] + bytes([c[-80] ^ 1]) + c[-79:])
    database = Database.open(tmp_path, FIXED)
    with pytest.raises(pf.BadText, match="damaged"):
        verify_database(database, native=False)
    with pytest.raises(pf.BadText, match="damaged"):
        build(FIXED, 9, tmp_path, native=False)


def test_files_of_other_rules_are_refused(good, tmp_path):
    other = with_edges(*EDGES[:5], (), *EDGES[6:])
    with pytest.raises(pf.BadText, match="other rules"):
        Database.open(good, other)
    with pytest.raises(pf.BadText, match="other rules"):
        build(other, 9, good, native=False)
    with pytest.raises(pf.BadText, match="Layers"):
        Database.open(good, pf.load("checkers"))
    spoil(good, tmp_path, "", None)
    (tmp_path / "2.values").write_bytes((tmp_path / "1.values").read_bytes())
    with pytest.raises(pf.BadText, match="is about the"):
        Database.open(tmp_path, FIXED)
    (tmp_path / "2.values").write_bytes((tmp_path / "2.distances").read_bytes())
    with pytest.raises(pf.BadText, match="holds distances"):
        Database.open(tmp_path, FIXED)


def test_an_empty_or_missing_folder_is_said_to_be_so(tmp_path):
    with pytest.raises(pf.BadText, match="build some first"):
        Database.open(tmp_path, FIXED)
    with pytest.raises(pf.BadText, match="can't be read"):
        Database.open(tmp_path / "nowhere", FIXED)


def test_a_state_that_is_not_in_the_database_is_said_to_be_so(good):
    database = Database.open(good, FIXED, pieces=1)
    assert database.outcome(Place(3, 0)) is not None
    assert database.outcome(Place(11, 0)) is None and database.distance(Place(11, 0)) is None
    with pytest.raises(pf.PlyforgeError, match="is not in"):
        database.best(Place(11, 0))
    assert database.code(Place(0, 1)) == LOSS and database.distance(Place(0, 1)) == 0
    assert FIXED.player(Place(2, 0)) == MAX
