"""Walk to field 7; the heuristic goes on counting beyond it.

Breaks: h is not negative
"""

from lawful.walk import Walk, WalkCosts


class BeyondTheEnd(WalkCosts):
    def h(self, game, s):
        return float(5 - s.field)


class Broken(Walk):
    costs = BeyondTheEnd()
