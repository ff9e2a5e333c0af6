"""Explicit trees: how they are written, what kind of game they are, and what is wrong with those that are refused."""

from __future__ import annotations

import copy
import json
import pickle
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyforge.contract import (
    CHANCE,
    MAX,
    MIN,
    format_action,
    format_state,
    legal_moves,
    parse_action,
    parse_state,
    state_after,
)
from plyforge.errors import BadRules, BadText, GameNotFound, IllegalAction, Unsuitable
from plyforge.games import load
from plyforge.games.trees.drafts import MAX_DEPTH
from plyforge.games.trees.figures import FIGURES
from plyforge.games.trees.random_tree import RandomTree, RandomTree3
from plyforge.games.trees.tree import Place, Tree
from plyforge.search import search

SAME = ("action", "value", "values", "best", "line", "nodes", "depth", "reason", "player")
TEXTBOOK = [[3, 12, 8], [2, 4, 6], [14, 5, 2]]
ROUTES = {
    "name": "home",
    "max": {
        "walk": 10,
        "drive": {"name": "road", "chance": {"clear": 30, "jam": {"min": [2, 4]}}, "weights": ["2/3", "1/3"]},
    },
}


def movers(game: Tree) -> list[int]:
    return [int(mover) for mover, count in zip(game.movers, game.counts, strict=True) if count]


# -------------------------------------------------------------------- three ways in
def test_nested_lists_alternate_from_the_top() -> None:
    game = Tree.of(TEXTBOOK)
    assert movers(game) == [MAX, MIN, MIN, MIN]
    assert (game.players, game.utility_sum, game.has_chance, game.min_utility, game.max_utility) == (
        2,
        0.0,
        False,
        2.0,
        14.0,
    )
    found = search(game, using="minimax")
    assert (found.value, found.action, found.values) == (3.0, 0, {0: 3.0, 1: 2.0, 2: 2.0})
    assert not found.native  # a dozen nodes are not worth compiling


def test_load_takes_a_literal_a_figure_a_file_or_nothing(tmp_path: Path) -> None:
    path = tmp_path / "my.json"
    path.write_text(json.dumps(TEXTBOOK))
    wanted = Tree(TEXTBOOK)
    assert load("tree([[3,12,8],[2,4,6],[14,5,2]])") == wanted
    assert load("tree(figure='minimax_3_2_2')") == wanted
    assert load(f"tree(file={str(path)!r})") == wanted
    assert load("tree") == wanted
    assert Tree.from_json(path.read_text()) == wanted
    assert hash(load("tree")) == hash(wanted)
    assert wanted != Tree([[3, 12, 8], [2, 4, 6], [14, 5, 3]])


@pytest.mark.parametrize("name", FIGURES)
def test_every_figure_is_a_game_and_reads_back_from_its_text(name: str) -> None:
    game = load(f"tree(figure={name!r})")
    assert isinstance(game, Tree)
    for again in (
        Tree.from_json(game.to_json()),
        load(f"tree({game.text})"),
        eval(repr(game)),
        pickle.loads(pickle.dumps(game)),
    ):
        assert again == game
        assert again.show(again.start()) == game.show(game.start())
    assert FIGURES[name].deck and FIGURES[name].place and FIGURES[name].shows


def test_json_can_say_all_that_python_can() -> None:
    text = (
        '{"name": "top", "chance": [{"payoffs": [1, 2, 3]}, {"player": 2, "children": {"up": {"payoffs": [0, 0,'
        " 1.5]}}}]}"
    )
    game = Tree.from_json(text)
    assert game == Tree({"name": "top", "chance": [(1, 2, 3), {"player": 2, "children": {"up": (0, 0, 1.5)}}]})
    assert (game.players, game.utility_sum, game.has_chance) == (3, None, True)
    assert game.to_json() == text


def test_the_given_literal_may_change_afterwards() -> None:
    given = copy.deepcopy(TEXTBOOK)
    game = Tree(given)
    given[0].append(-100)
    assert game == Tree(TEXTBOOK)
    with pytest.raises(ValueError, match="read-only"):
        game.payoffs[4] = 5.0


