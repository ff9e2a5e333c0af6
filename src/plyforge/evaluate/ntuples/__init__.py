"""N-tuple networks: an estimate that nobody wrote, learned in seconds from what stands in a state's own fields.

    tuples.py      the inputs: cells of a state, and small tuples of neighbouring ones, looked up in tables of weights
    finding.py     which cells and tuples a game's states have, seen in random play
    network.py     the estimate
    self_play.py   TD(lambda): the weights, from games that the network plays against itself
    kept.py        what was learned, beside the compiled code

Bledsoe and Browning, "Pattern recognition and reading by machine" (1959), have the tuples; Buro, "From simple
features to sophisticated evaluation functions" (1998), the tables in Logistello; Lucas, "Learning to play Othello
with n-tuple systems" (2008), the name and the temporal differences.
"""

from plyforge.evaluate.ntuples.finding import find_tuples
from plyforge.evaluate.ntuples.kept import kept_network, learned_network
from plyforge.evaluate.ntuples.network import NTupleNetwork
from plyforge.evaluate.ntuples.self_play import learn
from plyforge.evaluate.ntuples.tuples import NTuples

NTUPLES = "ntuples"
"""What descriptions of players call it: engine:network=ntuples."""

__all__ = ["NTUPLES", "NTupleNetwork", "NTuples", "find_tuples", "kept_network", "learn", "learned_network"]
