"""`plyforge quiz`: questions about game trees, answered in the terminal."""

from __future__ import annotations

import click

from plyforge.teach.quiz import SIZES, TOPICS


@click.command("quiz")
@click.option("--topic", type=click.Choice(list(TOPICS)), default="alpha_beta", show_default=True)
@click.option(
    "--seed", type=int, default=1, show_default=True, help="The same seed gives the same questions."
)
@click.option("--trees", type=int, default=1, show_default=True, help="How many trees.")
@click.option(
    "--level",
    type=click.IntRange(min(SIZES), max(SIZES)),
    default=2,
    show_default=True,
    help="How large they are.",
)
@click.option("--ties", is_flag=True, help="Trees with equal values, and cuts at equality.")
def command(topic: str, seed: int, trees: int, level: int, ties: bool) -> None:
    """Draw a tree, ask about it, check and explain the answers.

    \b
    plyforge quiz --topic minimax --level 1
    plyforge quiz --topic alpha_beta --seed 3 --trees 2

    Values are numbers (3, -2.5, 1/2), windows two numbers (-inf 3), branches the numbers on the way (2 1, 3; or none).
    """
    from plyforge.draw.text import to_text
    from plyforge.errors import BadText
    from plyforge.teach import make_exercise
    from plyforge.teach.sheet import blank_figure

    right = asked = 0
    for number in range(trees):
        exercise = make_exercise(topic, seed + number, level, ties)
        click.echo(to_text(blank_figure(exercise), width=120))
        click.echo(exercise.rule + "\n")
        for question in exercise.questions(seed + number):
            while True:
                text = _typed(question.text)
                if text is None:
                    click.echo(f"\nEnd of input: {right} of {asked} right.")
                    return
                try:
                    verdict = question.check(read_answer(question.kind, text))
                    break
                except BadText as error:
                    click.echo(f"  {error}")
            asked += 1
            right += verdict.right
            click.echo(f"  {'Right.' if verdict.right else 'No.'} {verdict.remark}".rstrip())
            click.echo(f"  {verdict.explanation}\n")
    click.echo(f"{right} of {asked} right.")


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
