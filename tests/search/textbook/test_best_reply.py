"""Best-reply search: against a recursion without pruning, against paranoid for two, and where the three searches for
many disagree."""

from __future__ import annotations

import random
from typing import Any

import pytest

import plyforge as pf
from conftest import compiles
from plyforge import draw
from plyforge.contract import Game, defines, payoffs
from plyforge.errors import Unsuitable
from plyforge.games.chinese_checkers import ChineseCheckers
from plyforge.games.several_players.three_nim import Heap, ThreeNim
from plyforge.games.trees.random_tree import RandomTree, RandomTree3
from plyforge.games.trees.tree import Tree
from plyforge.search import BestReply, search
from plyforge.search.trace.recorder import record
from plyforge.search.trace.solution_tree import solution_tree

SAME = ("action", "value", "values", "best", "line", "nodes", "depth", "reason", "player")


def value_of(game: Game, s: Any, hero: int, legal: bool, depth: int = 99) -> float:
    """The definition: nothing is pruned, and the opponents' turns are written out one after the other."""
    if game.terminal(s):
        return payoffs(game, game.utility(s))[hero]
    if depth == 0:
        return payoffs(game, game.evaluate(s))[hero]
    if game.player(s) == hero:
        return max(value_of(game, game.result(s, a), hero, legal, depth - 1) for a in pf.legal_moves(game, s))

    def aside(s: Any) -> Any:
        if not legal:
            return game.heuristics.with_turn(game, s, (game.player(s) + 1) % game.players)
        return game.result(
            s, max(pf.legal_moves(game, s), key=lambda action: game.heuristics.ordering(game, s, action))
        )

    worst = float("inf")
    for _ in range(game.players - 1):
        if game.terminal(s) or game.player(s) == hero:
            break
        replying = game.player(s)
        for action in pf.legal_moves(game, s):
            after = game.result(s, action)
            again = not game.terminal(after) and game.player(after) == replying
            while not again and not game.terminal(after) and game.player(after) != hero:
                after = aside(after)
            worst = min(worst, value_of(game, after, hero, legal, depth - 1))
        s = aside(s)
    return worst


def test_it_is_its_definition_on_random_trees_for_three() -> None:
    for doubles in (False, True):
        game = RandomTree3(depth=6, branching=3, doubles=doubles)
        for seed in range(100):
            s = game.root(seed)
            if not game.terminal(s):
                found = search(game, s, "best_reply", native=False)
                assert found.value == value_of(game, s, game.player(s), legal=True), seed


@pytest.mark.parametrize("legal", [False, True])
def test_it_is_its_definition_where_opponents_may_pass(legal: bool) -> None:
    using = BestReply(legal=legal)
    for sticks in range(1, 12):
        for player in range(3):
            s = Heap(sticks, player)
            found = search(ThreeNim(12), s, using, native=False)
            assert found.value == value_of(ThreeNim(12), s, player, legal) and found.player == player
    game, draws = ChineseCheckers(players=4, size=1, move_limit=9), random.Random(3)
    s = game.start()
    for _ in range(12):
        assert search(game, s, using, depth=3, native=False).value == value_of(game, s, s.player, legal, 3)
        s = game.result(s, draws.choice(pf.legal_moves(game, s)))


def test_with_two_players_it_is_paranoid_node_for_node() -> None:
    game = RandomTree(depth=6, branching=3, doubles=True)
    cases: list[tuple[Game, Any, int | None]] = [(game, game.root(seed), None) for seed in range(100)]
    cases += [(pf.load(name), None, 5) for name in ("tic_tac_toe", "kalah(houses=3, seeds=2)", "hexapawn")]
    for game, s, depth in cases:
        one, other = (search(game, s, using, depth=depth, native=False) for using in ("paranoid", "best_reply"))
        assert [getattr(one, name) for name in SAME] == [getattr(other, name) for name in SAME]


def test_every_best_action_is_found_where_asked_for() -> None:
    game = RandomTree3(depth=5, branching=3)
    for seed in range(60):
        s = game.root(seed)
        if game.terminal(s):
            continue
        hero = game.player(s)
        values = {a: value_of(game, game.result(s, a), hero, legal=True) for a in pf.legal_moves(game, s)}
        found = search(game, s, "best_reply", native=False, all_best=True)
        assert set(found.best) == {a for a, value in values.items() if value == max(values.values())}


@compiles
@pytest.mark.parametrize("legal", [pytest.param(False, marks=pytest.mark.full), True])
def test_interpreted_and_compiled_agree(legal: bool) -> None:
    game = ThreeNim(10)
    for state, depth in ((None, None), ("9 1", None), ("10 2", 3)):
        slow = search(game, state, BestReply(legal=legal), depth=depth, native=False)
        fast = search(game, state, BestReply(legal=legal), depth=depth, native=True)
        assert [getattr(slow, name) for name in SAME] == [getattr(fast, name) for name in SAME]


