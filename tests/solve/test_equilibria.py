"""Equilibria of payoff tables: known mixes from outside, textbook games, and thousands of random tables against each
other."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from known.matrix_games import MORRA, ZERO_SUM
from plyforge.errors import BadLimits, BadRules, Unsuitable
from plyforge.games.simultaneous.classics import CLASSICS
from plyforge.games.simultaneous.matrix import Matrix
from plyforge.solve import equilibria

ZERO = 1e-9


def mixes(text: list[str]) -> list[float]:
    return [float(Fraction(part)) for part in text]


# ------------------------------------------------------------ truths from outside
def test_the_known_mixes_of_zero_sum_games() -> None:
    """Its value and its best mix, by three methods."""
    for name, (table, worth, best) in ZERO_SUM.items():
        wanted, value = mixes(best), float(Fraction(worth))
        for found in (
            equilibria.zero_sum(table),
            equilibria.lemke_howson(table),
            equilibria.support_enumeration(table).equilibria[0],
        ):
            assert found.profile[0] == pytest.approx(wanted, abs=ZERO), name
            assert found.values[0] == pytest.approx(value, abs=ZERO)
            assert found.regret <= ZERO


def test_morra_is_worth_nothing_and_has_the_known_mix() -> None:
    value, best = MORRA
    table = Matrix(name="morra")
    mix = mixes(best)
    assert equilibria.zero_sum(table).values[0] == pytest.approx(float(Fraction(value)), abs=ZERO)
    assert equilibria.regret(table, [mix, mix]) <= ZERO
    assert equilibria.lemke_howson(table).profile[0] == pytest.approx(mix, abs=ZERO)
    listed = equilibria.support_enumeration(table)
    assert listed.degenerate, "best mixes come in a whole line"
    assert listed.equilibria and all(one.regret <= ZERO for one in listed.equilibria)


def test_rock_paper_scissors_is_a_third_each_and_worth_nothing() -> None:
    found = equilibria.zero_sum(Matrix(name="rock_paper_scissors"))
    assert found.profile == (pytest.approx((1 / 3,) * 3, abs=1e-15),) * 2
    assert found.values == (0.0, 0.0)


def test_the_prisoners_dilemma_has_one_equilibrium_and_both_defect() -> None:
    """The lectures' table, 3/3, 0/4, 4/0, 1/1."""
    table = Matrix(name="prisoners_dilemma")
    assert table.payoffs.tolist() == [[[3, 3], [0, 4]], [[4, 0], [1, 1]]]
    both = ((0.0, 1.0), (0.0, 1.0))
    assert [one.profile for one in equilibria.pure_equilibria(table)] == [both]
    listed = equilibria.support_enumeration(table)
    assert [one.profile for one in listed.equilibria] == [both] and not listed.degenerate
    assert [one.profile for one in equilibria.lemke_howson_all(table)] == [both]
    steps = equilibria.eliminate(table)
    assert steps.solved and steps.left == ((1,), (1,))
    assert [(step.player, step.choice, step.by) for step in steps.steps] == [
        (0, 0, ((1, 1.0),)),
        (1, 0, ((1, 1.0),)),
    ]


@pytest.mark.parametrize(
    ("name", "pure", "mixed"),
    [
        ("battle_of_the_sexes", 2, ((2 / 3, 1 / 3), (1 / 3, 2 / 3))),
        ("chicken", 2, ((0.9, 0.1), (0.9, 0.1))),  # straight is worth the risk once in ten times
        ("stag_hunt", 2, ((0.75, 0.25), (0.75, 0.25))),
        ("coordination", 2, ((0.5, 0.5), (0.5, 0.5))),
        ("matching_pennies", 0, ((0.5, 0.5), (0.5, 0.5))),
    ],
)
def test_textbook_tables_have_their_textbook_equilibria(name, pure, mixed) -> None:
    listed = equilibria.support_enumeration(Matrix(name=name))
    assert len(equilibria.pure_equilibria(Matrix(name=name))) == pure
    assert len(listed.equilibria) == pure + 1 and not listed.degenerate
    assert listed.equilibria[-1].profile == (
        pytest.approx(mixed[0], abs=ZERO),
        pytest.approx(mixed[1], abs=ZERO),
    )


