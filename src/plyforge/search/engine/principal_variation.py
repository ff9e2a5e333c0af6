"""Principal variation search: the engine's kernel, alpha-beta with everything that makes it quick.

The first action of a node is searched with the whole window, the others with a window that has no inside: is this one
better at all? Only if it is, how much. Around that, each in a file of its own: the table, action ordering, symmetries,
selectivity, threads.

**Estimates and proofs.** Beside its value v each node returns two distances, kept in the search's memory: `low` >= 0
says that the true value of the game is *at
least* v, and that this is seen within `low` plies; `high` >= 0 says *at most* v, likewise. A terminal state has both at
0, an estimate has neither (-1). At a MAX node one child that is worth v and proven low proves low; only all children,
each proven high, prove high. So

    low  = 1 + min of the low  of children worth v          (MAX; for MIN exchange the words)
    high = 1 + max of the high of all children, if all have one

Both together: the value is proven, whatever the depth limit. Since a proof from the table is used only if it fits into
the plies that are left, depth d sees exactly the proofs of at most d plies, and so the first depth that proves a win
has the shortest one, and among lost actions the longest defence is taken. What a game itself knows (`bounds`,
`sufficient_actions`) counts as proven at once: there the distance is one to where the rules know, not to the end.

Invariants: values are MAX's everywhere, no sign is ever turned. An unproven value from the table is used only at its
own depth, so that a search without quiescence gives minimax's value to the bit; only where time or nodes are the limit,
and depth is no promise, values of deeper searches are taken as well. At nodes of the principal variation the table only
orders, so that lines are whole.

Marsland and Campbell, "Parallel search of strongly ordered game trees" (1982) for principal variation search; Schaeffer
(1989) for the history heuristic.
"""

from __future__ import annotations

import numpy as np

from plyforge.contract import MAX, defines, knows_bounds
from plyforge.kernel import OUT_OF_NODES, OUT_OF_TIME, TOO_DEEP, inline, kernel
from plyforge.kernel.buffer import get, new_actions, new_keys, new_numbers, put
from plyforge.kernel.fill import TOO_MANY
from plyforge.kernel.function import where
from plyforge.kernel.ticks import NO_DEADLINE, ticks
from plyforge.search.engine.abdada import SHARED_DEPTH, begin, end, mark_of, someone_else_is_at
from plyforge.search.engine.canonical_key import canonical_key
from plyforge.search.engine.correction_history import corrected, learn
from plyforge.search.engine.memory import NEVER, NO_LIMIT, ORDERING_UNIT, TABLE_SCORE, TOO_MANY_ACTIONS
from plyforge.search.engine.move_ordering import (
    LATER,
    NONE_LISTED,
    TAKEN,
    code_of,
    continuation_bonus,
    history_bonus,
    history_malus,
    keep_line,
    leave_unscored,
    list_all,
    list_sufficient_actions,
    list_tactical_actions,
    move_class_of,
    next_best,
    score_all,
    update_history,
)
from plyforge.search.engine.pruning import (
    IIR_MIN_DEPTH,
    SINGULAR_DOUBLE_MARGIN,
    SINGULAR_MARGIN,
    SINGULAR_MIN_DEPTH,
    SINGULAR_TABLE_LAG,
    after_null_move,
    captured_value_of,
    is_improving,
    is_in_check,
    is_pruned,
    late_move_reduction,
    null_move_is_worth_trying,
    null_move_reduction,
    refined_by_table,
    reverse_futility,
    see_prunes,
    static_evaluation,
)
from plyforge.search.engine.repetition import brings_back, came_back, is_rule_draw
from plyforge.search.engine.tablebase import known_value
from plyforge.search.engine.transposition_table import (
    EXACT,
    LOWER,
    UPPER,
    action_of,
    bound_of,
    depth_of,
    fetch,
    find,
    high_of,
    low_of,
    pack,
    store,
)

