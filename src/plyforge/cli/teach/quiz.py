"""`plyforge quiz`: questions about game trees, answered in the terminal."""

from __future__ import annotations

import click

from plyforge.teach.quiz import SIZES, TOPICS, Question, Verdict

QUIT, SKIP, HELP = ("quit", "exit"), ("skip",), ("help", "?")
"""What can be typed in place of an answer."""
FORMS = {
    "value": "A number, as in 3, -2.5 or 1/2; with three players three of them, as in 1 2 6.",
    "move": "The move as it is written on its branch.",
    "window": "Two numbers, alpha and beta, as in -inf 3.",
    "cuts": (
        "The branches that are cut, each by the numbers on the way from the root, with commas between: 2 1, 3; or none."
    ),
    "leaves": "A whole number.",
}
"""How answers are written, by the kind of question."""
SEEDS = 1_000_000
"""Where nobody gives a seed, it is one of so many: few enough digits to type again."""


@click.command("quiz")
@click.option("--topic", type=click.Choice(list(TOPICS)), default="alpha_beta", show_default=True)
@click.option(
    "--seed", type=int, metavar="N", help="The same seed gives the same questions. Default: another one each time."
)
@click.option("--trees", type=int, default=1, show_default=True, help="How many trees.")
@click.option(
    "--level", type=click.IntRange(min(SIZES), max(SIZES)), default=2, show_default=True, help="How large they are."
)
@click.option("--ties", is_flag=True, help="Trees with equal values, and cuts at equality.")
def command(topic: str, seed: int | None, trees: int, level: int, ties: bool) -> None:
    """Draw a tree, ask about it, check and explain the answers.

    \b
    plyforge quiz --topic minimax --level 1
    plyforge quiz --topic alpha_beta --seed 3 --trees 2

    Values are numbers (3, -2.5, 1/2), windows two numbers (-inf 3), branches the numbers on the way (2 1, 3; or none).
    help says so again, skip goes on without an answer, quit ends the quiz.
    """
    import secrets

    from plyforge.draw.text import to_text
    from plyforge.teach import make_exercise
    from plyforge.teach.sheet import blank_figure

    if seed is None:
        seed = secrets.randbelow(SEEDS) + 1
        click.echo(f"These questions again: --seed {seed}. Type help, skip or quit at any time.\n")
    right = asked = 0
    for number in range(trees):
        exercise = make_exercise(topic, seed + number, level, ties)
        click.echo(to_text(blank_figure(exercise), width=120))
        click.echo(exercise.rule + "\n")
        for question in exercise.questions(seed + number):
            try:
                verdict = _answered(question)
            except _Quit as reason:
                click.echo(f"{reason}{right} of {asked} right.")
                return
            asked += 1
            if verdict is None:
                click.echo(f"  Skipped. {question.explanation}\n")
                continue
            right += verdict.right
            click.echo(f"  {'Right.' if verdict.right else 'No.'} {verdict.remark}".rstrip())
            click.echo(f"  {verdict.explanation}\n")
    click.echo(f"{right} of {asked} right.")


class _Quit(Exception):
    """Nobody wants to be asked any more; the text says why, where it was not said."""


def _answered(question: Question) -> Verdict | None:
    """What an answer that can be understood deserves; None for a question that was skipped."""
    from plyforge.errors import BadText

    while True:
        text = _typed(question.text)
        if text is None:
            raise _Quit("\nEnd of input: ")
        word = text.strip().lower()
        if word in QUIT:
            raise _Quit
        if word in SKIP:
            return None
        if word in HELP:
            click.echo(f"  {FORMS.get(question.kind, FORMS['value'])} skip goes on, quit ends the quiz.")
            continue
        try:
            return question.check(read_answer(question.kind, text))
        except BadText as error:
            click.echo(f"  {error} (help says how to answer)")


def _typed(question: str) -> str | None:
    """A line; None at the end of the input, as in `plyforge play`."""
    try:
        return input(f"{question}: ")
    except EOFError:
        return None


def read_answer(kind: str, text: str) -> object:
    """What somebody typed, in the form that a question takes."""
    if kind == "window":
        return text.replace(",", " ").split()
    if kind == "cuts":
        named = text.strip().lower()
        ways = [] if named in ("", "none") else named.replace(";", ",").split(",")
        return [[int(part) - 1 if part.isdigit() else -1 for part in way.split()] for way in ways]
    return text
