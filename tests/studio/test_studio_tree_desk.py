"""The desks of the tree and the quiz, without a server: what a page is told is what the search found."""

from __future__ import annotations

import json
import random
import threading
import time

import pytest

import plyforge as pf
from plyforge.draw import load_json
from plyforge.draw.figure import label_of
from plyforge.errors import BadLimits, BadText, PlyforgeError
from plyforge.games.trees.figures import FIGURES
from plyforge.studio.quiz.handler import QuizDesk
from plyforge.studio.server.handler import Room
from plyforge.studio.tree.handler import TreeDesk
from plyforge.studio.tree.source import Stopped


def made(desk, where):
    return desk.room.made.get(where.split("/")[2]).content.decode()


def recorded(desk, **fields):
    answer = desk.do("record", **fields)
    return answer, json.loads(made(desk, answer["document"]))


def shown_at(paper, number):
    """What the page would show after so many steps: (status, label) by node."""
    items = [[0, 0] for _ in paper["items"]["x"]]
    for row in paper["steps"]:
        if row[0] > number:
            break
        changes = row[4]
        for at in range(0, len(changes), 4):
            items[changes[at]] = [changes[at + 1], changes[at + 2]]
    return {
        node: (status, paper["labels"][label])
        for node, (status, label) in zip(paper["items"]["node"], items, strict=True)
        if node >= 0
    }