LOOK_EVERY = 128
"""Nodes between two unrefined at the clock: a small part of a millisecond, and a look takes less than a node."""
SCOUT, NULL_MOVE = 1, 2
"""Bits of a node's `mode`: a null window; it came about by a null move."""
EXCLUDED = 4
"""Times one more than its index: the excluded move of a singular search, to see what the others are worth."""
DELTA_MARGIN = 2.0
"""Of delta pruning, in margin units."""


@inline
def game_bounds(game, state, alpha, beta):
    return float(game.min_utility), float(game.max_utility)


@where(knows_bounds, otherwise=game_bounds)
def bounds_of(game, state, alpha, beta):
    """What the state is worth at least and at most, for sure."""
    return game.heuristics.bounds_near(game, state, alpha, beta)


@inline
def no_finish(game, memory, state, alpha, beta):
    return np.nan


@where("heuristics.solve_endgame", otherwise=no_finish)
def finish(game, memory, state, alpha, beta):
    """The value by the game's own search of its end; not a number where that is not near."""
    if game.heuristics.endgame_is_near(game, state):
        return float(game.heuristics.solve_endgame(game, state, alpha, beta, memory))
    return np.nan


@inline
def look_at_the_clock(memory):
    """Stop if the time is over; else look again some nodes later."""
    memory.look_at = memory.nodes + LOOK_EVERY
    if memory.deadline == NO_DEADLINE:
        memory.look_at = NO_LIMIT
    elif ticks() >= memory.deadline and memory.stop == 0:
        memory.stop = OUT_OF_TIME


