"""The desk of the tree view: one recorded search, its steps, its pictures."""

from __future__ import annotations

import json
import threading
from typing import Any

from plyforge.contract import format_state
from plyforge.draw import WRITERS, to_json
from plyforge.draw.figure import label_of, make_figure, show_probability
from plyforge.errors import BadLimits
from plyforge.games.trees.figures import FIGURES
from plyforge.grids.hooks import board_of
from plyforge.search import suitable
from plyforge.search.core.requirements import ANY_GAME
from plyforge.search.trace.mcts import GrownTree
from plyforge.search.trace.tree import Node, RecordedTree, show_value
from plyforge.studio.library.cards import called
from plyforge.studio.server.handler import Desk, Room, does
from plyforge.studio.tree.document import BOUND_WORDS, make_document, number_nodes
from plyforge.studio.tree.source import (
    Recording,
    Source,
    described_search,
    find_source,
    instead_of,
    suitable_searches,
)
from plyforge.teach.comparison import Size, measure_tree
from plyforge.teach.growing import Growing
from plyforge.teach.moment import at_step
from plyforge.teach.reordered import ORDERS, Reordered
from plyforge.teach.steps import Steps
from plyforge.teach.trees import SHAPES, edited
from plyforge.teach.unseen import add_unseen

MOST_SHOWN = 10_000
SHOWN_OF_TREES, SHOWN_OF_GAMES = 400, 100
"""Items on the page, at most and if nobody says; the rest is folded."""
MOST_UNSEEN = 3_000
"""Of an explicit tree so many nodes that were cut off are shown all the same."""
COUNTABLE = 200_000
"""A whole tree of up to so many nodes is counted, to compare with."""
MEDIA = {
    "svg": "image/svg+xml",
    "tex": "application/x-tex",
    "dot": "text/vnd.graphviz",
    "json": "application/json",
    "txt": "text/plain",
}


