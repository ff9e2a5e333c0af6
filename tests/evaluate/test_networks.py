"""Networks with sparse inputs: what they compute, their gradient, training that goes on, and files."""

from __future__ import annotations

import itertools
import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import plyforge as pf
from conftest import compiles
from plyforge.errors import BadLimits, BadText, Unsuitable
from plyforge.evaluate.networks import (
    Batch,
    FieldInputs,
    SparseMlp,
    StoredNetwork,
    active_lists,
    found_inputs,
    network_kind,
    read_network,
    write_network,
)
from plyforge.evaluate.networks.files import LARGEST_FILE
from plyforge.evaluate.networks.training import gradient
from plyforge.kernel.compiling.layout import random_states

GAME = pf.load("connect4(width=5, height=4)")
INPUTS = found_inputs(GAME)
STATES = list(itertools.islice(random_states(GAME), 40))


def made(text: str = "units:12,5", seed: int = 1) -> tuple[Any, dict[str, np.ndarray]]:
    kind = network_kind(text, INPUTS)
    arrays = kind.fresh(seed)
    arrays["last"][:] = np.random.default_rng(seed).normal(0.0, 0.5, arrays["last"].shape)
    return kind, arrays


def lesson(seed: int, states: int = 64, native: bool = False) -> Batch:
    """States of random inputs; what they are worth is who has more of the first ten."""
    dice = np.random.default_rng(seed)
    lists = [np.sort(dice.choice(40, dice.integers(3, 12), replace=False)) for _ in range(states)]
    targets = [np.tanh(0.5 * ((each < 10).sum() - (each >= 30).sum())) for each in lists]
    return Batch.of(lists, targets, dice.uniform(0.5, 2.0, states), native=native)


class Taken(pf.Game):
    """Take one or two of what is left: a state is a set."""

    def start(self) -> Any:
        return frozenset(range(5))

    def player(self, s: Any) -> int:
        return len(s) % 2

    def actions(self, s: Any) -> Any:
        yield from s

    def result(self, s: Any, a: Any) -> Any:
        return s - {a}

    def terminal(self, s: Any) -> bool:
        return not s

    def utility(self, s: Any) -> float:
        return 1.0


# ------------------------------------------------------------------ inputs
def test_inputs_are_the_stones_of_both_and_who_moves() -> None:
    """From the rules of Connect Four alone: an input for each stone in both of its sets of bits, and one for the ply,
    which on a small board has few values; its first, 0, has none."""
    for s, active in zip(STATES, active_lists(GAME, INPUTS, STATES), strict=True):
        mover, bank = GAME.player(s), INPUTS.count // 2
        assert all(mover * bank <= i < (mover + 1) * bank for i in active)
        stones = int(s.mine).bit_count() + int(s.both).bit_count()
        assert len(active) == stones + (s.ply > 0) <= INPUTS.most


@pytest.mark.parametrize("name", ["tic_tac_toe", "othello", "chess", "kalah", "hex(size=5)"])
def test_different_states_have_different_inputs(name: str) -> None:
    game = pf.load(name)
    inputs = found_inputs(game)
    states = list(dict.fromkeys(itertools.islice(random_states(game), 60)))
    found = [tuple(each) for each in active_lists(game, inputs, states)]
    assert all(0 <= i < inputs.count for each in found for i in each) and max(map(len, found)) <= inputs.most
    assert len(set(found)) == len(states)


def test_inputs_can_be_made_again_from_their_description() -> None:
    again = FieldInputs.of(**{k: v for k, v in json.loads(json.dumps(INPUTS.description())).items() if k != "kind"})
    assert again == INPUTS
    with pytest.raises(BadText, match="don't fit"):
        FieldInputs.of(2, [5], [1], [], [])


@compiles
def test_inputs_are_the_same_at_both_speeds() -> None:
    slow, fast = (active_lists(GAME, INPUTS, STATES, native=native) for native in (False, True))
    assert all(np.array_equal(a, b) for a, b in zip(slow, fast, strict=True))


