"""The recorded tree as JSON: everything that was recorded, with the layout's places, and back.

One object: `format`, `version`, `game`, `result` (as `plyforge search --json` prints it), `counters`, and
`nodes`, a flat list in which parents come before their children and refer to each other by position, so that
deep trees nest no deeper than flat ones. `events` replays the search: [kind, node, child, value, alpha, beta].
JSON has no infinity: an open window's ends are the strings "-Infinity" and "Infinity".
"""

from __future__ import annotations

import json
import math
from typing import Any

from plyforge.contract import Game, parse_action, parse_state
from plyforge.draw.figure import make_figure
from plyforge.draw.picture import place_items
from plyforge.errors import BadText, PlyforgeError
from plyforge.games import load
from plyforge.reading import parse_json
from plyforge.search.core.result import Result
from plyforge.search.trace.tree import Counters, Cut, Event, InformationSet, Node, RecordedTree

FORMAT, VERSION = "plyforge tree", 1


def to_json(tree: RecordedTree, events: bool = True, places: bool = True, indent: int | None = None) -> str:
    """The whole tree as a JSON text; nothing is folded. `places` adds where the layout puts each node."""
    nodes = list(tree.nodes())
    number = {id(node): i for i, node in enumerate(nodes)}
    rows = [_row(node, number) for node in nodes]
    if places:
        everything = len(nodes) * 2 + 2
        figure = make_figure(tree, max_nodes=everything, max_skipped=everything)
        for item, (x, y) in zip(figure.items(), place_items(figure), strict=True):
            if item.node is not None:
                row = rows[number[id(item.node)]]
                row["x"], row["y"] = round(x, 2), round(y, 2)
    document: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "game": None if tree.game is None else type(tree.game).__name__,
        "title": tree.text(),
        "players": tree.players,
        "windowed": tree.windowed,
        "hero": tree.hero,
        "left_out": tree.left_out,
        "result": tree.result.to_json(),
        "counters": vars(tree.counters),
        "nodes": rows,
    }
    if events:
        document["events"] = [
            [
                event.kind,
                number[id(event.node)],
                None if event.child is None else number[id(event.child)],
                _number(event.value),
                _number(event.alpha),
                _number(event.beta),
            ]
            for event in tree.events
        ]
    return json.dumps(document, ensure_ascii=False, allow_nan=False, indent=indent) + "\n"


def _row(node: Node, number: dict[int, int]) -> dict[str, Any]:
    def place(other: Node | None) -> int | None:
        return None if other is None else number[id(other)]

    cut = node.cut
    return {
        "parent": place(node.parent),
        "action": None if node.parent is None else node.action_text,
        "index": node.index,
        "probability": node.probability,
        "player": node.player,
        "state": node.state_text,
        "ply": node.ply,
        "depth": node.depth,
        "chooses": node.chooses,
        "modelled": node.modelled,
        "windows": [[_number(alpha), _number(beta)] for alpha, beta in node.windows],
        "value": _number(node.value),
        "bound": node.bound,
        "source": node.source,
        "order": node.order,
        "best": place(node.best),
        "on_line": node.on_line,
        "left_out": node.left_out,
        **({"technique": node.technique} if node.technique else {}),
        **({} if node.information is None else {"information": list(node.information), "belief": node.belief}),
        "cut": None
        if cut is None
        else {
            "side": cut.side,
            "limit": _number(cut.limit),
            "value": _number(cut.value),
            "ancestor": place(cut.ancestor),
            "choice": place(cut.choice),
            "reason": cut.reason,
        },
    }


def _number(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_number(part) for part in value]
    if value is None or math.isfinite(value):
        return value
    return "Infinity" if value > 0 else "-Infinity"


def load_json(text: str, game: Game | str | None = None) -> RecordedTree:
    """Read back what `to_json` wrote. With the `game`, states and actions come back too, not only their texts."""
    document = parse_json(text, "this")
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise BadText(f'this is not a recorded tree: it has no "format": "{FORMAT}"')
    if document.get("version") != VERSION:
        raise BadText(f"this tree has version {document.get('version')!r}; this Plyforge reads version {VERSION}")
    try:
        return _tree(document, None if game is None else load(game))
    except PlyforgeError:
        raise
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise BadText(f"this recorded tree is damaged: {type(error).__name__}: {error}") from None