# ------------------------------------------------------------------ three searches, three opinions
GREEDY = [[(9, 5, 5), (0, 4, 4)], [(0, 4, 4), (0, 4, 3)]]
BRAVE = [[(6, 3, 1), (5, 3, 4)], [(5, 2, 5), (1, 2, 3)]]
CAREFUL = [[(3, 3, 3), (3, 3, 3)], [(3, 3, 3), (3, 3, 3)]]
OPINIONS = Tree({"children": {"greedy": GREEDY, "brave": BRAVE, "careful": CAREFUL}})


def test_the_three_searches_for_many_players_disagree() -> None:
    """Selfish opponents give 9; one who is hostile still leaves 5 after "brave"; two together leave 3 after
    "careful"."""
    rivals = search(OPINIONS, using="max_n")
    one = search(OPINIONS, using="best_reply")
    all_of_them = search(OPINIONS, using="paranoid")
    assert (rivals.text(rivals.action), rivals.value) == ("greedy", (9.0, 5.0, 5.0))
    assert (one.text(one.action), one.value) == ("brave", 5.0)
    assert (all_of_them.text(all_of_them.action), all_of_them.value) == ("careful", 3.0)


def test_two_who_are_behind_both_gain_by_stopping_the_leader() -> None:
    """Red is about to win. Whatever stops it gives a third to Yellow, who moves, and a third to Blue, who does not."""
    game = ChineseCheckers(players=3, size=1, move_limit=6)
    s = pf.parse_state(game, "./..Y./R../B.../. Y 13")
    found = search(game, s, "max_n", native=False)
    tuples = {found.text(action): value for action, value in found.values.items()}
    third = (1 / 3, 1 / 3, 1 / 3)
    assert tuples == {"b3-b2": (1.0, 0.0, 0.0), "b3-c2": third, "b3-c3": third}
    # paranoid takes it that Blue would help Red: nothing is worth anything, so the first action is as good as any
    suspicious = search(game, s, "paranoid", native=False, all_best=True)
    assert (suspicious.value, len(suspicious.best)) == (0.0, 3)
    # best_reply lets one of Red and Blue move where both will: it believes in a win, and lets Red through
    hopeful = search(game, s, "best_reply", native=False)
    assert (hopeful.value, hopeful.text(hopeful.action)) == (1.0, "b3-b2")


def test_the_deck_s_tuples_by_all_three() -> None:
    game = Tree(figure="three_players")
    assert search(game, using="max_n").value == (5.0, 2.0, 5.0)
    assert search(game, using="paranoid").value == 1.0
    assert search(game, using="best_reply").value == 1.0


# ------------------------------------------------------------------ recorded and refused
def test_the_recorded_tree_is_the_search_itself() -> None:
    tree = record(ThreeNim(4), using="best_reply")
    assert tree.counters.nodes == tree.result.nodes == sum(1 for node in tree.nodes() if node.visited)
    names = [child.action_text for child in tree.root.children[0].children]
    assert names == ["1", "2", "3", "P3:1", "P3:2", "P3:3"]
    assert all(child.player in (None, 0) for child in tree.root.children[0].children)
    for format in ("txt", "svg", "dot", "json", "tex"):
        assert draw.draw(tree, format)
    cut = record(ThreeNim(7), using="best_reply")
    assert cut.counters.cuts > 0 and any(node.cut for node in cut.nodes())
    for node in cut.nodes():
        if node.cut:
            assert node.cut.skipped and node.cut.reason


def test_its_value_is_no_proof() -> None:
    with pytest.raises(Unsuitable, match="paranoid"):
        solution_tree(record(ThreeNim(4), using="best_reply"))
    two = record(pf.load("tic_tac_toe"), pf.parse_state(pf.load("tic_tac_toe"), "xx.oo...."), using="best_reply")
    assert solution_tree(two).root.value == 1.0


def test_the_line_ends_where_somebody_stands_aside() -> None:
    assert len(search(ThreeNim(9), using="best_reply", native=False).line) == 1
    assert len(search(pf.load("nim(heaps=(1, 2))"), using="best_reply", native=False).line) == 3


def test_rules_that_do_not_know_a_pass_are_played_by_promise() -> None:
    game = RandomTree3(depth=3)
    assert (
        not defines(game.heuristics, "with_turn") and search(game, using=BestReply(), native=False).reason == "complete"
    )
    with pytest.raises(Unsuitable, match="with_turn"):
        search(game, using=BestReply(legal=False), native=False)
    with pytest.raises(Unsuitable, match="chance moves"):
        search("pig", using="best_reply", depth=2)


def test_it_plays() -> None:
    from plyforge.play import parse_player

    player = parse_player("best_reply:depth=2,legal=yes", ThreeNim(), native=False)
    assert player.choose(ThreeNim(), Heap(3, 1)).action == 3
    assert player.description == "best_reply:depth=2,legal=True"