@kernel
def principal_variation(game, evaluation, memory, state, depth, ply, alpha, beta, mode) -> float:
    """The value of `state` to MAX; see the module's text for what it leaves in `memory.low` and `memory.high`."""
    # Step 1. Count the node; stop if told to.
    if memory.nodes >= memory.node_limit:
        memory.stop = OUT_OF_NODES
    if memory.nodes >= memory.look_at:
        look_at_the_clock(memory)
    if memory.stop != 0:
        return 0.0
    memory.nodes += 1
    memory.length[ply] = ply
    memory.low[ply] = -1
    memory.high[ply] = -1

    if game.history.superko:
        memory.reach[ply] = NEVER
        if ply == 0:
            brings_back(game, memory, state, ply)

    # Step 2. The end of the game: repetition, rule draws, terminal states, tablebases, bounds; check extension; stand
    # pat.
    if game.history.repetition and not game.history.superko and came_back(game, memory, state, ply):
        return 0.5 * (game.min_utility + game.max_utility)
    if defines(game.history, "rule_draw") and ply > 0 and is_rule_draw(game, state):
        return 0.5 * (game.min_utility + game.max_utility)
    follows = defines(game.heuristics, "tactical_actions") and memory.quiescence != 0
    # Where having no action is the end, listing the actions tells it (step 5): asking before would cost more than it
    # saves.
    if not (game.heuristics.ends_when_stuck and (depth > 0 or follows)) and game.terminal(state):
        memory.low[ply] = 0
        memory.high[ply] = 0
        return float(game.utility(state))
    if defines(game.tablebase, "index") and ply > 0 and memory.database != 0:
        known = known_value(game, memory, state)
        if known == known:
            memory.met_endings = 1
            memory.low[ply] = 0
            memory.high[ply] = 0
            return known
    at_least, at_most = bounds_of(game, state, alpha, beta)
    if knows_bounds(game) and ply == 0 and memory.partial != 0:
        at_least, at_most = game_bounds(game, state, alpha, beta)  # the rules' bounds are those of all actions together
    if knows_bounds(game) and ply > 0:
        if at_least >= beta or at_least == at_most:
            memory.low[ply] = 0
            memory.high[ply] = 0 if at_least == at_most else -1
            return at_least
        if at_most <= alpha:
            memory.high[ply] = 0
            return at_most
    maximising = game.player(state) == MAX
    principal = mode & SCOUT == 0
    selective = game.heuristics.selective and memory.selective != 0
    urgent = (
        defines(game.heuristics, "in_check") and (selective or (follows and depth <= 0)) and is_in_check(game, state)
    )
    if selective and urgent and ply < memory.depth + memory.depth:
        depth += 1
    quiet = depth <= 0
    value = -np.inf if maximising else np.inf
    static = np.nan
    if quiet and not (urgent and follows):
        memory.estimates += 1
        value = corrected(game, memory, state, float(evaluation.estimate(game, state)))
        static = value
        if not follows:
            return value
        if (maximising and value >= beta) or (not maximising and value <= alpha):
            return value
        if maximising:
            alpha = max(alpha, value)
        else:
            beta = min(beta, value)
    elif defines(game.heuristics, "solve_endgame") and ply > 0 and not quiet:
        value = finish(game, memory, state, alpha, beta)
        if value == value:
            memory.low[ply] = 0 if value > alpha else -1
            memory.high[ply] = 0 if value < beta else -1
            return value
        value = -np.inf if maximising else np.inf
    if ply >= memory.ply_limit:
        memory.stop = TOO_DEEP
        return 0.0
    low_window, high_window = alpha, beta

    # Step 3. Prefetch the table's entry, and meanwhile list the sufficient actions. One action alone needs no table.
    actions = new_actions(game, state)
    scores = new_numbers(game)
    number = NONE_LISTED
    if not quiet and ply > 0:
        number = list_sufficient_actions(game, memory, state, actions)
    without = mode // EXCLUDED - 1
    in_table = memory.table != 0 and not quiet and depth >= memory.table_depth and number != 1 and without < 0
    key = np.uint64(0)
    own = True
    if in_table:
        key, own = canonical_key(game, state)
        key = key ^ memory.salt
        fetch(memory.table, memory.buckets, key)
    if number > 1:
        score_all(game, memory, state, actions, scores, number, depth, ply, maximising)

    # Step 4. Transposition table cut-off; static evaluation, reverse futility pruning, internal iterative reduction.
    known_action = memory.first if ply == 0 else -1
    known, meta, bound = 0.0, np.uint64(0), 0
    if in_table:
        known, meta = find(memory.table, memory.buckets, key)
        bound = bound_of(meta)
        if bound != 0:
            if own and ply > 0:
                known_action = action_of(meta)
            low, high = low_of(meta), high_of(meta)
            # where depth is no promise, a proof counts however long it is
            low = low if low <= depth or (game.heuristics.selective and selective) else -1
            high = high if high <= depth or (game.heuristics.selective and selective) else -1
            if ply > 0 and (not principal or (low >= 0 and high >= 0)):
                at_depth = depth_of(meta) == depth or (memory.deeper != 0 and depth_of(meta) > depth)
                lower = low >= 0 or (at_depth and bound != UPPER)
                upper = high >= 0 or (at_depth and bound != LOWER)
                if (lower and upper) or (lower and known >= beta) or (upper and known <= alpha):
                    memory.low[ply] = low
                    memory.high[ply] = high
                    return known

    null_move = False
    improving = True
    unrefined = np.nan
    if game.heuristics.selective and selective and not quiet:
        if not urgent:
            static = corrected(game, memory, state, static_evaluation(game, evaluation, memory, state, depth))
        unrefined = static
        improving = is_improving(memory, static, ply, maximising)
        static = refined_by_table(static, known, bound)
    if game.heuristics.selective and selective and not principal and not urgent and not quiet and without < 0:
        if reverse_futility(game, static, depth, improving, alpha, beta, maximising):
            return static
        null_move = mode & NULL_MOVE == 0 and null_move_is_worth_trying(
            game, memory, state, depth, static, alpha, beta, maximising
        )
        if known_action < 0 and depth >= IIR_MIN_DEPTH:
            depth -= 1

    # Step 5. All actions, if they are not listed yet, each with a score.
    scored = True
    if number == NONE_LISTED:
        if quiet:
            number = list_tactical_actions(game, memory, state, actions)
        else:
            number = list_all(game, memory, state, actions)
        if game.heuristics.selective and selective and not quiet and number > 1:
            scored = False  # a pass or the table's action may be enough
            leave_unscored(scores, number)
        else:
            score_all(game, memory, state, actions, scores, number, depth, ply, maximising)
    if number == TOO_MANY:
        memory.stop = TOO_MANY_ACTIONS
        return 0.0
    if game.heuristics.ends_when_stuck and number == 0 and (not quiet or urgent):
        memory.low[ply] = 0
        memory.high[ply] = 0
        return float(game.utility(state))
    if number == 1:
        put(scores, 0, 0.0)
    elif not 0 <= known_action < number:
        known_action = -1
    else:
        put(scores, known_action, TABLE_SCORE)

    # Step 6. Enhanced transposition cut-off: is one of them known to be good enough?
    if memory.table != 0 and depth >= memory.fetch_depth and not principal and not quiet and without < 0:
        keys = new_keys(game)
        for index in range(number):
            child_key, _ = canonical_key(game, game.result(state, get(actions, index)))
            put(keys, index, child_key ^ memory.salt)
            fetch(memory.table, memory.buckets, child_key ^ memory.salt)
        for index in range(number if depth >= memory.etc_depth else 0):
            child, child_meta = find(memory.table, memory.buckets, get(keys, index))
            child_bound = bound_of(child_meta)
            at_depth = depth_of(child_meta) == depth - 1 or (memory.deeper != 0 and depth_of(child_meta) >= depth)
            if child_bound != 0 and maximising and child >= beta:
                low = low_of(child_meta)
                low = low if low < depth or (game.heuristics.selective and selective) else -1
                if low >= 0 or (at_depth and child_bound != UPPER):
                    memory.low[ply] = low + 1 if low >= 0 else -1
                    return child
            if child_bound != 0 and not maximising and child <= alpha:
                high = high_of(child_meta)
                high = high if high < depth or (game.heuristics.selective and selective) else -1
                if high >= 0 or (at_depth and child_bound != LOWER):
                    memory.high[ply] = high + 1 if high >= 0 else -1
                    return child

    # Step 7. Singular extension: does the table's action stand alone? Multi-cut: are the others good enough, too?
    extension = 0
    if (
        game.heuristics.selective
        and selective
        and depth >= SINGULAR_MIN_DEPTH
        and ply > 0
        and number > 1
        and without < 0
    ):
        trusted = bound == EXACT or bound == (LOWER if maximising else UPPER)
        trusted = (
            trusted and depth_of(meta) >= depth - SINGULAR_TABLE_LAG and game.min_utility < known < game.max_utility
        )
        if trusted and known_action >= 0 and ply < memory.depth + memory.depth:
            margin = SINGULAR_MARGIN * game.heuristics.margin_unit * depth
            limit = known - margin if maximising else known + margin
            low_end = np.nextafter(limit, -np.inf) if maximising else limit
            high_end = limit if maximising else np.nextafter(limit, np.inf)
            others = principal_variation(
                game, evaluation, memory, state, (depth - 1) // 2, ply, low_end, high_end,
                SCOUT | (known_action + 1) * EXCLUDED,
            )  # fmt: skip
            if memory.stop != 0:
                return 0.0
            memory.length[ply] = ply
            if others < limit if maximising else others > limit:
                extension = 1
                short = limit - others if maximising else others - limit
                if not principal and short > SINGULAR_DOUBLE_MARGIN * game.heuristics.margin_unit:
                    extension = 2
            elif not principal and (limit >= beta if maximising else limit <= alpha):
                memory.low[ply] = -1
                memory.high[ply] = -1
                return limit

    # Step 8. Search them, the best-scored first; before them a null move, where the game allows it.
    best = -1
    place, searched, skipped = 0, 0, 0
    near, far = -1, 0  # the proof on the mover's side, and on the other side: -1 is none
    longest = -1  # how far the proof on the other side reaches for the best one
    cut, pruned = False, False
    while null_move or place < number:
        index = -1
        change = 0
        mark = np.uint64(0)
        child_mode = mode & SCOUT
        if null_move:
            next_state = after_null_move(game, state)
            change = -null_move_reduction(game, static, depth, alpha, beta, maximising)
            child_mode |= NULL_MOVE
        else:
            if not scored and (known_action < 0 or place > 0):
                scored = True
                score_all(game, memory, state, actions, scores, number, depth, ply, maximising)
                if known_action >= 0:
                    put(scores, known_action, TAKEN)
            index = next_best(scores, number) if scored else known_action
            if game.heuristics.selective and quiet and selective and not urgent:  # delta pruning
                if number > 1 and get(scores, index) < ORDERING_UNIT:
                    break  # a losing capture: all that are left are
                if defines(game.heuristics, "captured_value"):
                    most = (
                        captured_value_of(game, state, get(actions, index)) + DELTA_MARGIN * game.heuristics.margin_unit
                    )
                    most = static + most if maximising else static - most
                    if most <= alpha if maximising else most >= beta:
                        put(scores, index, TAKEN)
                        place += 1
                        continue  # not even what it wins brings the mover into the window
            if (without >= 0 and index == without) or (ply == 0 and memory.excluded[index] != 0):
                put(scores, index, TAKEN)
                place += 1
                skipped += 1
                continue
            if memory.marks != 0 and in_table and depth >= SHARED_DEPTH:
                mark = mark_of(key, index)
                if searched > 0 and get(scores, index) > LATER and someone_else_is_at(memory.marks, mark):
                    put(scores, index, LATER)
                    continue
                begin(memory.marks, mark)
            score = get(scores, index)
            put(scores, index, TAKEN)
            if memory.selective != 0 and not quiet:
                deepest = ply < memory.depth + memory.depth
                change = late_move_reduction(game, depth, place, number, score, principal, improving, urgent, deepest)
                if index == known_action:
                    change = max(change, extension)
            next_state = game.result(state, get(actions, index))
            if game.heuristics.selective and searched > 0 and static == static and not principal and not quiet:
                # not where all is lost so far: then only looking at everything proves it, or saves it
                alive = value > game.min_utility if maximising else value < game.max_utility
                if (
                    alive
                    and (
                        is_pruned(game, static, depth, change, improving, place, score, alpha, beta, maximising)
                        or see_prunes(game, state, get(actions, index), depth, change, score)
                    )
                    and not is_in_check(game, next_state)
                ):
                    pruned = True
                    place += 1
                    if mark != 0:
                        end(memory.marks, mark)
                    continue
            if game.history.superko and brings_back(game, memory, next_state, ply + 1):
                place += 1
                skipped += 1
                if mark != 0:
                    end(memory.marks, mark)
                continue
            place += 1

        if game.heuristics.selective and selective and not quiet:
            memory.move_classes[ply + 1] = (
                -1 if index < 0 else move_class_of(game, state, get(actions, index), maximising)
            )
        low_end, high_end = alpha, beta
        if searched > 0 and principal:
            child_mode |= SCOUT
            if maximising:
                high_end = np.nextafter(alpha, np.inf)
            else:
                low_end = np.nextafter(beta, -np.inf)
        searching = True
        child = 0.0
        while searching:
            child = principal_variation(
                game, evaluation, memory, next_state, depth - 1 + change, ply + 1, low_end, high_end, child_mode
            )
            searching = False
            if memory.stop == 0 and not null_move:
                improves = child > alpha if maximising else child < beta
                if change < 0 and improves:  # better than it looked: now in full
                    change = 0
                    searching = True
                elif child_mode != mode & SCOUT and alpha < child < beta:  # and now how much better
                    child_mode = mode & SCOUT
                    low_end, high_end = alpha, beta
                    searching = True
        if mark != 0:
            end(memory.marks, mark)
        if memory.stop != 0:
            return 0.0
        if null_move:
            null_move = False
            if (maximising and child >= beta) or (not maximising and child <= alpha):
                memory.low[ply] = -1
                memory.high[ply] = -1
                if game.min_utility < child < game.max_utility:
                    return child
                return beta if maximising else alpha  # the end of the game is not claimed by a pass
            lost = child <= game.min_utility if maximising else child >= game.max_utility
            if lost and ply < memory.depth + memory.depth:
                depth += 1  # there is a threat that has to be answered
            continue
        searched += 1
        if game.history.superko:
            memory.reach[ply] = min(memory.reach[ply], memory.reach[ply + 1])

        # Step 9. What this says about the node: its value, and how much of it is proven.
        low, high = memory.low[ply + 1], memory.high[ply + 1]
        mine, others = (low, high) if maximising else (high, low)
        better = child > value if maximising else child < value
        if better or (best < 0 and child == value):
            value = child
            best = index
            near = mine
        elif child == value and mine >= 0 and near < 0:
            near = mine  # as good, and proven: rather this one
            best = index
            if not quiet:
                memory.line[ply, ply] = index
                memory.length[ply] = ply + 1
        elif game.heuristics.selective and selective and child == value and others > longest:
            if others >= 0 and value == (game.min_utility if maximising else game.max_utility):
                best = index  # all is lost: rather what takes longest
                if not quiet:
                    keep_line(memory, ply, index)
        if best == index:
            longest = others
        if far >= 0 and (others < 0 or others > far):
            far = others
        if ply == 0:
            memory.values[index] = child
            memory.root_low[index] = low
            memory.root_high[index] = high

        if (maximising and value >= beta) or (not maximising and value <= alpha):
            cut = True
            if ply == 0:
                keep_line(memory, ply, index)
                memory.root_value = value
            if not quiet and depth >= memory.history_depth:
                if game.heuristics.selective and selective:
                    history_bonus(memory, ply, depth, code_of(get(actions, index), maximising))
                    if scored:
                        history_malus(game, memory, state, actions, scores, number, index, depth, ply, maximising)
                    else:
                        continuation_bonus(game, memory, state, get(actions, index), depth, ply, maximising)
                else:
                    update_history(memory, ply, depth, code_of(get(actions, index), maximising))
            break
        if (maximising and value > alpha) or (not maximising and value < beta):
            if maximising:
                alpha = value
            else:
                beta = value
            if not quiet:
                keep_line(memory, ply, index)
            if ply == 0:
                memory.root_value = value

    # Step 10. The proofs of the node, correction history, and the table's entry.
    if quiet:
        return value  # rests on an estimate: the mover could have stood still
    near = near + 1 if near >= 0 else -1
    far = far + 1 if far >= 0 and not cut and not pruned and searched + skipped == number else -1
    low, high = (near, far) if maximising else (far, near)
    if value <= at_least:
        value = at_least if knows_bounds(game) else value
        low = max(low, 0)
    if value >= at_most:
        value = at_most if knows_bounds(game) else value
        high = max(high, 0)
    memory.low[ply] = low
    memory.high[ply] = high
    if game.history.superko and memory.reach[ply] < memory.past + ply:
        in_table = False  # true on this way only
    if in_table and (ply > 0 or memory.partial == 0):
        bound = LOWER if value >= high_window else (UPPER if value <= low_window else EXACT)
        if (
            game.heuristics.selective
            and selective
            and unrefined == unrefined
            and game.min_utility < value < game.max_utility
        ):
            plain = best < 0 or not game.heuristics.is_tactical(game, state, get(actions, best))
            if plain and not (value <= unrefined if bound == LOWER else bound == UPPER and value >= unrefined):
                learn(game, memory, state, depth, unrefined, value)
        if game.heuristics.selective and selective and bound == (UPPER if maximising else LOWER):
            best = known_action  # none was good enough: which one failed best says little
        kept = best if own and (ply > 0 or not defines(game.heuristics, "sufficient_actions")) else -1
        if memory.nodes >= memory.grow_at:
            memory.buckets = memory.most_buckets
        store(memory.table, memory.buckets, key, value, pack(depth, bound, low, high, kept, memory.age))
    return value
