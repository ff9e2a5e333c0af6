"""Why Pacman starves: a plan that is good enough within the horizon need never be carried out. Run it: python
examples/pacman_starves.py

Pacman looks two rounds ahead in a corridor with a dot at each end. Beside a dot, "eat now, then wait" and "wait, then
eat" score the same, and so he waits; one round later he plans anew, and again it is the same. An evaluation that also
counts the steps to the next dot tells the two apart: who has eaten now is nearer to it in the end.
"""

import plyforge as pf
from plyforge.evaluate import Linear

ROUNDS = 2


def play(game, evaluation=None, native=None):
    """Pacman's moves as letters, a dot where he waits, and the state in which the game ends. The ghost can't get to
    him: it walks up and down."""
    state, moves = game.start(), ""
    while not game.terminal(state):
        if game.player(state) == pf.MAX:
            depth = ROUNDS * game.notation.agents(game)
            found = pf.search(game, state, "minimax", depth=depth, evaluate=evaluation, native=native)
            name = pf.format_action(game, state, found.action)
            moves += "." if name == "wait" else name[0]
            state = game.result(state, found.action)
        else:
            state = game.result(state, pf.legal_moves(game, state)[0])
    return moves, state


def main(native=None):
    game = pf.load("pacman(maze='corridor', rounds=30)")
    print(game.show(game.start()))
    points_only = Linear.of(game, {"points": 1.0})
    for name, evaluation in (("points only", points_only), ("points, and steps to the next dot", None)):
        moves, state = play(game, evaluation, native)
        end = "wins" if state.food == 0 else "starves"
        print(f"{name}: {moves} and {end}, {game.utility(state):g}")


if __name__ == "__main__":
    main()
