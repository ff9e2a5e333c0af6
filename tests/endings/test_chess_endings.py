"""Chess endings by number, and databases of them: beside the published counts of Syzygy's tables, and beside the
tables themselves."""

from __future__ import annotations

import os
import random

import numpy as np
import pytest

import paths
import plyforge as pf
from conftest import compiles
from conversation import Conversation
from known.chess import ROOK_MATES
from known.chess_endings import OUTCOMES, PLIES
from plyforge.endings import Database
from plyforge.endings.files import DRAW, LOSS, WIN
from plyforge.endings.probe import probe, probe_distance
from plyforge.games.chess.board import ZERO
from plyforge.games.chess.notation import uci_text
from plyforge.games.chess.tablebase import BITS, SIDE, half_size, image, side_of_diagonal
from plyforge.kernel import inline, kernel, lowest
from plyforge.kernel.entry import coerce, native_function
from plyforge.play.protocols.uci.server import Uci
from plyforge.search.core.limits import Limits
from plyforge.search.engine.engine import Engine
from plyforge.solve import build_endings
from syzygy_reader import DRAWN, LOST, Tables, place_of, read_tables, table_name, value_of

DATA = paths.DATA / "chess"
CHESS = pf.load("chess")
FOLDER = os.environ.get("PLYFORGE_CHESS_ENDINGS")
"""A folder with a database of up to four men that was built before; without it, three men are built."""


@pytest.mark.parametrize(
    "part", CHESS.tablebase.slices(CHESS, 4), ids=lambda kind: CHESS.tablebase.format_slice(CHESS, kind)
)
def test_numbers_and_positions_are_inverse_to_each_other(part) -> None:
    code, size = CHESS.tablebase.slice_code(CHESS, part), CHESS.tablebase.slice_size(CHESS, part)
    chooser = random.Random(size)
    found = 0
    for number in [chooser.randrange(size) for _ in range(120)]:
        position = CHESS.tablebase.state_at(CHESS, code, number)
        if CHESS.tablebase.index_valid(CHESS, position):
            found += 1
            assert CHESS.tablebase.canonical(CHESS, position) == (position, False)
            assert (CHESS.tablebase.slice_of(CHESS, position), CHESS.tablebase.index(CHESS, position)) == (code, number)
            for action in pf.legal_moves(CHESS, position):
                after, _ = CHESS.tablebase.canonical(CHESS, CHESS.result(position, action))
                there = CHESS.tablebase.slice_of(CHESS, after)
                assert CHESS.tablebase.state_at(CHESS, there, CHESS.tablebase.index(CHESS, after)) == after
    assert found > 5


def test_images_and_exchanged_colours_have_one_number() -> None:
    same = [
        "8/8/8/3k4/8/8/1Q6/K7 w - - 0 1",
        "8/8/8/4k3/8/8/6Q1/7K w - - 0 1",
        "K7/1Q6/8/8/3k4/8/8/8 w - - 0 1",
        "k7/1q6/8/8/3K4/8/8/8 b - - 0 1",
    ]
    numbers = {
        (CHESS.tablebase.slice_of(CHESS, s), CHESS.tablebase.index(CHESS, s))
        for s in (CHESS.tablebase.canonical(CHESS, pf.parse_state(CHESS, fen))[0] for fen in same)
    }
    assert len(numbers) == 1


def test_rights_to_castle_and_a_fifth_man_have_no_number() -> None:
    for fen in ("8/8/8/3k4/8/8/8/R3K3 w Q - 0 1", "8/8/8/4k3/8/8/PPP5/K7 w - - 0 1"):
        assert CHESS.tablebase.slice_of(CHESS, pf.parse_state(CHESS, fen)) == -1


@inline
def times_published(s, equal_men):
    """How often the published counts have a position. They tell two equal men apart, so twice; but once if the men
    are each other's mirror images and all else is its own."""
    if not equal_men:
        return 1
    mirrored, men = image(s, False, False, True), (s.white | s.black) & ~s.kings
    own_image = mirrored.kings == s.kings and mirrored.white == s.white and mirrored.black == s.black
    return 1 if s.pawns == ZERO and own_image and side_of_diagonal(lowest(men)) != 0 else 2


@kernel
def count_values(game, database, code, begin, end, equal_men, counts):
    """How many positions are won, drawn and lost for White, who moves, as they are published."""
    for number in range(begin, end):
        state = game.tablebase.state_at(game, code, number)
        if game.tablebase.index_valid(game, state):
            value = probe(game, database, state)
            counts[value] += times_published(state, equal_men)


