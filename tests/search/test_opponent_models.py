"""Opponents who are not perfect: models p(a|s), where they come from, and what is made of them."""

from __future__ import annotations

import json
import math

import pytest

import plyforge as pf
from conftest import compiles
from plyforge.errors import BadLimits, BadText, CannotCompile
from plyforge.games.several_players.three_nim import Heap, ThreeNim
from plyforge.games.tic_tac_toe import TicTacToe
from plyforge.games.trees.tree import Tree
from plyforge.games.two_players.pig import Pig
from plyforge.kernel import new_stream, uniform
from plyforge.play import (
    GameSession,
    ModelPlayer,
    OpponentModel,
    parse_model,
    parse_player,
    save,
)
from plyforge.search import CountedPolicy, EpsilonPolicy, SoftmaxPolicy, UniformPolicy, search
from plyforge.search.opponents.noisy import action_values
from plyforge.search.opponents.policy import Policy

BOARD = TicTacToe()
NEAR_THE_END = "xoxxo...."
SAME = ("action", "value", "values", "best", "line", "nodes", "reason", "player")


def near_the_end():
    return pf.parse_state(BOARD, NEAR_THE_END)


def test_what_each_action_is_worth_to_whoever_moves() -> None:
    s = near_the_end()  # O moves: square 8 wins for O, nothing else does
    values = {
        pf.format_action(BOARD, s, action): value for action, value in action_values(BOARD, s, native=False).items()
    }
    assert values["8"] == 1.0 and min(values.values()) == -1.0
    tree = Tree(figure="three_players")
    assert action_values(tree, tree.start()) == {0: 1.0, 1: 5.0}
    dice = Pig(goal=6)
    by_hand = search(dice, "4 4 3 min", using="expectiminimax", depth=4, native=False)
    values = action_values(dice, pf.parse_state(dice, "4 4 3 min"), 4, native=False)
    assert values == {action: -value for action, value in by_hand.values.items()}


def test_epsilon_mixes_a_best_action_with_any() -> None:
    s = near_the_end()
    replies = dict(EpsilonPolicy(epsilon=0.4, native=False).replies(BOARD, s))
    assert list(replies) == pf.legal_moves(BOARD, s) and sum(replies.values()) == pytest.approx(1.0)
    eight = pf.parse_action(BOARD, s, "8")
    number = len(replies)
    assert replies[eight] == pytest.approx(0.6 + 0.4 / number)
    assert all(p == pytest.approx(0.4 / number) for action, p in replies.items() if action != eight)
    tied = Tree([3, 3, 1])
    assert dict(EpsilonPolicy(epsilon=0.0).replies(tied, tied.start())) == {0: 0.5, 1: 0.5, 2: 0.0}


def test_softmax_prefers_what_is_better_by_the_temperature() -> None:
    s = near_the_end()
    values = action_values(BOARD, s, native=False)
    replies = dict(SoftmaxPolicy(temperature=0.5, native=False).replies(BOARD, s))
    assert sum(replies.values()) == pytest.approx(1.0)
    for one in values:
        for other in values:
            ratio = math.exp((values[one] - values[other]) / 0.5)
            assert replies[one] / replies[other] == pytest.approx(ratio)
    cold = dict(SoftmaxPolicy(temperature=1e-3, native=False).replies(BOARD, s))
    hot = dict(SoftmaxPolicy(temperature=1e6, native=False).replies(BOARD, s))
    assert max(cold.values()) == pytest.approx(1.0)
    assert all(p == pytest.approx(1 / len(hot), abs=1e-5) for p in hot.values())


def test_the_two_ends_of_epsilon_are_minimax_and_the_uniform_guess() -> None:
    for text in ("x...o....", "xoxo....."):
        perfect = search(BOARD, text, using="expectimax", policy=EpsilonPolicy(epsilon=0.0, native=False), native=False)
        assert perfect.value == search(BOARD, text, using="minimax", native=False).value
        careless = search(
            BOARD, text, using="expectimax", policy=EpsilonPolicy(epsilon=1.0, native=False), native=False
        )
        assert careless.value == pytest.approx(search(BOARD, text, using="expectimax", native=False).value)
        between = search(BOARD, text, using="expectimax", policy=EpsilonPolicy(epsilon=0.3, native=False), native=False)
        assert perfect.value <= between.value <= careless.value


def test_models_go_with_dice_and_with_many_players() -> None:
    dice = Pig(goal=8)
    found = search(dice, using="expectimax", depth=6, policy=EpsilonPolicy(epsilon=0.2, depth=3, native=False))
    assert not found.native and -1.0 <= found.value <= 1.0
    nim = ThreeNim(6)
    perfect = EpsilonPolicy(epsilon=0.0, native=False)
    assert search(nim, using="expectimax", policy=perfect).value == pytest.approx(0.5)
    assert dict(perfect.replies(nim, Heap(3, 1))) == {1: 0.0, 2: 0.0, 3: 1.0}


