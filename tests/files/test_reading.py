"""Files and texts of others: what never ends is not begun, what is too large is refused, and no text takes more than
time in proportion to its length."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import plyforge as pf
from patience import FOR_A_PROCESS, PATIENCE, patiently
from plyforge.endings.files import VALUES, SliceFile
from plyforge.errors import BadLimits, BadText, GameNotFound, PlyforgeError
from plyforge.evaluate import Linear
from plyforge.evaluate.layers import read_layers
from plyforge.evaluate.othello.patterns import read_tables
from plyforge.games.backgammon.mat import read_mat
from plyforge.games.checkers import pdn
from plyforge.games.checkers.notation import parse_fen
from plyforge.games.chess import pgn
from plyforge.games.chess.epd import parse_epd
from plyforge.games.go.sgf import read_sgf
from plyforge.games.go.sgf_bytes import decoded
from plyforge.play import parse_player
from plyforge.play.formats.record import restore
from plyforge.play.match.openings import read_openings
from plyforge.play.match.record import MatchRecord, read_header
from plyforge.play.players.opponent_model import OpponentModel
from plyforge.reading import MOST_PARTS, open_file, parse_json, read_bytes, read_json, read_lines, read_text
from plyforge.search import Clock
from plyforge.solve import load_solution, read_certificate
from plyforge.solve.strategy import Strategy
from plyforge.solve.table_file import load_table

GAME = pf.load("tic_tac_toe")
MEGABYTES = 10_000_000


# ------------------------------------------------------------------ the one reader of files
def test_what_is_read_is_whole(tmp_path: Path) -> None:
    file = tmp_path / "a"
    file.write_bytes(b"\xef\xbb\xbf{}")
    assert (
        read_bytes(file, 5, "it") == b"\xef\xbb\xbf{}"
        and read_text(str(file), 5, "it") == "{}"
        and read_json(file, 5, "it") == {}
    )


def test_a_file_that_is_too_large_is_refused_before_it_is_read(tmp_path: Path) -> None:
    file = tmp_path / "a"
    with file.open("wb") as sparse:
        sparse.truncate(1 << 40)
    with pytest.raises(BadText, match="a is larger than 3 MiB, the limit for a tree"):
        read_bytes(file, 3 << 20, "a tree")
    file.write_bytes(b"abc")
    with pytest.raises(BadText, match="larger than 2 bytes"):
        read_bytes(file, 2, "it")


@pytest.mark.parametrize("name", ["", "a\0b", "x" * 5000, "none", ".", "/dev/null/x", "~nobody-here/x"])
def test_names_of_nothing_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadText) as caught:
        open_file(name)
    assert len(str(caught.value)) < 300


def test_a_pipe_is_read_where_one_is_meant_and_never_waited_for(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with patiently(), pytest.raises(BadText, match="a device or a pipe, not a file"):
        read_bytes(pipe, 100, "it")
    writer = threading.Thread(target=lambda: pipe.write_bytes(b"x" * 1000), daemon=True)
    writer.start()
    with pytest.raises(BadText, match="larger than 100 bytes"):
        read_bytes(pipe, 100, "it", pipes=True)


def test_lines_are_bounded(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"12\n123\n1234\n")
    with open_file(tmp_path / "a") as file, pytest.raises(BadText, match="line 3"):
        list(read_lines(file, 4, "a"))


@pytest.mark.parametrize(
    "text", ["[" * 100_000, "[1,", "NaN", "9" * 5000, "\xff".encode("latin-1"), "[]," * MOST_PARTS + "[]"]
)
def test_json_that_is_none_is_refused(text: str | bytes) -> None:
    with pytest.raises(BadText, match=r"it (is not JSON|has more than)"):
        parse_json(text, "it")


BY_FILE: dict[str, Callable[[Path], object]] = {
    "openings": lambda path: read_openings(path, GAME),
    "strategy": lambda path: Strategy.load(path, GAME),
    "player": lambda path: parse_player(f"strategy:{path}", GAME),
    "certificate": read_certificate,
    "tree": lambda path: pf.load(f"tree(file={str(path)!r})"),
    "matrix": lambda path: pf.load(f"matrix(file={str(path)!r})"),
    "saved game": restore,
    "model": lambda path: OpponentModel.read(path, GAME),
    "games": lambda path: OpponentModel.learn(GAME, [path]),
    "weights": lambda path: Linear.read(path, pf.load("othello")),
    "network": lambda path: read_layers(path, pf.load("backgammon")),
    "patterns": read_tables,
    "table": lambda path: load_table(path, GAME, GAME.start()),
    "solution": lambda path: load_solution(path, GAME),
    "endings": lambda path: SliceFile(path, VALUES),
    "record": lambda path: MatchRecord(path, {"seed": 1}),
}


@pytest.mark.parametrize("kind", BY_FILE)
def test_a_device_that_never_ends_and_a_pipe_that_never_begins_are_refused_by_everybody(
    tmp_path: Path, kind: str
) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (Path("/dev/zero"), tmp_path / "pipe", tmp_path):
        with patiently(), pytest.raises(PlyforgeError):
            BY_FILE[kind](path)
    assert read_header(Path("/dev/zero")) is None


@pytest.mark.parametrize("kind", BY_FILE)
def test_a_file_of_a_tebibyte_is_refused_by_everybody(tmp_path: Path, kind: str) -> None:
    with (tmp_path / "huge").open("wb") as file:
        file.truncate(1 << 40)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with patiently(), pytest.raises(PlyforgeError):
        BY_FILE[kind](tmp_path / "huge")
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000  # kilobytes


def test_positions_are_read_from_a_file_or_from_standard_input_within_limits() -> None:
    def search(given: str, of: str) -> subprocess.CompletedProcess[str]:
        words = ["search", "tic_tac_toe", "--states", of, "--depth", "1", "--interpreted"]
        return subprocess.run(
            [sys.executable, "-m", "plyforge", *words],
            input=given,
            capture_output=True,
            text=True,
            timeout=FOR_A_PROCESS,
        )

    good = search("xo.......\n", "-")
    assert good.returncode == 0 and good.stdout.startswith("xo......."), good.stderr
    endless = search("", "/dev/zero")
    assert endless.returncode == 2 and "larger than 16 MiB" in endless.stderr


# ------------------------------------------------------------------ arrays that are larger than they look
def npz(path: Path, **members: bytes) -> Path:
    import zipfile

    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(f"{name}.npy", content)
    return path


def header(text: str) -> bytes:
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text.encode()


@pytest.mark.parametrize(
    "text",
    [
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2199023255552,), }\n",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (-1, 5), }\n",
        "{'descr': '|O', 'fortran_order': False, 'shape': (2,), }\n",
        "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2,), }\n",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1e9,), }\n",
        "(" * 500 + "\n",
        "1+" * 5000 + "1\n",
        "nonsense\n",
        "",
    ],
)
def test_headers_of_arrays_that_make_no_sense_are_refused(tmp_path: Path, text: str) -> None:
    path = npz(tmp_path / "n.npz", first=header(text), second=header(text), about=header(text))
    with patiently(), pytest.raises(BadText, match="not a file of a network, or is damaged"):
        read_layers(path, pf.load("backgammon"))


def test_an_array_that_unpacks_to_more_than_the_limit_is_refused_without_the_memory(tmp_path: Path) -> None:
    text = "{'descr': '<f4', 'fortran_order': False, 'shape': (50000000,), }\n"
    path = npz(tmp_path / "n.npz", first=header(text) + bytes(200_000_000))
    assert path.stat().st_size < 1 << 20
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(BadText, match="64 MiB of numbers"):
        read_layers(path, pf.load("backgammon"))
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000


# ------------------------------------------------------------------ long texts
def fill(unit: str, size: int = MEGABYTES) -> str:
    return unit * (size // len(unit))


def first_of(module: Any) -> Callable[[str], object]:
    return lambda text: list(islice(module.games_in(text), 1))


LONG: dict[str, tuple[Callable[[str], object], Callable[[str], str]]] = {
    "PGN": (pgn.read_pgn, lambda unit: fill(unit)),
    "the first game of PGN, after a bracket": (first_of(pgn), lambda unit: "(" + fill(unit)),
    "a tag of PGN": (first_of(pgn), lambda unit: '[a "' + fill(unit)),
    "PDN": (pdn.read_pdn, lambda unit: fill(unit)),
    "the first game of PDN": (first_of(pdn), lambda unit: fill(unit)),
    "MAT": (read_mat, lambda unit: " Game 1\n" + fill(unit) + "x"),
    "MAT within the limits": (read_mat, lambda unit: " Game 1\n a : 0     b : 0\n" + (fill(unit, 900) + "x\n") * 200),
    "names of MAT": (read_mat, lambda unit: " Game 1\n " + fill(unit, 900) + "x\n"),
    "SGF": (read_sgf, lambda unit: "(;" + fill(unit)),
    "bytes of SGF": (lambda text: decoded(text.encode()), lambda unit: "(" + fill(unit)),
    "EPD": (parse_epd, lambda unit: fill(unit)),
    "a position of checkers": (parse_fen, lambda unit: "B:W" + fill(unit) + ":B2"),
    "a position of backgammon": (
        partial(pf.parse_state, pf.load("backgammon")),
        lambda unit: "4HPwATDgc/ABMA X 3" + fill(unit, 16_000) + "!",
    ),
    "a stand of a match": (
        partial(pf.parse_state, pf.load("backgammon_match")),
        lambda unit: "4HPwATDgc/ABMA X" + fill(unit, 16_000) + "!",
    ),
    "a clock": (Clock.parse, lambda unit: "1" + fill(unit) + "x"),
    "a game": (pf.load, lambda unit: "tree(" + fill(unit) + ")"),
    "a game within the limits": (pf.load, lambda unit: "tree(" + fill(unit, 250_000) + ")"),
    "a player": (lambda text: parse_player(text, GAME), lambda unit: fill(unit)),
    **{
        f"a {what} of {name}": (
            (lambda text, name=name: pf.parse_state(pf.load(name), text))
            if what == "state"
            else (lambda text, name=name: pf.parse_action(pf.load(name), pf.load(name).start(), text)),
            lambda unit: fill(unit),
        )
        for name in pf.names()
        for what in ("state", "action")
    },
}
UNITS = (
    " ",
    "1",
    "(",
    "()",
    "a : 0  ",
    "1. ",
    "{ab cd}",
    '[Event "x"] ',
    '" ',
    "\\",
    "1-32,",
    "-11",
    "[1,2],",
    "e4 ",
    "\n",
    "66: ",
    "B[aa];",
    "\t",
)


@pytest.mark.parametrize("what", LONG)
def test_ten_megabytes_of_anything_are_read_or_refused_at_once(what: str) -> None:
    read, made = LONG[what]
    for unit in UNITS:
        text = made(unit)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        began = time.thread_time()
        try:
            read(text)
        except PlyforgeError as error:
            assert len(str(error)) < 40_000
        took = time.thread_time() - began
        assert took < PATIENCE / 5, f"{unit!r}: {took:.1f} s"
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        assert grown < 200_000, f"{unit!r}: {grown:,} kB"


def test_numbers_of_thousands_of_digits_are_refused() -> None:
    with pytest.raises(BadText, match="names and scores"):
        read_mat(" Game 1\n a : " + "9" * 900 + "   b : 0\n")
    with pytest.raises(BadText):
        read_mat(" Game 1\n a : 0   b : " + "9" * 900 + "\n")
    with pytest.raises(BadLimits):
        Clock.parse("60/" + "9" * 5000)
    with pytest.raises(pf.BadRules):
        pf.load("tree({'chance': [1, 2], 'weights': ['1e999999999', '1e999999999']})")


@pytest.mark.parametrize(
    "text",
    [
        "connect4(width=" + "1+" * 20_000 + "1)",
        "tree(" + "[" * 5000 + "]" * 5000 + ")",
        "nim(" + "-" * 9000 + "1)",
        "connect4(width={1: 2}[1])",
        "nim({[]: 1})",
        "connect4(width='\ud800')",
    ],
)
def test_descriptions_that_are_nested_too_deeply_are_refused(text: str) -> None:
    with pytest.raises((GameNotFound, pf.BadRules)) as caught:
        pf.load(text)
    assert len(str(caught.value)) < 1000


def test_the_cube_is_not_doubled_for_ever() -> None:
    lines = [f"  {n}) {'' if n % 2 else ' ' * 30}  Doubles => 2" for n in range(1, 3)]
    with pytest.raises(BadText, match="line 3"):
        read_mat(" Game 1\n a : 0    b : 0\n" + "\n".join(lines))


def test_names_in_mat_may_have_a_colon_and_blanks_around() -> None:
    (game,) = read_mat(" Game 1\n  Anna: the best :  3       Bert :12\n").games
    assert game.names == ("Anna: the best", "Bert") and game.score == (3, 12)


def test_a_table_that_claims_more_than_its_file_can_hold_is_refused(tmp_path: Path) -> None:
    from fuzz_readers import signed_table

    nim = pf.load("nim((1, 2))")
    _, head, signed = signed_table(nim)
    import json

    from plyforge.search.engine.transposition_table import BUCKET_WORDS
    from plyforge.solve.table_file import CHUNK_WORDS

    said = json.loads(head)
    for change in (
        {"buckets": 1 << 30, "chunks": (1 << 30) * BUCKET_WORDS // CHUNK_WORDS},
        {"low": 10**400},
        {"seconds": 10**400},
        {"question": [1]},
        {"salt": -1},
        {"game": "x" * 100_000},
    ):
        (tmp_path / "t").write_bytes(signed(json.dumps(said | change).encode()))
        with pytest.raises(BadText) as caught:
            load_table(tmp_path / "t", nim, nim.start())
        assert len(str(caught.value)) < 1000


def test_a_solved_game_out_of_order_is_refused(tmp_path: Path) -> None:
    import zlib

    from plyforge.solve.graph.retrograde_file import _require_order, _unpacked

    rows = np.arange(5, dtype=">u4").tobytes()
    _unpacked(zlib.compress(rows + bytes(40)), 5, 4)
    with pytest.raises(ValueError, match="not in order"):
        _require_order(np.frombuffer(rows, np.uint8).reshape(-1, 4)[::-1])
    with pytest.raises(ValueError, match="not in order"):  # not after all of it is in memory
        _unpacked(zlib.compress(bytes(1 << 28)), 1 << 40, 4)
