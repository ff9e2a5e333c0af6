"""An engine with a database of endings: exact inside the tree, perfect at the root."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

import plyforge as pf
from conftest import compiles
from plyforge.cli import plyforge_command
from plyforge.contract import MAX
from plyforge.endings import Database
from plyforge.errors import BadText, Unsuitable
from plyforge.play import Engine, GameSession, SearchPlayer, parse_player
from plyforge.search import Control, Limits
from plyforge.search import Engine as Search
from plyforge.solve.endings.build import build

GAME = pf.load("checkers")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("endings")
    build(GAME, 2, place, native=False)
    return place


@pytest.fixture(scope="module")
def database(folder: Path) -> Database:
    return Database.open(folder, GAME)


@pytest.fixture(scope="module")
def four(tmp_path_factory: pytest.TempPathFactory) -> Database:
    place = tmp_path_factory.mktemp("four")
    build(GAME, 4, place, native=True)
    return Database.open(place, GAME)


def endings(database: Database, dice: random.Random, wanted: str) -> Any:
    """Random states in which the mover's outcome is the wanted one, for ever."""
    kinds = list(database.files)
    sizes = [GAME.tablebase.slice_size(GAME, kind) for kind in kinds]
    while True:
        kind = dice.choices(kinds, sizes)[0]
        state = GAME.tablebase.state_at(
            GAME, GAME.tablebase.slice_code(GAME, kind), dice.randrange(GAME.tablebase.slice_size(GAME, kind))
        )
        if dice.random() < 0.5:  # the same for White to move
            state = pf.parse_state(GAME, exchanged(pf.format_state(GAME, state)))
        if not GAME.terminal(state) and database.outcome(state) == wanted:
            yield state


def exchanged(fen: str) -> str:
    """Colours exchanged and the board turned, in the text alone."""
    side, *parts = fen.split(":")
    turned = []
    for part in parts:
        squares = [
            f"{'K' if square[0] == 'K' else ''}{33 - int(square.lstrip('K'))}"
            for square in part[1:].split(",")
            if square
        ]
        turned.append(f"{'B' if part[0] == 'W' else 'W'}{','.join(squares)}")
    return ":".join(["W" if side == "B" else "B", *turned])


def played_out(game: Any, state: Any, engine: Search, opponent: Any) -> float:
    """What the side to move in `state`, which is the engine's, gets in the end: 1, 0 or -1."""
    side, history = state.player, [state]
    while not game.terminal(state):
        if game.history.draw_reason(game, history):
            return 0.0
        if state.player == side:
            action = engine.search(game, state, Limits(depth=2), native=False, history=history[:-1]).action
        else:
            action = opponent(game, state)
        state = game.result(state, action)
        history.append(state)
    return game.utility(state) if side == MAX else -game.utility(state)


def opponents(database: Database, dice: random.Random) -> list[Any]:
    """One that plays anything, one that resists as long as it can."""
    return [
        lambda game, state: dice.choice(pf.legal_moves(game, state)),
        lambda game, state: dice.choice(database.best(state)),
    ]


def check_endings(database: Database, number: int) -> None:
    dice, engine = random.Random(4), Search(database=database, table_mib=1.0)
    for wanted, least in (("win", 1.0), ("draw", 0.0)):
        states = endings(database, dice, wanted)
        for index in range(number):
            opponent = opponents(database, dice)[index % 2]
            state = next(states)
            got = played_out(GAME, state, engine, opponent)
            assert got >= least, f"{wanted}: {pf.format_state(GAME, state)} came to {got}"


def test_won_endings_are_won_and_drawn_ones_not_lost(database: Database) -> None:
    check_endings(database, 30)


@pytest.mark.full
@compiles
def test_a_thousand_won_endings_of_four_pieces_are_won_and_a_thousand_drawn_ones_not_lost(
    four: Database,
) -> None:
    check_endings(four, 1000)


def test_at_the_root_the_database_answers(database: Database) -> None:
    for wanted, value in (("win", 1.0), ("loss", -1.0)):
        state = next(endings(database, random.Random(1), wanted))
        found = Search(database=database, all_best=True).search(GAME, state, Limits(depth=3), native=False)
        assert found.value == (value if state.player == MAX else -value)
        assert found.exact and found.distance == database.distance(state)
        assert found.best == database.best(state) and len(found.line) == found.distance
    drawn = pf.parse_state(GAME, "W:WK3:B2")
    found = Search(database=database).search(GAME, drawn, Limits(depth=3), native=False)
    assert found.value == 0.0 and found.exact and found.action in database.best(drawn)


@pytest.mark.parametrize("native", [False, pytest.param(True, marks=[compiles, pytest.mark.full])])
def test_inside_the_tree_its_values_are_proofs(database: Database, native: bool) -> None:
    """Three pieces are not in it; where every action captures, two are left, and one ply is enough."""
    dice, tested = random.Random(2), 0
    kinds = [kind for kind in GAME.tablebase.slices(GAME, 3) if sum(kind) == 3]
    while tested < 30:
        kind = dice.choice(kinds)
        state = GAME.tablebase.state_at(
            GAME, GAME.tablebase.slice_code(GAME, kind), dice.randrange(GAME.tablebase.slice_size(GAME, kind))
        )
        after = [GAME.result(state, action) for action in pf.legal_moves(GAME, state)]
        if not after or not all(database.outcome(one) for one in after):
            continue
        tested += 1
        worth = {"win": -1.0, "draw": 0.0, "loss": 1.0}  # to whoever moved, who is Black
        exact = max(worth[str(database.outcome(one))] for one in after)
        found = Search(database=database).search(GAME, state, Limits(depth=1), native=native)
        assert (found.value, found.proven) == (exact, True)