class TreeDesk(Desk):
    """Records a search and shows it, step by step."""

    def __init__(self, room: Room) -> None:
        super().__init__(room)
        self.recording: Recording | None = None
        self._number = self._given_up = 0
        """Of the recording that was begun last, and of the last one that is not wanted any more."""
        self._deciding = threading.Lock()
        self.tree: RecordedTree | None = None
        self.steps: Steps | Growing | None = None
        self.explicit = False
        self.nodes: list[Node] = []
        self.numbers: dict[int, int] = {}

    # ------------------------------------------------------------ recording
    @does
    def sources(self) -> dict[str, Any]:
        """What there is to choose from, whatever the game."""
        figures = [
            {"name": name, "shows": figure.shows, "deck": figure.deck, "place": figure.place}
            for name, figure in FIGURES.items()
        ]
        return {"figures": figures, "shapes": list(SHAPES), "orders": list(ORDERS), "formats": list(MEDIA)}

    @does
    def look(self, source: dict[str, Any]) -> dict[str, Any]:
        """What can be done with a source: which searches suit it, who moves, what it looks like."""
        found = find_source(source, self.game)
        return {"searches": self._searches(found), **self._described(found)}

    @does
    def record(
        self,
        source: dict[str, Any],
        using: str | None = None,
        depth: int | None = None,
        order: str = "given",
        seed: int = 1,
        simulations: int = 100,
        root: int | None = None,
        folded: list[int] | None = None,
        shown: int | None = None,
        number: int = 0,
    ) -> dict[str, Any]:
        """Search and record; the answer says where the tree can be fetched. Who gives it a number, larger ones to later
        ones, can stop it by that.

        A search that does not suit the source, as when another tree was typed, is exchanged for one that does, and
        `switched` says so.
        """
        found = find_source(source, self.game)
        names = suitable_searches(found.game)
        if not names and found.game.hidden_information:
            ANY_GAME.check(found.game, "a tree of it")
        if not names:
            raise BadLimits(
                "there is no tree search for this game: its players choose at once, or paths cost something"
            )
        textbook = suitable(found.game)
        chosen = using or (textbook if textbook in names else names[0])
        chosen, switched = instead_of(chosen, found.game)
        room = self.room
        recording = Recording(lambda number: room.tell("recording", {"number": number}))
        with self._deciding:
            self.recording, self._number = recording, number
            if 0 < number <= self._given_up:
                recording.stop()
        recording.check()
        tree = recording.make(found, chosen, depth, order, seed, simulations)
        self._let_go()
        self.tree, self.explicit = tree, found.explicit
        if found.explicit and not isinstance(tree, GrownTree):
            add_unseen(tree, MOST_UNSEEN)
        self.steps = Growing(tree) if isinstance(tree, GrownTree) else Steps(tree)
        self.nodes = list(tree.nodes())
        self.numbers = number_nodes(tree)
        whole = None
        if not isinstance(tree, GrownTree) and not found.game.hidden_information:
            whole = measure_tree(tree.game or found.game, tree.root.state, tree.root.depth, COUNTABLE)
        return {
            "using": chosen,
            "switched": switched,
            "searches": self._searches(found),
            "code": {"name": self.steps.code.name, "lines": [line.text for line in self.steps.code.lines]},
            "rule": self.steps.code.rule,
            "whole": self._whole(whole),
            "summary": self._summary(),
            **self._described(found),
            **self._drawn(root, folded or [], shown),
        }

    @does(at_once=True)
    def stop(self, number: int | None = None) -> None:
        """End the recording that is going on; with a number only that one and those before it, be they going on or
        still to begin."""
        with self._deciding:
            if number is not None:
                self._given_up = max(self._given_up, number)
            if self.recording is not None and (number is None or self._number <= number):
                self.recording.stop()

    def close(self) -> None:
        self.stop()
        self._let_go()

    def _let_go(self) -> None:
        """Nobody wants the tree any more."""
        tree, self.tree, self.steps, self.nodes, self.numbers = self.tree, None, None, [], {}
        if tree is not None:
            tree.take_apart()

    # ------------------------------------------------------------ looking
    @does
    def show(
        self, root: int | None = None, folded: list[int] | None = None, shown: int | None = None
    ) -> dict[str, Any]:
        """The same recording from another node on, with other parts folded, or with more of it."""
        return self._drawn(root, folded or [], shown)

    @does
    def step(self, number: int) -> dict[str, Any]:
        """A step in words: what happens, which line it is at, alpha and beta on the path, how much was looked at so
        far."""
        steps = self._steps()
        if not 0 <= number <= len(steps):
            raise BadLimits(f"there are the steps 0 to {len(steps)}, no {number}")
        answer = {"number": number, "sentence": steps.sentence(number), "lit": steps.lit(number)}
        if isinstance(steps, Growing):
            return answer | self._simulation(steps, number)
        entered, leaves, cuts = steps.counts(number)
        path = [
            {
                "node": self.numbers[id(node)],
                "action": node.action_text,
                "mover": "end" if node.player is None else steps.mover(node),
                "alpha": show_value(moment.alpha),
                "beta": show_value(moment.beta),
                "value": show_value(moment.value) if moment.value is not None else "",
                "bound": BOUND_WORDS.get(moment.bound, ""),
            }
            for node, moment in steps.path(number)
        ]
        counted = steps.tree.counted
        if number == len(steps) and counted is not None:  # what was searched and not kept counts, too
            entered, leaves, cuts = counted.nodes, counted.leaves, counted.cuts
        if not len(steps):  # a solved game: all of it is there from the beginning
            entered, leaves = steps.tree.counters.nodes, steps.tree.counters.leaves
        return answer | {"path": path, "counts": {"nodes": entered, "leaves": leaves, "cuts": cuts}}

    @does
    def node(self, number: int) -> dict[str, Any]:
        """Everything about a node, at the end of the search."""
        node = self._node(number)
        game, state = node.game, node.state
        if isinstance(game, Reordered):
            game, state = game.game, state.state
        tree = self._tree()
        board = None if game is None else board_of(game, state)
        return {
            "number": number,
            "where": "the root" if node.parent is None else "after " + " ".join(node.path()),
            "mover": "The game is over" if node.player is None else f"{tree.name_of(node.player)} to move",
            "state": node.state_text,
            "value": label_of(node),
            "source": node.source,
            "technique": node.technique,
            "below": len(node.children),
            "windows": [f"{show_value(a)}, {show_value(b)}" for a, b in node.windows] if tree.windowed else [],
            "cut": "" if node.cut is None else node.cut.reason,
            "text": "" if game is None else game.show(state),
            "board": None if board is None else board.to_json(),
            "seen": "" if node.information is None else node.information.seen,
            "belief": "" if node.belief is None else show_probability(node.belief),
            "address": [n.index or 0 for n in (node, *node.ancestors()) if n.parent is not None][::-1],
        }

    @does
    def export(
        self,
        format: str,
        step: int | None = None,
        root: int | None = None,
        folded: list[int] | None = None,
        shown: int | None = None,
        numbers: bool = False,
    ) -> dict[str, Any]:
        """The tree as it is on the screen, in a format; where it can be fetched."""
        if format not in MEDIA:
            raise BadLimits(f"there is no format {format!r}; there are {', '.join(MEDIA)}")
        tree, steps = self._tree(), self._steps()
        number = len(steps) if step is None else step
        if not 0 <= number <= len(steps):
            raise BadLimits(f"there are the steps 0 to {len(steps)}, no {number}")
        moment = at_step(steps, number)
        if format == "json":
            text = to_json(moment)
        else:
            twins = list(moment.nodes())
            title = self._title() if number == len(steps) else f"{self._title()}, step {number} of {len(steps)}"
            figure = make_figure(
                moment,
                max_nodes=self._room(shown),
                max_skipped=99 if self.explicit else 3,
                title=title,
                root=None if root is None else twins[self._checked(root)],
                folded=[twins[self._checked(each)] for each in folded or []],
            )
            more = {"numbers": numbers} if format in ("svg", "tex") else {}
            text = WRITERS[format](figure, **more)
        name = f"{tree.result.using}-tree" if number == len(steps) else f"{tree.result.using}-tree-step-{number}"
        return {"address": self.make(f"{name}.{format}", text, MEDIA[format])}

    # ------------------------------------------------------------ a tree of one's own
    @does
    def edit(self, text: str, path: list[int], change: str, value: str | None = None) -> dict[str, Any]:
        """A typed tree after one change: "add" a child, "remove" the node, "value" of a leaf, "kind" of an inner
        node."""
        return {"text": edited(text, path, change, value)}

    # ------------------------------------------------------------ parts of those
    def _tree(self) -> RecordedTree:
        if self.tree is None:
            raise BadLimits("nothing has been recorded yet")
        return self.tree

    def _steps(self) -> Steps | Growing:
        self._tree()
        assert self.steps is not None
        return self.steps

    def _checked(self, number: int) -> int:
        if type(number) is not int or not 0 <= number < len(self.nodes):
            raise BadLimits(f"there is no node {number!r}")
        return number

    def _node(self, number: int) -> Node:
        self._tree()
        return self.nodes[self._checked(number)]

    def _room(self, shown: int | None) -> int:
        """How many items may be drawn."""
        if shown is None:
            return SHOWN_OF_TREES if self.explicit else SHOWN_OF_GAMES
        if not 2 <= shown <= MOST_SHOWN:
            raise BadLimits(f"{shown} nodes can't be shown: at least 2, at most {MOST_SHOWN:,}")
        return shown

    def _drawn(self, root: int | None, folded: list[int], shown: int | None) -> dict[str, Any]:
        tree = self._tree()
        top = None if root is None else self._node(root)
        figure = make_figure(
            tree,
            max_nodes=self._room(shown),
            max_skipped=99 if self.explicit else 3,
            title="",
            root=top,
            folded=[self._node(each) for each in folded],
            tips=False,
        )
        steps = self._steps()
        solved = isinstance(steps, Steps) and not len(steps)
        document = make_document(figure, self.numbers, None if solved else steps, solved, self.explicit)
        above = [] if top is None else [top, *top.ancestors()][::-1]
        crumbs = [{"node": self.numbers[id(node)], "text": node.action_text or "root"} for node in above]
        text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
        return {"document": self.make("tree.json", text, "application/json"), "crumbs": crumbs}

    def _searches(self, source: Source) -> list[dict[str, Any]]:
        return [described_search(name) for name in suitable_searches(source.game)]

    def _described(self, source: Source) -> dict[str, Any]:
        game, state = source.game, source.state
        return {
            "explicit": source.explicit,
            "title": called(game),
            "text": source.text,
            "state": format_state(game, state),
            "players": game.players,
            "over": game.terminal(state),
        }

    def _whole(self, whole: Size | None) -> dict[str, Any] | None:
        tree = self._tree()
        if whole is None:
            return None
        alone = tree.result.using == "alpha_beta"
        return {
            "nodes": whole.nodes,
            "leaves": whole.leaves,
            "branching": round(whole.branching, 2),
            "depth": whole.deepest,
            "regular": whole.regular,
            "least": round(whole.least_leaves) if alone else None,
        }

    def _summary(self) -> dict[str, Any]:
        tree = self._tree()
        result = tree.result
        answer: dict[str, Any] = {
            "value": show_value(result.value),
            "action": None if result.action is None else result.text(result.action),
            "line": result.line_text(),
            "owner": "everyone" if result.player is None else tree.name_of(result.player),
            "left_out": tree.left_out,
            "nodes": result.nodes,
        }
        if not isinstance(tree, GrownTree) and tree.counted is not None:
            answer |= {"nodes": tree.counted.nodes, "leaves": tree.counted.leaves, "cuts": tree.counted.cuts}
        return answer

    def _title(self) -> str:
        summary, steps = self._summary(), self._steps()
        best = f", best {summary['action']}" if summary["action"] is not None else ""
        return f"{steps.code.name}: value {summary['value']}{best}"

    def _simulation(self, steps: Growing, number: int) -> dict[str, Any]:
        simulation = steps.simulation(number)
        path: list[dict[str, Any]] = []
        if simulation is not None:
            for node, learned in zip(simulation.path, simulation.learned, strict=True):
                path.append(
                    {
                        "node": self.numbers[id(node)],
                        "action": node.action_text,
                        "mover": "end" if node.player is None else steps.tree.name_of(node.player),
                        "visits": learned.visits,
                        "value": show_value(_two_decimals(learned.value)),
                        "bound": "proven" if learned.proven else "",
                    }
                )
        nodes = sum(1 for born in steps.born.values() if born <= number)
        return {"path": path, "counts": {"simulations": number, "nodes": nodes}}


def _two_decimals(value: Any) -> Any:
    return tuple(map(_two_decimals, value)) if isinstance(value, tuple) else round(value, 2)
