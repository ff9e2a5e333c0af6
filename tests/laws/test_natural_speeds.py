"""The ten natural games at both speeds: compiled, they are what they are interpreted."""

from __future__ import annotations

import random
import warnings

import pytest

import paths
import plyforge as pf
from conftest import compiles, thinned
from plyforge.kernel import hash_state, kernel
from plyforge.kernel.entry import coerce, native_function
from plyforge.search import FellBack

FOLDER = paths.NATURAL_GAMES
NAMES = sorted(path.stem for path in FOLDER.glob("*.py"))
CHOSEN = thinned(NAMES, ("dice_race", "quarto"))
FIELDS = ("action", "value", "values", "best", "line", "nodes", "depth", "reason")


@kernel
def key_of(game, state):
    return hash_state(state)


def load(name: str) -> pf.Game:
    return pf.load(f"{FOLDER / name}.py")


def states(game: pf.Game, seed: int, most: int) -> list:
    """The states of a random game."""
    chooser, s, found = random.Random(seed), game.start(), []
    while len(found) < most:
        found.append(s)
        legal = pf.legal_moves(game, s)
        if not legal:
            break
        s = game.result(s, chooser.choice(legal))
    return found


@compiles
@pytest.mark.parametrize("name", CHOSEN)
def test_a_natural_game_is_compiled_and_gives_the_same(name: str) -> None:
    game = load(name)
    played = states(game, 1, 200)
    for s in [played[0], *played[-6:-1:2]]:
        depth = 2 if len(pf.legal_moves(game, s)) < 100 else 1
        with warnings.catch_warnings():
            warnings.simplefilter("error", FellBack)
            found = pf.search(game, s, depth=depth, native=True)
        expected = pf.search(game, s, depth=depth, native=False)
        assert found.native
        assert [getattr(found, field) for field in FIELDS] == [getattr(expected, field) for field in FIELDS]


@compiles
@pytest.mark.parametrize("name", CHOSEN)
def test_its_states_have_the_same_key_at_both_speeds(name: str) -> None:
    game = load(name)
    played = [coerce(s) for s in states(game, 2, 60)]
    native = native_function(key_of, game, played[0])
    for s in played:
        assert int(native(game, s)) % 2**64 == int(hash_state(s))