# ------------------------------------------------------------------ values
def test_a_value_is_what_the_formula_says() -> None:
    """By NumPy, on a vector with a 1 for each active input."""
    for text in ("units:7", "units:12,5"):
        kind, arrays = made(text)
        network = kind.evaluation(arrays, INPUTS)
        for s, active in zip(STATES, active_lists(GAME, INPUTS, STATES), strict=True):
            x = np.zeros(INPUTS.count + 1)
            x[[*active, INPUTS.count]] = 1.0
            for name in list(kind.sizes())[:-1]:
                x = np.append(np.clip(x @ arrays[name], 0.0, 1.0), 1.0)
            wanted = 0.999 * np.tanh(x @ arrays["last"])
            assert network.estimate(GAME, s) == pytest.approx(wanted, abs=1e-6)


@compiles
@pytest.mark.parametrize("text", ["units:7", "units:12,5"])
def test_both_speeds_give_the_same_number(text: str) -> None:
    kind, arrays = made(text)
    network = kind.evaluation(arrays, INPUTS)
    for s in STATES[:10]:
        values = [pf.search(GAME, s, "alpha_beta", evaluate=network, depth=2, native=n).value for n in (False, True)]
        assert values[0] == values[1]


# ------------------------------------------------------------------ training
@pytest.mark.parametrize("text", ["units:6", "units:8,5"])
def test_the_gradient_is_that_of_differences(text: str) -> None:
    """Central differences of the loss in double precision, but where a unit is at a bend of its rectifier."""
    kind = SparseMlp.from_text(text.partition(":")[2], INPUTS)
    arrays = {name: a.astype(np.float64) for name, a in kind.fresh(3).items()}
    arrays["last"] += np.random.default_rng(3).normal(0.0, 0.5, arrays["last"].shape)
    batch = lesson(3, states=9)
    numbers = (each.astype(float) for each in (batch.low, batch.high, batch.weights))
    batch = Batch(batch.active, batch.ends, *numbers, native=False)
    _, slopes = gradient(kind, arrays, batch)
    dice, seen, tiny = np.random.default_rng(4), 0, 1e-4
    for name, array in arrays.items():
        flat = array.reshape(-1)
        slope = slopes[name].reshape(-1)
        for place in {int(dice.integers(flat.size)) for _ in range(40)} | set(np.argsort(-abs(slope))[:15].tolist()):
            before, losses = flat[place], []
            for step in (tiny, -tiny):
                flat[place] = before + step
                losses.append(gradient(kind, arrays, batch)[0])
            flat[place] = before
            wanted = (losses[0] - losses[1]) / (2.0 * tiny)
            assert slope[place] == pytest.approx(wanted, rel=0.02, abs=2e-5), (name, place)
            seen += abs(wanted) > 1e-3
    assert seen > 20


def test_training_learns_what_can_be_learned() -> None:
    kind = network_kind("units:16,8", INPUTS)
    arrays = kind.fresh(1)
    memory = kind.fresh_memory(arrays)
    before = gradient(kind, arrays, lesson(1000))[0]
    for number in range(120):
        kind.train(arrays, memory, lesson(number), rate=0.01, decay=0.001)
    assert before > 0.2 and gradient(kind, arrays, lesson(1000))[0] < 0.1 * before


def test_training_that_goes_on_from_a_file_gives_the_same_bits(tmp_path: Path) -> None:
    def trained(stop_after: int | None) -> bytes:
        kind = network_kind("units:16,8", INPUTS)
        arrays = kind.fresh(1)
        memory = kind.fresh_memory(arrays)
        for number in range(6):
            if number == stop_after:
                write_network(tmp_path / "net.npz", StoredNetwork(kind, INPUTS, arrays, memory))
                found = read_network(tmp_path / "net.npz")
                kind, arrays, memory = found.kind, found.arrays, found.memory
            kind.train(arrays, memory, lesson(number), rate=0.01, decay=0.001)
        return b"".join(a.tobytes() for a in arrays.values())

    assert trained(None) == trained(3) == trained(5)


