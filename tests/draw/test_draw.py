"""Drawings: the layout is tidy, every number drawn is the recorded one, nothing is lost, every format is well
formed."""

from __future__ import annotations

import itertools
import json
import re
import shutil
import subprocess
import time
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import paths
import plyforge as pf
from patience import FOR_A_PROCESS
from plyforge import draw
from plyforge.contract import CHANCE, MAX, MIN, Game, Notation
from plyforge.draw.figure import FOLDED, SKIPPED, make_figure, show_probability
from plyforge.draw.layout import levels, tidy
from plyforge.draw.picture import make_picture
from plyforge.draw.shapes import Line, Shape, Words
from plyforge.search.trace.recorder import record
from plyforge.search.trace.solution_tree import solution_tree
from plyforge.search.trace.tree import show_value

random_cases = settings(max_examples=80, deadline=None)


class Choice(NamedTuple):
    """A node of an explicit tree; a leaf is whatever is not a Choice."""

    player: int
    children: tuple
    weights: tuple = ()


class ExplicitNotation(Notation):
    def format_action(self, game, s, action):
        return game.names[action] if game.names else "abcdefgh"[len(s) % 8] + str(action + 1)

    def parse_state(self, game, text):
        return tuple(int(word) for word in re.findall(r"\d+", text))


@dataclass(frozen=True)
class Explicit(Game):
    """A tree written down; a state is the path that leads to it. Actions have the names given, if any."""

    notation = ExplicitNotation()

    tree: Any = 0.0
    names: tuple = ()
    players: int = 2
    utility_sum: float | None = 0.0
    worth_compiling: bool = False

    @property
    def has_chance(self) -> bool:
        return "player=-1" in repr(self.tree)

    def at(self, s):
        node = self.tree
        for index in s:
            node = node.children[index]
        return node

    def start(self):
        return ()

    def player(self, s):
        return self.at(s).player

    def actions(self, s):
        yield from range(len(self.at(s).children))

    def chance(self, s):
        yield from enumerate(self.at(s).weights)

    def result(self, s, action):
        return (*s, action)

    def terminal(self, s):
        return not isinstance(self.at(s), Choice)

    def utility(self, s):
        return self.at(s)


@dataclass(frozen=True)
class Corridor(Game):
    """One action a state, for a thousand plies."""

    length: int = 900

    def start(self):
        return (0,)

    def player(self, s):
        return s[0] % 2

    def actions(self, s):
        yield 0

    def result(self, s, action):
        return (s[0] + 1,)

    def terminal(self, s):
        return s[0] == self.length

    def utility(self, s):
        return 1.0


def alternating(tree: Any, *turns: int) -> Any:
    turns = turns or (MAX, MIN)
    if not isinstance(tree, list):
        return tree
    return Choice(turns[0], tuple(alternating(child, *turns[1:], turns[0]) for child in tree))


TEXTBOOK = Explicit(alternating([[3, 12, 8], [2, 4, 6], [14, 5, 2]]))
COIN = Choice(CHANCE, (8.0, 24.0, -12.0), (1 / 2, 1 / 3, 1 / 6))
HOSTILE = ('<b>&"quoted"</b>', "50% of $x_1^2 {\\#~}", '\\"; node [label=x]; line\nbreak\x07 ♞ é 漢')


def some_trees() -> dict[str, Any]:
    """One recorded tree of every kind."""
    tuples = [[[(1, 6, 6), (7, 1, 2)], [(6, 1, 2), (7, 2, 1)]], [[(5, 1, 7), (1, 5, 2)], [(7, 7, 1), (5, 2, 5)]]]
    three = Explicit(alternating(tuples, 0, 1, 2), players=3, utility_sum=None)
    dice = Explicit(Choice(MAX, (COIN, Choice(MIN, (COIN, -1 / 3)))))
    board = pf.load("tic_tac_toe")
    textbook = record(TEXTBOOK, using="alpha_beta")
    return {
        "textbook": textbook,
        "minimax": record(TEXTBOOK, using="minimax"),
        "policy": record(TEXTBOOK, using="expectimax"),
        "solution": solution_tree(textbook),
        "dice": record(dice, using="expectiminimax"),
        "tuples": record(three, using="max_n"),
        "paranoid": record(three, using="paranoid"),
        "board": record(board, "x.o.x.o..", using="alpha_beta", depth=3),
        "limited": record(board, using="alpha_beta", depth=4, limit=50),
        "hostile": record(Explicit(TEXTBOOK.tree, names=HOSTILE), using="alpha_beta"),
        "leaf": record(Explicit(4.0), using="minimax"),
    }