@compiles
@pytest.mark.full
def test_both_speeds_visit_the_same_nodes_with_a_database(database: Database) -> None:
    for text in ("B:WK10:BK1,K19", "W:W22,K3:B12", "B:WK32,18:B5,K9"):
        found = [
            Search(database=database).search(GAME, pf.parse_state(GAME, text), Limits(depth=7), native=native)
            for native in (False, True)
        ]
        assert len({(one.value, one.nodes, one.action, one.proven) for one in found}) == 1


def test_players_searches_and_the_command_line_take_a_folder(folder: Path, capsys: Any) -> None:
    player = parse_player(f"engine:depth=2,database={folder}", GAME, native=False)
    assert isinstance(player, SearchPlayer)
    assert player.choose(GAME, pf.parse_state(GAME, "W:WK3:B2")).result.exact  # type: ignore[union-attr]
    assert pf.search(GAME, "W:WK3:B2", "engine", depth=2, native=False, database=folder).exact
    engine = Engine(GAME, native=False, database=str(folder))
    engine.start("W:WK3:B2", depth=2)
    assert engine.wait().exact
    plyforge_command.main(
        f"search checkers --state W:WK3:B2 --using engine --depth 2 --interpreted --database {folder} --json".split(),
        standalone_mode=False,
    )
    assert '"exact": true' in capsys.readouterr().out


def test_a_database_of_another_game_or_none_at_all_is_refused(folder: Path, tmp_path: Path) -> None:
    with pytest.raises((BadText, Unsuitable)):
        pf.search("connect4", using="engine", depth=2, native=False, database=folder)
    with pytest.raises(BadText, match="build some first"):
        pf.search(GAME, using="engine", depth=2, native=False, database=tmp_path)
    with pytest.raises(Unsuitable, match="database"):
        pf.search(GAME, using="alpha_beta", depth=2, native=False, database=folder)
    other = pf.load("checkers(move_limit=10)")
    with pytest.raises(Unsuitable, match="another game"):
        Search(database=Database.open(folder, GAME)).search(other, None, Limits(depth=1), native=False)


def test_a_session_of_perfect_players_ends(database: Database, folder: Path) -> None:
    state = next(endings(database, random.Random(3), "win"))
    session = GameSession(GAME, state)
    player = parse_player(f"engine:depth=1,database={folder}", GAME, native=False)
    assert isinstance(player, SearchPlayer)
    while not session.over:
        session.play(player.choose(GAME, session.state, history=session.states).action)
    assert session.outcome is not None and session.outcome.winners == (state.player,)


def test_several_lines_and_only_some_actions_are_ranked_by_the_database(database: Database) -> None:
    for wanted in ("win", "loss"):
        states = endings(database, random.Random(5), wanted)
        state = next(one for one in states if len(pf.legal_moves(GAME, one)) > 2)
        found = Search(database=database, lines=3).search(GAME, state, Limits(nodes=100), native=False)
        assert found.exact and found.distance == database.distance(state)
        assert found.lines[0][1] == found.line and len({line[0] for _, line in found.lines}) == 3
        mine = 1.0 if state.player == MAX else -1.0
        for (value, line), distance in zip(found.lines, found.distances, strict=True):
            after = GAME.result(state, line[0])
            assert {"win": -mine, "draw": 0.0, "loss": mine}[str(database.outcome(after))] == value
            assert distance == (None if value == 0.0 else 1 + int(database.distance(after) or 0))
        values = [mine * value for value, _ in found.lines]
        assert values == sorted(values, reverse=True)
        worst = min(pf.legal_moves(GAME, state), key=lambda action: action == found.action)
        forced = Search(database=database, only=(worst,)).search(GAME, state, Limits(nodes=100), native=False)
        assert forced.exact and forced.action == worst


def test_an_ending_does_not_make_later_searches_slow(database: Database) -> None:
    """The database answers in Python; that says nothing of whether the rules compile."""
    state = next(endings(database, random.Random(1), "win"))
    assert Search(database=database).search(GAME, state, Limits(nodes=100)).native
    engine = Engine(GAME, database=database)
    engine.start(state, nodes=100)
    engine.wait()
    assert engine._searcher.native is None


def test_the_line_of_an_ending_ends_when_time_does(database: Database) -> None:
    states = endings(database, random.Random(1), "win")
    state = next(one for one in states if (database.distance(one) or 0) > 8)
    asked = iter([False, False, True])
    assert len(database.line(state, until=lambda: next(asked))) == 2
    found = Search(database=database).search(GAME, state, Limits(seconds=1e-6), native=False)
    assert found.exact and len(found.line) == 1
    control = Control()
    control.stop()
    found = Search(database=database).search(GAME, state, Limits(seconds=60), native=False, control=control)
    assert len(found.line) == 1 and found.distance == database.distance(state)


def test_a_win_that_needs_no_database_is_counted_though_there_is_one(database: Database) -> None:
    state = pf.parse_state(GAME, "B:W9:B5,1")  # Black takes the last one
    found = Search(database=database).search(GAME, state, Limits(depth=3), native=False)
    assert found.proven and abs(found.value) == 1.0 and found.distance == 1
    met = pf.parse_state(GAME, "B:W9,32:B5,K19")
    found = Search(database=database).search(GAME, met, Limits(depth=3), native=False)
    assert not found.proven or found.distance is None, "what the database knows has no plies here"
