"""Questions and answers about trees: what is right is right, what is wrong is wrong, and the sheets say the same."""

from __future__ import annotations

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

import plyforge as pf
from plyforge.cli import plyforge_command
from plyforge.errors import BadLimits, BadText
from plyforge.games.trees.figures import FIGURES
from plyforge.games.trees.tree import Tree
from plyforge.teach.answers import address, read_value, same_value, topmost
from plyforge.teach.quiz import TOPICS, Exercise, make_exercise
from plyforge.teach.sheet import make_sheet


def by_kind(exercise, seed=1):
    return {question.kind: question for question in exercise.questions(seed)}


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(sorted(TOPICS)), st.integers(0, 10**6), st.integers(1, 4), st.booleans())
def test_right_answers_are_right_and_others_are_not(topic, seed, level, ties):
    exercise = make_exercise(topic, seed, level, ties)
    for question in exercise.questions(seed):
        assert question.check(question.solution).right, question.text
        wrong = {
            "value": "123456",
            "leaves": "0",
            "window": ["123456", "-123456"],
            "cuts": [list(address(node)) for node in exercise.whole.nodes() if node.parent is not None],
        }.get(question.kind)
        if wrong is not None:
            verdict = question.check(wrong)
            assert not verdict.right and verdict.explanation.endswith(".")


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.booleans())
def test_answers_come_from_the_search(seed, ties):
    exercise = make_exercise("alpha_beta", seed, 2, ties)
    game = exercise.game
    assert exercise.whole.value == pf.search(game, using="minimax").value == exercise.searched.value
    questions = by_kind(exercise, seed)
    visited = {node.state for node in exercise.searched.nodes() if node.visited}
    cut = {tuple(path) for path in questions["cuts"].solution}
    for node in exercise.whole.nodes():
        hidden = any(address(node)[: len(path)] == path for path in cut)
        assert hidden == (node.state not in visited)
    assert int(questions["leaves"].solution) == sum(node.leaf for node in exercise.searched.nodes())
    best = pf.search(game, using="minimax", all_best=True).best
    for child in exercise.whole.root.children:
        assert questions["move"].check(child.action_text).right == (child.action in best)


def test_the_textbook_tree():
    exercise = Exercise(Tree(figure="minimax_3_2_2"), "alpha_beta")
    questions = by_kind(exercise)
    assert questions["cuts"].solution == [[1, 1], [1, 2]]
    assert questions["cuts"].check([[1, 2], [1, 1]]).right
    assert questions["leaves"].solution == "7"
    assert questions["move"].check("1").right and not questions["move"].check("2").right
    second = exercise.searched.root.children[1]
    window = exercise.window_of(second)
    assert window.solution == ("3", "∞") and window.check(["3", "inf"]).right
    assert window.check(["inf", "3"]).remark.startswith("These are the right numbers, exchanged")
    assert window.check(["3", "14"]).remark == "Alpha is right, beta is not."
    assert exercise.value_of(exercise.whole.root.children[1]).solution == "2"


def test_a_cut_at_equality_is_said_to_be_one():
    """The second MIN node has 3 at hand where MAX has 3 already: 3 >= 3 is enough to cut; a course that wants >
    looks on."""
    exercise = Exercise(Tree.of([[3, 5], [3, 9]]), "alpha_beta")
    cuts = by_kind(exercise)["cuts"]
    assert cuts.solution == [[1, 1]]
    assert "cut at equality" in cuts.explanation
    verdict = cuts.check([])
    assert not verdict.right and "alpha > beta" in verdict.remark
    strictly = Exercise(Tree.of([[3, 5], [2, 9]]), "alpha_beta")
    assert "alpha > beta" not in by_kind(strictly)["cuts"].check([]).remark


def test_ties_between_moves_are_all_right():
    move = by_kind(Exercise(Tree.of([[3, 5], [3, 9], [1, 2]]), "alpha_beta"))["move"]
    assert [move.check(text).right for text in ("1", "2", "3")] == [True, True, False]
    assert "equally good" in move.explanation
    with pytest.raises(BadText, match="not a move"):
        move.check("7")


def test_what_is_below_a_marked_branch_is_not_counted_again():
    exercise = Exercise(Tree(figure="alpha_beta"), "alpha_beta")
    cuts = by_kind(exercise)["cuts"]
    assert cuts.solution == [[0, 1, 1], [1, 1]]
    deeper = Exercise(Tree.of([[3, 5], [2, [7, 8]]]), "alpha_beta")
    assert by_kind(deeper)["cuts"].check([[1, 1], [1, 1, 0]]).right
    assert topmost({(0,), (0, 1), (1, 1)}) == {(0,), (1, 1)}


@pytest.mark.parametrize("name", sorted(FIGURES))
def test_every_figure_can_be_asked_about(name):
    game = Tree(figure=name)
    using = "max_n" if game.players > 2 else "expectiminimax" if game.has_chance else "alpha_beta"
    for question in Exercise(game, using).questions(3):
        assert question.check(question.solution).right


