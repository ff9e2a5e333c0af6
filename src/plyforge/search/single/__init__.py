"""Paths for one player: A* and its kin. See `docs/decisions/0012-one-player.md` for what they ask of a game."""

from plyforge.search.single.a_star import AStar
from plyforge.search.single.base import PathSearch
from plyforge.search.single.ida_star import IdaStar
from plyforge.search.single.lrta_star import LrtaStar
from plyforge.search.single.plan import Plan
from plyforge.search.single.real_time_a_star import RealTimeAStar, Trip, travel
from plyforge.search.single.result import PathResult

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
