"""Compiling in the background for the pages of a studio: `plyforge.play.warm`, with the names of games that people
know."""

from __future__ import annotations

from collections.abc import Callable

from plyforge.play.warm import Warm as PlainWarm
from plyforge.play.warm import note_for, text_of
from plyforge.studio.library.cards import called


class Warm(PlainWarm):
    """What is compiled, and what is being compiled, as the home page names games."""

    def __init__(self, on_change: Callable[[], object] = lambda: None) -> None:
        super().__init__(on_change, called)


__all__ = ["Warm", "note_for", "text_of"]
