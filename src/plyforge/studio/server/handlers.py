"""The desks of one page in one process, each with a thread of its own: requests in, answers out.

The server has one `Desks` a page, for all games but own ones. The process in which rules of somebody's own run
(`away_child.py`) has another one for each page that plays them: both do the same with a request, and whatever is raised
there, each request has one answer.

Invariant: once closed, it holds no desk any more, and no desk holds it. Engines, tables and trees go with their desk,
at once, and not when Python next looks for what nobody can reach; so nothing that a desk keeps may lead back to the
desk.
"""

from __future__ import annotations

import importlib
import traceback
from collections.abc import Callable
from typing import Any

from plyforge.errors import PlyforgeError
from plyforge.studio.server.error_attribution import blamed
from plyforge.studio.server.frames import write_json
from plyforge.studio.server.handler import BadRequest, Desk, Room
from plyforge.studio.server.worker import Interrupted, Worker

DESKS = {
    "home": "plyforge.studio.library.handler:HomeDesk",
    "play": "plyforge.studio.play.handler:PlayDesk",
    "analyse": "plyforge.studio.analyse.handler:AnalyseDesk",
    "tree": "plyforge.studio.tree.handler:TreeDesk",
    "quiz": "plyforge.studio.quiz.handler:QuizDesk",
    "learn": "plyforge.studio.learn.handler:LearnDesk",
}
"""The part of `do` before the dot, and the class that answers to it; imported when a page first asks."""

APART = 1_000_000
"""A desk that takes the place of another one counts from so much further on: what was meant for the one before is
known by its number."""


class Desks:
    """See the module's text."""

    def __init__(
        self,
        room: Room,
        answer: Callable[[int, str], object],
        wanted: Callable[[int], bool] = lambda number: True,
    ) -> None:
        """`answer` is called with a request's number and the frame that answers it, in any thread; `wanted` says
        whether anybody still waits for it."""
        self.room, self.answer, self.wanted = room, answer, wanted
        self.desks: dict[str, Desk] = {}
        self.workers: dict[str, Worker] = {}
        self.closed = False

    def begin(self, number: int, view: str, name: str, fields: dict[str, Any], first: int = 0) -> Worker:
        """Have a request answered; returns at once, with who does it. `first` is where a desk that is set up for it
        begins to count."""
        if view not in DESKS:
            raise BadRequest(f"there is no desk called {view!r}; there are {', '.join(DESKS)}")
        desk = self.desks.get(view)
        lane = f"{view} at once" if desk is not None and desk.does_at_once(name) else view
        worker = self.workers.get(lane)
        if worker is None:
            worker = self.workers[lane] = Worker(f"studio {lane}")
        worker.run(lambda: self._work(number, view, name, fields, first))
        return worker

    def close(self, view: str | None = None) -> None:
        """Close the desk of a view, or all; returns at once."""
        if view is None:
            self.closed = True
            self.answer, self.wanted = _nobody, _nobody  # who listens may hold us
        for lane in [lane for lane in self.workers if view is None or lane.partition(" ")[0] == view]:
            self.workers.pop(lane).close()
        for name in [name for name in self.desks if view in (None, name)]:
            _close(self.desks.pop(name), name)

    # ------------------------------------------------------------ in the desk's thread
    def _work(self, number: int, view: str, name: str, fields: dict[str, Any], first: int) -> None:
        if self.closed or not self.wanted(number):  # given up while it waited
            return
        try:
            answer = {"re": number, **self._desk(view, first).do(name, **fields)}
            frame = write_json(answer)
        except Interrupted:
            raise
        except PlyforgeError as error:
            frame = write_json({"re": number, "error": str(error)})
        except BaseException as error:  # rules may raise SystemExit, too
            sentence, all_said = blamed(error, self.room.shelf)
            if all_said:
                print(f"plyforge studio: {sentence}", flush=True)
            else:
                traceback.print_exc()
            frame = write_json({"re": number, "error": sentence})
        self.answer(number, frame)

    def _desk(self, view: str, first: int) -> Desk:
        """The desk of a view, set up by the first request to it: in its thread, since that imports what it needs."""
        desk = self.desks.get(view)
        if desk is None:
            desk = desk_class(view)(self.room)
            desk.count_from(first)
            self.desks[view] = desk
            if self.closed:  # the page went meanwhile
                self.desks.pop(view, None)
                _close(desk, view)
        return desk


def _nobody(*given: Any) -> bool:
    """Whom the answers go to once a page has gone."""
    return False


def _close(desk: Desk, name: str) -> None:
    try:
        desk.close()
    except BaseException:
        print(f"plyforge studio: the desk {name!r} could not be closed", flush=True)
        traceback.print_exc()


def desk_class(view: str) -> type[Desk]:
    """The class of a desk."""
    module, _, name = DESKS[view].partition(":")
    found: type[Desk] = getattr(importlib.import_module(module), name)
    return found


__all__ = ["APART", "DESKS", "Desks", "desk_class"]
