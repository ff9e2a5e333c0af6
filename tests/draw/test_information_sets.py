"""Trees of hidden games as lectures draw them: dashed lines between what a player can't tell apart, and beliefs."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from click.testing import CliRunner

import plyforge as pf
from plyforge.cli import plyforge_command
from plyforge.draw import draw
from plyforge.draw.json_tree import load_json
from plyforge.errors import BadText
from plyforge.search.trace.tree import RecordedTree
from plyforge.solve.hidden import hidden_equilibrium
from plyforge.solve.hidden.drawn import drawn_tree

DASHED = re.compile(r'<path d="M[^"]+" fill="none" [^>]*stroke-dasharray')


@pytest.fixture(scope="module")
def kuhn() -> RecordedTree:
    return drawn_tree(hidden_equilibrium("kuhn_poker", using="lp", native=False))


def seen_by(tree: RecordedTree, seen: str) -> dict[str, Any]:
    return {node.state_text: node for node in tree.nodes() if node.information and node.information.seen == seen}


def test_the_tree_is_the_game_and_its_value_is_kuhns(kuhn: RecordedTree) -> None:
    nodes = list(kuhn.nodes())
    assert len(nodes) == 58 and kuhn.value == pytest.approx(-1 / 18)
    assert len({node.information.number for node in nodes if node.information}) == 12
    for node in nodes:
        if node.children and node.player is not None:
            below = sum((child.probability or 0.0) * child.value for child in node.children)
            assert node.value == pytest.approx(below) and sum(c.probability or 0.0 for c in node.children) == 1.0


def test_beliefs_are_by_bayes(kuhn: RecordedTree) -> None:
    """In every equilibrium MIN bets a king after a check always, a jack one time in three (Kuhn 1950): with a queen,
    MAX takes a bet for a jack's one time in four. Before anything was done, chance alone counts."""
    facing = seen_by(kuhn, "Q ? check bet")
    assert {text: node.belief for text, node in facing.items()} == pytest.approx(
        {"Q J check bet": 0.25, "Q K check bet": 0.75}
    )
    assert [node.belief for node in seen_by(kuhn, "J ?").values()] == [0.5, 0.5]
    for node in kuhn.nodes():
        if node.information:
            others = seen_by(kuhn, node.information.seen)
            assert sum(each.belief for each in others.values()) == pytest.approx(1.0)


def test_every_information_set_is_one_dashed_line(kuhn: RecordedTree) -> None:
    """Twelve, of two histories each."""
    svg = draw(kuhn)
    assert len(DASHED.findall(svg)) == 12 and "tell apart" in svg and ">0.75<" in svg
    assert draw(kuhn, format="dot").count("style=dashed, constraint=false") == 12
    assert draw(kuhn, format="tex").count(".. controls") == 12
    text = draw(kuhn, format="txt", style="outline")
    assert "I12" in text and "I13" not in text and "information sets" in text


def test_what_is_folded_has_no_line(kuhn: RecordedTree) -> None:
    assert len(DASHED.findall(draw(kuhn, max_nodes=12))) < 12
    explicit = pf.record("tree([[3, 12, 8], [2, 4, 6], [14, 5, 2]])", using="alpha_beta")
    assert not DASHED.findall(draw(explicit)), "nothing is hidden in it"


def test_json_keeps_information_sets_and_beliefs(kuhn: RecordedTree) -> None:
    back = load_json(draw(kuhn, format="json"), "kuhn_poker")
    for one, other in zip(kuhn.nodes(), back.nodes(), strict=True):
        assert (one.information, one.belief, one.state) == (other.information, other.belief, other.state)


def test_the_command_draws_it_and_refuses_what_means_nothing() -> None:
    found = CliRunner().invoke(plyforge_command, ["tree", "kuhn_poker", "--max-nodes", "30"], catch_exceptions=False)
    assert "value -0.056" in found.output and "I1 0.5" in found.output
    refused = CliRunner().invoke(plyforge_command, ["tree", "kuhn_poker", "--depth", "3"]).exception
    assert isinstance(refused, pf.Unsuitable) and "its whole tree is drawn" in str(refused)
    of_three = CliRunner().invoke(plyforge_command, ["tree", "kuhn_poker(players=3)", "--max-nodes", "200"])
    assert of_three.exit_code == 0 and "P1" in of_three.output


@pytest.mark.parametrize("change", [{"belief": 1.5}, {"belief": None}, {"information": [1]}, {"information": "x"}])
def test_a_damaged_tree_is_refused(kuhn: RecordedTree, change: dict[str, Any]) -> None:
    document = json.loads(draw(kuhn, format="json"))
    next(row for row in document["nodes"] if "information" in row).update(change)
    with pytest.raises(BadText, match="this recorded tree is damaged"):
        load_json(json.dumps(document), "kuhn_poker")
