"""Walk to field 7; the heuristic knows the truth on even fields, and nothing on odd ones.

Breaks: h is consistent
"""

from lawful.walk import Walk, WalkCosts


class HalfKnown(WalkCosts):
    consistent = True

    def h(self, game, s):
        return float(7 - s.field) if s.field % 2 == 0 else 0.0


class Broken(Walk):
    costs = HalfKnown()
