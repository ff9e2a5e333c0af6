"""N-tuple networks: the same at both speeds whatever a state is made of, learned in seconds, kept, and strong enough to
be worth it.

The truth that nobody here wrote: tic-tac-toe's value after every first move and reply, by minimax.
"""

import dataclasses
import enum
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

import paths
import plyforge as pf
from conftest import compiles, thinned
from plyforge.contract import MAX, Game
from plyforge.errors import Unsuitable
from plyforge.evaluate.ntuples import NTupleNetwork, find_tuples, kept_network, learn, learned_network
from plyforge.evaluate.ntuples.cells import numbers_of, paths_of
from plyforge.evaluate.ntuples.kept import file_of, keep_network, network_or_error
from plyforge.evaluate.ntuples.self_play import Lesson
from plyforge.evaluate.ntuples.tuples import BASE, END, OFFSET
from plyforge.kernel.compiling.layout import random_states
from plyforge.play import parse_player
from plyforge.search import choose, contest

FOLDER = paths.NATURAL_GAMES
BOARDS = ("ataxx", "breakthrough", "clobber", "gomoku_captures", "quarto", "y")


@pytest.fixture
def own_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("PLYFORGE_CACHE_DIR", str(tmp_path))
    return tmp_path


def natural(name: str) -> Game:
    return pf.load(f"{FOLDER / name}.py")


# ------------------------------------------------------------ what there is to look at
class Piece(enum.Enum):
    NOTHING = 0
    MINE = 3


class Inner(NamedTuple):
    rows: tuple
    letter: str


@dataclass(frozen=True)
class Whole:
    inner: Inner
    flag: bool
    piece: Piece
    maybe: int | None
    weight: float


def test_a_state_s_numbers_are_read_in_the_order_of_their_paths() -> None:
    state = Whole(Inner(((1, 2), (3, -4)), "x"), True, Piece.MINE, None, 2.5)
    paths = list(paths_of(state))
    assert numbers_of(state, paths) == [1, 2, 3, -4, ord("x"), 1, 3, -1, 0]
    assert paths[:2] == [("inner", "rows", 0, 0), ("inner", "rows", 0, 1)] and paths[-1] == ("weight",)


@pytest.mark.parametrize("held", [{1, 2}, {"a": 1}, frozenset((1,)), object()])
def test_what_has_no_order_has_no_cells(held: object) -> None:
    with pytest.raises(TypeError, match="has no cells"):
        list(paths_of((1, held)))


def test_tuples_of_a_board_are_cells_squares_and_lines() -> None:
    found = find_tuples(natural("breakthrough"))
    assert found is not None
    sizes = np.diff(found.tuples[:, END], prepend=0)
    board = found.tuples[:, BASE] == 3
    assert (sizes[board] == 1).sum() == 36  # three values in each of 36 cells
    assert (sizes[board] == 4).sum() == 25  # squares of two by two
    lines = 2 * 6 * 2 + 2 * 4  # of five, in rows and columns of six, and on diagonals
    assert (sizes[board] == 5).sum() == lines
    assert len(set(found.tuples[sizes == 5, OFFSET])) == 4  # a table for each direction


def test_lines_are_as_long_as_a_small_board_allows() -> None:
    found = find_tuples(Squares())
    assert found is not None
    assert (np.diff(found.tuples[:, END], prepend=0) == 3).sum() == 3 + 3 + 2  # rows, columns, diagonals


@pytest.mark.parametrize("name", BOARDS)
def test_every_place_is_inside_its_table(name: str) -> None:
    game = natural(name)
    found = find_tuples(game)
    assert found is not None
    places = np.zeros(len(found.tuples), np.int64)
    for state in list(random_states(game, seed=5))[:60]:
        if not game.terminal(state):
            found.list_places(game, state, places, 0)
            bank = game.player(state) * found.weights
            sizes = np.diff(found.tuples[:, END], prepend=0)
            first = bank + found.tuples[:, OFFSET]
            assert (places >= first).all() and (places < first + found.tuples[:, BASE] ** sizes).all()


