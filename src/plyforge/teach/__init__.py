"""Teaching: a recorded search step by step, in sentences and pseudocode; questions with answers; sheets of exercises.

    steps = Steps(record(game, using="alpha_beta"))          what happens, one event at a time
    make_exercise("alpha_beta", seed=7).questions()          a quiz, answers checked and explained
    make_sheet(seed=7).to_html()                             exercises and solutions to print

Nothing in here searches: everything is read from recordings of the searches themselves.
"""

from plyforge.teach.comparison import Comparison, compare, reference_search
from plyforge.teach.growing import Growing
from plyforge.teach.moment import at_step
from plyforge.teach.pseudocode import pseudocode_of
from plyforge.teach.quiz import TOPICS, Exercise, Question, Verdict, make_exercise
from plyforge.teach.reordered import ORDERS, reordered
from plyforge.teach.sheet import Sheet, make_sheet
from plyforge.teach.steps import Steps

__all__ = [
    "ORDERS",
    "TOPICS",
    "Comparison",
    "Exercise",
    "Growing",
    "Question",
    "Sheet",
    "Steps",
    "Verdict",
    "at_step",
    "compare",
    "make_exercise",
    "make_sheet",
    "pseudocode_of",
    "reference_search",
    "reordered",
]
