"""Networks of several kinds, over inputs that are found in the states of any game.

inputs.py         which inputs of a state are active
kind.py           what a kind of network can do, and its name in text
sparse_mlp.py     units:N[,M]   a multilayer perceptron whose first layer is a sum of rows
training.py       its gradient
policy_mlp.py     policy:N      value and policy, with priors for tree searches; policy_training.py its gradient
adam.py           the optimiser
files.py          networks in files
blas.py           one thread for the products of matrices
"""

from plyforge.evaluate.networks.files import StoredNetwork, read_network, write_network
from plyforge.evaluate.networks.incremental import IncrementalNetwork
from plyforge.evaluate.networks.inputs import FieldInputs, SparseInputs, active_lists, found_inputs
from plyforge.evaluate.networks.kind import NetworkKind, network_kind
from plyforge.evaluate.networks.sparse_mlp import SparseMlp, SparseNetwork
from plyforge.evaluate.networks.training import Batch

__all__ = [
    "Batch",
    "FieldInputs",
    "IncrementalNetwork",
    "NetworkKind",
    "SparseInputs",
    "SparseMlp",
    "SparseNetwork",
    "StoredNetwork",
    "active_lists",
    "found_inputs",
    "network_kind",
    "read_network",
    "write_network",
]