# -------------------------------------------------------------------- who moves, and what kind of game it is
def test_chance_takes_no_turn() -> None:
    game = Tree([{"chance": [[1, 2], {"chance": [[3, 4]]}]}])
    assert movers(game) == [MAX, CHANCE, MIN, CHANCE, MIN]


def test_an_explicit_player_goes_on_from_there() -> None:
    assert movers(Tree({"min": [[1, 2], {"min": [[3, 4]]}]})) == [MIN, MAX, MIN, MAX]
    assert movers(Tree({"children": [{"name": "m", "children": [1, 2]}]})) == [MAX, MIN]


def test_tuples_decide_how_many_players_take_turns() -> None:
    assert movers(Tree([[[(1, 2, 3)]]])) == [0, 1, 2]
    assert movers(Tree([[[[(1, 2, 3)]]]])) == [0, 1, 2, 0]
    assert movers(Tree([[[(1, 2)]]])) == [0, 1, 0]


def test_only_max_moves_is_a_game_for_one() -> None:
    game = Tree({"max": [3, {"max": [5, 4]}]})
    assert (game.players, game.utility_sum) == (1, None)
    for using in ("minimax", "alpha_beta", "negamax", "expectimax", "expectiminimax"):
        assert search(game, using=using).value == 5.0
    assert search(game, using="max_n").value == (5.0,)


def test_two_payoffs_with_a_constant_sum_suit_minimax() -> None:
    """CSC384: MIN gets C - U(t)."""
    game = Tree([[(3, 7), (10, 0)], [(2, 8), (4, 6)]])
    assert game.utility_sum == 10.0
    assert search(game, using="minimax").value == search(game, using="negamax").value == 3.0
    assert search(game, using="max_n").value == (3.0, 7.0)


def test_two_payoffs_without_one_do_not() -> None:
    game = Tree([[(3, 3), (0, 4)], [(4, 0), (1, 1)]])
    assert game.utility_sum is None
    with pytest.raises(Unsuitable, match="max_n"):
        search(game, using="alpha_beta")
    assert search(game).value == (1.0, 1.0)


def test_weights_may_be_fractions() -> None:
    game = Tree(ROUTES)
    assert list(game.chance(parse_state(game, "road"))) == [(0, 2 / 3), (1, 1 / 3)]
    assert list(Tree({"chance": [1, 2], "weights": [Fraction(1, 4), 0.75]}).chance(Place(0))) == [(0, 0.25), (1, 0.75)]
    assert search(game).value == pytest.approx(2 / 3 * 30 + 1 / 3 * 2)


def test_a_search_that_stops_sees_the_estimates() -> None:
    game = Tree([{"min": [100], "estimate": 3}, {"min": [0], "estimate": 7}, [5]])
    found = search(game, using="minimax", depth=1)
    assert found.values == {0: 3.0, 1: 7.0, 2: 50.0}  # no estimate: the middle of 0 and 100
    assert found.reason == "depth"
    assert search(game, using="minimax").action == 0


# -------------------------------------------------------------------- text and pictures
def test_states_and_actions_are_named_or_numbered() -> None:
    game = Tree(ROUTES)
    assert format_state(game, game.start()) == "home"
    jam = state_after(game, "drive", "jam")
    assert format_state(game, jam) == "#4"
    assert parse_state(game, "#4") == parse_state(game, "4") == jam
    assert [format_action(game, game.start(), action) for action in legal_moves(game, game.start())] == [
        "walk",
        "drive",
    ]
    with pytest.raises(IllegalAction, match="legal: walk, drive"):
        parse_action(game, game.start(), "fly")
    for wrong in ("", "#7", "#-1", "nowhere", "²"):
        with pytest.raises(BadText, match=r"#0 to #6"):
            parse_state(game, wrong)


@pytest.mark.parametrize("tree", [TEXTBOOK, ROUTES, FIGURES["three_players"].tree, FIGURES["minimax_strategy"].tree, 5])
def test_text_is_read_back(tree: Any) -> None:
    game = Tree(tree)
    for number in range(len(game.names)):
        s = Place(number)
        assert parse_state(game, format_state(game, s)) == s
        for action in legal_moves(game, s):
            assert parse_action(game, s, format_action(game, s, action)) == action