@compiles
def test_training_is_the_same_at_both_speeds() -> None:
    found = []
    for native in (False, True):
        kind = network_kind("units:16,8", INPUTS)
        arrays = kind.fresh(1)
        memory = kind.fresh_memory(arrays)
        for number in range(3):
            kind.train(arrays, memory, lesson(number, native=native), rate=0.01, decay=0.001)
        found.append(arrays)
    for name in found[0]:
        assert np.array_equal(found[0][name], found[1][name]), name


# ------------------------------------------------------------------ files
def test_a_file_gives_back_what_was_written(tmp_path: Path) -> None:
    kind, arrays = made()
    write_network(tmp_path / "net.npz", StoredNetwork(kind, INPUTS, arrays, about={"game": "connect4"}))
    found = read_network(tmp_path / "net.npz")
    assert (found.kind, found.inputs, found.about, found.memory) == (kind, INPUTS, {"game": "connect4"}, {})
    assert all(np.array_equal(found.arrays[name], arrays[name]) for name in arrays)
    assert found.evaluation().estimate(GAME, STATES[3]) == kind.evaluation(arrays, INPUTS).estimate(GAME, STATES[3])


def changed(path: Path, **more: Any) -> Path:
    """The same file with other arrays in it, or another head."""
    with np.load(path) as content:
        arrays = dict(content)
    head = json.loads(str(arrays["head"])) | more.pop("head", {})
    np.savez(path, **arrays | {"head": np.array(json.dumps(head))} | more)
    return path


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"first": np.zeros((3, 12), np.float32)}, "must be float32"),
        ({"first": np.zeros((2, 2), np.float64)}, "must be float32"),
        ({"last": np.full(6, np.nan, np.float32)}, "no numbers"),
        ({"last": np.ones(6, np.float32)}, "damaged"),
        ({"last": np.array([{}], object)}, "damaged"),
        ({"head": {"format": "another"}}, "does not say"),
        ({"head": {"version": 7}}, "version 1"),
        ({"head": {"shape": {"kind": "units", "inputs": 1 << 40, "active": 1, "units": 9, "inner": 0}}}, "not known"),
        ({"head": {"shape": {"kind": "units", "inputs": 128, "active": 40, "units": 1 << 40, "inner": 0}}}, "has 1 to"),
        ({"head": {"shape": [1]}}, "not known"),
        ({"head": {"inputs": INPUTS.description() | {"numbers": 1 << 60}}}, "fit"),
        ({"head": {"inputs": "all"}}, "not known"),
        ({"head": {"memory": ["steps"]}}, "memory"),
    ],
)  # fmt: skip
def test_a_bad_file_is_refused_in_words(tmp_path: Path, change: dict[str, Any], said: str) -> None:
    kind, arrays = made()
    write_network(tmp_path / "net.npz", StoredNetwork(kind, INPUTS, arrays))
    with pytest.raises(BadText, match=said):
        read_network(changed(tmp_path / "net.npz", **change))


def test_a_torn_file_and_a_huge_one_are_refused(tmp_path: Path) -> None:
    kind, arrays = made()
    path = tmp_path / "net.npz"
    write_network(path, StoredNetwork(kind, INPUTS, arrays))
    content = path.read_bytes()
    for size in (0, 10, len(content) // 2, len(content) - 5):
        path.write_bytes(content[:size])
        with pytest.raises(BadText, match=r"damaged|empty"):
            read_network(path)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("head.npy", "w") as file:
        header = {"descr": "|u1", "fortran_order": False, "shape": (LARGEST_FILE + 1,)}
        np.lib.format.write_array_header_1_0(file, header)  # announces more than is read, in a small file
    with pytest.raises(BadText, match="at most"):
        read_network(path)


# ------------------------------------------------------------------ names
@pytest.mark.parametrize(
    "text", ["units:", "units:0", "units:3,4,5", "units:-1", "units:x", "units:99999", "unit:4", ""]
)
def test_what_is_no_kind_is_refused(text: str) -> None:
    with pytest.raises(BadLimits):
        network_kind(text, INPUTS)


def test_a_game_without_numbers_is_refused() -> None:
    with pytest.raises(Unsuitable, match="nothing in the states"):
        found_inputs(Taken())
