"""Weighted sums of features: what they add up to, at both speeds, and files that are no weights."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import plyforge as pf
from conftest import compiles, thinned
from plyforge.errors import BadRules, BadText
from plyforge.evaluate import Linear, opinion
from plyforge.evaluate.weighted import (
    INSIDE,
    WEIGHTS,
    own_weights,
    read_weights,
    weights_by_name,
    write_weights,
)
from plyforge.kernel import kernel
from plyforge.kernel.entry import coerce, native_function
from plyforge.play import Engine, SearchPlayer, parse_player

GAMES = [pf.load(name) for name in ("othello", "othello(size=6)", "checkers")]


def states(game: Any, seed: int = 1, number: int = 40) -> list[Any]:
    dice, found = random.Random(seed), []
    while len(found) < number:
        s = game.start()
        for _ in range(dice.randrange(40)):
            if game.terminal(s):
                break
            s = game.result(s, dice.choice(pf.legal_moves(game, s)))
        if not game.terminal(s):
            found.append(s)
    return found


@kernel
def estimated(game, s):
    return game.evaluate(s)


@kernel
def judgement(game, evaluation, s):
    return evaluation.estimate(game, s)


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_the_estimate_is_the_weighted_sum_by_hand(game: Any) -> None:
    early, late = game.encoding.weights
    reach = INSIDE * game.max_utility
    for s in states(game):
        stage, total = game.encoding.phase(game, s), 0.0
        for index, feature in enumerate(game.encoding.features(game, s)):
            total += ((1 - stage) * early[index] + stage * late[index]) * feature
        assert game.evaluate(s) == pytest.approx(min(max(total, -reach), reach))
        assert 0 <= stage <= 1 and len(game.encoding.features(game, s)) == len(game.encoding.feature_names)


@compiles
@pytest.mark.parametrize("game", thinned(GAMES, GAMES[1:]), ids=repr)
def test_estimates_are_equal_at_both_speeds(game: Any) -> None:
    native = native_function(estimated, game, coerce(game.start()))
    for s in states(game):
        assert native(game, coerce(s)) == pytest.approx(game.evaluate(s), rel=1e-12)


def test_othello_features_are_those_of_the_board() -> None:
    game = pf.load("othello")
    text = "X" + "-" * 26 + "OX" + "-" * 6 + "XO" + "-" * 27
    of = dict(
        zip(
            game.encoding.feature_names,
            game.encoding.features(game, pf.parse_state(game, f"{text} X")),
            strict=True,
        )
    )
    assert of["corners"] == 1 and of["stability"] == 1 and of["discs"] == 1
    assert of["parity"] == 1 and of["move"] == 1  # 59 empty squares, X to move: X has the last one
    mirrored = text.translate(str.maketrans("XO", "OX"))
    other = game.encoding.features(game, pf.parse_state(game, f"{mirrored} O"))
    assert tuple(-value for value in other) == game.encoding.features(game, pf.parse_state(game, f"{text} X"))
    beside = "-X" + "-" * 7 + "X" + "-" * 54  # b1 and b2, the corner a1 empty
    of = dict(
        zip(
            game.encoding.feature_names,
            game.encoding.features(game, pf.parse_state(game, f"{beside} O")),
            strict=True,
        )
    )
    assert (of["c squares"], of["x squares"], of["edges"], of["move"]) == (1, 1, 1, -1)


def test_colours_exchanged_is_the_sign_exchanged() -> None:
    game = pf.load("othello")
    for s in states(game, number=20):
        exchanged = pf.parse_state(game, pf.format_state(game, s).translate(str.maketrans("XO", "OX")))
        assert game.encoding.features(game, exchanged) == tuple(-value for value in game.encoding.features(game, s))


def test_weights_of_ones_own(tmp_path: Path) -> None:
    game = pf.load("othello")
    plain = Linear.of(game, {"corners": 10, "mobility": [2, 0]})
    s = game.start()
    assert (
        plain.estimate(game, pf.state_after(game, "d3", "c3"))
        == 2 * (1 - 6 / 64) * game.encoding.features(game, pf.state_after(game, "d3", "c3"))[0]
    )
    assert plain.estimate(game, s) == 0.0
    weights = weights_by_name(game, {"corners": 10, "mobility": [2, 0]})
    write_weights(tmp_path / "mine.json", game, weights, "for a test")
    assert Linear.read(tmp_path / "mine.json", game) == plain
    assert json.loads((tmp_path / "mine.json").read_text())["about"] == "for a test"
    found = pf.search(game, using="engine", depth=2, native=False, evaluate=plain)
    assert found.action in pf.legal_moves(game, s)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "not JSON"),
        ("[]", "not a weights file"),
        ('{"game": "othello"}', "not a weights file"),
        ('{"game": "checkers", "weights": {}}', "weights of 'checkers', not of 'othello'"),
        ('{"game": "othello", "weights": {"beauty": 1}}', "'beauty' is not a feature of Othello"),
        ('{"game": "othello", "weights": {"corners": "many"}}', "must be a number"),
        ('{"game": "othello", "weights": {"corners": [1, 2, 3]}}', "must be a number, or a pair"),
        ('{"game": "othello", "weights": {"corners": true}}', "must be a number"),
        ('{"game": "othello", "weights": {"corners": 1e999}}', "must be a number"),
        ('{"game": "othello", "weights": {"corners": NaN}}', "NaN is not a number"),
        ("[" * 100_000, "not JSON"),
    ],
)
def test_files_that_are_no_weights_are_refused(tmp_path: Path, content: str, words: str) -> None:
    file = tmp_path / "weights.json"
    file.write_text(content)
    with pytest.raises(BadText, match=words):
        read_weights(file, pf.load("othello"))


def test_what_is_not_there_and_games_without_features_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadText, match="can't be read"):
        read_weights(tmp_path / "nowhere.json", pf.load("othello"))
    (tmp_path / "bytes.json").write_bytes(b"\xff\xfe")
    with pytest.raises(BadText, match="can't be read"):
        read_weights(tmp_path / "bytes.json", pf.load("othello"))
    with pytest.raises(BadRules, match="no features"):
        weights_by_name(pf.load("tic_tac_toe"), {})


def test_the_weights_that_come_with_games_name_every_feature() -> None:
    for game in GAMES:
        assert np.isfinite(game.encoding.weights).all() and np.any(game.encoding.weights != 0)
    named = set(json.loads((WEIGHTS / "othello.json").read_text())["weights"])
    assert named == set(pf.load("othello").encoding.feature_names)
    with pytest.raises(BadText, match=r"othello_huge\.json can't be read"):
        own_weights("othello", pf.load("othello").encoding.feature_names, "huge")


# ------------------------------------------------------------------ what play goes by
def test_play_has_an_opinion_of_connect_four_that_the_lectures_searches_have_not() -> None:
    game = pf.load("connect4")
    s = pf.state_after(game, *"4455")
    assert game.evaluate(s) == 0.0
    judged = opinion(game)
    assert judged is not None and judged.estimate(game, s) > 0.2  # X threatens on both sides
    for player, has_it in (("engine", True), ("alpha_beta", False), ("uct", False)):
        chosen = parse_player(f"{player}:depth=1", game, native=False)
        assert isinstance(chosen, SearchPlayer)
        assert (chosen.engine(game).search.evaluation == judged) == has_it
    assert Engine(game, native=False).search.evaluation == judged  # the default is the same in every face
    assert opinion(pf.load("othello")) is None and opinion(pf.load("tic_tac_toe")) is None


def test_connect_four_counts_threats_where_they_are() -> None:
    game = pf.load("connect4")
    of = dict(
        zip(
            game.encoding.feature_names,
            game.encoding.features(game, pf.state_after(game, *"445566")),
            strict=True,
        )
    )
    assert of["threats"] == 0  # X has d1 e1 f1, O d2 e2 f2: each wins on both sides
    assert of["threats that can be played now"] == 2  # of X's, c1 and g1; O's are above empty squares
    assert of["threats on good rows"] == 0  # two on row 1 for X, two on row 2 for O
    assert of["centre"] == 0 and of["move"] == 1
    mirrored = game.encoding.features(game, pf.state_after(game, *"443322"))
    assert mirrored == game.encoding.features(game, pf.state_after(game, *"445566"))


@compiles
def test_its_features_are_equal_at_both_speeds() -> None:
    game: Any = pf.load("connect4(width=6, height=5)")
    judged = Linear.of(game, {"threats": 0.1, "threats on good rows": [0.2, 0.3], "centre": 0.05, "move": 0.01})

    native = native_function(judgement, game, judged, coerce(game.start()))
    for s in states(game):
        assert native(game, judged, coerce(s)) == pytest.approx(judged.estimate(game, s), rel=1e-12)
