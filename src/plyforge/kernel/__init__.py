"""One source, two speeds: functions that run interpreted on anything, and compiled as machine code."""

from plyforge.callable_module import make_callable
from plyforge.kernel.binding import Bound, bind, interpreted
from plyforge.kernel.bits import extract, highest, lowest, minus, mix, nth, plus, popcount, swap_bytes, word
from plyforge.kernel.constant import Constant, package_digest
from plyforge.kernel.function import Kernel, inline, kernel, seldom
from plyforge.kernel.hashing import hash_state
from plyforge.kernel.memory import (
    BAD_POLICY,
    MAX_PLY,
    MAX_ROOT_VALUES,
    OUT_OF_NODES,
    OUT_OF_TIME,
    RUNNING,
    STOPPED,
    TOO_DEEP,
    at_horizon,
    new_memory,
    visit,
)
from plyforge.kernel.random import below, draw, new_stream, uniform
from plyforge.kernel.record import Record, RecordType
from plyforge.kernel.watch import Principal, PrincipalTuple, Silent

__all__ = [
    "BAD_POLICY",
    "MAX_PLY",
    "MAX_ROOT_VALUES",
    "OUT_OF_NODES",
    "OUT_OF_TIME",
    "RUNNING",
    "STOPPED",
    "TOO_DEEP",
    "Bound",
    "Constant",
    "Kernel",
    "Principal",
    "PrincipalTuple",
    "Record",
    "RecordType",
    "Silent",
    "at_horizon",
    "below",
    "bind",
    "draw",
    "extract",
    "hash_state",
    "highest",
    "inline",
    "interpreted",
    "kernel",
    "lowest",
    "minus",
    "mix",
    "new_memory",
    "new_stream",
    "nth",
    "package_digest",
    "plus",
    "popcount",
    "seldom",
    "swap_bytes",
    "uniform",
    "visit",
    "word",
]

make_callable(kernel, __name__, stays_module=True)