def test_the_picture_is_the_subtree() -> None:
    game = Tree(ROUTES)
    assert game.show(game.start()) == "\n".join(
        (
            "MAX home",
            "├─ walk: 10",
            "└─ drive: CHANCE road",
            "   ├─ clear (0.6667): 30",
            "   └─ jam (0.3333): MIN #4",
            "      ├─ 1: 2",
            "      └─ 2: 4",
        )
    )
    assert game.show(parse_state(game, "#4")) == "MIN #4\n├─ 1: 2\n└─ 2: 4"
    assert Tree([[[(1, 2.5, -3)]]]).show(Place(0)).splitlines()[-1] == "      └─ 1: (1, 2.5, -3)"
    assert Tree([1] * 5000).show(Place(0)).endswith("the rest of the tree is not shown")


# -------------------------------------------------------------------- what is refused
@pytest.mark.parametrize(
    "tree, complaint",
    [
        ([], "the root has no children"),
        ([[1], []], "node 2 has no children"),
        ({"max": {}}, "no children"),
        ({}, "only nothing"),
        ({"name": "x"}, "only 'name'"),
        ({"max": [1], "min": [2]}, "'max' and 'min'"),
        ({"max": [1], "weights": [1]}, "not 'weights'"),
        ({"value": 1, "estimate": 2}, "not 'estimate'"),
        ({"max": 5}, "children are a list"),
        ({"max": (1, 2)}, "children are a list"),
        ([[1, "two"]], "node 1/2: a leaf is a number"),
        ([None], "node 1: a leaf"),
        ([True], "not True"),
        ([float("nan")], "not nan"),
        ([float("inf")], "not inf"),
        ([10**400], "node 1: a leaf"),
        ([()], "not \\(\\)"),
        ([(1, "x")], "not \\(1, 'x'\\)"),
        ([(1, 2), (1, 2, 3)], "node 2 has 3 payoffs, other leaves have 2 payoffs"),
        ([1, (1, 2)], "node 2 has 2 payoffs, other leaves have one number"),
        ({"max": [1], "estimate": [1, 2]}, "the root has 2 payoffs"),
        ({"max": [(1, 1)], "estimate": (1, 2)}, "all payoffs add up to 2, this estimate to 3"),
        ({"payoffs": 3}, "payoffs are a list"),
        ({"chance": [1, 2], "weights": [0.5, 0.4]}, "add up to 0.9"),
        ({"chance": [1, 2], "weights": [1.5, -0.5]}, "a weight is a positive number"),
        ({"chance": [1, 2], "weights": [1, 0]}, "not 0"),
        ({"chance": [1, 2], "weights": ["1/2", "half"]}, "not 'half'"),
        ({"chance": [1, 2], "weights": ["1/2", "1/0"]}, "not '1/0'"),
        ({"chance": [1, 2], "weights": [1]}, "a list of 2 numbers"),
        ({"chance": [1, 2], "weights": 0.5}, "a list of 2 numbers"),
        ({"player": 3, "children": [(1, 2, 3)]}, "player 3 moves, but leaves have payoffs for players 0 to 2"),
        ({"player": 2, "children": [1]}, "player 2 moves, but leaves are numbers"),
        ({"player": -1, "children": [1]}, "not -1"),
        ({"player": "max", "children": [1]}, "not 'max'"),
        ({"max": {"go": 1, " go": 2}}, "an action is a word"),
        ({"max": {1: 2}}, "an action is a word"),
        ([{"name": "a", "value": 1}, {"name": "a", "value": 2}], "'a' is given to two nodes"),
        ({"name": "#1", "value": 1}, "looks like a node's number"),
        ({"name": "", "value": 1}, "a name is a word"),
    ],
)
def test_malformed_trees_are_refused_and_the_place_is_named(tree: Any, complaint: str) -> None:
    with pytest.raises(BadRules, match=complaint):
        Tree(tree)


