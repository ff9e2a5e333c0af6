"""Small counts packed into one int, four bits each, twenty of them: 80 bits, shifted by computed amounts."""

from typing import NamedTuple

import plyforge as pf


class Pits(NamedTuple):
    packed: int
    player: int


class Sowing(pf.Game):
    """Twenty pits of which some hold stones: empty one, and sow it to the right; what falls off is gone."""

    def start(self):
        return Pits(3 << 4 * 18 | 2 << 4 * 17 | 4 << 4 * 15 | 1 << 4 * 2 | 1, pf.MAX)

    def player(self, s):
        return s.player

    def actions(self, s):
        for pit in range(20):
            if s.packed >> 4 * pit & 15:
                yield pit

    def result(self, s, pit):
        n = s.packed >> 4 * pit & 15
        packed = s.packed - (n << 4 * pit)
        for k in range(1, n + 1):
            if pit - k >= 0 and packed >> 4 * (pit - k) & 15 < 9 and k < 3:
                packed += 1 << 4 * (pit - k)
        return Pits(packed, 1 - s.player)

    def terminal(self, s):
        return s.packed < 1 << 4 * 15

    def utility(self, s):
        return -1.0 if s.player == pf.MAX else 1.0