TREES = some_trees()
each_tree = pytest.mark.parametrize("tree", TREES.values(), ids=TREES.keys())


# ------------------------------------------------------------ layout
shapes = st.recursive(st.just([]), lambda below: st.lists(below, max_size=5), max_leaves=40)


def numbered(shape: list) -> list[list[int]]:
    """A nested list as lists of children's numbers, parents first."""
    children: list[list[int]] = []

    def add(node: list) -> int:
        number = len(children)
        children.append([])
        children[number] = [add(child) for child in node]
        return number

    add(shape)
    return children


def rows(children: list[list[int]]) -> list[list[int]]:
    """The nodes of each level, from left to right."""
    found, row = [], [0]
    while row:
        found.append(row)
        row = [child for node in row for child in children[node]]
    return found


@random_cases
@given(shapes, st.randoms(use_true_random=False))
def test_no_two_nodes_of_a_level_overlap(shape, random):
    children = numbered(shape)
    extents = [(random.choice([0.5, 2, 9]), random.choice([0.5, 3, 12])) for _ in children]
    place = tidy(children, extents, gap=1.5)
    for row in rows(children):
        for left, right in itertools.pairwise(row):
            assert place[left] + extents[left][1] + 1.5 <= place[right] - extents[right][0] + 1e-9
    assert min(x - extent[0] for x, extent in zip(place, extents, strict=True)) == pytest.approx(0)


@random_cases
@given(shapes, st.randoms(use_true_random=False))
def test_a_parent_stands_in_the_middle_of_its_children(shape, random):
    children = numbered(shape)
    extents = [(random.choice([0.5, 2, 9]), random.choice([0.5, 3, 12])) for _ in children]
    place = tidy(children, extents)
    for node, below in enumerate(children):
        if below:
            assert place[node] == pytest.approx((place[below[0]] + place[below[-1]]) / 2)


@random_cases
@given(shapes, shapes)
def test_equal_subtrees_are_drawn_equally(shape, other):
    children = numbered([shape, other, shape, [shape]])
    place = tidy(children, [(1.0, 1.0)] * len(children))
    first, third, deeper = children[0][0], children[0][2], children[children[0][3]][0]
    size = len(numbered(shape))
    for start in (third, deeper):
        moved = [place[start + i] - place[first + i] for i in range(size)]
        assert moved == pytest.approx([moved[0]] * size)


def test_a_known_drawing():
    # Two leaves below the first child, none below the second. A node is 1 wide, neighbours are 1 apart.
    place = tidy([[1, 2], [3, 4], [], [], []], [(0.5, 0.5)] * 5, gap=1.0)
    assert place == pytest.approx([2.5, 1.5, 3.5, 0.5, 2.5])


def test_a_small_subtree_between_large_ones_stands_in_the_middle():
    wide = [[], [], [], []]
    children = numbered([wide, [], wide])
    place = tidy(children, [(0.5, 0.5)] * len(children))
    left, middle, right = (place[child] for child in children[0])
    assert middle - left == pytest.approx(right - middle)


def test_large_and_deep_trees_are_laid_out_in_linear_time_without_recursion():
    deep = [[number + 1] for number in range(49_999)] + [[]]
    binary = [[2 * n + 1, 2 * n + 2] if 2 * n + 2 < 65_535 else [] for n in range(65_535)]
    began = time.process_time()
    for children in (deep, binary):
        place = tidy(children, [(1.0, 1.0)] * len(children))
        assert len(place) == len(children)
    assert levels(deep)[-1] == 49_999
    assert time.process_time() - began < 5  # about 0.4 where this was written


# ------------------------------------------------------------ what is drawn
@each_tree
def test_every_value_in_the_svg_is_the_recorded_one(tree):
    root = ElementTree.fromstring(draw.draw(tree, "svg", max_nodes=10_000))
    space = "{http://www.w3.org/2000/svg}"
    drawn = 0
    visited = {node.order: node for node in tree.nodes() if node.order is not None}
    for group in root.iter(f"{space}g"):
        tip = group.find(f"{space}title").text
        found = re.match(r"node (\d+), ", tip)
        if not found:
            continue
        node = visited.pop(int(found[1]))
        words = ["".join(text.itertext()).replace("−", "-") for text in group.iter(f"{space}text")]
        sign = {"lower": "≥", "upper": "≤"}.get(node.bound, "")
        assert sign + show_value(node.value) in words
        if tree.windowed and node.children:
            for letter, ends in zip("αβ", zip(*node.windows, strict=True), strict=True):
                changes = [show_value(ends[0])] + [show_value(ends[-1])] * (ends[0] != ends[-1])
                assert f"{letter} {'→'.join(changes)}" in words
        drawn += 1
    assert not visited
    assert drawn == sum(node.order is not None for node in tree.nodes())