def test_a_model_that_asks_a_search_is_not_compiled_and_says_so() -> None:
    with pytest.raises(CannotCompile, match="EpsilonPolicy"):
        search(BOARD, NEAR_THE_END, using="expectimax", policy=EpsilonPolicy(), native=True)


@pytest.mark.parametrize(
    "make",
    [
        lambda: EpsilonPolicy(epsilon=1.5),
        lambda: EpsilonPolicy(epsilon=-0.1),
        lambda: SoftmaxPolicy(temperature=0.0),
        lambda: SoftmaxPolicy(temperature=math.nan),
        lambda: EpsilonPolicy(depth=0),
        lambda: CountedPolicy.of(BOARD, {}, smoothing=-1.0),
    ],
)
def test_models_that_are_no_models_are_refused(make) -> None:
    with pytest.raises(BadLimits):
        make()


# ------------------------------------------------------------------ learned from games
def play(*actions: str, seats=("ann", "bob")) -> GameSession:
    session = GameSession(BOARD, seed=0)
    session.seats = seats
    for action in actions:
        session.play_text(action)
    return session


GAMES = [play("5", "1", "9"), play("5", "1", "3"), play("5", "9"), play("1", "5", seats=("bob", "ann"))]


def test_counts_with_smoothing() -> None:
    model = OpponentModel.learn(BOARD, GAMES, of="bob")
    after_5, start = pf.parse_state(BOARD, "....x...."), BOARD.start()
    assert model.counts[after_5] == {0: 2, 8: 1} and model.counts[start] == {0: 1}
    assert (model.games, model.choices, len(model.counts)) == (4, 4, 2)
    replies = dict(model.policy(smoothing=2.0).replies(BOARD, after_5))
    assert replies[0] == pytest.approx((2 + 2 / 8) / 5) and replies[1] == pytest.approx(2 / 8 / 5)
    assert sum(replies.values()) == pytest.approx(1.0)
    exact = dict(model.policy(smoothing=0.0).replies(BOARD, after_5))
    assert exact == pytest.approx({a: {0: 2 / 3, 8: 1 / 3}.get(a, 0.0) for a in pf.legal_moves(BOARD, after_5)})
    unknown = dict(model.policy().replies(BOARD, pf.parse_state(BOARD, "x........")))
    assert set(unknown.values()) == {1 / 8}  # never met: any action


def test_everybodys_choices_count_where_nobody_is_named() -> None:
    assert OpponentModel.learn(BOARD, GAMES).choices == 10
    with pytest.raises(BadText, match="'eve'"):
        OpponentModel.learn(BOARD, GAMES, of="eve")


@compiles
def test_a_counted_model_runs_at_both_speeds() -> None:
    policy = OpponentModel.learn(BOARD, GAMES, of="bob").policy()
    for text in ("....x....", "x........", "xo......."):
        slow, fast = (search(BOARD, text, using="expectimax", policy=policy, native=native) for native in (False, True))
        assert [getattr(slow, name) for name in SAME] == [getattr(fast, name) for name in SAME]
        assert fast.native


def test_it_learns_who_always_plays_the_same() -> None:
    """Somebody who takes the first free square: after twenty games a plan against the counts beats it in every line
    it has shown."""
    stream, games = new_stream(7), []
    for _ in range(20):
        session = GameSession(BOARD, seed=0)
        session.seats = ("random", "first")
        while not session.over:
            legal = session.legal
            session.play(legal[int(uniform(stream) * len(legal))] if session.player == 0 else legal[0])
        games.append(session)
    model = OpponentModel.learn(BOARD, games, of="first")
    assert all(list(played) == [pf.legal_moves(BOARD, s)[0]] for s, played in model.counts.items())
    guess = search(BOARD, using="expectimax", policy=UniformPolicy(), depth=4, native=False)
    known = search(BOARD, using="expectimax", policy=model.policy(0.1), depth=5, native=False)
    assert known.value > guess.value


def test_a_model_is_kept_in_a_file(tmp_path) -> None:
    model = OpponentModel.learn(BOARD, GAMES, of="bob")
    model.save(tmp_path / "bob.json")
    again = OpponentModel.read(tmp_path / "bob.json", BOARD)
    assert (again.counts, again.games, again.of) == (model.counts, model.games, model.of)
    model.save(tmp_path / "bob.json")  # its own file it may replace
    (tmp_path / "other.json").write_text("{}")
    with pytest.raises(BadText, match="not a model"):
        model.save(tmp_path / "other.json")
    policy = parse_model(f"learned:{tmp_path / 'bob.json'},smoothing=0", BOARD)
    assert dict(policy.replies(BOARD, pf.parse_state(BOARD, "....x....")))[0] == pytest.approx(2 / 3)