def test_trees_too_deep_for_any_search_are_refused() -> None:
    tree: Any = 1
    for _ in range(MAX_DEPTH):
        tree = [tree]
    assert search(Tree(tree), native=False).value == 1.0
    assert Tree(tree).text.count("[") == MAX_DEPTH
    with pytest.raises(BadRules, match="more than 900 levels"):
        Tree([tree])


def test_a_tree_that_contains_itself_is_refused() -> None:
    tree: list[Any] = [1]
    tree.append(tree)
    with pytest.raises(BadRules, match="900 levels"):
        Tree(tree)
    tree.append(tree)
    with pytest.raises(BadRules, match="200,000 nodes"):
        Tree(tree)


@pytest.mark.parametrize(
    "text, complaint",
    [
        ("", "not JSON"),
        ("[[1, 2], [3,]]", "line 1, column"),
        ("null", "null"),
        ('{"max": {"go": 1, "go": 2}}', "'go' is there twice"),
        ("[" * 100_000, "nested too deep|not JSON"),
    ],
)
def test_json_that_is_no_tree_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(BadText, match=complaint):
        Tree.from_json(text)


def test_files_that_can_not_be_read_are_named(tmp_path: Path) -> None:
    with pytest.raises(BadText, match="no file"):
        load(f"tree(file={str(tmp_path / 'gone.json')!r})")
    with pytest.raises(BadText, match="can't be read"):
        Tree(file=str(tmp_path))
    (tmp_path / "binary.json").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadText, match="can't be read"):
        Tree(file=str(tmp_path / "binary.json"))
    (tmp_path / "bad.json").write_text("[1,")
    with pytest.raises(BadText, match=r"bad\.json is not JSON"):
        Tree(file=str(tmp_path / "bad.json"))


def test_wrong_arguments_are_explained() -> None:
    with pytest.raises(BadRules, match="did you mean 'adversarial'"):
        load("tree(figure='adversary')")
    with pytest.raises(BadRules, match="not several"):
        load("tree([1, 2], figure='adversarial')")
    with pytest.raises(BadRules, match="file is the path"):
        load("tree(file=3)")
    with pytest.raises(BadRules, match="there is no figure 3"):
        load("tree(figure=3)")
    with pytest.raises(GameNotFound, match="it takes"):
        load("tree(picture='adversarial')")
    with pytest.raises(BadRules, match="None is not a tree"):
        Tree.of(None)


# -------------------------------------------------------------------- the rules, compared with another source
def as_literal(game: RandomTree, s: Any) -> Any:
    """A random tree written out as nested literals."""
    if game.terminal(s):
        return game.utility(s)
    children = [as_literal(game, game.result(s, action)) for action in game.actions(s)]
    if game.player(s) == CHANCE:
        weights = [game.weight(s, action) for action in game.actions(s)]
        return {"chance": children, "weights": [f"{weight}/{sum(weights)}" for weight in weights]}
    return {"player": game.player(s), "children": children}


@settings(max_examples=80, deadline=None)
@given(seed=st.integers(0, 2**64 - 1), dice=st.booleans(), three=st.booleans())
def test_a_random_tree_written_out_has_the_same_value(seed: int, dice: bool, three: bool) -> None:
    rules = (RandomTree3 if three else RandomTree)(depth=4, branching=3, seed=seed, doubles=True, dice=dice)
    game = Tree(as_literal(rules, rules.start()))
    by_rules, by_tree = (search(each, using="max_n", native=False) for each in (rules, game))
    if three or game.players == 2:
        assert [getattr(by_rules, name) for name in SAME] == [getattr(by_tree, name) for name in SAME]
    else:  # MIN nowhere moves
        assert by_rules.value[0] == by_tree.value[0]


@pytest.mark.full
@pytest.mark.parametrize(
    "tree, using",
    [(FIGURES["alpha_beta"].tree, "alpha_beta"), (ROUTES, "expectiminimax"), (FIGURES["three_players"].tree, "max_n")],
)
def test_native_is_interpreted(tree: Any, using: str) -> None:
    game = Tree(tree)
    for depth in (None, 1):
        slow = search(game, using=using, depth=depth, native=False)
        fast = search(game, using=using, depth=depth, native=True)
        assert [getattr(slow, name) for name in SAME] == [getattr(fast, name) for name in SAME]
