"""The readers of what contests, learning, hidden games, poker and other programs leave or say: lines of
`fuzz_readers.readers`, which has the rest and says what is claimed."""

from __future__ import annotations

import base64
import functools
import json
import os
import re
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import plyforge as pf
from fuzz_readers import Given, Reader, folder, in_file, written
from plyforge.evaluate.arrays import read_arrays, write_arrays
from plyforge.evaluate.chess.squares import FILE as SQUARES
from plyforge.evaluate.chess.squares import read_squares
from plyforge.evaluate.learned import learned_from
from plyforge.evaluate.networks.files import StoredNetwork
from plyforge.evaluate.networks.files import write_network as write_stored
from plyforge.evaluate.networks.inputs import found_inputs
from plyforge.evaluate.networks.kind import network_kind
from plyforge.evaluate.ntuples.files import inputs_of, plain_name, write_network
from plyforge.evaluate.ntuples.tuples import banks_of
from plyforge.learn.folder import FORMAT, LOG, RUN, Folder
from plyforge.play.contests.pairing import PairingGame
from plyforge.play.contests.tune import Iteration
from plyforge.play.formats.sealed import unseal
from plyforge.play.match.adjudication import Adjudication
from plyforge.play.match.multiplayer import TableGame
from plyforge.play.match.played import PlayedGame
from plyforge.play.match.record import MatchRecord
from plyforge.play.match.sprt import Sprt
from plyforge.play.players import engines
from plyforge.play.players.ladder import rung_player
from plyforge.play.protocols.process import split_command
from plyforge.play.protocols.uci.words import read_info
from plyforge.play.review.judging import Judged
from plyforge.poker.cards import parse_cards
from plyforge.poker.ranges import parse_range
from plyforge.reading import parse_json
from plyforge.solve.hidden import hidden_equilibrium
from plyforge.solve.hidden.strategy_file import MixedStrategy, read_locks
from plyforge.work.record import Record
from plyforge.work.where import launchers


def more_readers() -> Iterator[Reader]:
    """All of them."""
    yield from _of_poker()
    yield from _of_contests()
    yield from _of_hidden_games()
    yield from _of_learning()
    yield from _of_programs()


def _of_poker() -> Iterator[Reader]:
    yield Reader("cards", parse_cards, ("As Kd", "AsKdQh", "2c,3d,7h", "Td"))
    yield Reader("ranges", parse_range, ("AhKh", "TT+,A9s+ KQo", "22-77", "A2s-A5s", "any", "AQo:0.5,AK"))


def _of_contests() -> Iterator[Reader]:
    yield Reader("adjudications", Adjudication.parse, ("draw=0.1,moves=8,after=20", "resign=8,times=3"))
    yield Reader("sequential tests", Sprt.parse, ("elo0=0,elo1=10", "elo0=-1,elo1=2,alpha=0.05,beta=0.1"))
    yield Reader("places of work", launchers, ("local", "local*4", "command*8:sh lab1 {worker}"))
    yield Reader(
        "rungs",
        lambda text: rung_player(text, pf.load("connect4")),
        ("ladder:casual", "ladder:beginner", "ladder:full_strength"),
    )
    played = PlayedGame(
        0, "A", 1, None, 1, tuple("51937"), (None, 0.1, 0.1, 0.1, 0.1), "A", "by the rules", (1.0, -1.0)
    )
    table = TableGame(0, (0, 1, 2), ("a", "b"), (1.0, -0.5, -0.5), (0,), None, "")
    for name, kind, line in (
        ("tournaments", PairingGame, PairingGame(("a", "b"), played).to_json()),
        ("tunings", Iteration, Iteration(0, (1, -1), 0.5).to_json()),
        ("tables", TableGame, table.to_json()),
    ):
        record = functools.partial(MatchRecord, identity={"game": "any"}, kind=kind, name=f"plyforge {name}")
        yield Reader(f"records of {name}", closed(record), (_lines(f"plyforge {name}", line),))
    work = functools.partial(Record, identity={"game": "any"})
    yield Reader("records of work", closed(work), (_lines("plyforge work", {"number": 3, "result": {"a": [1, 2]}}),))
    game = pf.load("tic_tac_toe")
    said = json.dumps(
        Judged((0.5, -0.5), False, tuple(pf.legal_moves(game, game.start()))[:2]).to_json(game, game.start())
    )
    yield Reader("judgements", lambda text: Judged.from_json(parse_json(text, "it"), game, game.start()), (said,))


def _lines(name: str, line: Any) -> bytes:
    head = {"format": name, "version": 1, "game": "any"}
    return b"".join(json.dumps(each).encode() + b"\n" for each in (head, line))


def closed(opened: Callable[[Path], Any]) -> Callable[[Given], object]:
    """Reads a file that stays open, and closes it."""
    return in_file(lambda path: opened(path).close())