@pytest.fixture(scope="session")
def database(tmp_path_factory: pytest.TempPathFactory) -> Database:
    folder = FOLDER or str(tmp_path_factory.mktemp("chess"))
    if FOLDER is None:
        if os.environ.get("NUMBA_DISABLE_JIT") == "1":
            pytest.skip("interpreted, building a database takes an hour: give PLYFORGE_CHESS_ENDINGS one")
        build_endings(CHESS, pieces=3, folder=folder)
    return Database.open(folder, CHESS)


def halves_of(part) -> list[tuple[int, int]]:
    """The numbers with the stronger side to move, and with the weaker one; once if both are equal."""
    code, size = CHESS.tablebase.slice_code(CHESS, part), CHESS.tablebase.slice_size(CHESS, part)
    half = int(half_size(code))
    return [(0, half)] if code >> BITS == code & SIDE else [(0, half), (half, size)]


def counted(database: Database, part) -> tuple[tuple[int, ...], ...]:
    """Won, drawn and lost for who moves: the stronger side, then the weaker one."""
    code = CHESS.tablebase.slice_code(CHESS, part)
    found = []
    for begin, end in halves_of(part):
        counts = np.zeros(4, np.int64)
        arguments = (CHESS, database.address, code, begin, end, max(part) == 2, counts)
        native_function(count_values, *arguments)(*arguments)
        found.append(tuple(int(counts[value]) for value in (WIN, DRAW, LOSS)))
    return tuple(found * (2 if len(found) == 1 else 1))


@pytest.mark.full
def test_as_many_positions_are_won_drawn_and_lost_as_in_syzygys_tables(database: Database) -> None:
    compared = 0
    for part in database.files:
        name = table_name(part)
        if name in OUTCOMES:
            assert counted(database, part) == OUTCOMES[name], name
            compared += 1
    assert compared == len(database.files) - 1  # all but king against king


@kernel
def count_distances(game, database, code, begin, end, equal_men, wins, losses):
    """How many positions White, who moves, wins and loses in so many plies, as they are published."""
    for number in range(begin, end):
        state = game.tablebase.state_at(game, code, number)
        if game.tablebase.index_valid(game, state):
            value = probe(game, database, state)
            if value == WIN:
                wins[probe_distance(game, database, state)] += times_published(state, equal_men)
            elif value == LOSS:
                losses[probe_distance(game, database, state)] += times_published(state, equal_men)


def ends_with_the_first_capture(part) -> bool:
    """True if a capture draws and no pawn moves: then the plies to a capture or pawn move, which are published, are
    those to mate."""
    _, _, bishops, knights, _, *weaker = part
    minor_men = bishops + knights + weaker[2] + weaker[3]
    return part.pawns + part.weaker_pawns == 0 and sum(part) in (1, minor_men)


@pytest.mark.full
@compiles
def test_as_many_positions_are_as_far_from_mate_as_in_syzygys_statistics(database: Database) -> None:
    database.load_distances()
    parts = [part for part in database.files if sum(part) and ends_with_the_first_capture(part)]
    assert len(parts) in (4, 10)
    for part in parts:
        halves = halves_of(part)
        for mover, (begin, end) in zip(("White", "Black"), halves * (3 - len(halves)), strict=True):
            wins, losses = np.zeros(database.longest + 1, np.int64), np.zeros(database.longest + 1, np.int64)
            code = CHESS.tablebase.slice_code(CHESS, part)
            arguments = (CHESS, database.address, code, begin, end, max(part) == 2, wins, losses)
            native_function(count_distances, *arguments)(*arguments)
            for word, found in (("win", wins), ("lose", losses)):
                ours = {int(plies): int(found[plies]) for plies in np.flatnonzero(found)}
                assert ours == PLIES.get((table_name(part), mover, word), {}), (table_name(part), mover, word)


# ------------------------------------------------------------ beside Syzygy's tables, position by position
@kernel
def first_difference(game, database, tables, code, size, counts):
    """The first number whose position has another value in Syzygy's tables, -1 if there is none. `counts` by value
    to White, who moves."""
    for number in range(size):
        state = game.tablebase.state_at(game, code, number)
        if game.tablebase.index_valid(game, state):
            theirs = value_of(game, tables, state)
            if theirs < 0:
                return number
            value = DRAW if theirs == DRAWN else LOSS if theirs < DRAWN else WIN
            if probe(game, database, state) != value:
                return number
            counts[value] += 1
    return -1


