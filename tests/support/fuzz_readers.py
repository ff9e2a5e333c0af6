"""Every reader of text and files that come from elsewhere, and damaged things for them to read.

A reader is one line of `readers`: its name, how it reads, and examples of what it reads. What is given to it are
examples with a few changes, decided by the reader's name and a number alone:

    PYTHONPATH=tests:tests/support python tests/support/fuzz_readers.py "saved games" 1000        the first thousand
    of one reader
    PYTHONPATH=tests:tests/support python tests/support/fuzz_readers.py "saved games" 1000 17     what number 17 is
    PYTHONPATH=tests:tests/support python tests/support/fuzz_readers.py all 1000 [FIRST [CORES]]  those below a
    thousand of every reader

Claim to be tested: whatever is read, a reader returns, or raises a PlyforgeError whose message is not endless. Nothing
else, and within PATIENCE.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import io
import json
import multiprocessing
import os
import random
import re
import signal
import struct
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import plyforge as pf
from patience import PATIENCE
from plyforge.draw import load_json
from plyforge.endings import files as endings
from plyforge.errors import PlyforgeError
from plyforge.evaluate import Linear
from plyforge.evaluate.arrays import write_arrays
from plyforge.evaluate.layers import new_layers, read_layers, write_layers
from plyforge.evaluate.othello.patterns import read_tables
from plyforge.evaluate.weighted import WEIGHTS
from plyforge.games import catalog
from plyforge.games.backgammon.mat import read_mat
from plyforge.games.checkers.pdn import read_pdn
from plyforge.games.chess.epd import parse_epd
from plyforge.games.chess.pgn import read_pgn
from plyforge.games.go.sgf import read_sgf
from plyforge.games.go.sgf_bytes import decoded
from plyforge.games.simultaneous.matrix import Matrix
from plyforge.games.trees.tree import Tree
from plyforge.play import GameSession, parse_player
from plyforge.play.formats.record import Record, restore
from plyforge.play.match.openings import read_openings
from plyforge.play.match.played import PlayedGame
from plyforge.play.match.record import MatchRecord
from plyforge.play.players.opponent_model import OpponentModel, parse_model
from plyforge.play.protocols.gtp.go import GoGtp
from plyforge.play.protocols.json_lines.server import Talk, read_request
from plyforge.play.protocols.uci.server import Uci
from plyforge.reading import parse_json
from plyforge.search import Clock
from plyforge.search.engine.transposition_table import Table
from plyforge.solve import make_certificate, make_strategy, read_certificate, strongly, table_file
from plyforge.solve.graph import retrograde_file
from plyforge.solve.proof.verify_certificate import verify_certificate
from plyforge.solve.strategy import Strategy
from plyforge.studio.library.library import Shelf
from plyforge.studio.play import files
from plyforge.studio.server.frames import read_frame
from plyforge.teach.trees import tree_from_text

LONGEST_MESSAGE = 40_000
"""Letters: more than twice the longest text that our own games read."""
Given = str | bytes


@dataclass(frozen=True)
class Reader:
    """Something that reads what others wrote."""

    name: str
    read: Callable[[Any], object]
    examples: tuple[Given, ...]
    valid: bool = True
    """False where the examples are good but for one thing, which is refused: a whole one would be large."""


# ------------------------------------------------------------------ damage
WORDS = (
    "9" * 5000,
    "0x" + "f" * 5000,
    "1e999999999",
    "9" * 400,
    "1" * 30,
    "-1",
    "0",
    "1e999",
    "1e308",
    "0.1",
    "NaN",
    "-Infinity",
    "null",
    "true",
    "[]",
    "{}",
    '""',
    '"',
    "'",
    "\\",
    "[" * 40,
    "(" * 40,
    "{" * 40,
    "]",
    ")",
    "}",
    "\0",
    "\x1a",
    "\ufeff",
    "\ud800",
    "²",
    "٣",
    "é",
    "囲",
    "\u2028",
    " " * 30,
    "\t",
    "\n",
    "\r\n",
    ",",
    ":",
    ";",
    "/",
    "-",
    "+",
    "*",
    "=",
    "#",
    "%",
    "$",
    "..",
    "1+" * 300 + "1",
    "[" * 3000,
    "a" * 300,
    "x",
    "K",
    "W",
    "b",
    "max",
    "pass",
    "None",
    "True",
    "1" + "-1" * 50,
)
PIECE = re.compile(r"[\w.+-]+")
BYTE_PIECE = re.compile(rb"[\w.+-]+")
BYTES = (
    b"\0",
    b"\xff" * 8,
    b"\x80",
    b"\x01\0\0\0",
    b"\xff\xff\xff\x7f",
    *(word.encode("utf-8", "replace") for word in WORDS),
)


def damaged(reader: Reader, number: int) -> Given:
    """The damaged thing of that number: the same for the same reader."""
    stream = random.Random(f"{reader.name}:{number}")
    given: Any = stream.choice(reader.examples)
    for _ in range(stream.choice((1, 1, 2, 3, 5))):
        given = _changed(given, reader.examples, stream)
    return given[: 1 << 20]


def _changed(given: Any, examples: tuple[Given, ...], stream: random.Random) -> Any:
    words: Any = WORDS if isinstance(given, str) else BYTES
    at = stream.randint(0, len(given))
    end = min(len(given), at + stream.choice((0, 1, 1, 2, 5, 20, 1000)))
    kind = stream.randrange(7)
    if kind == 0:
        return given[:at] + given[end:]
    if kind == 1:
        return given[:at] + stream.choice(words) + given[end:]
    if kind == 2:
        return given[:end] + given[at:end] * stream.choice((1, 1, 2, 50)) + given[end:]
    if kind == 3:
        other: Any = stream.choice(examples)
        return given[:at] + other[stream.randint(0, len(other)) :]
    if kind == 4:
        return given[:at]
    pattern: Any = PIECE if isinstance(given, str) else BYTE_PIECE
    pieces = list(pattern.finditer(given))
    if not pieces:
        return given + stream.choice(words)
    piece = stream.choice(pieces)
    new = stream.choice(words) if kind == 5 else stream.choice(pieces)[0]
    return given[: piece.start()] + new + given[piece.end() :]


@contextlib.contextmanager
def in_time() -> Iterator[None]:
    """What is done here is interrupted after PATIENCE, where that can be."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def too_late(*_: Any) -> None:
        raise TimeoutError(f"not read within {PATIENCE:g} s")

    before = signal.signal(signal.SIGALRM, too_late)
    signal.setitimer(signal.ITIMER_REAL, PATIENCE)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def fuzz(reader: Reader, first: int, end: int) -> int:
    """Have it read the damaged things of these numbers. How many of them it refused. Raises AssertionError, naming
    the first that it can't cope with."""
    for example in reader.examples if reader.valid else ():
        reader.read(example)
    refused = 0
    for number in range(first, end):
        given = damaged(reader, number)
        try:
            with in_time():
                reader.read(given)
        except PlyforgeError as error:
            refused += 1
            if len(str(error)) > LONGEST_MESSAGE:
                raise AssertionError(f"{reader.name} {number}: a message of {len(str(error)):,} letters") from None
        except Exception as error:
            raise AssertionError(f"{reader.name} {number}: {type(error).__name__}: {str(error)[:200]}") from error
    return refused


