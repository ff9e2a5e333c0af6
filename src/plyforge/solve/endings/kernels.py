"""The kernels that a database of endings is built with: visit the states of a slice, and look back from its ends.
`build.py` says how they work together.

A state's *mark* is a byte: its value as far as it is known, who moves, and whether the number has a state at all. Its
*layer* is how far away the end is. Its *entries* are the numbers of the states of the same slice from which one action
leads to it. Each kernel sees arrays and the rules only, and can be stopped between two states.
"""

from __future__ import annotations

import numpy as np

from plyforge.contract import MAX, payoffs
from plyforge.endings.files import DRAW, LOSS, UNKNOWN, WIN
from plyforge.kernel import RecordType, inline, kernel
from plyforge.kernel.storage.block import block_reader

VALUE = 3
"""The bits of a state's mark that hold its value."""
MIN_MOVES = 4
"""The bit that says that MIN moves."""
NO_STATE = 8
"""The bit that says that the number has no state."""
NEVER = 0x3FFE
"""Longer than any distance: two bits of a word are its value."""
MOST_STAYING = 254
"""Actions of one state that stay in the slice; the counter has a byte, and a draw outside takes one."""
MOST_STATES = 1 << 31
"""Of a slice: one bit of an entry says whether the sides were exchanged."""
MOST_CODES = 1 << 20
LEADS_OUT, TOO_MANY, TOO_LONG, NOT_LOADED = 1, 2, 3, 4
"""What can be wrong with the rules, or with us."""
read_words = block_reader(np.dtype("<u2"))
"""A state in a word: its value, and its distance times 4."""

VISIT = RecordType(
    "visit",
    [
        ("nodes", "i8"),
        ("stop", "i8"),
        ("scheduled", "i8"),
        ("trouble", "i8"),
        ("where", "i8"),
        ("filling", "i8"),
    ],
)


# ------------------------------------------------------------ kernels
@inline
def value_at_end(game, state, endless):
    """What the end of a game is worth, as the database says it."""
    utility = payoffs(game, game.utility(state))[0]
    return WIN if utility > endless else LOSS if utility < endless else DRAW


@inline
def mark_of(memory, winning, wins, loses):
    """What is known of a state at first: who moves, and whether that one has won or lost already."""
    mark = 0 if winning == WIN else MIN_MOVES
    if wins:
        mark |= winning
        memory.scheduled += 1
    elif loses:
        mark |= 4 - winning
        memory.scheduled += 1
    return mark


@kernel
def visit_states(
    game,
    memory,
    code,
    begin,
    end,
    endless,
    marks,
    layers,
    counters,
    places,
    entries,
    needed,
    word_at,
    word_count,
):
    """Steps 1 and 2 for the numbers from `begin` to `end`; `memory.filling` says which."""
    filling = memory.filling != 0
    for here in range(begin, end):
        if memory.stop != 0:
            return
        memory.nodes += 1
        state = game.tablebase.state_at(game, code, here)
        if not game.tablebase.index_valid(game, state):
            marks[here] = NO_STATE
            continue
        if game.terminal(state):
            value = value_at_end(game, state, endless)
            marks[here] = value
            layers[here] = 0
            if value != DRAW:
                memory.scheduled += 1
            continue
        winning = WIN if game.player(state) == MAX else LOSS
        staying, drawing = 0, 0
        soonest, latest = NEVER, 0
        for action in game.actions(state):
            after, exchanged = game.tablebase.canonical(game, game.result(state, action))
            there = game.tablebase.slice_of(game, after)
            if there == code:
                target = game.tablebase.index(game, after)
                if filling:
                    entries[places[target]] = 2 * here + (1 if exchanged else 0)
                places[target] += 1
                staying += 1
                continue
            value, distance = 0, 0
            if there < 0:
                if not game.terminal(after):
                    memory.trouble, memory.where = LEADS_OUT, here
                    return
                value = value_at_end(game, after, endless)
            elif not filling:
                needed[there] = 1
                continue
            else:
                if word_at[there] == 0:
                    memory.trouble, memory.where = NOT_LOADED, here
                    return
                word = int(read_words(word_at[there], word_count[there])[game.tablebase.index(game, after)])
                value, distance = word & VALUE, word >> 2
            if exchanged:
                value = 4 - value
            if value == winning:
                soonest = min(soonest, distance + 1)
            elif value == DRAW:
                drawing = 1
            else:
                latest = max(latest, distance + 1)
        if not filling:
            continue
        if staying > MOST_STAYING:
            memory.trouble, memory.where = TOO_MANY, here
            return
        if latest >= NEVER:
            memory.trouble, memory.where = TOO_LONG, here
            return
        layers[here] = latest if soonest == NEVER else soonest  # lost not before this layer, or won in it
        counters[here] = staying + drawing  # a draw outside is never used up: who has one can't lose
        marks[here] = mark_of(memory, winning, soonest < NEVER, staying + drawing == 0)


@kernel
def lay_out(places):
    """Counts into places: the lists of all states one after the other, in each first what the first thread found.
    How many entries there are."""
    total = 0
    for target in range(places.shape[1]):
        for thread in range(places.shape[0]):
            count = int(places[thread, target])
            places[thread, target] = total
            total += count
    return total


@kernel
def look_back(memory, layer, marks, layers, counters, ends, entries):
    """One layer: what follows from the states that end in `layer` plies. `ends[n]` is where the list of state n
    ends, and the next begins."""
    for here in range(len(layers)):
        if int(layers[here]) != layer:
            continue
        value = int(marks[here]) & VALUE
        if value in (UNKNOWN, DRAW):
            continue
        memory.scheduled -= 1
        first = int(ends[here - 1]) if here > 0 else 0
        for place in range(first, int(ends[here])):
            entry = int(entries[place])
            before = entry >> 1
            worth = 4 - value if entry & 1 else value
            mark = int(marks[before])
            winning = LOSS if mark & MIN_MOVES else WIN
            if worth == winning:
                if mark & VALUE == UNKNOWN:
                    marks[before] = mark | winning
                    layers[before] = layer + 1
                    memory.scheduled += 1
                elif mark & VALUE == winning and int(layers[before]) > layer + 1:
                    layers[before] = layer + 1
            elif mark & VALUE == UNKNOWN:
                counters[before] -= 1
                if counters[before] == 0:
                    marks[before] = mark | (4 - winning)
                    layers[before] = max(int(layers[before]), layer + 1)
                    memory.scheduled += 1


@kernel
def finish(marks, layers, words, counts):
    """Values in `marks` (0: no state), distances in `layers` (0 for draws), both together in `words`; `counts` by
    value, and the longest distance."""
    for here in range(len(marks)):
        mark = int(marks[here])
        value = mark & VALUE
        if mark & NO_STATE:
            value = UNKNOWN
        elif value == UNKNOWN:
            value = DRAW
        distance = 0
        if value in (WIN, LOSS):
            distance = int(layers[here])
        counts[value] += 1
        counts[4] = max(counts[4], distance)
        marks[here] = value
        layers[here] = distance
        words[here] = value | distance << 2
