"""AlphaGo's four parts, on a board that a laptop can learn: value network, policy, a sample of children, many runs.

    python examples/learn_go.py --hours 2                                  learns; again: goes on
    python examples/learn_go.py --hours 0 --games 40                       what each part is worth, by matches

The network is learned by `plyforge learn` from games against itself, first by UCT with RAVE. Then each part is switched
off in turn, and plays against all four, with the same simulations a move: rollouts in place of the value, no
preferences in place of the policy, every child to the same depth in place of a sample (alpha-beta over as many nodes),
one look at the policy in place of many runs. UCT with RAVE, which knows nothing, plays beside them.

Silver and others, "Mastering the game of Go with deep neural networks and tree search" (2016).
"""

import argparse
from dataclasses import dataclass
from typing import Any

from plyforge.contract import knows_priors
from plyforge.evaluate import Evaluation
from plyforge.learn import Run
from plyforge.learn.gate import Side, engine_for, match, strength
from plyforge.search.mcts import Puct, Uct


@dataclass(frozen=True)
class ValueAlone(Evaluation):
    """The network without its policy."""

    network: Any

    def estimate(self, game, s):
        return self.network.estimate(game, s)


def parts(game, network, simulations):
    """Who plays, by what is missing."""
    many = {"simulations": simulations}
    return {
        "value network (rollouts instead)": Side(Puct(evaluation=network, rollout_share=1.0, **many), simulations),
        "policy": Side(Puct(evaluation=ValueAlone(network), rollout_share=0.0, **many), simulations),
        "sampling children (alpha-beta instead)": Side(engine_for(game, ValueAlone(network)), simulations),
        "many runs (one look at the policy instead)": Side(Puct(evaluation=network, simulations=2), 2),
        "everything (UCT with RAVE)": Side(Uct(rave=1000.0, weighted=knows_priors(game), **many), simulations),
    }


def main():
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--game", default="go(size=7)")
    asked.add_argument("--net", default="conv:4x16")
    asked.add_argument("--folder", default="go7.learn")
    asked.add_argument("--hours", type=float, default=2.0)
    asked.add_argument("--games", type=int, default=0, help="of each match")
    asked.add_argument("--simulations", type=int, default=200)
    given = asked.parse_args()
    run = Run(given.game, given.folder, net=given.net)
    if given.hours > 0.0:
        run.go_on(hours=given.hours, on_progress=lambda progress: print(progress.games, progress.held_back, flush=True))
    whole = Side(Puct(evaluation=run.network(), simulations=given.simulations), given.simulations)
    for name, other in parts(run.game, run.network(), given.simulations).items() if given.games else ():
        scores, _ = match(run.game, whole, other, seed=1, pairs=given.games // 2, test=None)
        print(f"all four against the same without {name}: {strength(scores)}", flush=True)


if __name__ == "__main__":
    main()
