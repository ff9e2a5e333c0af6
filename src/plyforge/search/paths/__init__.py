"""Paths for one player: A* and its kin. See `docs/decisions/0012-one-player.md` for what they ask of a game."""

# isort: off
from plyforge.search.paths.a_star import AStar
from plyforge.search.paths.ida_star import IdaStar
from plyforge.search.paths.real_time_a_star import RealTimeAStar, Trip, travel
from plyforge.search.paths.lrta_star import LrtaStar
from plyforge.search.paths.base import PathSearch
from plyforge.search.paths.open_list import Plan
from plyforge.search.paths.result import PathResult
# isort: on

__all__ = [
    "AStar",
    "IdaStar",
    "LrtaStar",
    "PathResult",
    "PathSearch",
    "Plan",
    "RealTimeAStar",
    "Trip",
    "travel",
]