# ------------------------------------------------------------ methods against each other
def test_random_tables_of_two_players() -> None:
    """An odd number of equilibria, none with regret; the paths of Lemke and Howson end in some of them; dominated
    choices are in none."""
    rng = np.random.default_rng(7)
    paths = 0
    for _ in range(60):
        rows, columns = rng.integers(1, 5, 2)
        table = rng.integers(-50, 50, (rows, columns, 2)).astype(float) + rng.random((rows, columns, 2))
        listed = equilibria.support_enumeration(table)
        assert not listed.degenerate and len(listed.equilibria) % 2 == 1
        assert all(one.regret <= ZERO * 50 for one in listed.equilibria)
        for one in equilibria.lemke_howson_all(table):
            assert not equilibria.is_new(list(listed.equilibria), one.profile)
            paths += 1
        steps = equilibria.eliminate(table)
        for step in steps.steps:
            assert all(one.profile[step.player][step.choice] == 0.0 for one in listed.equilibria)
        inside = table[np.ix_(*steps.left)]
        assert len(equilibria.support_enumeration(inside).equilibria) == len(listed.equilibria)
    assert paths > 60


def test_random_zero_sum_tables() -> None:
    """The value by linear programming is that of support enumeration, and no mix of the other side breaks it."""
    rng = np.random.default_rng(3)
    for _ in range(60):
        matrix = rng.integers(-9, 10, rng.integers(1, 7, 2)).astype(float)
        found = equilibria.zero_sum(matrix)
        assert found.regret <= ZERO * 9
        assert (np.array(found.profile[0]) @ matrix).min() == pytest.approx(found.values[0], abs=1e-8)
        assert (matrix @ np.array(found.profile[1])).max() == pytest.approx(found.values[0], abs=1e-8)
        assert equilibria.lemke_howson(matrix).values[0] == pytest.approx(found.values[0], abs=1e-8)


def test_payoffs_of_any_size_have_no_regret_beside_their_size() -> None:
    for factor in (1e-6, 1.0, 1e6):
        matrix = np.array([[3.0, -1.0], [-2.0, 1.0]]) * factor
        found = equilibria.zero_sum(matrix)
        assert found.profile[0] == pytest.approx((3 / 7, 4 / 7), abs=1e-12)
        assert found.regret <= 1e-12 * factor


def test_degenerate_tables_end_and_give_equilibria() -> None:
    """All payoffs equal, equal rows, and von Stengel's example in which a naive ratio test would go in circles or
    stop."""
    tables = [
        np.zeros((3, 3, 2)),
        np.array([[[1, 0], [1, 0]], [[1, 2], [1, 2]], [[0, 5], [1, 1]]], float),
        np.stack([np.array([[0.0, 6], [2, 5], [3, 3]]), np.array([[1.0, 0], [0, 2], [4, 4]])], axis=-1),
    ]
    for table in tables:
        for label in range(sum(table.shape[:2])):
            assert equilibria.lemke_howson(table, label).regret <= ZERO
        listed = equilibria.support_enumeration(table)
        assert listed.degenerate
        assert listed.equilibria and all(one.regret <= ZERO for one in listed.equilibria)


def test_three_players_have_pure_equilibria() -> None:
    """Whoever differs from the other two gains: in every equilibrium of pure choices somebody does."""
    cells = [
        tuple(int(np.argmax(mix)) for mix in one.profile)
        for one in equilibria.pure_equilibria(Matrix(name="odd_one_out"))
    ]
    assert len(cells) == 6 and (0, 0, 0) not in cells and (1, 1, 1) not in cells


# ------------------------------------------------------------ dominance and regret
def test_a_mix_can_dominate_where_no_single_choice_does() -> None:
    """The textbook's: the third row is worth 1 everywhere, half of each other row 1.5."""
    table = [[(3, 0), (0, 0)], [(0, 0), (3, 0)], [(1, 0), (1, 0)]]
    assert not equilibria.dominated(table, 0, 2, mixed=False)
    assert equilibria.dominated(table, 0, 2)
    step = equilibria.eliminate(table).steps[0]
    assert (step.player, step.choice) == (0, 2) and dict(step.by) == pytest.approx({0: 0.5, 1: 0.5})
    assert not equilibria.eliminate(table, mixed=False).steps