@pytest.mark.parametrize(
    ("source", "using", "more"),
    [
        ({"text": "[[3, 12, 8], [2, 4, 6], [14, 5, 2]]"}, "alpha_beta", {}),
        ({"figure": "expectimax"}, "expectiminimax", {}),
        ({"figure": "three_players"}, "max_n", {}),
        ({"random": {"depth": 4, "branching": 3, "seed": 5}}, "minimax", {"order": "worst"}),
        ({"random": {"depth": 4, "branching": 3, "seed": 5}}, "alpha_beta", {"order": "best"}),
        ({"game": "tic_tac_toe", "state": "xo.xo...."}, "alpha_beta", {"depth": 3}),
        ({"game": "tic_tac_toe", "state": "xo.xo...."}, "engine", {"depth": 3}),
        ({"game": "pig"}, "star1", {"depth": 3}),
        ({"game": "tic_tac_toe", "state": "x...o...."}, "uct", {"simulations": 40, "seed": 3}),
    ],
)
def test_the_page_ends_with_the_values_of_the_search(source, using, more):
    desk = TreeDesk(Room())
    answer, paper = recorded(desk, source=source, using=using, **more)
    assert answer["using"] == using and answer["summary"]["value"]
    last = shown_at(paper, paper["last"])
    for number, node in enumerate(desk.nodes):
        if number not in last:  # one of several that stand together in one item
            assert not node.visited
            continue
        status, label = last[number]
        if not node.visited:
            assert status in (0, 1, 3) and label == ""
        else:
            assert status == 2 and label.removeprefix("=") == label_of(node)
    assert shown_at(paper, 0) == dict.fromkeys(last, (0, ""))
    for step in {0, 1, paper["last"] // 2, paper["last"]}:
        said = desk.do("step", number=step)
        assert said["sentence"] and (said["lit"] or step == 0)
    for format in ("svg", "tex", "dot", "json", "txt"):
        assert made(desk, desk.do("export", format=format, step=paper["last"] // 2)["address"])


def test_minimax_and_alpha_beta_agree_with_pf_search():
    desk = TreeDesk(Room())
    for seed in range(10):
        source = {"random": {"depth": 3, "branching": 3, "seed": seed, "ties": bool(seed % 2)}}
        values = {
            desk.do("record", source=source, using=using)["summary"]["value"]
            for using in ("minimax", "alpha_beta", "negamax", "engine")
        }
        assert values == {str(int(pf.search(desk.tree.game, using="minimax").value))}


def test_counters_stand_beside_minimax_and_the_bound():
    desk = TreeDesk(Room())
    answer = desk.do(
        "record", source={"random": {"depth": 6, "branching": 3, "seed": 3}}, using="alpha_beta", order="best"
    )
    assert answer["whole"] == {
        "nodes": 1093,
        "leaves": 729,
        "branching": 3.0,
        "depth": 6,
        "regular": True,
        "least": 53,
    }
    assert answer["summary"]["leaves"] == 53
    assert desk.do("step", number=len(desk.steps))["counts"]["leaves"] == 53


def test_what_is_cut_is_still_there_to_see():
    desk = TreeDesk(Room())
    _, paper = recorded(desk, source={"text": "[[3, 5], [2, [7, 8]]]"}, using="alpha_beta")
    assert len(paper["items"]["x"]) == 9
    last = shown_at(paper, paper["last"])
    assert sorted(status for status, _ in last.values()).count(3) == 3
    given = [paper["labels"][number] for number in paper["items"]["given"]]
    assert {"7", "8"} <= set(given)


def test_folding_and_looking_at_a_part():
    desk = TreeDesk(Room())
    _, paper = recorded(desk, source={"random": {"depth": 4, "branching": 2, "seed": 1}}, using="minimax")
    assert len(paper["items"]["x"]) == 31
    folded = json.loads(made(desk, desk.do("show", folded=[1])["document"]))
    assert len(folded["items"]["x"]) == 31 - 14 + 1
    assert "+14 nodes" in folded["labels"]
    assert [row[0] for row in folded["steps"]] == sorted({row[0] for row in folded["steps"]})
    part = desk.do("show", root=1)
    assert len(json.loads(made(desk, part["document"]))["items"]["x"]) == 15
    assert [crumb["text"] for crumb in part["crumbs"]] == ["root", "1"]
    with pytest.raises(BadLimits, match="no node"):
        desk.do("show", root=1000)


def test_export_is_what_is_on_the_screen():
    desk = TreeDesk(Room())
    _, paper = recorded(desk, source={"text": "[[3, 12, 8], [2, 4, 6], [14, 5, 2]]"}, using="alpha_beta")
    half = made(desk, desk.do("export", format="svg", step=20)["address"])
    assert "step 20 of 38" in half and "not looked at yet" in half and "best line" not in half
    whole = made(desk, desk.do("export", format="svg")["address"])
    assert "best line" in whole and "not looked at yet" not in whole
    again = load_json(made(desk, desk.do("export", format="json")["address"]))
    assert again.root.value == 3.0 and len(again.events) == paper["last"]
    assert "digraph" in made(desk, desk.do("export", format="dot", step=3)["address"])
    for bad in ({"format": "exe"}, {"format": "svg", "step": 99}):
        with pytest.raises(PlyforgeError):
            desk.do("export", **bad)


def test_every_figure_and_what_is_wrong_with_a_source():
    desk = TreeDesk(Room())
    for name in FIGURES:
        assert desk.do("record", source={"figure": name})["explicit"]
    assert {figure["name"] for figure in desk.do("sources")["figures"]} == set(FIGURES)
    for source, error in (
        ({}, BadLimits),
        ({"text": "[[1, "}, BadText),
        ({"figure": "none"}, BadLimits),
        ({"random": {"depth": 99}}, BadLimits),
        ({"random": {"depth": "x"}}, BadLimits),
        ({"game": "../etc/passwd"}, PlyforgeError),
        ({"game": "goofspiel"}, PlyforgeError),
    ):
        with pytest.raises(error):
            desk.do("record", source=source)
    with pytest.raises(PlyforgeError, match="can't be shown"):
        desk.do("record", source={"game": "pig"}, using="magic")
    assert next(search["name"] for search in desk.do("look", source={"game": "pig"})["searches"]) == "expectimax"


@pytest.mark.parametrize(
    ("text", "using", "instead", "why"),
    [
        ('[{"chance": [4, 8]}, {"chance": [1, 9]}]', "alpha_beta", "expectiminimax", "chance moves in it"),
        ("[[[1, 2, 6], [3, 3, 3]]]", "expectiminimax", "alpha_beta", "chance does not move in it"),
        ("[[3, 4], [2, 1]]", "paranoid", "alpha_beta", "it has fewer than three players"),
    ],
)
def test_another_tree_than_the_search_suits_is_searched_with_one_that_does(text, using, instead, why):
    desk = TreeDesk(Room())
    answer = desk.do("record", source={"text": text}, using=using)
    assert answer["using"] == instead
    assert why in answer["switched"]
    assert answer["using"] in [search["name"] for search in answer["searches"]]


def test_a_tree_of_three_players_is_searched_with_max_n_and_back():
    desk = TreeDesk(Room())
    three = {"random": {"shape": "three_players", "depth": 3, "branching": 2, "seed": 1, "ties": False}}
    answer = desk.do("record", source=three, using="alpha_beta")
    assert answer["using"] == "max_n"
    assert answer["switched"].startswith("Alpha-beta does not suit this tree: it has 3 players. Max^n is shown")
    assert desk.do("record", source=three, using="max_n")["switched"] == ""
    assert desk.do("record", source={"game": "pig"}, using="alpha_beta", depth=1)["using"] == "expectiminimax"


def test_own_trees_are_edited():
    desk = TreeDesk(Room())
    assert (
        desk.do("edit", text="[[3, 12], [2, 4]]", path=[0, 0], change="value", value="7")["text"] == "[[7, 12], [2, 4]]"
    )


def test_a_recording_is_stopped_at_once():
    desk = TreeDesk(Room())
    found = []

    def search():
        try:
            desk.do("record", source={"game": "connect4"}, using="minimax", depth=12)
        except PlyforgeError as error:
            found.append(error)

    thread = threading.Thread(target=search)
    thread.start()
    end = time.monotonic() + 60
    while not desk.room.told and time.monotonic() < end:
        time.sleep(0.01)
    assert desk.room.told[0][0] == "recording"
    desk.close()
    thread.join(30)
    assert not thread.is_alive() and isinstance(found[0], Stopped)


def test_stopping_a_search_that_always_has_an_answer_gives_it():
    desk = TreeDesk(Room())
    found = []
    thread = threading.Thread(
        target=lambda: found.append(desk.do("record", source={"game": "connect4"}, using="uct", simulations=20_000))
    )
    thread.start()
    end = time.monotonic() + 60
    while len(desk.room.told) < 5 and time.monotonic() < end:
        time.sleep(0.01)
    desk.do("stop")
    thread.join(30)
    assert not thread.is_alive() and 5 <= len(desk.steps) < 20_000
    assert desk.tree.root.visits == len(desk.steps) and found[0]["summary"]["action"]


def test_a_large_tree_is_kept_in_part():
    """What is beyond the limit is searched, counted, and said to be there; the page gets no more than it can show."""
    from plyforge.studio.tree import source

    desk = TreeDesk(Room())
    kept = source.KEPT_NODES
    source.KEPT_NODES = 500
    try:
        answer, paper = recorded(desk, source={"game": "connect4"}, using="alpha_beta", depth=6)
    finally:
        source.KEPT_NODES = kept
    summary = answer["summary"]
    assert summary["nodes"] > 1000 and summary["left_out"] == summary["nodes"] - sum(
        n.order is not None for n in desk.nodes
    )
    assert summary["value"] == str(int(pf.search(pf.load("connect4"), using="alpha_beta", depth=6, native=False).value))
    assert len(paper["items"]["x"]) < 1500 and any("+" in label for label in paper["labels"])


# -------------------------------------------------------------------- the quiz
def test_a_quiz_answered_right_and_wrong():
    desk = QuizDesk(Room())
    begun = desk.do("begin", topic="alpha_beta", seed=4, level=2)
    paper = json.loads(made(desk, begun["document"]))
    assert len(paper["addresses"]) == len(paper["items"]["x"]) == 15 and paper["names"]
    assert "solution" not in json.dumps(begun) and "explanation" not in json.dumps(begun)
    kinds = [question["kind"] for question in begun["questions"]]
    assert kinds == ["value", "move", "window", "cuts", "leaves"]
    right = desk.do("answer", number=0, answer=desk.questions[0].solution)
    assert right["right"] and right["score"] == {"right": 1, "asked": 1}
    wrong = desk.do("answer", number=4, answer="1")
    assert not wrong["right"] and wrong["correct"] == desk.questions[4].solution and wrong["explanation"]
    assert desk.do("answer", number=4, answer=desk.questions[4].solution)["score"] == {"right": 1, "asked": 2}
    cuts = desk.do("answer", number=3, answer=[])
    assert not cuts["right"] and cuts["cut"] == desk.questions[3].solution
    with pytest.raises(BadLimits):
        desk.do("answer", number=9, answer="1")


def test_a_quiz_about_the_tree_on_the_screen_and_a_sheet():
    desk = QuizDesk(Room())
    begun = desk.do("begin", source={"text": "[[3, 12, 8], [2, 4, 6], [14, 5, 2]]"}, using="alpha_beta")
    assert desk.do("answer", number=3, answer=[[1, 1], [1, 2]])["right"]
    assert "equality" in begun["rule"]
    with pytest.raises(BadLimits, match="400"):
        desk.do("begin", source={"game": "connect4"}, using="alpha_beta", depth=4)
    assert desk.do("begin", source={"figure": "expectimax"}, using="uct")["questions"]  # nothing to ask about sampling
    with pytest.raises(BadLimits, match="topic"):
        desk.do("begin", topic="chess")
    sheet = desk.do("sheet", topic="expectimax", seed=2, number=2)
    assert json.loads(made(desk, sheet["sheet"]))["tasks"][1]["questions"]
    assert made(desk, sheet["files"]["html"]).startswith("<!doctype html>")
    assert set(sheet["files"]) == {"txt", "html", "tex"}


JUNK = (
    *(
        None,
        True,
        0,
        -1,
        3,
        1.5,
        10**30,
        "",
        "x",
        "[[1, 2], [3, 4]]",
        "[[1,",
        "__import__('os')",
        [],
        [1],
        ["a"],
        [[0]],
        {},
    ),
    *(
        {"text": "[[3, 5], [2, 9]]"},
        {"text": [1, 2]},
        {"text": "{'max': []}"},
        {"figure": "airport"},
        {"figure": 3},
    ),
    *(
        {"game": "nim", "state": "zzz"},
        {"random": {"depth": 3}},
        {"random": [1]},
        {"random": {"depth": True}},
    ),
    *("alpha_beta", "uct", "svg", "json", "best", "kind", "max", [0, 1], "-∞"),
)


def test_whatever_a_page_sends_is_answered_in_words():
    """Requests of the right types and with the wrong contents: an answer, or a PlyforgeError; never anything else."""
    draw = random.Random(7)
    tree, quiz = TreeDesk(Room()), QuizDesk(Room())
    tree.do("record", source={"text": "[[3, 5], [2, 9]]"})
    quiz.do("begin")
    refused = 0
    for _ in range(400):
        desk = draw.choice((tree, quiz))
        name, deed = draw.choice(list(desk.deeds.items()))
        fields = {}
        for each in deed.parameters:
            fitting = [junk for junk in JUNK if not deed.kinds[each.name] or type(junk) in deed.kinds[each.name]]
            if draw.random() < 0.8 or each.default is each.empty:
                fields[each.name] = draw.choice(fitting)
        try:
            json.dumps(desk.do(name, **fields))
        except PlyforgeError as error:
            refused += 1
            assert str(error)
    assert 100 < refused < 400


def test_who_leaves_stops_what_was_asked_for_up_to_then_and_nothing_later():
    desk = TreeDesk(Room())
    desk.do("record", source={"game": "tic_tac_toe"}, depth=2, number=3)
    desk.do("stop", number=4)
    with pytest.raises(Stopped):  # on its way when it was given up
        desk.do("record", source={"game": "tic_tac_toe"}, depth=2, number=4)
    later = desk.do("record", source={"game": "tic_tac_toe"}, depth=2, number=5)
    desk.do("stop", number=4)
    assert later["summary"]["nodes"] and desk.recording is not None and not desk.recording.stopped.is_set()
    desk.do("stop")
    assert desk.recording.stopped.is_set()
