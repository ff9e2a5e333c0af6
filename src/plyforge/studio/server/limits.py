"""How many, how long, how large: every bound of the studio in one place, each with its reason.

The studio serves one person on one machine. The bounds are far above what such a person does, and far below what would
make the machine swap, or a search run for ever behind a page that nobody looks at.
"""

from __future__ import annotations

FRAME_BYTES = 64 * 1024
"""The largest frame that a page may send. A saved game of a thousand moves is a tenth of it."""
SOCKETS = 32
"""Open pages. Each has at most one desk a view."""
WAITING_REQUESTS = 64
"""Requests of one page that have not been answered yet; more are refused."""
REQUESTS_PER_SECOND = 60.0
"""Of one page in the long run. A person who holds a key down sends 30."""
BURST = 200
"""Requests of one page at once, after a rest."""
STRIKES = 50
"""Frames that are no requests at all, or beyond the rate, before the socket is closed."""
SLOW_SECONDS = 3.0
"""After which a page offers to stop rules of somebody's own that have not answered."""
REQUEST_SECONDS = 120.0
"""No request takes longer: it is interrupted, and the page is told so. Searches run beside requests, under bounds of
their own."""

OUTGOING_FRAMES = 256
"""Frames that wait for a page to read them. A page that lets more pile up is dropped."""
OUTGOING_BYTES = 8 << 20
"""The same in bytes."""
SEND_SECONDS = 15.0
"""A page that has read nothing for so long while there was something to read is dropped."""
NEWS_PER_SECOND = 10.0
"""News of one kind; what comes faster is replaced by what comes after it."""

MADE_BYTES = 64 << 20
"""All that has been made for pages to fetch; the oldest is forgotten first."""
MADE_FILE_BYTES = 32 << 20
"""The largest of them."""

SEARCHES = 8
"""Searches that run at once, of all pages together."""
SEARCH_SECONDS = 3600.0
"""A search that a page forgot ends by itself."""
SEARCH_NODES = 10**12
SEARCH_DEPTH = 512
SEARCH_THREADS = 8
TABLE_MIB = 256
"""Memory for the table of one search."""
CAPS = {
    "seconds": SEARCH_SECONDS,
    "nodes": SEARCH_NODES,
    "depth": SEARCH_DEPTH,
    "simulations": SEARCH_NODES,
    "threads": SEARCH_THREADS,
    "table_mib": TABLE_MIB,
    "memory_mib": TABLE_MIB,
    "rollouts": 1000,
    "rollout_depth": 10_000,
    "exploration": 100.0,
}
"""The most that a page may ask for of a search's limits and parameters, where the search itself would allow more."""
TREE_NODES = 2_000_000
"""Nodes that a recorded search may visit; `tree_source.KEPT_NODES` of them are kept."""
LINES = 10
"""Best lines at once."""

GAME_TEXT = 300
"""Letters in the name of a game with its arguments."""
ARGUMENT = 10_000
"""The largest number among them, but for a seed: a board of so many places can still be drawn."""
OWN_BYTES = 6 << 30
"""Memory that the process of an own rules file may take beyond what it starts with: enough for all that pages may
ask for, with tables and machine code."""
CHECK_SECONDS = 5.0
"""How long an own rules file is looked at by the checker, each time it is loaded."""
OWN_FILES = 64
"""Rules files on the command line."""
WATCH_SECONDS = 1.0
"""Between two looks at whether an own rules file has changed."""
