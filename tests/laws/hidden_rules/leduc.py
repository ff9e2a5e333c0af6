"""Leduc poker: six cards in two suits, two rounds of bets. The state does not hold the order of bets: what players
remember is derived. 9,457 histories, 936 information sets (OpenSpiel)."""

from typing import NamedTuple

import plyforge as pf

UNDEALT, HIDDEN = -1, -2
FOLD, CALL, RAISE = 0, 1, 2
NOBODY = -1


class Hand(NamedTuple):
    first: int
    second: int
    board: int
    mine: int
    theirs: int
    raises: int
    acted: int
    round: int
    turn: int
    folded: int


class Leduc(pf.Game):
    """Leduc poker: raises of 2, then of 4, two in each round at the most."""

    min_utility, max_utility = -13.0, 13.0

    def start(self):
        return Hand(UNDEALT, UNDEALT, UNDEALT, 1, 1, 0, 0, 0, pf.MAX, NOBODY)

    def player(self, s):
        if s.second == UNDEALT or (s.round == 1 and s.board == UNDEALT):
            return pf.CHANCE
        return s.turn

    def chance(self, s):
        left = 6 - int(s.first != UNDEALT) - int(s.second != UNDEALT)
        for card in range(6):
            if card != s.first and card != s.second:
                yield card, 1 / left

    def actions(self, s):
        if s.mine != s.theirs:
            yield FOLD
        yield CALL
        if s.raises < 2:
            yield RAISE

    def result(self, s, action):
        if s.first == UNDEALT:
            return s._replace(first=action)
        if s.second == UNDEALT:
            return s._replace(second=action)
        if s.round == 1 and s.board == UNDEALT:
            return s._replace(board=action)
        other = 1 - s.turn
        if action == FOLD:
            return s._replace(folded=s.turn, turn=other)
        high = max(s.mine, s.theirs)
        if action == RAISE:
            high += 2 if s.round == 0 else 4
        mine = high if s.turn == pf.MAX else s.mine
        theirs = high if s.turn == pf.MIN else s.theirs
        if action == RAISE:
            return s._replace(mine=mine, theirs=theirs, raises=s.raises + 1, acted=1, turn=other)
        if s.acted == 0:
            return s._replace(mine=mine, theirs=theirs, acted=1, turn=other)
        return s._replace(mine=mine, theirs=theirs, raises=0, acted=0, round=s.round + 1, turn=pf.MAX)

    def terminal(self, s):
        return s.folded != NOBODY or s.round == 2

    def rank(self, card, board):
        return 10 if card // 2 == board // 2 else card // 2

    def utility(self, s):
        if s.folded == pf.MAX:
            return -1.0 * s.mine
        if s.folded == pf.MIN:
            return 1.0 * s.theirs
        one, other = self.rank(s.first, s.board), self.rank(s.second, s.board)
        return 1.0 * s.theirs if one > other else -1.0 * s.mine if one < other else 0.0

    def observe(self, s, player):
        first = s.first if player == pf.MAX or s.first == UNDEALT else HIDDEN
        second = s.second if player == pf.MIN or s.second == UNDEALT else HIDDEN
        return s._replace(first=first, second=second)

    def determinize(self, observation, player, stream):
        mine = observation.first if player == pf.MAX else observation.second
        taken = 1 if observation.board == UNDEALT else 2
        left = pf.below(stream, 6 - taken)
        card = 0
        for each in range(6):
            if each != mine and each != observation.board:
                if left == 0:
                    card = each
                left -= 1
        if player == pf.MAX:
            return observation._replace(second=card)
        return observation._replace(first=card)
