"""What `plyforge learn` has written: the best network of a run's folder, or a file of one, whatever kind it is.

    learned_from("connect4.learn", game)       an evaluation for any search

Claims: nothing is unpickled; a file that is damaged, too large, of another game or of rules that were changed since is
refused in a sentence. What a state's inputs are is found anew from the rules, and what a file says of them is only
compared: so whatever it holds, compiled code reads inside its tables.
"""

from __future__ import annotations

import functools
import os
from pathlib import Path
from typing import Any

from plyforge.errors import BadText
from plyforge.evaluate.base import Evaluation
from plyforge.evaluate.networks.files import read_network as read_stored
from plyforge.evaluate.networks.files import says_it_is_a_network
from plyforge.evaluate.networks.grid import GridInputs, grid_inputs
from plyforge.evaluate.networks.inputs import FieldInputs, found_inputs
from plyforge.evaluate.ntuples.files import BEST, FORMAT, other_game, other_rules, plain_name, read_ntuples, said_of
from plyforge.evaluate.weighted import WEIGHTS


def learned_from(path: str | os.PathLike[str], game: Any) -> Evaluation:
    """The network in a file, or the best one in a run's folder. Raises BadText."""
    path = Path(path).expanduser()
    if path.is_dir():
        if not (path / BEST).exists():
            raise BadText(
                f"{path} has no {BEST} yet: nothing that was learned there has won a match. Let plyforge learn go on"
            )
        path = path / BEST
    return _read(game, path, path.stat().st_mtime_ns if path.is_file() else 0)


@functools.lru_cache(maxsize=16)
def _read(game: Any, path: Path, when: int) -> Evaluation:
    """`when` the file was written: a new one is read again."""
    if not says_it_is_a_network(path):
        return read_ntuples(path, game)
    network = read_stored(path)
    if network.about.get("game") != plain_name(game):
        raise other_game(path, network.about, game)
    on_board = isinstance(network.inputs, GridInputs)
    if network.inputs.digest != inputs_for(game, on_board).digest:
        raise other_rules(path, game)
    return network.player()


@functools.lru_cache(maxsize=16)
def inputs_for(game: Any, on_board: bool = False) -> FieldInputs:
    """`found_inputs`, kept; or those with places, for convolutions."""
    return grid_inputs(game) if on_board else found_inputs(game)


def shipped_file(game: Any) -> Path:
    """Where the network is that was learned by `plyforge learn` and comes with a game, if one does."""
    return WEIGHTS / f"{plain_name(game)}_learned.npz"


def is_learned(path: str | os.PathLike[str]) -> bool:
    """True for a run's folder, and for a file that says that it is of one."""
    path = Path(path).expanduser()
    if path.is_dir() or says_it_is_a_network(path):
        return True
    try:
        return said_of(path).get("format") == FORMAT
    except BadText:
        return False


__all__ = ["inputs_for", "is_learned", "learned_from", "shipped_file"]