@random_cases
@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_shown_number_is_the_number(value):
    shown = float(show_value(value))
    assert shown == pytest.approx(value, abs=0.0005, rel=1e-5)
    if value.is_integer() and abs(value) < 1e12:
        assert shown == value
    elif shown.is_integer() and abs(value) < 1e6:
        assert shown == pytest.approx(value, rel=1e-9)  # nothing but a whole number looks like one


def test_probabilities_are_shown_exactly_where_that_is_short():
    assert [show_probability(p) for p in (0.25, 1 / 3, 1 / 6, 1.0, 5 / 36)] == ["0.25", "1/3", "1/6", "1", "5/36"]
    assert show_probability(0.12345678) == "0.123"
    svg = draw.draw(TREES["dice"], "svg")
    for shown in ("(0.5)", "(1/3)", "(1/6)"):
        assert shown in svg


def test_kinds_of_nodes_differ_in_shape():
    svg = draw.draw(TREES["dice"], "svg")
    up = re.findall(r'<polygon points="([\d.]+),([\d.]+) ([\d.]+),([\d.]+) ([\d.]+),([\d.]+)" fill="#d9ebf7"', svg)
    down = re.findall(r'<polygon points="([\d.]+),([\d.]+) ([\d.]+),([\d.]+) ([\d.]+),([\d.]+)" fill="#fbe2d2"', svg)
    assert all(float(y1) < float(y2) == float(y3) for _, y1, _, y2, _, y3 in up) and up
    assert all(float(y1) == float(y2) < float(y3) for _, y1, _, y2, _, y3 in down) and down
    assert svg.count("<ellipse") == 3  # two chance nodes, and one in the legend
    assert "P3" in draw.draw(TREES["tuples"], "svg")


@each_tree
def test_nothing_reaches_over_the_edge_of_the_picture(tree):
    for numbers in (False, True):
        picture = make_picture(make_figure(tree), numbers)
        for group in picture.groups:
            for thing in group.drawn:
                if isinstance(thing, Line):
                    points = [(thing.x1, thing.y1), (thing.x2, thing.y2)]
                elif isinstance(thing, Shape):
                    points = thing.points
                else:
                    assert isinstance(thing, Words)
                    points = [(thing.x, thing.y - thing.size), (thing.x, thing.y)]
                for x, y in points:
                    assert 0 <= x <= picture.width and 0 <= y <= picture.height


@each_tree
def test_shapes_do_not_overlap(tree):
    picture = make_picture(make_figure(tree))
    boxes = []
    for group in picture.groups:
        if group.tip:
            shape = next(thing for thing in group.drawn if isinstance(thing, Shape))
            xs, ys = zip(*shape.points, strict=True)
            boxes.append((min(xs), min(ys), max(xs), max(ys)))
    for number, (left, top, right, bottom) in enumerate(boxes):
        for other_left, other_top, other_right, other_bottom in boxes[:number]:
            assert right <= other_left or other_right <= left or bottom <= other_top or other_bottom <= top


def test_the_best_line_is_thicker_and_cuts_are_dashed():
    svg = draw.draw(TREES["textbook"], "svg")
    assert svg.count('stroke-width="3.2"') == 2 + 1  # two edges, and the legend
    assert svg.count('stroke-dasharray="5 4"') == 2
    assert "MAX already has 3 by playing a1 at the root" in svg


# ------------------------------------------------------------ folding
@random_cases
@given(st.integers(2, 120), st.integers(0, 9), st.sampled_from(["textbook", "board", "limited", "dice", "tuples"]))
def test_what_is_folded_is_counted(max_nodes, max_skipped, name):
    tree = TREES[name]
    items = make_figure(tree, max_nodes=max_nodes, max_skipped=max_skipped).items()
    assert len(items) <= max_nodes
    shown = sum(item.node is not None and item.node.visited for item in items)
    skipped = sum(item.node is not None and not item.node.visited for item in items)
    visited = sum(max(1, node.left_out) for node in tree.nodes() if node.visited)
    assert shown + sum(item.hidden_nodes for item in items) == visited == tree.counters.nodes
    assert skipped + sum(item.hidden_actions for item in items) == sum(not node.visited for node in tree.nodes())


