"""The desk of the quiz: a tree, questions about it, answers judged and counted; and sheets to print."""

from __future__ import annotations

import json
from typing import Any

from plyforge.errors import BadLimits
from plyforge.search import suitable
from plyforge.studio.server.handler import Desk, Room, does
from plyforge.studio.tree.document import make_document, number_nodes
from plyforge.studio.tree.source import find_source
from plyforge.teach.answers import address
from plyforge.teach.quiz import ASKABLE, SIZES, TOPICS, Exercise, Question, make_exercise
from plyforge.teach.sheet import FORMATS, TITLES, blank_figure, make_sheet

MEDIA = {"html": "text/html", "tex": "application/x-tex", "txt": "text/plain"}


class QuizDesk(Desk):
    """Asks, and judges answers."""

    def __init__(self, room: Room) -> None:
        super().__init__(room)
        self.exercise: Exercise | None = None
        self.questions: list[Question] = []
        self.answered: dict[int, bool] = {}
        self.right = self.asked = 0
        """Of all trees since the page was opened."""

    @does
    def topics(self) -> dict[str, Any]:
        """What there is to be asked about."""
        return {"topics": [{"name": name, "title": TITLES[name]} for name in TOPICS], "levels": list(SIZES)}

    @does
    def begin(
        self,
        topic: str = "alpha_beta",
        seed: int = 1,
        level: int = 2,
        ties: bool = False,
        source: dict[str, Any] | None = None,
        using: str | None = None,
        depth: int | None = None,
    ) -> dict[str, Any]:
        """A new tree, by seed, or the one of a `source`; and its questions."""
        if source is None:
            self.exercise = make_exercise(topic, seed, level, ties)
        else:
            found = find_source(source, self.game)
            asked = using if using in ASKABLE else suitable(found.game)
            self.exercise = Exercise(found.game, asked, found.state, depth)
        exercise = self.exercise
        self.questions = exercise.questions(seed)
        self.answered = {}
        figure = blank_figure(exercise)
        numbers = number_nodes(exercise.whole)
        document = make_document(figure, numbers, names=True)
        document["addresses"] = [list(address(item.node)) if item.node is not None else [] for item in figure.items()]
        text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
        return {
            "rule": exercise.rule,
            "document": self.make("quiz.json", text, "application/json"),
            "questions": [self._asked(question) for question in self.questions],
            "score": self._score(),
        }

    def _asked(self, question: Question) -> dict[str, Any]:
        assert self.exercise is not None
        found: dict[str, Any] = {
            "kind": question.kind,
            "text": question.text,
            "path": None if question.path is None else list(question.path),
        }
        if question.kind == "move":
            found["moves"] = [child.action_text for child in self.exercise.whole.root.children]
        return found

    @does
    def answer(self, number: int, answer: Any) -> dict[str, Any]:
        """Judge an answer to a question of this tree. The first counts."""
        if not 0 <= number < len(self.questions):
            raise BadLimits(f"there is no question {number}")
        assert self.exercise is not None
        question = self.questions[number]
        verdict = question.check(answer)
        if number not in self.answered:
            self.answered[number] = verdict.right
            self.asked += 1
            self.right += verdict.right
        cut: list[list[int]] = verdict.correct if question.kind == "cuts" else []
        return {
            "right": verdict.right,
            "remark": verdict.remark,
            "explanation": verdict.explanation,
            "correct": None if question.kind == "cuts" else _text(verdict.correct),
            "cut": cut,
            "score": self._score(),
        }

    def _score(self) -> dict[str, int]:
        return {"right": self.right, "asked": self.asked}

    @does
    def sheet(
        self, topic: str = "alpha_beta", seed: int = 1, number: int = 4, level: int = 2, ties: bool = False
    ) -> dict[str, Any]:
        """A sheet of exercises with solutions: where to fetch it, for the page and as files."""
        sheet = make_sheet(seed, number, topic, level, ties)
        text = json.dumps(sheet.to_json(), ensure_ascii=False)
        files = {
            format: self.make(f"{topic}-sheet-{seed}.{format}", sheet.written(format), MEDIA[format])
            for format in FORMATS
        }
        return {"sheet": self.make("sheet.json", text, "application/json"), "files": files}


def _text(correct: Any) -> str:
    return ", ".join(map(str, correct)) if isinstance(correct, (list, tuple)) else str(correct)
