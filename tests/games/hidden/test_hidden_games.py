"""Leduc poker, liar's dice, goofspiel with hidden bids: sizes and values that nobody here wrote."""

from __future__ import annotations

import random
from typing import Any

import pytest

import plyforge as pf
from conftest import compiles
from plyforge.contract import PUBLIC
from plyforge.errors import BadRules, BadText
from plyforge.kernel import new_stream
from plyforge.solve.hidden import Learner, hidden_equilibrium, history_tree
from plyforge.solve.hidden.regret import RULES

SIZES = [
    ("leduc_poker", 9457, 5520, 936),
    ("liars_dice(sides=4)", 8181, 4080, 1024),
    ("hidden_goofspiel(order='descending')", 1077, 576, 162),
]
"""Histories, ends, information sets: OpenSpiel's counts."""
EVERY = ["leduc_poker", "liars_dice(sides=4)", "liars_dice(sides=3, dice=2)", "hidden_goofspiel"]
EVERY += ["hidden_goofspiel(cards=3, order='ascending', scoring='difference')"]


@pytest.mark.parametrize(("game", "histories", "ends", "sets"), SIZES)
def test_sizes(game: str, histories: int, ends: int, sets: int) -> None:
    tree = history_tree(pf.load(game), native=False)
    assert (tree.histories, tree.ends, tree.sets) == (histories, ends, sets)


@compiles
@pytest.mark.full
@pytest.mark.parametrize(
    ("game", "histories", "ends", "sets"),
    [("hidden_goofspiel", 26773, 13824, 3608), ("liars_dice", 294883, 147420, 24576)],
)
def test_sizes_of_larger_ones(game: str, histories: int, ends: int, sets: int) -> None:
    tree = history_tree(pf.load(game), native=True)
    assert (tree.histories, tree.ends, tree.sets) == (histories, ends, sets)
    if game == "liars_dice":
        learner = Learner(tree, True)
        learner.learn(RULES["dcfr"], 300)
        profile = learner.profile()
        assert learner.worth(0, profile)[0] == pytest.approx(-0.0271, abs=2e-3)
        assert learner.best(0, profile) + learner.best(1, profile) < 4e-3


@pytest.mark.parametrize(
    ("game", "value"),
    [("leduc_poker", -0.085606424078), ("liars_dice(sides=4)", 0.0625), ("hidden_goofspiel(order='descending')", 0.0)],
)
def test_values(game: str, value: float) -> None:
    """Leduc: Lanctot et al. 2017; liar's dice: discounted CFR by another program; goofspiel is symmetric."""
    assert hidden_equilibrium(game, using="lp", native=False).value == pytest.approx(value, abs=1e-9)


@pytest.mark.parametrize("name", EVERY)
def test_texts_of_states_and_observations_read_back_and_drawn_states_look_so(name: str) -> None:
    game: Any = pf.load(name)
    stream = new_stream(1)
    for seed in range(25):
        rng, s = random.Random(seed), game.start()
        while not game.terminal(s):
            mover = game.player(s)
            for eyes in (0, 1, PUBLIC):
                seen = game.observe(s, eyes)
                assert pf.parse_state(game, pf.format_state(game, seen)) == seen
                assert game.show(seen) and game.view.board(game, seen).places
                if mover == eyes:
                    drawn = game.determinize(seen, eyes, stream)
                    assert game.observe(drawn, eyes) == seen and list(game.actions(drawn)) == list(game.actions(s))
            choices = [each for each, _ in game.chance(s)] if mover == pf.CHANCE else list(game.actions(s))
            s = game.result(s, rng.choice(choices))
            assert pf.parse_state(game, pf.format_state(game, s)) == s
        assert game.min_utility <= game.utility(s) <= game.max_utility


@pytest.mark.parametrize(
    ("game", "text", "worth"),
    [
        ("leduc_poker", "Js Qs - raise fold", 1.0),
        ("leduc_poker", "Js Qs - raise raise fold", -3.0),
        ("leduc_poker", "Js Qs Kh check check / check check", -1.0),
        ("leduc_poker", "Js Ks Jh raise raise call / raise raise call", 13.0),
        ("leduc_poker", "Qs Qh Kh raise call / check check", 0.0),
        ("leduc_poker", "Qs Kh Qh raise call / raise fold", 3.0),
        ("liars_dice", "2 6 1x2 2x2 liar", -1.0),
        ("liars_dice", "2 5 1x2 2x2 liar", 1.0),
        ("liars_dice(sides=6, dice=2)", "26 55 3x5 liar", 1.0),
        ("hidden_goofspiel(cards=2, order='descending')", "2,1 2,1 1,2 +- over", 1.0),
    ],
)
def test_what_ends_are_worth(game: str, text: str, worth: float) -> None:
    rules = pf.load(game)
    s = pf.parse_state(rules, text)
    assert rules.terminal(s) and rules.utility(s) == worth


@pytest.mark.parametrize(
    ("game", "text"),
    [
        *(("leduc_poker", text) for text in ("", "Js Js -", "Xs Js -", "Js - - raise", "Js Qs Kh", "Js Qs - fold")),
        *(("leduc_poker", text) for text in ("- Js -", "Js Qs ?", "Js Qs - raise call / check")),
        *(("liars_dice", text) for text in ("", "7 1", "1", "1 2 1x7", "1 2 2x1 1x1", "- 2", "1 - 1x1", "1 2 liar")),
        *(
            ("hidden_goofspiel", text)
            for text in ("", "4,3 1 ? + MAX", "4 1 2", "5 - - . MAX", "4 1 2 + chance", "4 1 1,2 = MAX")
        ),
        ("hidden_goofspiel(order='descending')", "3 - - . MAX"),
    ],
)
def test_bad_text_is_refused(game: str, text: str) -> None:
    with pytest.raises(BadText, match=r"is not a state|can't arise"):
        pf.parse_state(pf.load(game), text)


def test_bad_parameters_are_refused() -> None:
    for name in ("liars_dice(sides=1)", "liars_dice(sides=6, dice=9)", "hidden_goofspiel(cards=1)"):
        with pytest.raises(BadRules, match="needs"):
            pf.load(name)
    with pytest.raises(BadRules, match="order is 'up'"):
        pf.load("hidden_goofspiel(order='up')")
