"""Bit tricks, hashes and random streams give the same numbers at both speeds."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import compiles
from plyforge.kernel import (
    below,
    draw,
    extract,
    hash_state,
    highest,
    inline,
    kernel,
    lowest,
    minus,
    mix,
    new_stream,
    nth,
    plus,
    popcount,
    swap_bytes,
    uniform,
    word,
)

signed = st.integers(-(2**63), 2**63 - 1)
unsigned = st.integers(0, 2**64 - 1).map(np.uint64)
pattern = signed | unsigned


class Mixed(NamedTuple):
    board: np.uint64
    count: int
    share: float
    flag: bool
    pits: tuple[int, int, int, int, int, int]
    pair: tuple[int, float]


@kernel
def native_popcount(bits):
    return popcount(bits)


@kernel
def native_lowest(bits):
    return lowest(bits)


@kernel
def native_highest(bits):
    return highest(bits)


@kernel
def native_nth(bits, n):
    return nth(bits, n)


@kernel
def native_extract(bits, mask):
    return extract(bits, mask)


@kernel
def native_sums(a, b):
    return plus(a, b), minus(a, b)


@kernel
def native_swap_bytes(bits):
    return swap_bytes(bits)


@kernel
def native_mix(seed, value):
    return mix(seed, value)


@kernel
def native_word(bits):
    return word(bits)


@kernel
def native_hash(state):
    return hash_state(state)


@kernel
def draws(stream):
    return draw(stream), uniform(stream), below(stream, 6)


@given(pattern)
@settings(deadline=None)
def test_bytes_in_the_opposite_order_at_both_speeds(bits):
    pairs = f"{int(bits) & (1 << 64) - 1:016x}"
    wanted = int("".join(pairs[i : i + 2] for i in range(14, -1, -2)), 16)
    assert int(swap_bytes(bits)) == wanted
    assert int(native_swap_bytes.native(bits)) == wanted


@given(pattern)
@settings(max_examples=300, deadline=None)
def test_bit_functions_are_equal_at_both_speeds(bits):
    assert native_popcount.native(bits) == popcount(bits) == bin(int(bits) & (2**64 - 1)).count("1")
    if bits:
        assert native_lowest.native(bits) == lowest(bits)
        assert native_highest.native(bits) == highest(bits)


@given(pattern)
@settings(max_examples=100, deadline=None)
def test_the_nth_bit_is_the_same_at_both_speeds(bits):
    places = [place for place in range(64) if int(bits) >> place & 1]
    assert [nth(bits, n) for n in range(len(places))] == places
    assert [native_nth.native(bits, n) for n in range(len(places))] == places


@given(pattern, st.integers(0, 2**63 - 1) | st.integers(0, 2**63 - 1).map(np.uint64))
@settings(max_examples=200, deadline=None)
def test_extracted_bits_are_those_under_the_mask_at_both_speeds(bits, mask):
    places = [place for place in range(64) if int(mask) >> place & 1]
    wanted = sum((int(bits) >> place & 1) << n for n, place in enumerate(places))
    assert extract(bits, mask) == native_extract.native(bits, mask) == wanted


@given(pattern, pattern)
@settings(max_examples=200, deadline=None)
def test_sums_wrap_around_at_both_speeds(a, b):
    wanted = ((int(a) + int(b)) % 2**64, (int(a) - int(b)) % 2**64)
    assert (int(plus(a, b)), int(minus(a, b))) == wanted
    assert tuple(map(int, native_sums.native(a, b))) == wanted


def test_lowest_and_highest_name_the_bit():
    for n in range(63):
        assert lowest(1 << n) == highest(1 << n) == n
    assert lowest(0b10100) == 2
    assert highest(0b10100) == 4


@pytest.mark.parametrize("wrong", [1.0, True, "1", None])
def test_bit_functions_refuse_what_is_not_an_integer(wrong):
    with pytest.raises(TypeError, match="int or a uint64"):
        popcount(wrong)


@compiles
@pytest.mark.parametrize("wrong", [1.0, True])
def test_compiled_bit_functions_refuse_it_too(wrong):
    from numba.core.errors import TypingError

    with pytest.raises(TypingError, match="int or a uint64"):
        native_popcount.native(wrong)


@given(pattern, pattern)
@settings(max_examples=300, deadline=None)
def test_mix_is_equal_at_both_speeds(seed, value):
    assert int(native_mix.native(seed, value)) == int(mix(seed, value))
    assert int(native_word.native(value)) == int(word(value)) == int(value) % 2**64


@pytest.mark.parametrize("wide", [2**64, -(2**63) - 1])
def test_what_has_more_than_64_bits_is_no_word(wide):
    with pytest.raises(OverflowError, match="more than 64 bits"):
        word(wide)


@given(
    unsigned,
    signed,
    st.floats(allow_nan=False),
    st.booleans(),
    st.tuples(*[signed] * 6),
    signed,
    st.floats(0, 1),
)
@settings(max_examples=200, deadline=None)
def test_the_hash_of_a_state_is_equal_at_both_speeds(board, count, share, flag, pits, first, second):
    state = Mixed(board, count, share, flag, pits, (first, second))
    assert int(native_hash.native(state)) == int(hash_state(state))


def test_small_states_have_different_hashes():
    seen = {int(hash_state((a, b, c))) for a in range(40) for b in range(40) for c in range(40)}
    assert len(seen) == 40**3


@pytest.mark.parametrize(("whole", "real"), [(1, 1.0), ((1,), (1.0,)), (((1, 2), 3), ((1.0, 2.0), 3))])
def test_equal_numbers_of_two_kinds_have_each_their_hash(whole, real):
    first = hash_state(whole)  # which is kept
    assert hash_state(real) != first
    assert hash_state(whole) == first


def test_integers_beyond_64_bits_are_hashed_whole():
    seen = {int(hash_state((sign * (1 << n),))) for n in range(300) for sign in (1, -1)}
    assert len(seen) == 599  # 2**63 and -2**63 are the same 64 bits


def test_a_shape_is_part_of_the_hash():
    assert hash_state(((1, 2), 3)) != hash_state((1, (2, 3)))


def test_splitmix64_gives_the_published_numbers():
    """The first outputs for seed 1234567, as every implementation of splitmix64 gives them."""
    stream = new_stream(1234567)
    assert [int(draw(stream)) for _ in range(3)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
    ]


@given(st.integers(0, 2**64 - 1))
@settings(max_examples=100, deadline=None)
def test_a_random_stream_is_equal_at_both_speeds(seed):
    one, other = new_stream(seed), new_stream(seed)
    for _ in range(5):
        assert tuple(map(float, draws.native(one))) == tuple(map(float, draws(other)))
    assert one.state == other.state


def test_below_reaches_every_number_about_equally_often():
    stream = new_stream(7)
    counts = [0] * 6
    for _ in range(6000):
        counts[below(stream, 6)] += 1
    assert all(850 < count < 1150 for count in counts)


@inline
def twice(n):
    return n + n


@kernel
def four_times(n):
    return twice(twice(n))


def test_an_inlined_helper_runs_at_both_speeds():
    assert four_times(5) == four_times.native(5) == 20
