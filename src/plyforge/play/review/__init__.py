"""Games looked at afterwards: what every state was worth, and what every turn cost."""

from plyforge.play.review.judging import Judged, can_judge, grade, judge, rows, unit_of
from plyforge.play.review.whole_games import Review, ReviewedGame, review

__all__ = ["Judged", "Review", "ReviewedGame", "can_judge", "grade", "judge", "review", "rows", "unit_of"]
