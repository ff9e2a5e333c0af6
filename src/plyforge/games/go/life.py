"""Stones that can't be captured any more, whatever happens: Benson's life, and what it says about the score.

A region is a connected set of points without stones of a colour. It is vital to a chain of that colour if all its empty
points are liberties of the chain: then the other player can't play on the last of them. Take all chains and all
regions; as long as there are any, take away the chains with fewer than two vital regions, and the regions beside a
chain that was taken away. The chains that stay can't be captured even if their player passes for ever.

Claim: a player with such chains gets, at the least, their points and those of each piece of the rest of the board all
of whose points are beside them. The other player may put stones there, but every liberty of those is beside a living
chain: the player may fill them one after the other, with stones that live as well, until the last one captures. Each
fill is a board that was never there, so that superko forbids none, and what was captured leaves an eye again. Only
where the game may end before the first of them, because the player has just passed, stones that already stand there are
not counted as captured.

Benson, "Life in the game of Go" (1976).
"""

from __future__ import annotations

from plyforge.games.go.points import around, both, either, first_of, is_empty, point, size_of, spread, without
from plyforge.kernel import inline, kernel


@kernel
def living(board, own, empty):
    """The stones among `own` that can't be captured."""
    alive = own
    others = without(board.full, own)
    before = -1
    while before != size_of(alive):
        before = size_of(alive)
        stones = alive
        while not is_empty(stones):
            chain = spread(board, point(board, first_of(stones)), own)
            stones = without(stones, chain)
            beside = around(board, chain)
            near = both(beside, others)
            vital = 0
            while not is_empty(near):
                region = spread(board, point(board, first_of(near)), others)
                near = without(near, region)
                fences = both(around(board, region), own)
                if is_empty(without(fences, alive)) and is_empty(without(both(region, empty), beside)):
                    vital += 1
            if vital < 2:
                alive = without(alive, chain)
    return alive


@inline
def beyond_doubt(board, own, enemy, may_end):
    """How many points a player has for sure; `may_end`: the other one moves, and may end the game at once."""
    empty = without(board.full, either(own, enemy))
    alive = living(board, own, empty)
    number = size_of(alive)
    if number > 0:
        inside = around(board, alive)
        rest = without(board.full, alive)
        while not is_empty(rest):
            region = spread(board, point(board, first_of(rest)), rest)
            rest = without(rest, region)
            if is_empty(without(region, inside)) and (not may_end or is_empty(both(region, enemy))):
                number += size_of(region)
    return number