def test_the_best_line_is_folded_last():
    tree = record(pf.load("tic_tac_toe"), using="minimax", depth=3)
    items = make_figure(tree, max_nodes=40).items()
    assert sum(item.on_line for item in items) == 4
    stubs = [item.label for item in items if item.kind == FOLDED]
    assert stubs and all(re.fullmatch(r"\+[\d,]+ nodes?", label) for label in stubs)
    for format in ("svg", "dot", "tex", "txt"):
        assert stubs[0].split()[0].lstrip("+") in draw.draw(tree, format, max_nodes=40)


def test_many_skipped_actions_are_drawn_as_one():
    tree = record(pf.load("tic_tac_toe"), using="alpha_beta", depth=2)
    bunches = [item for item in make_figure(tree).items() if item.kind == SKIPPED and item.node is None]
    assert bunches and all(item.hidden_actions > 3 for item in bunches)
    assert "7 actions" in draw.draw(tree, "svg")


def test_notes_beyond_the_limit_are_counted():
    figure = make_figure(TREES["board"], max_notes=1)
    assert len(figure.notes) == 1
    assert figure.more_notes == TREES["board"].counters.cuts - 1
    assert "3 more cuts" in draw.draw(TREES["board"], "svg", max_notes=1)


def test_a_drawing_of_one_item_is_refused():
    with pytest.raises(pf.PlyforgeError, match="at least 2"):
        draw.draw(TREES["textbook"], "svg", max_nodes=1)


# ------------------------------------------------------------ formats
@each_tree
@pytest.mark.parametrize("format", ["svg", "dot", "json", "tex", "txt"])
def test_every_tree_can_be_drawn_in_every_format_twice_the_same(tree, format):
    assert draw.draw(tree, format) == draw.draw(tree, format) != ""


def test_text_from_users_is_escaped_in_svg():
    svg = draw.draw(TREES["hostile"], "svg")
    assert "<b>" not in svg and "\x07" not in svg
    texts = ["".join(text.itertext()) for text in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]
    assert HOSTILE[0] in texts and HOSTILE[1] in texts


@each_tree
def test_dot_is_understood_by_graphviz(tree, tmp_path):
    source = draw.draw(tree, "dot")
    if shutil.which("dot") is None:
        pytest.skip("Graphviz is not installed")
    made = subprocess.run(["dot", "-Tplain"], input=source, text=True, capture_output=True, timeout=FOR_A_PROCESS)
    assert made.returncode == 0, made.stderr
    nodes = [line for line in made.stdout.splitlines() if line.startswith("node n")]
    assert len(nodes) == len(make_figure(tree).items())


def test_a_name_can_not_break_out_of_a_string_in_dot():
    source = draw.draw(TREES["hostile"], "dot")
    strings = re.sub(r'"(?:[^"\\]|\\.)*"', '""', source)
    assert '"' not in strings.replace('""', "")
    assert "node [label=x]" not in strings


@each_tree
def test_latex_braces_balance(tree):
    depth = 0
    for char in re.sub(r"\\[{}\\]", "", draw.draw(tree, "tex")):
        depth += {"{": 1, "}": -1}.get(char, 0)
        assert depth >= 0
    assert depth == 0


@pytest.mark.parametrize("name", ["textbook", "hostile"])
def test_latex_compiles(name, tmp_path):
    draw.save(TREES[name], tmp_path / "tree.tex")
    if shutil.which("pdflatex") is None or shutil.which("kpsewhich") is None:
        pytest.skip("LaTeX is not installed")
    if subprocess.run(["kpsewhich", "standalone.cls", "tikz.sty"], capture_output=True).returncode:
        pytest.skip("LaTeX lacks the standalone class or TikZ")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "tree.tex"]
    made = subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=FOR_A_PROCESS)
    assert made.returncode == 0, made.stdout[-2000:]
    assert (tmp_path / "tree.pdf").read_bytes().startswith(b"%PDF")