def test_saved_games_and_matches_are_read(tmp_path) -> None:
    save(GAMES[0], tmp_path / "one.json")
    assert OpponentModel.learn(BOARD, [tmp_path / "one.json"], of="ann").choices == 2
    from plyforge.play.match.match import Match

    record = tmp_path / "match.jsonl"
    Match(
        BOARD,
        "random",
        "alpha_beta:depth=1",
        games=4,
        workers=1,
        record=record,
        native=False,
        opening_plies=1,
    ).run()
    model = OpponentModel.learn(BOARD, [record, tmp_path / "one.json"], of="random")
    assert model.games == 5 and BOARD.start() not in model.counts  # openings are nobody's choice
    assert 8 <= model.choices <= 18
    with pytest.raises(BadText, match="connect4"):
        OpponentModel.learn(pf.load("connect4"), [record])


GOOD = {
    "format": "plyforge opponent model",
    "version": 1,
    "game": "tic_tac_toe",
    "of": "",
    "games": 1,
    "counts": {"....x....": {"1": 2}},
}


@pytest.mark.parametrize(
    "change, why",
    [
        ({"format": "something"}, "not a model"),
        ({"version": 2}, "version"),
        ({"game": "connect4"}, "for connect4"),
        ({"games": -1}, "games"),
        ({"games": True}, "games"),
        ({"of": 3}, "of"),
        ({"counts": []}, "counts"),
        ({"counts": {"....x....": {}}}, "must have an object"),
        ({"counts": {"....x....": {"5": 1}}}, "is not an action"),
        ({"counts": {"....x....": {"1": 0}}}, "0 times"),
        ({"counts": {"....x....": {"1": 1.5}}}, "1.5 times"),
        ({"counts": {"xxxoo....": {"9": 1}}}, "nobody chooses"),
        ({"counts": {"nonsense": {"9": 1}}}, "nonsense"),
        ({"more": 1}, "more"),
    ],
)
def test_a_file_that_is_not_quite_a_model_is_refused(change, why, tmp_path) -> None:
    path = tmp_path / "model.json"
    path.write_text(json.dumps(GOOD))
    OpponentModel.read(path, BOARD)
    path.write_text(json.dumps(GOOD | change))
    with pytest.raises(BadText, match=why):
        OpponentModel.read(path, BOARD)


# ------------------------------------------------------------------ by name, and at the table
def test_models_by_name() -> None:
    assert parse_model("uniform", BOARD) == UniformPolicy()
    assert parse_model("epsilon:0.2,depth=3", BOARD) == EpsilonPolicy(epsilon=0.2, depth=3)
    assert parse_model("softmax:0.5+depth=2", BOARD) == SoftmaxPolicy(temperature=0.5, depth=2)
    for text in ("", "epsilon", "epsilon:x", "epsilon:0.1,0.2", "softmax:1,deep=2", "uniform:3", "learned"):
        with pytest.raises(pf.PlyforgeError):
            parse_model(text, BOARD)


def test_a_player_by_a_model_plays_as_often_as_the_model_says() -> None:
    s = near_the_end()
    policy = EpsilonPolicy(epsilon=0.5, native=False)
    likely = dict(policy.replies(BOARD, s))
    player, times, number = ModelPlayer(policy, seed=4), dict.fromkeys(pf.legal_moves(BOARD, s), 0), 2000
    for _ in range(number):
        times[player.choose(BOARD, s).action] += 1
    for action, p in likely.items():
        assert abs(times[action] - number * p) < 5 * math.sqrt(number * p * (1 - p))
    same = [ModelPlayer(policy, seed=9).choose(BOARD, s).action for _ in range(2)]
    assert same[0] == same[1]


def test_players_described_by_text() -> None:
    player = parse_player("expectimax:depth=2,against=epsilon:0.2+depth=1", BOARD, native=False)
    assert player.description == "expectimax:depth=2,against=epsilon:0.2+depth=1"
    assert player.choose(BOARD, near_the_end()).action == pf.parse_action(BOARD, near_the_end(), "8")
    assert parse_player("model:uniform", BOARD, seed=1).description == "model:uniform"
    with pytest.raises(BadText, match="against"):
        parse_player("minimax:against=uniform", BOARD)


class Speechless(Policy):
    """A model that says nothing about any state."""

    def replies(self, game, s):
        yield from ()


def test_a_model_that_allows_nothing_here_plays_something_legal() -> None:
    game = pf.load("tic_tac_toe")
    assert ModelPlayer(Speechless(), seed=1).choose(game, game.start()).action in pf.legal_moves(game, game.start())
