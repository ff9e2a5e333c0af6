"""The tidy layout of a tree: where each node goes, for every writer.

Children stand side by side on one level, a parent in the middle between its first and its last child, no two nodes of
a level overlap, and a subtree is drawn the same wherever it occurs. Within that the picture is as narrow as
the algorithm makes it, and small subtrees between large ones are spread evenly. Linear time, no recursion: a line
of a thousand plies is laid out like any other tree.

Reingold and Tilford, "Tidier drawings of trees", IEEE Transactions on Software Engineering 7 (1981);
Buchheim, Jünger and Leipert, "Improving Walker's algorithm to run in linear time", Graph Drawing 2002.

Invariant while it runs: a node's place, relative to its leftmost sibling's, is `place` plus the shifts still owed to
it; everything below it is moved by `move` as well. `thread` continues the outline of a subtree into a neighbour that
reaches deeper.
"""

from __future__ import annotations

from collections.abc import Sequence

NOBODY = -1


def tidy(children: Sequence[Sequence[int]], extents: Sequence[tuple[float, float]], gap: float = 1.0) -> list[float]:
    """The horizontal place of each node; the leftmost edge of the picture is at 0.

    Nodes are numbers, the root is 0, `children[n]` lists n's children from left to right. `extents[n]` says how
    far n reaches to the left and to the right of its place; neighbours keep `gap` between them.
    """
    return _Tidy(children, extents, gap).places()


def levels(children: Sequence[Sequence[int]]) -> list[int]:
    """How far below the root each node is."""
    level = [0] * len(children)
    for node in _preorder(children):
        for child in children[node]:
            level[child] = level[node] + 1
    return level


def _preorder(children: Sequence[Sequence[int]]) -> list[int]:
    """Parents before children, left to right."""
    order, stack = [], [0]
    while stack:
        node = stack.pop()
        order.append(node)
        stack.extend(reversed(children[node]))
    return order


def _postorder(children: Sequence[Sequence[int]]) -> list[int]:
    """Children before parents, left to right."""
    order, stack = [], [0]
    while stack:
        node = stack.pop()
        order.append(node)
        stack.extend(children[node])
    return order[::-1]


class _Tidy:
    def __init__(self, children: Sequence[Sequence[int]], extents: Sequence[tuple[float, float]], gap: float) -> None:
        number = len(children)
        self.children, self.extents, self.gap = children, extents, gap
        self.parent = [NOBODY] * number
        self.rank = [0] * number  # among its siblings, from 0
        for node, below in enumerate(children):
            for rank, child in enumerate(below):
                self.parent[child], self.rank[child] = node, rank
        self.place = [0.0] * number
        self.move = [0.0] * number
        self.shift = [0.0] * number
        self.change = [0.0] * number
        self.thread = [NOBODY] * number
        self.ancestor = list(range(number))
        self.default_ancestor = [below[0] if below else NOBODY for below in children]

    def places(self) -> list[float]:
        for node in _postorder(self.children):
            self.arrange(node)
            if self.parent[node] != NOBODY:
                self.push_right(node)
        owed = [0.0] * len(self.children)
        place = self.place
        for node in _preorder(self.children):
            place[node] += owed[node]
            for child in self.children[node]:
                owed[child] = owed[node] + self.move[node]
        left = min(x - extent[0] for x, extent in zip(place, self.extents, strict=True))
        return [x - left for x in place]

    def distance(self, left: int, right: int) -> float:
        """What two neighbours must keep between their places."""
        return self.extents[left][1] + self.gap + self.extents[right][0]

    def arrange(self, node: int) -> None:
        """Place a node whose children are done: over their middle, and beside its left sibling."""
        below = self.children[node]
        middle = 0.0
        if below:
            self.pay_shifts(node)
            middle = (self.place[below[0]] + self.place[below[-1]]) / 2
        if self.rank[node] == 0:
            self.place[node] = middle
        else:
            sibling = self.children[self.parent[node]][self.rank[node] - 1]
            self.place[node] = self.place[sibling] + self.distance(sibling, node)
            self.move[node] = self.place[node] - middle

    def push_right(self, node: int) -> None:
        """Move a subtree to the right until it is clear of all its left siblings' subtrees, level by level."""
        parent, rank = self.parent[node], self.rank[node]
        if rank == 0:
            return
        siblings = self.children[parent]
        # Four outlines: the right one of what stands on the left and the left one of this subtree, which must be
        # kept apart (inner); and the outermost two, so that the next sibling finds the outline of all.
        inner_left, inner_right = siblings[rank - 1], node
        outer_left, outer_right = siblings[0], node
        inner_left_move, inner_right_move = self.move[inner_left], self.move[inner_right]
        outer_left_move, outer_right_move = self.move[outer_left], self.move[outer_right]
        while True:
            next_left, next_right = self.next_on_right(inner_left), self.next_on_left(inner_right)
            if next_left == NOBODY or next_right == NOBODY:
                break
            inner_left, inner_right = next_left, next_right
            outer_left, outer_right = self.next_on_left(outer_left), self.next_on_right(outer_right)
            self.ancestor[outer_right] = node
            overlap = (
                self.place[inner_left]
                + inner_left_move
                + self.distance(inner_left, inner_right)
                - self.place[inner_right]
                - inner_right_move
            )
            if overlap > 0:
                held_up_by = self.ancestor[inner_left]
                if self.parent[held_up_by] != parent:
                    held_up_by = self.default_ancestor[parent]
                self.move_subtree(held_up_by, node, overlap)
                inner_right_move += overlap
                outer_right_move += overlap
            inner_left_move += self.move[inner_left]
            inner_right_move += self.move[inner_right]
            outer_left_move += self.move[outer_left]
            outer_right_move += self.move[outer_right]
        if next_left != NOBODY and self.next_on_right(outer_right) == NOBODY:
            self.thread[outer_right] = next_left
            self.move[outer_right] += inner_left_move - outer_right_move
        if next_right != NOBODY and self.next_on_left(outer_left) == NOBODY:
            self.thread[outer_left] = next_right
            self.move[outer_left] += inner_right_move - outer_left_move
            self.default_ancestor[parent] = node

    def move_subtree(self, left: int, right: int, distance: float) -> None:
        """Move `right` by `distance`, and note that the subtrees between `left` and it share the room evenly."""
        between = self.rank[right] - self.rank[left]
        self.change[right] -= distance / between
        self.shift[right] += distance
        self.change[left] += distance / between
        self.place[right] += distance
        self.move[right] += distance

    def pay_shifts(self, node: int) -> None:
        """Move the children by what `move_subtree` noted."""
        shift = change = 0.0
        for child in reversed(self.children[node]):
            self.place[child] += shift
            self.move[child] += shift
            change += self.change[child]
            shift += self.shift[child] + change

    def next_on_left(self, node: int) -> int:
        return self.children[node][0] if self.children[node] else self.thread[node]

    def next_on_right(self, node: int) -> int:
        return self.children[node][-1] if self.children[node] else self.thread[node]