def test_the_textbook_tree_in_text():
    assert (
        draw.draw(TREES["textbook"], "txt")
        == """\
alpha-beta, value 3, best a1, 11 nodes (13 without cuts), 1 cut

                 ▲3
              [-∞→3, ∞]
     ┏━━━━━━━━━━━━╃────────────┐
    a1           a2           a3
    ▼3           ▼≤2          ▼2
 [-∞, ∞→3]     [3, ∞]      [3, ∞→5]
 ┏━━━┹┬───┐   ┌───┼╌╌╌┐    ┌───┼───┐
b1   b2  b3  b1  b2  b3   b1  b2  b3
[3] [12] [8] [2]  × ×(1) [14] [5] [2]

▲ MAX moves   ▼ MIN moves   [ ] end of the game   × not looked at   [alpha, beta]   ━ best line

(1) After a2: MAX already has 3 by playing a1 at the root; this node is worth at most 2 to MAX, so
    MAX will not come here. Not looked at: b2, b3.
"""
    )


def test_the_textbook_tree_as_an_outline():
    text = draw.draw(TREES["textbook"], "txt", style="outline")
    assert text.splitlines()[2:15] == [
        "▲3  [-∞→3, ∞]",
        "┡━ a1: ▼3  [-∞, ∞→3]",
        "│  ┡━ b1: [3]",
        "│  ├─ b2: [12]",
        "│  └─ b3: [8]",
        "├─ a2: ▼≤2  [3, ∞]",
        "│  ├─ b1: [2]",
        (
            "│  └╌ b2, b3: not looked at. MAX already has 3 by playing a1 at the root; this node is worth at most 2 to"
            " MAX, so MAX will not come here"
        ),
        "└─ a3: ▼2  [3, ∞→5]",
        "   ├─ b1: [14]",
        "   ├─ b2: [5]",
        "   └─ b3: [2]",
        "",
    ]


@each_tree
@pytest.mark.parametrize("style", ["tree", "outline"])
def test_ascii_is_ascii(tree, style):
    text = draw.draw(tree, "txt", ascii=True, style=style)
    assert text.isascii()
    assert "\x07" not in text


@each_tree
def test_text_fits_the_width_or_becomes_an_outline(tree):
    for width in (40, 100):
        lines = draw.draw(tree, "txt", width=width).splitlines()
        body = lines[2 : lines.index("", 2)]
        if max(map(len, body)) > width:
            assert any(re.match(r"[┡├└┠┗┣]", line) for line in body)


@random_cases
@given(shapes.filter(bool))
def test_any_shape_can_be_drawn_as_text(shape):
    def grow(node: list, player: int) -> Any:
        return Choice(player, tuple(grow(child, 1 - player) for child in node)) if node else float(len(repr(node)))

    tree = record(Explicit(grow(shape, MAX)), using="alpha_beta")
    for ascii in (False, True):
        lines = draw.draw(tree, "txt", style="tree", ascii=ascii).splitlines()
        assert len(lines) >= 3


def test_a_very_long_line_is_drawn_without_recursion():
    tree = record(Corridor(), using="alpha_beta")
    assert len(tree.line) == 900
    for format in ("svg", "dot", "tex", "txt"):
        assert draw.draw(tree, format, max_nodes=2000)
    again = draw.load_json(draw.draw(tree, "json"))
    assert sum(1 for _ in again.nodes()) == 901
    assert solution_tree(tree).root.value == 1


# ------------------------------------------------------------ JSON
@each_tree
def test_json_loads_back_into_the_same_tree(tree):
    text = draw.draw(tree, "json")
    again = draw.load_json(text)
    for format in ("svg", "dot", "tex", "txt"):
        assert draw.draw(again, format) == draw.draw(tree, format)
    assert [event[0] for event in again.events] == [event[0] for event in tree.events]
    assert [event[3:] for event in again.events] == [event[3:] for event in tree.events]
    first, second = json.loads(text), json.loads(draw.draw(again, "json"))
    assert {**first, "game": None} == second


def test_json_with_the_game_gives_states_and_actions_back():
    tree = TREES["board"]
    again = draw.load_json(draw.draw(tree, "json"), game=pf.load("tic_tac_toe"))
    assert [node.state for node in again.nodes()] == [node.state for node in tree.nodes()]
    assert [node.action for node in again.nodes()] == [node.action for node in tree.nodes()]
    assert again.line == tree.line
    assert solution_tree(again).root.value == tree.root.value


