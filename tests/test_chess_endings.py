"""Chess endings by number, and databases of them: beside the published counts of Syzygy's tables, and beside the tables themselves."""

from __future__ import annotations

import os
import random
import re
from pathlib import Path

import numpy as np
import pytest

import plyforge as pf
from conversation import Conversation
from plyforge.endings import Database
from plyforge.endings.files import DRAW, LOSS, WIN
from plyforge.endings.probe import probe
from plyforge.games.chess.index import BITS, SIDE, half_size
from plyforge.games.chess.notation import uci_text
from plyforge.kernel import kernel
from plyforge.kernel.entry import native_function
from plyforge.play.protocols.uci import Uci
from plyforge.search.engine import Engine
from plyforge.search.limits import Limits
from plyforge.solve import build_endings

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "chess"
CHESS = pf.load("chess")
FOLDER = os.environ.get("PLYFORGE_CHESS_ENDINGS")
"""A folder with a database of up to four men that was built before; without it, three men are built."""


@pytest.mark.parametrize("part", CHESS.slices(4), ids=CHESS.format_slice)
def test_numbers_and_positions_are_inverse_to_each_other(part) -> None:
    code, size = CHESS.slice_code(part), CHESS.slice_size(part)
    chooser = random.Random(size)
    found = 0
    for number in [chooser.randrange(size) for _ in range(120)]:
        position = CHESS.state_at(code, number)
        if CHESS.index_valid(position):
            found += 1
            assert CHESS.canonical(position) == (position, False)
            assert (CHESS.slice_of(position), CHESS.index(position)) == (code, number)
            for action in CHESS.legal(position):
                after, _ = CHESS.canonical(CHESS.result(position, action))
                there = CHESS.slice_of(after)
                assert CHESS.state_at(there, CHESS.index(after)) == after
    assert found > 5


def test_images_and_exchanged_colours_have_one_number() -> None:
    same = [
        "8/8/8/3k4/8/8/1Q6/K7 w - - 0 1",
        "8/8/8/4k3/8/8/6Q1/7K w - - 0 1",
        "K7/1Q6/8/8/3k4/8/8/8 w - - 0 1",
        "k7/1q6/8/8/3K4/8/8/8 b - - 0 1",
    ]
    numbers = {
        (CHESS.slice_of(s), CHESS.index(s))
        for s in (CHESS.canonical(CHESS.parse_state(fen))[0] for fen in same)
    }
    assert len(numbers) == 1


def test_rights_to_castle_and_a_fifth_man_have_no_number() -> None:
    for fen in ("8/8/8/3k4/8/8/8/R3K3 w Q - 0 1", "8/8/8/4k3/8/8/PPP5/K7 w - - 0 1"):
        assert CHESS.slice_of(CHESS.parse_state(fen)) == -1


@kernel
def count_values(game, database, code, begin, end, counts):
    """How many positions are won, drawn and lost for White, who moves."""
    for number in range(begin, end):
        state = game.state_at(code, number)
        if game.index_valid(state):
            value = probe(game, database, state)
            counts[value] += 1


@pytest.fixture(scope="session")
def database(tmp_path_factory: pytest.TempPathFactory) -> Database:
    folder = FOLDER or str(tmp_path_factory.mktemp("chess"))
    if FOLDER is None:
        if os.environ.get("NUMBA_DISABLE_JIT") == "1":
            pytest.skip("interpreted, building a database takes an hour: give PLYFORGE_CHESS_ENDINGS one")
        build_endings(CHESS, pieces=3, folder=folder)
    return Database.open(folder, CHESS)


def published() -> dict[str, dict[str, list[int]]]:
    """By ending and by who moves: positions won, drawn and lost for who moves."""
    file = DATA / "syzygy-regular-stats-3-4.txt"
    if not file.exists():
        pytest.skip(f"the published counts, {file.name}, are not here")
    found: dict[str, dict[str, list[int]]] = {}
    for line in file.read_text().splitlines():
        if title := re.match(r"#+ (\w+) #+", line):
            name = title[1]
            found[name] = {"White": [], "Black": []}
        elif side := re.match(r"(White|Black) to move", line):
            mover = side[1]
        elif count := re.match(r"(\d+) positions are (wins|draws|losses)", line):
            found[name][mover].append(int(count[1]))
    return found


def counted(database: Database, part) -> list[list[int]]:
    """Won, drawn and lost for who moves: the stronger side, then the weaker one."""
    code, size = CHESS.slice_code(part), CHESS.slice_size(part)
    half = int(half_size(code))
    halves = [(0, half)] if code >> BITS == code & SIDE else [(0, half), (half, size)]
    found = []
    for begin, end in halves:
        counts = np.zeros(4, np.int64)
        arguments = (CHESS, database.address, code, begin, end, counts)
        native_function(count_values, *arguments)(*arguments)
        found.append([int(counts[value]) for value in (WIN, DRAW, LOSS)])
    return found * (2 if len(found) == 1 else 1)


@pytest.mark.full
def test_as_many_positions_are_won_drawn_and_lost_as_in_syzygys_tables(database: Database) -> None:
    """They count two equal men of one side twice, once for each order."""
    known = published()
    compared = 0
    for part in database.files:
        name = CHESS.format_slice(part).upper().replace("-", "v")
        if name in known:
            twice = 2 if max(part) == 2 else 1
            ours = [[twice * number for number in side] for side in counted(database, part)]
            assert ours == [known[name]["White"], known[name]["Black"]], name
            compared += 1
    assert compared >= 5


@pytest.mark.full
def test_a_rook_mates_from_every_position_as_quickly_as_is_known(database: Database) -> None:
    file = DATA / "KRvK1000.epd"
    if not file.exists():
        pytest.skip(f"{file.name} is not here")
    engine = Engine(database=database)
    for number, line in enumerate(file.read_text().splitlines()):
        fen, moves = re.match(r"(.*?) bm #(-?\d+);", line).groups()  # type: ignore[union-attr]
        position = CHESS.parse_state(fen + " 0 1" if len(fen.split()) == 4 else fen)
        plies = 2 * int(moves) - 1 if int(moves) > 0 else -2 * int(moves)
        assert database.distance(position) == plies, fen
        if number % 50 == 0:
            found = engine.search(CHESS, position, Limits(seconds=0.1))
            assert found.exact and found.distance == plies


@pytest.mark.full
def test_over_uci_the_database_tells_the_mate_and_the_move(database: Database) -> None:
    talk = Conversation.with_object(lambda commands, answers: Uci(commands, answers, native=False).run())
    fen = "8/8/8/3k4/8/8/1Q6/K7 w - - 0 1"
    state = CHESS.parse_state(fen)
    plies = database.distance(state)
    assert plies is not None and plies > 9  # far too deep for what is searched
    talk.say(f"setoption name Endings value {database.folder}", f"position fen {fen}", "go depth 1")
    lines = talk.hear("bestmove")
    assert any(f"score mate {(plies + 1) // 2} " in line for line in lines)
    best = {uci_text(state, action, False) for action in database.best(state)}
    assert lines[-1].split()[1] in best
    talk.say("setoption name Endings value <empty>", "go depth 1")
    assert not any("mate" in line for line in talk.hear("bestmove"))
    talk.close()