def test_weak_dominance_is_told_from_strict() -> None:
    table = [[(1, 1), (1, 0)], [(1, 0), (0, 1)]]
    assert not equilibria.eliminate(table).steps
    steps = equilibria.eliminate(table, weak=True)
    assert not steps.steps[0].strict and steps.left == ((0,), (0,))


def test_regret_is_what_the_best_deviation_gains() -> None:
    table = Matrix(name="prisoners_dilemma")
    assert equilibria.regrets(table, [(1, 0), (1, 0)]) == (1.0, 1.0)
    assert equilibria.regrets(table, [(1, 0), (0, 1)]) == (1.0, 0.0)
    assert equilibria.regret(table, [(0.5, 0.5), (0.5, 0.5)]) == pytest.approx(0.5)  # 2.5 - 2
    with pytest.raises(BadRules, match="2 choices"):
        equilibria.regret(table, [(1, 0, 0), (1, 0)])
    with pytest.raises(BadRules, match="sum to 1"):
        equilibria.regret(table, [(0.5, 0.4), (1, 0)])


def test_the_rule_of_choice_takes_the_richest_pure_equilibrium() -> None:
    assert equilibria.equilibrium(Matrix(name="stag_hunt")).values == (4.0, 4.0)
    assert equilibria.equilibrium(Matrix(name="matching_pennies")).values == (0.0, 0.0)
    mixed_only = [[(2, -1), (-1, 1)], [(-1, 1), (1, -2)]]
    assert equilibria.equilibrium(mixed_only).regret <= ZERO
    assert equilibria.equilibrium(jordan()).profile == ((0.5, 0.5),) * 3


# ------------------------------------------------------------ three players and more
def jordan() -> np.ndarray:
    """Three-player matching pennies (Jordan 1993): each wants to match the next one, the last to differ from the
    first."""
    table = np.zeros((2, 2, 2, 3))
    for i, j, k in np.ndindex(2, 2, 2):
        table[i, j, k] = (i == j, j == k, k != i)
    return table


def test_three_player_matching_pennies_has_one_equilibrium() -> None:
    (only,) = equilibria.many_players(jordan())
    assert only.profile == ((0.5, 0.5),) * 3 and only.regret <= ZERO


def test_the_nine_equilibria_of_mckelvey_and_mclennan() -> None:
    """Their table (1996): four pure, three in which one player does not mix, two in which all do."""
    table = np.zeros((2, 2, 2, 3))
    table[0, 0, 0], table[1, 1, 0] = (9, 8, 12), (9, 8, 2)
    table[0, 1, 1], table[1, 0, 1] = (3, 4, 6), (3, 4, 4)
    found = equilibria.many_players(table)
    assert all(one.regret <= ZERO * 12 for one in found)
    mixing = sorted(sum(max(mix) < 1 for mix in one.profile) for one in found)
    assert mixing == [0, 0, 0, 0, 2, 2, 2, 3, 3]


def test_many_players_finds_what_support_enumeration_finds_for_two() -> None:
    stream = np.random.default_rng(8)
    for _ in range(5):
        table = stream.integers(-20, 21, (3, 2, 2)).astype(float)
        listed = equilibria.support_enumeration(table)
        if not listed.degenerate:
            found = list(equilibria.many_players(table))
            assert len(found) == len(listed.equilibria)
            assert not any(equilibria.is_new(found, one.profile) for one in listed.equilibria)


def test_too_many_supports_are_refused() -> None:
    with pytest.raises(Unsuitable, match="combinations of supports"):
        equilibria.many_players(np.zeros((6, 6, 6, 3)))


def test_what_a_method_cannot_do_it_refuses() -> None:
    with pytest.raises(Unsuitable, match="two players"):
        equilibria.support_enumeration(Matrix(name="odd_one_out"))
    with pytest.raises(Unsuitable, match="add up to the same"):
        equilibria.zero_sum(Matrix(name="chicken"))
    with pytest.raises(Unsuitable, match="pairs of supports"):
        equilibria.support_enumeration(np.zeros((14, 14)))
    with pytest.raises(BadLimits, match="label"):
        equilibria.lemke_howson(Matrix(name="chicken"), 4)
    with pytest.raises(BadRules, match="finite"):
        equilibria.zero_sum(np.array([[1.0, np.nan]]))


def test_every_classic_has_an_equilibrium_without_regret() -> None:
    for name in CLASSICS:
        assert equilibria.equilibrium(Matrix(name=name)).regret <= ZERO, name
