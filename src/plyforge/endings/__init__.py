"""Endings that were solved once and for all: databases that searches ask.

    files.py     what is on disk: for each kind of ending the values, and the distances
    probe.py     the question from compiled code
    database.py  the questions from Python

They are built and verified in `plyforge.solve`.
"""

from plyforge.endings.database import Database

__all__ = ["Database"]