def test_states_of_changing_length_and_wide_numbers_have_no_tuples() -> None:
    corpus = paths.RULES_CORPUS
    assert find_tuples(pf.load(f"{corpus / 'growing_tuple'}.py")) is None
    assert find_tuples(pf.load(f"{corpus / 'dict_board'}.py")) is None


# ------------------------------------------------------------ both speeds
@compiles
@pytest.mark.parametrize("name", thinned(["ataxx", "clobber", "quarto"], ["quarto"]))
def test_both_speeds_learn_the_same_weights_and_say_the_same(name: str) -> None:
    game = natural(name)
    found = find_tuples(game)
    assert found is not None
    lessons = [Lesson(game, found, seed=1, native=native) for native in (True, False)]
    for lesson in lessons:
        lesson.go_on(3, True)
        lesson.go_on(2, False)
    assert np.array_equal(lessons[0].weights, lessons[1].weights) and np.any(lessons[0].weights)
    network = NTupleNetwork.of(found, lessons[0].weights)
    values = [pf.search(game, using="minimax", depth=1, evaluate=network, native=n).values for n in (True, False)]
    assert values[0] == values[1]


@compiles
def test_bits_of_plyforge_s_own_boards_are_cells() -> None:
    game = pf.load("hex(size=4)")
    found = find_tuples(game)
    assert found is not None and (found.tuples[:16, BASE] == 3).all()  # red, blue or nothing
    assert len(found.tuples) > 16
    lessons = [Lesson(game, found, seed=1, native=native) for native in (True, False)]
    for lesson in lessons:
        lesson.go_on(4, False)
    assert np.array_equal(lessons[0].weights, lessons[1].weights)


# ------------------------------------------------------------ learning
class Squares(pf.Game):
    """Tic-tac-toe on a tuple of cells."""

    LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))

    def start(self):
        return (0,) * 9

    def player(self, s):
        return (9 - s.count(0)) % 2

    def actions(self, s):
        return [i for i in range(9) if s[i] == 0]

    def result(self, s, i):
        cells = list(s)
        cells[i] = self.player(s) + 1
        return tuple(cells)

    def won(self, s, stone):
        return any(all(s[i] == stone for i in line) for line in self.LINES)

    def terminal(self, s):
        return self.won(s, 1) or self.won(s, 2) or 0 not in s

    def utility(self, s):
        return 1.0 if self.won(s, 1) else -1.0 if self.won(s, 2) else 0.0


@compiles
def test_what_is_learned_agrees_with_the_truth_more_often_than_not() -> None:
    """Of tic-tac-toe's positions after three plies, won ones are thought better of than drawn ones."""
    game = Squares()
    network = learn(game, games=20_000)
    assert network is not None
    seen, truth = [], []
    states = {game.start()}
    for _ in range(3):
        states = {game.result(s, a) for s in states for a in pf.legal_moves(game, s)}
    for s in sorted(states):
        seen.append(network.estimate(game, s))
        truth.append(pf.search(game, s, using="engine", native=False).value)
    won = [v for v, t in zip(seen, truth, strict=True) if t > 0]
    drawn = [v for v, t in zip(seen, truth, strict=True) if t == 0]
    better = np.mean([w > d for w in won for d in drawn])
    assert won and drawn and better > 0.75, better


@compiles
def test_the_same_seed_learns_the_same(own_cache: Path) -> None:
    game = natural("clobber")
    one, two = (learn(game, games=200, seed=7) for _ in range(2))
    assert one is not None and two is not None and one.digest == two.digest
    assert dataclasses.replace(one) == one and learn(game, games=200, seed=8) != one


def test_learning_stops_when_told_to(own_cache: Path) -> None:
    assert learn(natural("clobber"), 600.0, native=False, stopped=lambda: True) is None


