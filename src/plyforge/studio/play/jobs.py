"""The studio's background jobs: those of `play/job.py`, within the bound of how many searches run at once."""

from __future__ import annotations

import threading

from plyforge.play.job import Job
from plyforge.studio.library.user_rules import raised
from plyforge.studio.server import limits

room_to_search = threading.BoundedSemaphore(limits.SEARCHES)
"""Searches that may run at once, of all pages together; others wait until there is room."""


def searching_job(name: str) -> Job:
    """A job that takes its place among the searches of all pages."""
    return Job(name, room=room_to_search, blame=raised)


__all__ = ["room_to_search", "searching_job"]
