"""The mazes that come with the game, by name. All are our own.

small     one ghost, one pellet, rings and no dead end
trap      two blind alleys with a dot at the end of each: on average no ghost comes in time to shut them, in the worst
          case one does. Safe is to wait, or the long way round, to the pellet first
corridor  two dots in a corridor, and a ghost that can't get there: Pacman starves if he can't tell "eat now" from "eat
later"
ring      one ring, two ghosts on one side of him: chased by both he gets away, between them he doesn't
arena     three ghosts, two pellets, a tunnel
"""

from __future__ import annotations

MAZES: dict[str, str] = {
    "small": (
        """
###########
#...#.....#
#.#...###.#
#.#.#.#...#
#...#*..#.#
#.#.A.#...#
#...#..@#.#
###########
"""
    ),
    "trap": (
        """
#############
#    *      #
# ######### #
# ######### #
# ######### #
# ######### #
#    @     A#
#### ## ### #
#### ## #####
#### ## #####
####.##.#####
#############
"""
    ),
    "corridor": (
        """
##########
#. @    .#
##########
#A       #
##########
"""
    ),
    "ring": (
        """
#######
#.....#
#.###.#
#.###A#
#.###B#
#@.   #
#######
"""
    ),
    "arena": (
        """
#################
#*..#       #..*#
#.#.# ## ## #.#.#
#.#.    A    .#.#
#...##.###.##...#
. #....B.C....# .
#...##.###.##...#
#.#.    @    .#.#
#...    .    ...#
#################
"""
    ),
}