def _of_hidden_games() -> Iterator[Reader]:
    kuhn: Any = pf.load("kuhn_poker")
    found = hidden_equilibrium(kuhn, using="lp", native=False)
    strategy = json.dumps(MixedStrategy.of(found).to_json())
    yield Reader("mixed strategies", in_file(lambda path: MixedStrategy.load(path, kuhn)), (strategy.encode(),))
    locks = b'{"locks": [{"player": 1, "observation": "? Q bet", "mix": {"fold": 0.5, "call": 0.5}}]}'
    yield Reader("locks", in_file(lambda path: read_locks(path, found.tree)), (locks,))
    yield Reader(
        "what is in an envelope",
        lambda text: unseal(base64.b64encode(zlib.compress(text.encode("utf-8", "surrogatepass"))).decode()),
        ('{"seed": 7, "actions": ["K", "Q", "bet"]}',),
    )


# ------------------------------------------------------------------ what learning leaves
def _of_learning() -> Iterator[Reader]:
    game = pf.load("tic_tac_toe")
    inputs = inputs_of(game, 2)
    assert inputs is not None
    about = {"game": plain_name(game), "walks": 2, "inputs": inputs.digest}
    weights = {"weights": np.zeros(banks_of(game) * inputs.weights)}
    fields = found_inputs(game)
    kind = network_kind("units:2", fields)
    arrays = kind.fresh(1)
    stored = StoredNetwork(kind, fields, arrays, kind.fresh_memory(arrays))
    stored.about = {"game": plain_name(game)}
    for name, head, write in (
        ("learned tuples", "about", lambda path: write_network(path, weights, about)),
        ("learned networks", "head", lambda path: write_stored(path, stored)),
    ):
        whole = written(write)
        read = in_file(lambda path: learned_from(path, game))
        yield Reader(name, read, (whole,))
        content: Any = in_file(functools.partial(read_arrays, names=_names(whole), limit=1 << 20, what="it"))(whole)
        yield Reader(
            f"heads of {name}", functools.partial(_with_head, read, dict(content), head), (str(content[head]),)
        )
    run = {"format": FORMAT, "game": "tic_tac_toe", "rules": "0", "inputs": "0", "method": "td", "settings": {},
           "shards": 1}  # fmt: skip
    log = b'{"generation": 1, "games": 10}\n{"generation": 2, "games": 20}\n'
    made = folder() / "run"
    made.mkdir(exist_ok=True)
    yield Reader("runs", in_folder(made / RUN, lambda: Folder(made).begin(dict(run))), (json.dumps(run).encode(),))
    yield Reader("logs of runs", in_folder(made / LOG, lambda: Folder(made).log(5, mend=False)), (log,))
    yield Reader("piece-square tables", in_file(read_squares), (SQUARES.read_bytes(),))


def _names(archive: bytes) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name.decode() for name in re.findall(rb"([\w.]+)\.npy", archive)))


def _with_head(read: Callable[[Given], object], arrays: dict[str, Any], name: str, text: str) -> object:
    """Read the same arrays under another head."""
    plain = text.encode("utf-8", "replace").decode().replace("\0", "")
    return read(written(lambda path: write_arrays(path, **{**arrays, name: np.array(plain)})))


def in_folder(file: Path, read: Callable[[], object]) -> Callable[[Given], object]:
    """Reads a folder with that file in it."""

    def write_and_read(given: Given) -> object:
        file.write_bytes(given if isinstance(given, bytes) else given.encode("utf-8", "surrogatepass"))
        return read()

    return write_and_read


# ------------------------------------------------------------------ what programs say, and what they are called
def _of_programs() -> Iterator[Reader]:
    line = "info depth 12 seldepth 15 multipv 2 score cp -31 nodes 4000 nps 9 time 5 pv e2e4 e7e5"
    mate = "info depth 3 score mate -2 upperbound pv d1d8"
    yield Reader("command lines", split_command, ("sh -c 'sleep 1'", "python3 -u bot.py --fast"))
    yield Reader("what UCI programs say", _told, (line, mate, "info string score cp 3"))
    settings = folder() / "settings"
    settings.mkdir(exist_ok=True)
    named = {"fish": {"protocol": "uci", "command": "stockfish;Threads=1"}}
    listed = json.dumps({"format": engines.FORMAT, "engines": named}).encode()

    def read_engines() -> object:
        before = os.environ.get("PLYFORGE_CONFIG_DIR")
        os.environ["PLYFORGE_CONFIG_DIR"] = str(settings)
        try:
            (settings / "engines.json").chmod(0o600)
            return engines.engines()
        finally:
            os.environ.pop("PLYFORGE_CONFIG_DIR")
            if before is not None:
                os.environ["PLYFORGE_CONFIG_DIR"] = before

    yield Reader("lists of engines", in_folder(settings / "engines.json", read_engines), (listed,))


def _told(text: str) -> None:
    for line in text.splitlines():
        info = read_info(line)
        if info is not None:
            info.value(0), info.value(1)


__all__ = ["more_readers"]