def test_answers_as_people_type_them():
    assert [read_value(text) for text in ("3", " -2.5 ", "1/2", "−4", "inf", "-∞")] == [
        3,
        -2.5,
        0.5,
        -4,
        float("inf"),
        float("-inf"),
    ]
    assert read_value("(5, 2, 5)") == (5, 2, 5) == read_value([5, 2, 5])
    assert same_value(read_value("0.33"), 1 / 3) and not same_value(read_value("0.3"), 1 / 3)
    for bad in ("", "x", "1/0", "nan", "1e999", "1e999999999", "1/" + "9" * 99, "9" * 9999, True, {"a": 1}):
        with pytest.raises(BadText):
            read_value(bad)
    with pytest.raises(BadText):
        by_kind(make_exercise("alpha_beta"))["cuts"].check([[9, 9]])


def test_limits_are_said():
    with pytest.raises(BadLimits, match="topic"):
        make_exercise("chess")
    with pytest.raises(BadLimits, match="400"):
        Exercise(pf.load("connect4"), "alpha_beta", depth=4)
    with pytest.raises(BadLimits, match="exercises"):
        make_sheet(number=1000)


# -------------------------------------------------------------------- sheets
@pytest.mark.parametrize("topic", sorted(TOPICS))
def test_a_sheet_in_every_format(topic):
    sheet = make_sheet(seed=5, number=2, topic=topic)
    assert sheet.written("txt") == make_sheet(seed=5, number=2, topic=topic).written("txt")
    text, page, latex = (sheet.written(format) for format in ("txt", "html", "tex"))
    assert text.count("Exercise 2") == 2 == page.count("Exercise 2") == latex.count("Exercise 2")
    assert page.count("<svg") == 4 and latex.count(r"\begin{tikzpicture}") == 4
    for task in sheet.tasks:
        for question in task.questions:
            assert question.text in text and question.explanation in text
    questions, solutions = text.split("Solutions")
    assert "worth" in questions and "so its value" not in questions and "averages" not in questions
    assert sheet.rule in text and solutions


def test_the_picture_of_a_question_does_not_give_the_answer_away():
    sheet = make_sheet(seed=2, number=1)
    blank = sheet.to_json()["tasks"][0]["blank"]
    assert "α" not in blank and "best line" not in blank and ">A<" in blank


def test_on_the_command_line(tmp_path):
    run = CliRunner().invoke
    shown = run(plyforge_command, ["sheet", "--seed", "3", "--exercises", "1"])
    assert shown.exit_code == 0 and "Solutions" in shown.output
    kept = tmp_path / "sheet.html"
    assert run(plyforge_command, ["sheet", "--seed", "3", "-o", str(kept)]).exit_code == 0
    assert kept.read_text().startswith("<!doctype html>")
    exercise = make_exercise("alpha_beta", 3)
    solutions = {question.kind: question.solution for question in exercise.questions(3)}
    branches = "; ".join(" ".join(str(number + 1) for number in path) for path in solutions["cuts"])
    typed = [solutions["value"], "nonsense", solutions["move"], " ".join(solutions["window"]), branches, "99"]
    asked = run(plyforge_command, ["quiz", "--seed", "3"], input="\n".join(typed) + "\n")
    assert asked.exit_code == 0, asked.output
    assert "4 of 5 right." in asked.output and "is not a move" in asked.output


def test_a_quiz_can_be_left_and_questions_skipped_and_explained():
    run = CliRunner().invoke
    asked = run(plyforge_command, ["quiz", "--seed", "3"], input="help\nskip\nHELP\nquit\n")
    assert asked.exit_code == 0, asked.output
    assert "A number, as in 3, -2.5 or 1/2" in asked.output
    assert "The move as it is written on its branch." in asked.output
    first = make_exercise("alpha_beta", 3).questions(3)[0]
    assert f"Skipped. {first.explanation}" in asked.output
    assert asked.output.endswith("0 of 1 right.\n")


def test_every_kind_of_question_has_help():
    from plyforge.cli.teach.quiz import FORMS

    kinds = {q.kind for topic in TOPICS for q in make_exercise(topic, 3).questions(3)}
    assert kinds <= set(FORMS)


def test_a_quiz_begins_with_another_seed_each_time_and_says_which():
    run = CliRunner().invoke
    seeds = set()
    for _ in range(4):
        output = run(plyforge_command, ["quiz"], input="quit\n").output
        first, _, rest = output.partition("\n")
        seed = first.partition("--seed ")[2].partition(".")[0]
        assert run(plyforge_command, ["quiz", "--seed", seed], input="quit\n").output.strip() == rest.strip()
        seeds.add(seed)
    assert len(seeds) > 1
