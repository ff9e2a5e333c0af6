"""Smart ghosts work together. Run it: python examples/pacman_ghosts.py

On a ring with two ghosts on one side of him, Pacman gets away from ghosts that each take the shortest way to him: they
follow one another, he leads them round and eats. Ghosts that plan together, as the one side of minimax that they are,
come from both sides. Nobody told them to: the pinch is what the search finds.
"""

import plyforge as pf
from plyforge.evaluate import Linear
from plyforge.play import RandomPlayer, SearchPlayer

GAMES = 10


def teams(game, native=None):
    """Three kinds of ghosts, as players."""
    nearer = Linear.of(game, {"all ghosts": 1.0})
    return {
        "random": RandomPlayer(seed=1),
        "each the shortest way": SearchPlayer("alpha_beta", depth=1, evaluate=nearer, native=native),
        "together, 3 rounds ahead": SearchPlayer("alpha_beta", depth=3 * game.notation.agents(game), native=native),
    }


def play(game, ghosts, first, native=None):
    """The state in which a game ends that begins with the move `first` of Pacman's. He looks 2 rounds ahead."""
    pacman = SearchPlayer("alpha_beta", depth=2 * game.notation.agents(game), native=native)
    state = game.result(game.start(), first)
    while not game.terminal(state):
        player = pacman if game.player(state) == pf.MAX else ghosts
        state = game.result(state, player.choose(game, state).action)
    return state


def main(native=None):
    game = pf.load("pacman(maze='ring', rounds=60)")
    print(game.show(game.start()))
    for name, ghosts in teams(game, native).items():
        firsts = pf.legal_moves(game, game.start())
        ends = [play(game, ghosts, firsts[number % len(firsts)], native) for number in range(GAMES)]
        won = sum(state.food == 0 for state in ends)
        mean = sum(game.utility(state) for state in ends) / GAMES
        print(f"ghosts {name}: Pacman wins {won} of {GAMES}, mean {mean:.0f}")


if __name__ == "__main__":
    main()