# ------------------------------------------------------------------ ways to read
@functools.cache
def folder() -> Path:
    """Of this process, removed when it ends; in memory where that can be, since every other reader reads a file."""
    made = tempfile.TemporaryDirectory(prefix="plyforge-fuzz-", dir=MEMORY if MEMORY.is_dir() else None)
    _kept.append(made)
    return Path(made.name)


_kept: list[Any] = []
MEMORY = Path("/dev/shm")


def in_file(read: Callable[[Path], object]) -> Callable[[Given], object]:
    """Reads from a file."""
    file = folder() / "given"

    def write_and_read(given: Given) -> object:
        file.write_bytes(given if isinstance(given, bytes) else given.encode("utf-8", "surrogatepass"))
        return read(file)

    return write_and_read


def written(write: Callable[[Path], object]) -> bytes:
    """What something writes to a file."""
    file = folder() / "written"
    file.unlink(missing_ok=True)
    write(file)
    return file.read_bytes()


def of_lines(protocol: Any, said: io.StringIO) -> Callable[[str], object]:
    """Reads the lines of a protocol, which never raises, and says so where it should have."""

    def obey(line: str) -> None:
        said.seek(0)
        said.truncate()
        for each in line.splitlines():
            protocol.obey(each)
        assert not re.search("internal ?error", said.getvalue(), re.IGNORECASE), said.getvalue()[:500]

    return obey