def syzygy(parts) -> Tables:
    """The tables of some endings; two kings alone have none."""
    folder = DATA / "syzygy-3-4"
    if not folder.is_dir():
        pytest.skip(f"Syzygy's tables, {folder.name}, are not here")
    return read_tables(folder, [part for part in parts if sum(part)])


def compare(database: Database, tables: Tables, part) -> int:
    """How many positions of a slice have the same value in both; it fails with the first that has not."""
    counts = np.zeros(4, np.int64)
    code, size = CHESS.tablebase.slice_code(CHESS, part), CHESS.tablebase.slice_size(CHESS, part)
    arguments = (CHESS, database.address, tables, code, size, counts)
    number = native_function(first_difference, *arguments)(*arguments)
    if number >= 0:
        state = coerce(CHESS.tablebase.state_at(CHESS, code, number))
        theirs = int(value_of(CHESS, tables, state))
        raise AssertionError(
            f"{pf.format_state(CHESS, state)}: whoever moves has a {database.outcome(state)} here; in Syzygy's tables"
            f" the value is {theirs} of 0 (lost) to 4 (won)"
        )
    return int(counts.sum())


@compiles
def test_every_position_of_three_men_has_the_value_of_syzygys_tables(database: Database) -> None:
    parts = [part for part in database.files if sum(part) <= 1]
    tables = syzygy(parts)
    stored = sum(sum(database.files[part].header["counts"].values()) for part in parts)
    assert sum(compare(database, tables, part) for part in parts) == stored


@compiles
def test_one_other_value_in_the_tables_is_found(database: Database) -> None:
    part = CHESS.tablebase.slices(CHESS, 3)[-1]
    assert table_name(part) == "KPvK"
    tables = syzygy(CHESS.tablebase.slices(CHESS, 3))
    fen = "8/8/3k4/8/3K4/3P4/8/8 w - - 0 1"
    place = place_of(tables, pf.parse_state(CHESS, fen))
    assert tables.values[place] == DRAWN
    tables.values[place] = LOST
    with pytest.raises(AssertionError, match=f"{fen}: whoever moves has a draw here"):
        compare(database, tables, part)


PUSH_OR_DRAW = "8/8/8/1P6/3K4/8/8/3k4 w - - 99 90"
"""Won by pushing the pawn now: after any other move fifty have passed without progress."""


def test_the_fifty_moves_go_before_the_database(database: Database) -> None:
    engine = Engine(database=database)
    state = pf.parse_state(CHESS, PUSH_OR_DRAW)
    assert pf.format_action(CHESS, state, database.best(state)[0]) != "b6", "which the database alone would not play"
    found = engine.search(CHESS, state, Limits(nodes=3000), native=False)
    assert pf.format_action(CHESS, state, found.action) == "b6"
    for fen in ("8/8/8/3k4/8/8/1Q6/K7 w - - 90 80", "4k3/8/8/8/8/8/4P3/4K3 w - - 100 1"):
        position = pf.parse_state(CHESS, fen)
        assert database.distance(position) is not None
        assert not engine.search(CHESS, position, Limits(nodes=500), native=False).exact
    soon = pf.parse_state(CHESS, "8/8/8/3k4/8/8/1Q6/K7 w - - 3 80")
    assert engine.search(CHESS, soon, Limits(nodes=500), native=False).distance == database.distance(soon)


@pytest.mark.full
@compiles
def test_every_position_has_the_value_of_syzygys_tables(database: Database) -> None:
    """A win that fifty moves would make a draw is a win here: with up to four men there is none."""
    three = [part for part in database.files if sum(part) <= 1]
    compared = 0
    for part in database.files:
        compared += compare(database, syzygy({*three, part}), part)  # captures lead to three men
    assert compared == database.states


@pytest.mark.full
def test_a_rook_mates_from_every_position_as_quickly_as_is_known(database: Database) -> None:
    engine = Engine(database=database)
    for number, (fen, moves) in enumerate(ROOK_MATES.items()):
        position = pf.parse_state(CHESS, fen + " 0 1" if len(fen.split()) == 4 else fen)
        plies = 2 * moves - 1 if moves > 0 else -2 * moves
        assert database.distance(position) == plies, fen
        if number % 2 == 0:
            found = engine.search(CHESS, position, Limits(seconds=0.1))
            assert found.exact and found.distance == plies


@pytest.mark.full
def test_over_uci_the_database_tells_the_mate_and_the_move(database: Database) -> None:
    talk = Conversation.with_object(lambda commands, answers: Uci(commands, answers, native=False).run())
    fen = "8/8/8/3k4/8/8/1Q6/K7 w - - 0 1"
    state = pf.parse_state(CHESS, fen)
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