def test_an_estimate_is_inside_the_bounds_whatever_the_weights() -> None:
    game = natural("quarto")
    found = find_tuples(game)
    assert found is not None
    for weight in (1e9, -1e9):
        network = NTupleNetwork.of(found, np.full(2 * found.weights, weight))
        assert -1.0 < network.estimate(game, game.start()) < 1.0


# ------------------------------------------------------------ kept
def _made_up(game: Game) -> NTupleNetwork:
    found = find_tuples(game)
    assert found is not None
    return NTupleNetwork.of(found, np.linspace(-1, 1, 2 * found.weights).astype(np.float32).astype(float))


def test_a_network_is_kept_and_read_back(own_cache: Path) -> None:
    game = natural("quarto")
    assert kept_network(game) is None
    made = _made_up(game)
    keep_network(game, made)
    assert kept_network(game) == made and np.array_equal(kept_network(game).weights, made.weights)
    assert learned_network(game) == made  # nothing is learned again
    assert kept_network(natural("clobber")) is None


@pytest.mark.parametrize("damage", ["empty", "short", "byte", "nan", "other"])
def test_a_damaged_file_is_as_good_as_none(own_cache: Path, damage: str) -> None:
    game = natural("quarto")
    made = _made_up(game)
    keep_network(game, made)
    path = file_of(game)
    assert path is not None
    content = bytearray(path.read_bytes())
    if damage == "nan":
        keep_network(game, NTupleNetwork.of(made.inputs, np.full_like(made.weights, np.nan)))
    elif damage == "other":
        other = natural("clobber")
        keep_network(other, _made_up(other))
        path.write_bytes(file_of(other).read_bytes())
    else:
        content[-1] ^= 1
        path.write_bytes({"empty": b"", "short": bytes(content[:-8]), "byte": bytes(content)}[damage])
    assert kept_network(game) is None


# ------------------------------------------------------------ as a player
def test_a_network_that_won_is_what_best_stands_for_and_says_so(own_cache: Path) -> None:
    game = natural("quarto")
    keep_network(game, _made_up(game))
    contest.keep(game, contest.LEARNED, {})
    chosen = choose(game)
    assert chosen.search.name == "engine" and "network=ntuples" in chosen.text and "learned" in chosen.why
    player = parse_player(f"{chosen.text},depth=1", game, native=False)
    assert player.evaluate == kept_network(game) and "network=ntuples" in player.description
    assert player.choose(game, game.start()).action in pf.legal_moves(game, game.start())


def test_without_its_network_a_verdict_counts_for_nothing(own_cache: Path) -> None:
    game = natural("quarto")
    contest.keep(game, contest.LEARNED, {})
    assert contest.verdict(game) is None and choose(game).search.name == "guarded_uct"


@pytest.mark.parametrize("name", ["pig", "three_nim"])
def test_where_none_can_be_learned_a_sentence_says_so(name: str) -> None:
    with pytest.raises(Unsuitable, match="two players without chance"):
        network_or_error(pf.load(name))


@compiles
@pytest.mark.full
def test_a_minute_of_nothing_but_rules_beats_plain_simulations(own_cache: Path) -> None:
    """Breakthrough, the same nodes a move for both: what was learned in a second wins most games."""
    game = natural("breakthrough")
    network = learn(game, games=4_000)
    assert network is not None
    points = 0
    for number in range(6):
        players = [
            pf.play.SearchPlayer("engine", nodes=3_000, evaluate=network, options={"seed": number}),
            pf.play.SearchPlayer("uct", options={"simulations": 300, "seed": number}),
        ]
        s, seat = game.start(), number % 2
        while not game.terminal(s):
            s = game.result(s, players[(game.player(s) + seat) % 2].choose(game, s).action)
        points += (game.utility(s) > 0) == (seat == MAX)
    assert points >= 4
