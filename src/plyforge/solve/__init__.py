"""Proving: counting, enumerating and solving games from their rules. `choose.py` says which method solves what."""

from plyforge.callable_module import make_callable
from plyforge.endings.database import Database
from plyforge.solve.census import Census, census, reachable
from plyforge.solve.choose import METHODS, Choice, Method, choose, solve
from plyforge.solve.endings.build import build as build_endings
from plyforge.solve.endings.looked_up import LookedUp
from plyforge.solve.endings.report import Built
from plyforge.solve.endings.verify import verify_database
from plyforge.solve.graph.backward_induction import InducedValues, backward_induction
from plyforge.solve.graph.distances import Distances, distances
from plyforge.solve.graph.retrograde import StrongSolution, strongly
from plyforge.solve.graph.retrograde_file import load_solution
from plyforge.solve.graph.stage_equilibrium import StageSolution, stage_equilibrium
from plyforge.solve.graph.value_iteration import IteratedValues, value_iteration
from plyforge.solve.hidden import HiddenSolution, cfr_plus, hidden_equilibrium
from plyforge.solve.perft import Perft, perft
from plyforge.solve.proof.certificate import Certificate, make_certificate, read_certificate
from plyforge.solve.proof.proof_number import Proof, Prover, prove
from plyforge.solve.sampling.rollouts import RolledOut, Rollouts, rollouts
from plyforge.solve.solution import Solution
from plyforge.solve.solver import Interrupted, Solved, Solver
from plyforge.solve.strategy import Strategy, make_strategy, verify
from plyforge.solve.table_file import Standing, load_table, save_table

__all__ = [
    "METHODS",
    "Built",
    "Census",
    "Certificate",
    "Choice",
    "Database",
    "Distances",
    "HiddenSolution",
    "InducedValues",
    "Interrupted",
    "IteratedValues",
    "LookedUp",
    "Method",
    "Perft",
    "Proof",
    "Prover",
    "RolledOut",
    "Rollouts",
    "Solution",
    "Solved",
    "Solver",
    "StageSolution",
    "Standing",
    "Strategy",
    "StrongSolution",
    "backward_induction",
    "build_endings",
    "census",
    "cfr_plus",
    "choose",
    "distances",
    "hidden_equilibrium",
    "load_solution",
    "load_table",
    "make_certificate",
    "make_strategy",
    "perft",
    "prove",
    "reachable",
    "read_certificate",
    "rollouts",
    "save_table",
    "solve",
    "stage_equilibrium",
    "strongly",
    "value_iteration",
    "verify",
    "verify_database",
]

make_callable(solve, __name__)
