"""Playing a game of Go on at random, in place: what Monte Carlo searches judge by.

Making a new state for every stone takes time that a playout does not have. So stones are put on one board of arrays, in
scratch memory, and chains keep their liberties up to date. For each chain there are three numbers about its liberties,
where a liberty is counted once for each stone beside it:

    breaths    how many,       sums    of their cells,       squares    of their cells' squares

They change by an addition for each neighbour of a stone that comes or goes, and they tell what playouts ask: without
breaths the chain is captured; with breaths * squares = sums * sums all liberties are the same one (the numbers have no
spread), so that the chain is in atari, and its last liberty is sums / breaths.

Cells are the points of `points.py` with an edge around: cell = point + stride + 1.

Players don't fill their own eyes; otherwise all points are equally likely, or, with `skilled`, played as by MoGo, where
the first of these that is there is taken:

    1. capture the stone that was just played, or save a chain that it put into atari: by capturing what encloses it, or
       by extending to two liberties;
    2. a shape of patterns.py beside the stone that was just played;
    3. any point, but no stone that would be captured at once with others.

Claim: the same stream of random numbers gives the same playout, interpreted and compiled. All stones put on the board
are legal but for superko.

Gelly, Wang, Munos and Teytaud, "Modification of UCT with patterns in Monte-Carlo Go", INRIA report 6062 (2006). The
sums of liberties are an idea of the computer-go mailing list.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plyforge.games.go.patterns import BLACK, EDGE, EMPTY, EYE, OPEN, TOUCHED, WHITE
from plyforge.games.go.points import has
from plyforge.kernel import below, kernel

NOWHERE = 0
"""A cell of the edge stands for no cell."""


def scratch_type(size: int) -> np.dtype:
    """The arrays of a board; those called `of a chain` are used at the cell that the chain is named after."""
    stride = size + 1
    cells = (size + 2) * stride + 2
    return np.dtype(
        [
            ("free_count", "i8"),  # how many points are empty
            ("ko", "i8"),  # the cell where ko forbids to play
            ("found", "i8"),  # how many candidates there are
            ("colour", "u1", (cells,)),
            ("around", "u2", (cells,)),  # what is at the eight neighbours, two bits each: see patterns.py
            ("played", "u1", (cells,)),  # 1 if somebody has played there in this playout
            ("chain", "u2", (cells,)),  # which chain a stone belongs to: the cell of one of its stones
            ("following", "u2", (cells,)),  # the next stone of the chain, in a ring
            ("stones", "u2", (cells,)),  # of a chain: how many
            ("breaths", "i2", (cells,)),  # of a chain: its liberties, see above
            ("sums", "i4", (cells,)),
            ("squares", "i4", (cells,)),
            ("free", "u2", (cells,)),  # the empty cells, in any order
            ("place", "u2", (cells,)),  # where in that list a cell is
            ("candidates", "u2", (cells,)),
        ],
        align=True,
    )


@kernel
def put_stone(game: Any, b: Any, cell: int, colour: int) -> None:
    """Put a stone on an empty cell where it is legal: liberties shrink, chains join, captured ones leave, ko may
    arise."""
    b.colour[cell] = colour
    for number in range(8):
        b.around[cell + game.ring[number]] |= colour << 14 - 2 * number
    b.free_count -= 1
    moved = b.free[b.free_count]
    b.free[b.place[cell]] = moved
    b.place[moved] = b.place[cell]
    breaths = sums = squares = 0
    for step in game.steps:
        near = cell + step
        there = b.colour[near]
        if there == EMPTY:
            breaths += 1
            sums += near
            squares += near * near
        elif there != EDGE:
            chain = b.chain[near]
            b.breaths[chain] -= 1
            b.sums[chain] -= cell
            b.squares[chain] -= cell * cell
    own = cell
    b.chain[cell] = cell
    b.following[cell] = cell
    b.stones[cell] = 1
    b.breaths[cell] = breaths
    b.sums[cell] = sums
    b.squares[cell] = squares
    captured, last_captured = 0, NOWHERE
    for step in game.steps:
        near = cell + step
        there = b.colour[near]
        if there == colour:
            chain = b.chain[near]
            if chain != own:
                # The smaller chain takes the name of the larger, and the rings become one.
                if b.stones[chain] > b.stones[own]:
                    larger, smaller = chain, own
                else:
                    larger, smaller = own, chain
                stone = smaller
                for _ in range(b.stones[smaller]):
                    b.chain[stone] = larger
                    stone = b.following[stone]
                after = b.following[larger]
                b.following[larger] = b.following[smaller]
                b.following[smaller] = after
                b.stones[larger] += b.stones[smaller]
                b.breaths[larger] += b.breaths[smaller]
                b.sums[larger] += b.sums[smaller]
                b.squares[larger] += b.squares[smaller]
                own = larger
        elif there == 3 - colour and b.breaths[b.chain[near]] == 0:
            chain = b.chain[near]
            stone = chain
            for _ in range(b.stones[chain]):
                b.colour[stone] = EMPTY
                for number in range(8):
                    b.around[stone + game.ring[number]] &= ~(3 << 14 - 2 * number)
                b.free[b.free_count] = stone
                b.place[stone] = b.free_count
                b.free_count += 1
                for other_step in game.steps:
                    beside = stone + other_step
                    if b.colour[beside] == colour:
                        enemy = b.chain[beside]
                        b.breaths[enemy] += 1
                        b.sums[enemy] += stone
                        b.squares[enemy] += stone * stone
                last_captured = stone
                stone = b.following[stone]
            captured += b.stones[chain]
    b.ko = NOWHERE
    if captured == 1 and b.stones[own] == 1 and b.breaths[own] == 1:
        b.ko = last_captured


@kernel
def in_atari(b: Any, chain: int) -> bool:
    """True if the chain has a single liberty."""
    return b.breaths[chain] * b.squares[chain] == b.sums[chain] * b.sums[chain]


@kernel
def set_up(game: Any, b: Any, s: Any) -> None:
    """The board of a state. Stones may come in any order: none is captured, as all chains of a state have liberties."""
    for cell in range(game.cells):
        b.colour[cell] = EDGE
        b.around[cell] = game.bare[cell]
    b.free_count = 0
    for row in range(game.size):
        for column in range(game.size):
            cell = game.origin + row * game.stride + column
            b.colour[cell] = EMPTY
            b.played[cell] = 0
            b.free[b.free_count] = cell
            b.place[cell] = b.free_count
            b.free_count += 1
    for row in range(game.size):
        for column in range(game.size):
            point = row * game.stride + column
            if has(s.black, point):
                put_stone(game, b, game.origin + point, BLACK)
            elif has(s.white, point):
                put_stone(game, b, game.origin + point, WHITE)
    b.ko = NOWHERE if s.ko < 0 else game.origin + s.ko


@kernel
def is_legal(game: Any, b: Any, cell: int, colour: int) -> bool:
    """True if a stone may be put on an empty cell."""
    if cell == b.ko:
        return False
    for step in game.steps:
        if b.colour[cell + step] == EMPTY:
            return True
    for step in game.steps:
        there = b.colour[cell + step]
        if there != EDGE and (there == colour) != in_atari(b, b.chain[cell + step]):
            return True
    return False


@kernel
def liberties_after(game: Any, b: Any, cell: int, colour: int) -> int:
    """How many liberties the chain of a stone on an empty cell would have: 0, 1, or 2 for all above."""
    only = NOWHERE
    for step in game.steps:
        near = cell + step
        there = b.colour[near]
        liberty = NOWHERE
        if there == EMPTY:
            liberty = near
        elif there == colour:
            chain = b.chain[near]
            breaths, sums, squares = b.breaths[chain], b.sums[chain], b.squares[chain]
            for other_step in game.steps:
                beside = cell + other_step
                if b.colour[beside] == colour and b.chain[beside] == chain:
                    breaths -= 1
                    sums -= cell
                    squares -= cell * cell
            if breaths * squares != sums * sums:
                return 2
            if breaths > 0:
                liberty = sums // breaths
        elif there != EDGE:
            chain = b.chain[near]
            if in_atari(b, chain):
                if b.stones[chain] > 1:
                    return 2
                liberty = near
        if liberty != NOWHERE:
            if only == NOWHERE:
                only = liberty
            elif only != liberty:
                return 2
    return 0 if only == NOWHERE else 1


@kernel
def add_candidate(b: Any, cell: int) -> None:
    """One more cell to choose from; one that is there twice is twice as likely."""
    b.candidates[b.found] = cell
    b.found += 1


@kernel
def answers(game: Any, b: Any, last: int, colour: int) -> None:
    """Find the cells that capture the stone just played at `last`, or save what it put into atari."""
    chain = b.chain[last]
    if in_atari(b, chain):
        liberty = b.sums[chain] // b.breaths[chain]
        if is_legal(game, b, liberty, colour):
            add_candidate(b, liberty)
    for step in game.steps:
        near = last + step
        if b.colour[near] == colour and in_atari(b, b.chain[near]):
            chain = b.chain[near]
            liberty = b.sums[chain] // b.breaths[chain]
            if liberty != b.ko and liberties_after(game, b, liberty, colour) > 1:
                add_candidate(b, liberty)
            stone = chain
            for _ in range(b.stones[chain]):
                for other_step in game.steps:
                    beside = stone + other_step
                    if b.colour[beside] == 3 - colour and b.found < game.size:
                        enemy = b.chain[beside]
                        if enemy != b.chain[last] and in_atari(b, enemy):
                            target = b.sums[enemy] // b.breaths[enemy]
                            if is_legal(game, b, target, colour):
                                add_candidate(b, target)
                stone = b.following[stone]


@kernel
def shapes(game: Any, b: Any, last: int, colour: int) -> None:
    """Find the cells around the last stone that are in the middle of a good shape."""
    for step in game.ring:
        cell = last + step
        if b.colour[cell] == EMPTY and game.patterns[b.around[cell]] & colour:
            if cell != b.ko and liberties_after(game, b, cell, colour) > 1:
                add_candidate(b, cell)


@kernel
def any_cell(game: Any, b: Any, skilled: bool, stream: Any, colour: int) -> int:
    """A random legal cell that is no eye of the player; NOWHERE if there is none. Cells that were refused go to the
    end of the list."""
    left = b.free_count
    while left > 0:
        index = below(stream, left)
        cell = b.free[index]
        if cell != b.ko and is_sensible(game, b, skilled, cell, colour):
            return cell
        left -= 1
        b.free[index] = b.free[left]
        b.place[b.free[index]] = index
        b.free[left] = cell
        b.place[cell] = left
    return NOWHERE


@kernel
def is_sensible(game: Any, b: Any, skilled: bool, cell: int, colour: int) -> bool:
    """True if an empty cell is no suicide and no eye of the player; `skilled`: nor does a stone there throw others
    away."""
    known = game.patterns[b.around[cell]]
    if known & colour * EYE:
        return False
    if skilled and known & colour * TOUCHED and liberties_after(game, b, cell, colour) < 2:
        return False
    return known & OPEN != 0 or is_legal(game, b, cell, colour)


@kernel
def final_score(game: Any, b: Any) -> int:
    """Black's area minus White's. Empty cells are coloured by who is beside them: 1 Black, 2 White, 3 both, and so
    on until nothing changes."""
    score = game.size * game.size - b.free_count
    for row in range(game.size):
        for column in range(game.size):
            if b.colour[game.origin + row * game.stride + column] == WHITE:
                score -= 2
    for number in range(b.free_count):
        b.played[b.free[number]] = 0
    changed = True
    while changed:
        changed = False
        for number in range(b.free_count):
            cell = b.free[number]
            reaches = b.played[cell]
            for step in game.steps:
                there = b.colour[cell + step]
                if there == EMPTY:
                    reaches |= b.played[cell + step]
                elif there != EDGE:
                    reaches |= there
            if reaches != b.played[cell]:
                b.played[cell] = reaches
                changed = True
    for number in range(b.free_count):
        reaches = b.played[b.free[number]]
        if reaches == BLACK:
            score += 1
        elif reaches == WHITE:
            score -= 1
    return score


@kernel
def play_out(game: Any, b: Any, skilled: bool, log: Any, memory: Any, s: Any, stream: Any, most_plies: int) -> int:
    """Play on until nobody wants to, and return the score; `log` is told of who plays where first."""
    set_up(game, b, s)
    player, passes = s.player, s.passes
    last = NOWHERE
    if s.last >= 0 and s.last < game.places:
        last = game.origin + s.last
    ply = 0
    while passes < 2 and ply < most_plies:
        colour = BLACK + player
        cell = NOWHERE
        if skilled and last != NOWHERE:
            b.found = 0
            answers(game, b, last, colour)
            if b.found == 0:
                shapes(game, b, last, colour)
            if b.found > 0:
                cell = b.candidates[below(stream, b.found)]
        if cell == NOWHERE:
            cell = any_cell(game, b, skilled, stream, colour)
        if cell == NOWHERE:
            passes += 1
            b.ko = NOWHERE
        else:
            passes = 0
            if b.played[cell] == 0:
                b.played[cell] = 1
                log.note(memory, player, cell - game.origin)
            put_stone(game, b, cell, colour)
        last = cell
        player = 1 - player
        ply += 1
    return final_score(game, b)