def texts_of(game: pf.Game) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Texts of states on a random path, and of the actions in its first state."""
    s = game.start()
    stream = random.Random(game.players)
    states = [pf.format_state(game, s)]
    actions = tuple(pf.format_action(game, s, action) for action in pf.legal_moves(game, s)[:8])
    for _ in range(12):
        if game.terminal(s):
            break
        s = game.result(s, stream.choice(pf.legal_moves(game, s)))
        states.append(pf.format_state(game, s))
    return tuple(dict.fromkeys(states)), actions


# ----------------------------------------------------- files with checksums: a header that is changed, and signed again
def signed_table(game: pf.Game) -> tuple[bytes, bytes, Callable[[bytes], bytes]]:
    table = Table(0.001)
    whole = written(lambda path: table_file.save_table(path, game, game.start(), table, table_file.Standing(-1, 1)))
    begin = table_file.PRELUDE.size
    _, length, _ = table_file.FRAME.unpack_from(whole, begin)
    head_at = begin + table_file.FRAME.size

    def signed(head: bytes) -> bytes:
        return whole[:begin] + table_file._frame(table_file.HEAD, head, 0) + whole[head_at + length :]

    return whole, whole[head_at : head_at + length], signed


def signed_solution(game: pf.Game) -> tuple[bytes, bytes, Callable[[bytes], bytes]]:
    whole = written(strongly(game, native=False).save)
    size = retrograde_file.PRELUDE.size
    _, version, length = retrograde_file.PRELUDE.unpack_from(whole)

    def signed(head: bytes) -> bytes:
        body = retrograde_file.PRELUDE.pack(retrograde_file.MAGIC, version, len(head)) + head
        body += whole[size + length : -retrograde_file.DIGEST_BYTES]
        return body + hashlib.sha256(body).digest()

    return whole, whole[size : size + length], signed


def signed_endings(holds: str) -> tuple[bytes, bytes, Callable[[bytes], bytes]]:
    about = {"game": "Any", "slice": "a", "size": 3000, "rules": "0", "endless": 0.0, "pieces": 3}
    values = np.arange(3000, dtype=np.uint8) % 3 + 1
    if holds == endings.VALUES:
        whole = written(lambda path: endings.write_values(path, about, values, endings.pack_values.function))
    else:
        whole = written(lambda path: endings.write_distances(path, about, values))
    size = endings.PRELUDE.size
    _, version, length, _ = endings.PRELUDE.unpack_from(whole)

    def signed(head: bytes) -> bytes:
        first = struct.pack("<16sII", endings.MAGIC, version, len(head))
        return first + struct.pack("<I", zlib.crc32(head, zlib.crc32(first))) + head + whole[size + length :]

    return whole, whole[size : size + length].rstrip(), signed


def read_slice(path: Path, holds: str) -> None:
    file = endings.SliceFile(path, holds)
    file.check()
    file.require({"game": "Any", "size": 3000})
    if holds == endings.DISTANCES:
        file.distances(0)
    else:
        file.section("starts", "<u4"), file.section("content")


# ------------------------------------------------------------------ all of them
def readers() -> dict[str, Reader]:
    """Every reader by its name."""
    from more_readers import more_readers

    ours = (*_of_games(), *_of_notation(), *_of_files(), *_of_signed(), *_of_talk(), *more_readers())
    return {reader.name: reader for reader in ours}


def _of_games() -> Iterator[Reader]:
    for name in catalog.names():
        game = pf.load(name)
        states, actions = texts_of(game)
        yield Reader(f"states of {name}", functools.partial(pf.parse_state, game), states)
        yield Reader(f"actions of {name}", lambda text, game=game: pf.parse_action(game, game.start(), text), actions)
    yield Reader("states in plain text", functools.partial(pf.parse_state, PLAIN), ("(3, (1, 0), 1)", "(3,(1,0),1)"))
    yield Reader(
        "game descriptions",
        pf.load,
        (
            "connect4(width=6, height=5)",
            "nim((1, 2, 3))",
            "tree([[3, 12, 8], [2, 4, 6]])",
            "matrix(name='chicken')",
            "go(size=9, komi=0.5)",
            "mnk(4, 4, connect=3)",
            "tree({'max': {'a': 1, 'b': {'chance': [1, 2], 'weights': ['1/2', '1/2']}}})",
            "slider(3)",
            "random_tree(seed=7)",
            "pig(goal=20)",
        ),
    )
    yield Reader(
        "trees in text",
        tree_from_text,
        ("[[3, 12, 8], [2, 4, 6]]", '{"max": {"a": 1, "b": {"value": 3, "name": "t"}}}', "[[(1, 2, 3), (0, 0, 1)]]"),
    )
    yield Reader(
        "trees in JSON",
        Tree.from_json,
        (
            '[[3, 12], [{"chance": [1, 2], "weights": ["1/2", 0.5]}]]',
            '{"player": 2, "children": [{"payoffs": [1, 2, 3]}]}',
        ),
    )
    yield Reader(
        "matrices",
        Matrix.from_json,
        (
            '{"payoffs": [[[1, -1], [0, 2]], [[3, 3], [1, 1]]], "players": ["a", "b"], "actions": [["x", "y"], ["z", "w"]]}',  # noqa: E501
            "[[1, -1], [-1, 1]]",
        ),
    )


class PlainGame(pf.Game):
    """A game whose states have no notation."""

    def start(self) -> Any:
        return (3, (1, 0), 1)


PLAIN: Any = PlainGame()

PGN = (
    '[Event "a"]\n[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n1. e4 {why?} Kd7 (1... Ke7 2. e5) 2. e5 $3 ;'
    ' so\n1-0\n\n[Event "b"]\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1/2-1/2\n'
)
PDN = '[Event "a"]\n[Result "1-0"]\n1. 11-15 23-19 {usual} 2. 8-11 22-17 (2... 1-5) 1-0\n[FEN "W:WK3:B2"] 1. 3-7 *\n'
SGF = "(;GM[1]FF[4]CA[UTF-8]SZ[9]KM[6.5]PB[a]AB[aa][cc:dd]PL[W];W[ee]C[so\\]];B[](;W[ff])(;W[gg]))(;SZ[5];B[aa];W[tt])"
MAT = (
    " 5 point match\n\n Game 1\n Anna : 0                     Bert : 0\n  1) 31: 8/5 6/5               66: 24/18(2)"
    " 13/7(2)\n  2)  Doubles => 2              Takes\n  3) 42: 8/4 6/4\n                                Wins 2 points\n"
)


def _of_notation() -> Iterator[Reader]:
    chess960 = pf.load("chess(chess960=True)")
    yield Reader("PGN", read_pgn, (PGN,))
    yield Reader("PDN", read_pdn, (PDN,))
    yield Reader("SGF", read_sgf, (SGF,))
    yield Reader(
        "bytes of SGF",
        lambda data: read_sgf(decoded(data)),
        (SGF.encode(), SGF.replace("UTF-8", "GBK").replace("PB[a]", "PB[囲]").encode("gbk")),
    )
    yield Reader("MAT", read_mat, (MAT,))
    yield Reader(
        "EPD",
        parse_epd,
        (
            '1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - bm Qd1+; id "BK.01";',
            "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 hmvc 3; fmvn 5;",
        ),
    )
    yield Reader(
        "FEN of Chess960",
        functools.partial(pf.parse_state, chess960),
        ("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",),
    )
    yield Reader("clocks", Clock.parse, ("300", "60+1", "60 + 1.5 / 40"))
    game = pf.load("tic_tac_toe")
    yield Reader(
        "player descriptions",
        lambda text: parse_player(text, game, native=False),
        (
            "alpha_beta:depth=4",
            "random:seed=3",
            "uct:simulations=10,seed=2,exploration=0.5",
            "mixed:share=0.5,depth=2",
            "best:seconds=0.1",
            "safe_response:against=epsilon:0.1,risk=0.5",
            "model:uniform",
        ),
    )
    yield Reader(
        "models by name",
        lambda text: parse_model(text, game),
        ("uniform", "epsilon:0.1,depth=4", "softmax:0.5+depth=4"),
    )


def _of_files() -> Iterator[Reader]:
    game = pf.load("tic_tac_toe")
    session = GameSession(game, seed=1)
    for text in "51937":
        session.play_text(text)
    record = json.dumps(Record.of(session).to_json(), indent=1)
    yield Reader("saved games", lambda text: Record.from_json(parse_json(text, "it")).session(), (record,))
    yield Reader("files of saved games", in_file(restore), (record.encode(),))
    hidden = GameSession("kuhn_poker", seed=3)
    hidden.draw()
    sealed = json.dumps(Record.of(hidden, to_continue=True).to_json(), indent=1)
    yield Reader("sealed games", lambda text: Record.from_json(parse_json(text, "it")).session(), (sealed,))
    shelf = Shelf()
    for name, text in (
        ("chess", PGN),
        ("checkers", PDN),
        ("go(size=9)", SGF),
        ("backgammon", MAT),
        ("tic_tac_toe", record),
    ):
        yield Reader(
            f"the studio's games of {name}",
            lambda data, name=name: files.read(data, pf.load(name), shelf),
            (text.encode(), record.encode()),
        )
    played = PlayedGame(
        0, "A", 1, None, 1, tuple("51937"), (None, 0.1, 0.1, 0.1, 0.1), "A", "by the rules", (1.0, -1.0)
    ).to_json()
    lines = "".join(
        json.dumps(line) + "\n"
        for line in ({"format": "plyforge match", "version": 1, "game": "tic_tac_toe", "players": ["a", "b"]}, played)
    )
    identity = {"game": "tic_tac_toe", "players": ["a", "b"]}
    yield Reader("records of matches", in_file(lambda path: MatchRecord(path, identity).close()), (lines.encode(),))
    yield Reader(
        "games of matches", in_file(lambda path: OpponentModel.learn(game, [path])), (lines.encode(), record.encode())
    )
    model = json.dumps(OpponentModel.learn(game, [session]).to_json())
    yield Reader("models", in_file(lambda path: OpponentModel.read(path, game)), (model.encode(),))
    yield Reader(
        "openings", in_file(lambda path: read_openings(path, game)), (b"1 2 3\n# no\nmoves: 123\nstate: xo.......\n",)
    )
    weights = (WEIGHTS / "connect4.json").read_bytes()
    yield Reader("weights", in_file(lambda path: Linear.read(path, pf.load("connect4"))), (weights,))
    backgammon = pf.load("backgammon")
    network = written(lambda path: write_layers(path, new_layers(backgammon, 2, 1)))
    yield Reader("networks", in_file(lambda path: read_layers(path, backgammon)), (network,))
    yield Reader(
        "pattern tables",
        in_file(read_tables),
        (written(lambda path: write_arrays(path, tables=np.zeros((4, 9), np.int8))),),
        valid=False,
    )
    nim = pf.load("nim((1, 2))")
    plan = json.dumps(make_strategy(nim).to_json())
    yield Reader("strategies", in_file(lambda path: Strategy.load(path, nim)), (plan.encode(),))
    proof = json.dumps(make_certificate(game, "xx.oo....", native=False).to_json())
    yield Reader(
        "certificates", in_file(lambda path: verify_certificate(read_certificate(path), game)), (proof.encode(),)
    )
    tree = pf.draw(pf.record(nim, using="alpha_beta", depth=2), format="json")
    yield Reader("recorded trees", lambda text: load_json(text, nim), (tree,))


def _of_signed() -> Iterator[Reader]:
    nim = pf.load("nim((1, 2))")
    whole, head, signed = signed_table(nim)
    load_table = in_file(lambda path: table_file.load_table(path, nim, nim.start()))
    yield Reader("tables", load_table, (whole,))
    yield Reader("headers of tables", lambda data, signed=signed: load_table(signed(data)), (head,))
    whole, head, signed = signed_solution(nim)
    load_solution = in_file(lambda path: retrograde_file.load_solution(path, nim))
    yield Reader("solved games", load_solution, (whole,))
    yield Reader("headers of solved games", lambda data, signed=signed: load_solution(signed(data)), (head,))
    for holds in (endings.VALUES, endings.DISTANCES):
        whole, head, signed = signed_endings(holds)
        load_slice = in_file(lambda path, holds=holds: read_slice(path, holds))
        yield Reader(f"endings, {holds}", load_slice, (whole,))
        yield Reader(
            f"headers of endings, {holds}", lambda data, signed=signed, load=load_slice: load(signed(data)), (head,)
        )


def _of_talk() -> Iterator[Reader]:
    said = io.StringIO()
    nothing = io.StringIO()
    uci = Uci(nothing, said, native=False)
    yield Reader(
        "UCI",
        of_lines(uci, said),
        (
            "position startpos moves e2e4 e7e5",
            "position fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 moves e2e4",
            "setoption name MultiPV value 3",
            "setoption name UCI_Chess960 value true",
            "ucinewgame\nuci",
            "d",
        ),
    )
    player: Any = parse_player("uct:simulations=1,seed=1", "go(size=5)", native=False)
    gtp = GoGtp(nothing, said, pf.load("go(size=5)"), player, io.StringIO())
    yield Reader(
        "GTP",
        of_lines(gtp, said),
        (
            "boardsize 5\nclear_board\nplay b c3\nundo",
            "7 komi 6.5",
            "time_settings 60 10 5",
            "time_left b 10 3",
            "kgs-time_settings byoyomi 60 5 3",
            "fixed_handicap 2",
            "set_free_handicap A1 B2",
            "kata-set-rules chinese",
            'kata-set-rules {"ko": "POSITIONAL"}',
            "loadsgf none.sgf 3",
            "known_command play",
            "final_score",
        ),
    )
    talk = Talk(nothing, said, "tic_tac_toe", native=False)
    lines = (
        '{"id": 1, "do": "position", "moves": ["5", "1"]}',
        '{"id": 2, "do": "legal"}',
        '{"id": "x", "do": "game", "game": "nim((1, 2))"}',
        '{"id": 3, "do": "set", "threads": 1}',
        '{"id": 4, "do": "show"}',
        '{"id": 5, "do": "stop"}',
    )
    yield Reader("talk", lambda text: of_lines(talk, said)(text), lines)
    yield Reader("requests of talk", read_request, lines)
    yield Reader(
        "the studio's frames",
        read_frame,
        (
            '{"id": 7, "do": "play.move", "action": "5"}',
            '{"id": 1, "do": "play.open", "game": "connect4(width=6)", "seats": ["human", "best"]}',
        ),
    )


# ------------------------------------------------------------------ all of them at once, in processes
def fuzz_all(first: int, end: int, at_once: int | None = None) -> tuple[int, list[str]]:
    """The damaged things of these numbers for every reader: how many were refused, and what nobody could cope with."""
    spawned = multiprocessing.get_context("spawn")  # no thread of ours is in the middle of something there
    work = [(name, at, min(at + AT_A_TIME, end)) for at in range(first, end, AT_A_TIME) for name in readers()]
    with ProcessPoolExecutor(at_once or os.cpu_count(), spawned, initializer=_settle) as pool:
        done = list(pool.map(_fuzz_named, work))
    return sum(refused for refused, _ in done), [wrong for _, wrong in done if wrong]


AT_A_TIME = 5_000


def _settle() -> None:
    os.chdir(folder())  # a damaged name of a file names nothing there


def _fuzz_named(work: tuple[str, int, int]) -> tuple[int, str]:
    name, first, end = work
    try:
        return fuzz(_readers_here()[name], first, end), ""
    except AssertionError as error:
        return 0, str(error)


_readers_here = functools.cache(readers)


def main() -> None:
    name, count, *rest = sys.argv[1:]
    if name == "all":
        first, *at_once = [*map(int, rest)] or [0]
        refused, wrong = fuzz_all(first, int(count), *at_once)
        print(
            "\n".join([*wrong, f"numbers {first} to {int(count) - 1} of {len(readers())} readers: {refused} refused"])
        )
    elif rest:
        print(repr(damaged(readers()[name], int(rest[0]))))
    else:
        print(fuzz(readers()[name], 0, int(count)), "of them were refused")


if __name__ == "__main__":
    main()
