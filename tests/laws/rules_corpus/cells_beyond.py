"""A frozenset of numbers that go beyond those of random play: there is more room when they do."""

import plyforge as pf


class Climb(pf.Game):
    """Go up or fall; the heights that were reached count, and the eleventh most."""

    def start(self):
        return frozenset({0}), 0, 0

    def player(self, s):
        return s[2] % 2

    def actions(self, s):
        return [0, 1, 2] if s[1] < 12 else [0]

    def result(self, s, step):
        seen, height, ply = s
        height = height + 1 if step == 2 else height if step == 1 else 0
        return seen | {height}, height, ply + 1

    def terminal(self, s):
        return s[2] == 14

    def utility(self, s):
        return 1.0 if 11 in s[0] else len(s[0]) / 20 - max(s[0]) / 40
