"""Watch a search: every node of alpha-beta on a small tree, as it happens. Run it: python examples/watch_a_search.py"""

import plyforge as pf
from plyforge.kernel import Principal


class Narrator(Principal):
    """A watcher of one's own: any object with these methods will do, and the search runs interpreted for it."""

    def enter(self, memory, state, depth, alpha, beta):
        super().enter(memory, state, depth, alpha, beta)
        print(f"{'    ' * (memory.depth - depth)}node {state.node}, window ({alpha:g}, {beta:g})")

    def cut(self, memory, depth, index, value, alpha, beta):
        print(
            f"{'    ' * (memory.depth - depth)}cut after {index + 1} actions: {value:g} is outside ({alpha:g},"
            f" {beta:g})"
        )

    def leave(self, memory, depth, value):
        print(f"{'    ' * (memory.depth - depth)}worth {value:g}")


def main():
    tree = pf.load("tree([[3, 12, 8], [2, 4, 6], [14, 5, 2]])")
    found = pf.search(tree, using="alpha_beta", watch=Narrator())
    print(f"value {found.value:g}, {found.nodes} nodes")


if __name__ == "__main__":
    main()
