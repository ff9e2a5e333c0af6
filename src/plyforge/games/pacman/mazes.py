"""The mazes that come with the game, by name."""

from __future__ import annotations

MAZES: dict[str, str] = {
    "small": """
###########
#@..#...#.#
#.#.#.#.#.#
#.#...#...#
#.###*#.#.#
#.......#A#
###########
""",
}
