"""Walk to field 7; the heuristic counts the field that one stands on, too.

Breaks: h is admissible
"""

from lawful.walk import Walk, WalkCosts


class OneTooFar(WalkCosts):
    def h(self, game, s):
        return float(8 - s.field)


class Broken(Walk):
    costs = OneTooFar()
