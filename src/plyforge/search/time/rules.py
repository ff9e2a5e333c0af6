"""All numbers by which it is decided how long to think, in one table: each with its unit and what it says.

`clock.py` makes two limits of a clock with them, `manager.py` decides while a search runs. Nobody else has numbers of
time of their own: `docs/algorithms/time.md` is this table with its reasons.
"""

from __future__ import annotations

# ---------------------------------------------------------------- a clock
RESERVE = 0.05
"""Seconds never touched: for stopping, and for sending the move."""
OVERHEAD = 0.005
"""Seconds that each later move is taken to cost beside its search, where nobody has measured it."""
REMEMBERED, GUESSED = 64, 4
"""Moves: so many are measured, the last ones; until there are many, the guess counts as so many."""
LONGEST_COST = 1.0
"""Seconds: what takes longer beside a search has nothing to do with it; the machine slept."""
FULL_RESERVES = 2.0
"""Reserves: with less than so many of them on the clock, part of the income is saved."""
LAST_TENTH = 0.1
"""Share of what remains, where the reserve is nearly all there is: better a move without much thought than none."""
MOVES_EXPECTED = 30
"""Moves that a game is taken to last from anywhere, where nobody says."""
MOST_SHARES = 5.0
"""Shares: a move may take as much as this many of the later ones, if its search is in the middle of something."""
OF_INCREMENT = 0.75
"""Share of the increment that is spent at once; the rest makes up for what moves cost beside their searches."""
SHORTEST = 0.001
"""Seconds: what a clock that has run out is taken to have left, and the least that a search is given."""
LONGEST = 1e7
"""Seconds: nobody thinks longer than some months, whatever a protocol says."""

# ---------------------------------------------------------------- depth after depth
FIRST_DEPTH = 0.001
"""Seconds that the first depth may take, however little there is: to choose an action without its answer takes as
long."""
WORTH_BEGINNING = 0.5
"""Share of the soft limit: by a clock, no new depth is begun after it. It would hardly be finished."""
STEADY_DEPTHS = 4
"""Depths with the same best action after which it is taken to be steady."""
STEADY, UNSTEADY, WORSE = 0.7, 1.4, 1.4
"""Factors of WORTH_BEGINNING: with a steady best action; with one that the depth before did not have; and where the
value has dropped."""
WORSE_BY = 0.3
"""Swings by which a value has to drop for that; what a swing is, the game says (`heuristics.margin_unit`)."""

# ---------------------------------------------------------------- simulations
FASTER = 1.3
"""Factor by which simulations may get faster in the time that is left."""
LOOK_EVERY = 0.05
"""Seconds between two looks at the tree."""
RATE_AFTER = 0.1
"""Share of the time after which the rate so far is believed."""
LONGER = 2.0
"""Factor: by a clock, how many times the soft limit a search in doubt may take."""
CLOSE = 0.8
"""Share of the visits of the first action: a second one that has more is close, which is a doubt."""
OFTEN = 0.1
"""Share of the visits of the first action from which the value of another one counts."""
AT_STAKE = 0.02
"""Share of the range of the utility: nearer than this to one of its ends, nothing is at stake any more."""

# ---------------------------------------------------------------- beside a search
FOR_COMPILER = 0.8
"""Share of a move's time that is waited for the compiler, over GTP."""
FOR_DEAD_STONES = 0.25
"""Share of a move's time that may go into finding what is dead, at the end of a game of Go."""
GRACE = 0.01
"""Seconds that a search by the clock may end after its time before it is stopped: it does so by itself, unless it
compiles."""
LINE_SECONDS = 1.0
"""Seconds at most for following a proven end of the game: that is for whoever reads."""
LINE_OF_SECONDS = 0.25
"""Share for that of what is left of a limit in seconds."""
LINE_ON_A_CLOCK, LINE_OF_CLOCK = 0.02, 0.02
"""Seconds at most for that by a clock, and the share of it."""
LINE_LEAST = 0.002
"""Seconds: less than that is not worth beginning."""