def _tree(document: dict[str, Any], game: Game | None) -> RecordedTree:
    rows = document["nodes"]
    nodes: list[Node] = []
    for place, row in enumerate(rows):
        parent = None if row["parent"] is None else nodes[_checked(row["parent"], place)]
        if (parent is None) != (place == 0):
            raise ValueError("the first node, and no other, is the root")
        nodes.append(_node(row, parent, game))
    for node, row in zip(nodes, rows, strict=True):
        node.best = None if row["best"] is None else nodes[_checked(row["best"], len(nodes))]
        if row["cut"] is not None:
            node.cut = _cut(row["cut"], node, nodes)
    tree = RecordedTree(
        root=nodes[0],
        result=_result(document["result"], nodes[0], game),
        players=int(document["players"]),
        windowed=bool(document["windowed"]),
        left_out=int(document["left_out"]),
        hero=document["hero"],
        game=game,
        counted=Counters(**document["counters"]),
    )
    for kind, node, child, value, alpha, beta in document.get("events", []):
        tree.events.append(
            Event(
                kind,
                nodes[_checked(node, len(nodes))],
                None if child is None else nodes[_checked(child, len(nodes))],
                _value(value),
                float(alpha),
                float(beta),
            )
        )
    return tree


def _checked(place: Any, below: int) -> int:
    if type(place) is not int or not 0 <= place < below:
        raise ValueError(f"{place!r} is not the position of a node")
    return place


def _value(value: Any) -> Any:
    if value is None:
        return None
    return tuple(float(part) for part in value) if isinstance(value, list) else float(value)


def _node(row: dict[str, Any], parent: Node | None, game: Game | None) -> Node:
    node = Node(
        state=None if game is None else parse_state(game, row["state"]),
        player=row["player"],
        game=game,
        written_state=str(row["state"]),
        parent=parent,
        ply=int(row["ply"]),
        depth=row["depth"],
        action_text=str(row["action"] or ""),
        index=row["index"],
        probability=row["probability"],
        chooses=row["chooses"],
        modelled=bool(row["modelled"]),
        windows=[(float(alpha), float(beta)) for alpha, beta in row["windows"]],
        value=_value(row["value"]),
        bound=str(row["bound"]),
        source=str(row["source"]),
        order=row["order"],
        on_line=bool(row["on_line"]),
        left_out=int(row["left_out"]),
        technique=str(row.get("technique", "")),
    )
    if "information" in row:
        number, player, seen, size = row["information"]
        node.information = InformationSet(int(number), int(player), str(seen), int(size))
        node.belief = float(row["belief"])
        if not 0.0 <= node.belief <= 1.0:
            raise ValueError(f"{node.belief!r} is no belief")
    if parent is not None:
        parent.children.append(node)
        node.action = node.action_text
        if game is not None:
            node.action = parse_action(game, parent.state, node.action_text)
    return node


def _cut(row: dict[str, Any], node: Node, nodes: list[Node]) -> Cut:
    return Cut(
        side=str(row["side"]),
        limit=float(row["limit"]),
        value=float(row["value"]),
        ancestor=None if row["ancestor"] is None else nodes[_checked(row["ancestor"], len(nodes))],
        choice=None if row["choice"] is None else nodes[_checked(row["choice"], len(nodes))],
        skipped=[child for child in node.children if not child.visited],
        reason=str(row["reason"]),
    )


def _result(row: dict[str, Any], root: Node, game: Game | None) -> Result:
    def action(text: str) -> Any:
        return text if game is None else parse_action(game, root.state, text)

    line: list[Any] = list(row["line"])
    if game is not None:
        state, line = root.state, []
        for text in row["line"]:
            line.append(parse_action(game, state, text))
            state = game.result(state, line[-1])
    return Result(
        action=None if row["action"] is None else action(row["action"]),
        value=_value(row["value"]),
        values={action(text): _value(value) for text, value in row["values"].items()},
        best=tuple(action(text) for text in row["best"]),
        line=tuple(line),
        nodes=int(row["nodes"]),
        depth=int(row["depth"]),
        seconds=float(row["seconds"]),
        reason=str(row["reason"]),
        player=row["player"],
        using=str(row["using"]),
        native=bool(row["native"]),
        game=game,
        state=root.state,
    )