def test_a_proof_with_a_hole_needs_more_than_a_file():
    with pytest.raises(pf.PlyforgeError, match="higher limit"):
        solution_tree(draw.load_json(draw.draw(TREES["limited"], "json"), game=pf.load("tic_tac_toe")))
    assert solution_tree(TREES["limited"]).root.value == TREES["limited"].root.value


def test_json_places_are_those_of_the_layout():
    nodes = json.loads(draw.draw(TREES["textbook"], "json"))["nodes"]
    root, *children = [node for node in nodes if node["ply"] <= 1]
    assert root["x"] == pytest.approx((children[0]["x"] + children[-1]["x"]) / 2, abs=0.01)
    assert root["y"] < children[0]["y"] == children[1]["y"]


@pytest.mark.parametrize(
    "damage",
    [
        lambda document: "{",
        lambda document: "[]",
        lambda document: json.dumps({**document, "version": 99}),
        lambda document: json.dumps({**document, "nodes": []}),
        lambda document: json.dumps({**document, "nodes": document["nodes"][::-1]}),
        lambda document: json.dumps({**document, "events": [["enter", 12345, None, None, 0, 0]]}),
        lambda document: json.dumps({**document, "result": None}),
        lambda document: "[" * 100_000,
    ],
)
def test_damaged_json_is_refused_in_words(damage):
    document = json.loads(draw.draw(TREES["textbook"], "json"))
    with pytest.raises(pf.BadText):
        draw.load_json(damage(document))


# ------------------------------------------------------------ files
def test_the_suffix_of_a_file_says_the_format(tmp_path):
    for suffix in (".svg", ".dot", ".json", ".tex", ".txt", ".SVG"):
        path = draw.save(TREES["textbook"], tmp_path / f"tree{suffix}")
        assert path.read_text(encoding="utf-8") == draw.draw(TREES["textbook"], suffix[1:].lower())
    with pytest.raises(pf.PlyforgeError, match=r"\.svg, \.dot, \.json, \.tex, \.txt"):
        draw.save(TREES["textbook"], tmp_path / "tree.png")
    with pytest.raises(pf.PlyforgeError, match="can't be written"):
        draw.save(TREES["textbook"], tmp_path / "nowhere" / "tree.svg")


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path, monkeypatch):
    path = tmp_path / "tree.svg"
    path.write_text("before")
    with pytest.raises(pf.PlyforgeError):
        draw.save(TREES["textbook"], path, max_nodes=0)
    assert path.read_text() == "before"

    def full(self, target):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(type(path), "replace", full)
        with pytest.raises(pf.PlyforgeError, match="No space left"):
            draw.save(TREES["textbook"], path)
    assert path.read_text() == "before"
    assert [file.name for file in tmp_path.iterdir()] == ["tree.svg"]
    draw.save(TREES["textbook"], path)
    assert path.read_text().startswith("<svg")


def test_unknown_formats_and_options_are_refused_in_words():
    with pytest.raises(pf.PlyforgeError, match="there is no format 'png'"):
        draw.draw(TREES["textbook"], "png")
    with pytest.raises(pf.PlyforgeError, match="svg has no option 'colour'"):
        draw.draw(TREES["textbook"], "svg", colour="red")
    with pytest.raises(pf.PlyforgeError, match="auto, tree, outline"):
        draw.draw(TREES["textbook"], "txt", style="sideways")


# ------------------------------------------------------------ the guide
PICTURES = paths.DOCS / "pictures"


def pictures_of_the_guide() -> dict[str, str]:
    textbook = pf.load('tree({"max": {"a": [3, 12, 8], "b": [2, 4, 6], "c": [14, 5, 2]}})')
    return {
        "textbook-alpha-beta.svg": draw.draw(record(textbook, using="alpha_beta")),
        "tic-tac-toe-alpha-beta.svg": draw.draw(TREES["board"]),
    }


@pytest.mark.parametrize("name", ["textbook-alpha-beta.svg", "tic-tac-toe-alpha-beta.svg"])
def test_the_pictures_of_the_guide_are_what_is_drawn_today(name):
    drawn = pictures_of_the_guide()[name]
    assert (PICTURES / name).read_text(encoding="utf-8") == drawn, (
        "draw it again: PYTHONPATH=tests:tests/support python tests/draw/test_draw.py"
    )


if __name__ == "__main__":
    for name, picture in pictures_of_the_guide().items():
        (PICTURES / name).write_text(picture, encoding="utf-8")
