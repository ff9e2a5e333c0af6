"""Facts: one file a game, text and pictures beside the rules."""

from plyforge.games.catalog import load, names

__all__ = ["load", "names"]
