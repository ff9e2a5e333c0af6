"""A sheet of exercises with its solutions, by a seed: as text, as a page to print, as LaTeX.

    sheet = make_sheet(seed=7, number=4, topic="alpha_beta")
    sheet.to_html()        # stands alone: questions first, solutions on pages of their own

Equal seeds give equal sheets, so a teacher can hand out the questions today and the solutions next week. Pictures are
those of `plyforge.draw`: first the tree with its leaves and letters, in the solutions the tree that the algorithm
walked, with its windows, its cuts and the reasons for them.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import Any

from plyforge.draw.figure import END, HORIZON, Figure, make_figure
from plyforge.draw.latex import escape as escape_latex
from plyforge.draw.latex import preamble, tikz
from plyforge.draw.picture import make_picture
from plyforge.draw.svg import to_svg
from plyforge.draw.text import to_text
from plyforge.errors import BadLimits
from plyforge.teach.quiz import Exercise, Question, make_exercise

MOST_EXERCISES = 40
FORMATS = ("txt", "html", "tex")
TITLES = {
    "minimax": "Minimax",
    "alpha_beta": "Alpha-beta",
    "expectimax": "Expectimax",
    "expectiminimax": "Expectiminimax",
    "max_n": "Max^n",
}


@dataclass(frozen=True)
class Task:
    """One exercise of a sheet."""

    exercise: Exercise
    questions: list[Question]

    def blank(self) -> Figure:
        """The tree as it is asked about."""
        return blank_figure(self.exercise)

    def solved(self) -> Figure:
        """The tree as the algorithm walked it."""
        return make_figure(self.exercise.searched, max_skipped=99, title="")

    def solution(self, question: Question) -> str:
        """The answer to a question in words."""
        if question.kind == "cuts":
            cut = self.exercise.cut_branches
            return "; ".join(self.exercise.branch_name(node) for node in cut) or "none"
        if question.kind == "window":
            return f"alpha = {question.solution[0]}, beta = {question.solution[1]}"
        return str(question.solution)


@dataclass(frozen=True)
class Sheet:
    """Exercises and solutions."""

    title: str
    seed: int
    tasks: list[Task]

    @property
    def rule(self) -> str:
        """How answers are judged."""
        return self.tasks[0].exercise.rule

    # ------------------------------------------------------------ as text
    def to_text(self) -> str:
        lines = [f"{self.title} (sheet {self.seed})", "", self.rule, ""]
        for number, task in enumerate(self.tasks, 1):
            lines += [f"Exercise {number}", "", to_text(task.blank(), width=120).strip("\n"), ""]
            lines += [f"  {_letter(place)}) {q.text}" for place, q in enumerate(task.questions)]
            lines += ["", ""]
        lines += ["-" * 60, "", "Solutions", ""]
        for number, task in enumerate(self.tasks, 1):
            lines += [f"Exercise {number}", "", to_text(task.solved(), width=120).strip("\n"), ""]
            for place, question in enumerate(task.questions):
                lines += [f"  {_letter(place)}) {task.solution(question)}", f"     {question.explanation}"]
            lines += ["", ""]
        return "\n".join(lines).rstrip() + "\n"

    # ------------------------------------------------------------ as a page
    def to_html(self) -> str:
        body = [f"<h1>{escape(self.title)}</h1>", f'<p class="rule">{escape(self.rule)}</p>']
        for number, task in enumerate(self.tasks, 1):
            asked = "".join(f"<li>{escape(q.text)}<div class='line'></div></li>" for q in task.questions)
            body.append(f"<section><h2>Exercise {number}</h2>{to_svg(task.blank())}<ol type='a'>{asked}</ol></section>")
        body.append('<h1 class="solutions">Solutions</h1>')
        for number, task in enumerate(self.tasks, 1):
            answers = "".join(
                f"<li><b>{escape(task.solution(q))}</b><br>{escape(q.explanation)}</li>" for q in task.questions
            )
            body.append(
                f"<section><h2>Exercise {number}</h2>{to_svg(task.solved())}<ol type='a'>{answers}</ol></section>"
            )
        body.append(f'<p class="rule">Sheet {self.seed}: the same number gives the same sheet.</p>')
        return (
            f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(self.title)}, sheet'
            f" {self.seed}</title><style>{STYLE}</style></head>\n<body>\n" + "\n".join(body) + "\n</body></html>\n"
        )

    # ------------------------------------------------------------ as LaTeX
    def to_latex(self) -> str:
        lines = [
            r"\RequirePackage{fix-cm}",
            r"\documentclass[a4paper, 11pt]{article}",
            r"\usepackage[margin=22mm]{geometry}",
            r"\usepackage{graphicx}",
            *preamble(),
            r"\setlength{\parindent}{0pt}",
            r"\setlength{\parskip}{6pt}",
            r"\begin{document}",
            rf"\section*{{{escape_latex(self.title)}}}",
            escape_latex(self.rule),
        ]
        for number, task in enumerate(self.tasks, 1):
            asked = [escape_latex(question.text) for question in task.questions]
            lines += _latex_task(number, task.blank(), asked)
        lines += [r"\newpage", r"\section*{Solutions}"]
        for number, task in enumerate(self.tasks, 1):
            answers = [
                rf"\textbf{{{escape_latex(task.solution(question))}}}. {escape_latex(question.explanation)}"
                for question in task.questions
            ]
            lines += _latex_task(number, task.solved(), answers)
        lines.append(r"\end{document}")
        return "\n".join(lines) + "\n"

    def written(self, format: str) -> str:
        """The sheet in a format: "txt", "html" or "tex"."""
        if format not in FORMATS:
            raise BadLimits(f"there is no format {format!r}; there are {', '.join(FORMATS)}")
        return {"txt": self.to_text, "html": self.to_html, "tex": self.to_latex}[format]()

    def to_json(self) -> dict[str, Any]:
        """What a page shows."""
        return {
            "title": self.title,
            "seed": self.seed,
            "rule": self.rule,
            "tasks": [
                {
                    "blank": to_svg(task.blank()),
                    "solved": to_svg(task.solved()),
                    "blank_words": to_text(task.blank(), style="outline"),
                    "solved_words": to_text(task.solved(), style="outline"),
                    "questions": [
                        {"text": q.text, "solution": task.solution(q), "explanation": q.explanation}
                        for q in task.questions
                    ],
                }
                for task in self.tasks
            ],
        }


def make_sheet(seed: int = 1, number: int = 4, topic: str = "alpha_beta", level: int = 2, ties: bool = False) -> Sheet:
    """So many exercises on a topic; see `quiz.make_exercise`."""
    if not 1 <= number <= MOST_EXERCISES:
        raise BadLimits(f"a sheet has 1 to {MOST_EXERCISES} exercises, not {number}")
    tasks = []
    for place in range(number):
        own_seed = seed * 100 + place
        exercise = make_exercise(topic, own_seed, level, ties)
        tasks.append(Task(exercise, exercise.questions(own_seed)))
    return Sheet(f"{TITLES[topic]}: exercises", seed, tasks)


def blank_figure(exercise: Exercise, max_nodes: int = 2000) -> Figure:
    """The tree without values but those of its leaves; inner nodes have their names."""
    figure = make_figure(exercise.whole, max_nodes=max_nodes, title="")
    for item in figure.items():
        node = item.node
        item.on_line, item.window, item.tip, item.own_part = False, None, "", None
        if node is not None and item.kind not in (END, HORIZON):
            name = exercise.name(node)
            item.label = name if not name.startswith("the ") else ""
    figure.windowed, figure.notes = False, []
    return figure


def _letter(place: int) -> str:
    return chr(ord("a") + place)


def _latex_task(number: int, figure: Figure, items: list[str]) -> list[str]:
    picture = make_picture(figure)
    return [
        rf"\subsection*{{Exercise {number}}}",
        r"\begin{center}\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%",
        *tikz(picture),
        r"}\end{center}",
        r"\begin{enumerate}",
        *(rf"\item[{_letter(place)})] {text}" for place, text in enumerate(items)),
        r"\end{enumerate}",
    ]


STYLE = """
body { font: 11pt/1.45 system-ui, 'Helvetica Neue', Arial, sans-serif; color: #1b1b1b; max-width: 52rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.6rem } h2 { font-size: 1.1rem; margin: 1.6rem 0 .4rem }
svg { display: block; max-width: 100%; height: auto; margin: .6rem auto }
li { margin: .4rem 0 } .line { border-bottom: 1px solid #aaa; height: 1.6rem } .rule { color: #444 }
@media print { body { margin: 0; max-width: none } section { break-inside: avoid } .solutions { break-before: page } }
"""  # noqa: E501
