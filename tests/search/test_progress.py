"""What a search tells before its end: all that a depth found, what a growing tree would answer, lines, outcomes of
chance."""

from __future__ import annotations

import itertools
import json
from types import SimpleNamespace

import pytest

import plyforge as pf
from plyforge.search import Control, Progress
from plyforge.search.time.watch import Watch

TIC_TAC_TOE, PIG = pf.load("tic_tac_toe"), pf.load("pig(goal=10)")


def told(game, state=None, *, using: str, **limits) -> tuple[pf.Result, list[Progress]]:
    heard: list[Progress] = []
    control = Control()

    def hear(progress: Progress) -> None:
        heard.append(progress)
        progress.seen = progress.answer  # a tree is read while it grows

    return pf.search(game, state, using, native=False, on_progress=hear, control=control, **limits), heard


@pytest.mark.parametrize("using", ["minimax", "alpha_beta", "engine"])
def test_each_depth_tells_all_that_it_found(using):
    found, heard = told(TIC_TAC_TOE, "xo..x....", using=using, depth=3)
    finished = [progress for progress in heard if progress.answer is not None]
    assert {progress.answer.depth for progress in finished} >= {1, 2}
    last = finished[-1].answer
    assert last.using == using and last.line and last.value == finished[-1].value
    assert heard[0].depth == 1 and found.depth == 3


def test_a_growing_tree_is_read_when_asked():
    found, heard = told(TIC_TAC_TOE, using="uct", seconds=1.0)
    seen = [progress.seen for progress in heard if progress.seen is not None]
    assert seen, "a second is enough for a report"
    for answer in seen:
        assert sum(answer.visits.values()) <= found.simulations
        assert set(answer.values) == set(answer.errors) == set(answer.visits)
    assert all(a.simulations <= b.simulations for a, b in itertools.pairwise(seen))


def test_mixes_are_read_while_they_are_made():
    _, heard = told(pf.load("matrix"), using="regret_matching", seconds=0.8)
    seen = [progress.seen for progress in heard if progress.seen is not None]
    assert seen
    assert all(sum(policy.values()) == pytest.approx(1.0) for answer in seen for policy in answer.policies)


@pytest.mark.parametrize("using", ["uct", "puct", "flat"])
def test_samples_tell_as_many_lines_as_are_asked_for(using):
    found = pf.search(TIC_TAC_TOE, using=using, simulations=200, lines=4, native=False)
    assert len(found.lines) == 4 and found.lines[0][1] == found.line
    assert len({line[0] for _, line in found.lines}) == 4
    assert all(value == found.values[line[0]] for value, line in found.lines)
    one = pf.search(TIC_TAC_TOE, using=using, simulations=200, native=False)
    assert one.lines == found.lines[:1] and one.visits == found.visits, "telling more is no other search"
    assert next(each["line"] for each in found.to_json()["lines"]) == found.line_text()
    with pytest.raises(pf.PlyforgeError, match="lines is 0"):
        pf.search(TIC_TAC_TOE, using=using, simulations=2, lines=0, native=False)


@pytest.mark.parametrize("using", ["expectiminimax", "star1", "star2", "dice_engine", "expectimax", "max_n"])
def test_outcomes_of_chance_add_up_to_the_value(using):
    rolled = pf.state_after(PIG, "roll")
    found = pf.search(PIG, rolled, using, depth=3, native=False)
    chances = dict(PIG.chance(rolled))
    assert set(found.outcomes) == set(chances)
    first = found.value[0] if isinstance(found.value, tuple) else found.value
    values = {o: v[0] if isinstance(v, tuple) else v for o, v in found.outcomes.items()}
    assert sum(chances[o] * v for o, v in values.items()) == pytest.approx(first, abs=1e-12)
    for outcome, value in values.items():
        below = pf.search(PIG, PIG.result(rolled, outcome), "expectiminimax", depth=2, native=False)
        assert value == pytest.approx(below.value, abs=1e-12)
    assert len(json.loads(json.dumps(found.to_json()))["outcomes"]) == len(chances)


def test_where_somebody_chooses_there_are_no_outcomes():
    assert pf.search(PIG, using="expectiminimax", depth=3, native=False).outcomes == {}
    sampled = pf.search(PIG, pf.state_after(PIG, "roll"), "uct", simulations=300, native=False)
    assert set(sampled.outcomes) == {outcome for outcome, _ in PIG.chance(pf.state_after(PIG, "roll"))}


def test_how_a_kernel_stands_is_told_after_what_was_before_it_and_never_after_its_end():
    told: list[int] = []

    def hear(progress: Progress) -> None:
        told.append(progress.nodes)

    watch = Watch()
    watch.on_progress, watch.works = hear, [SimpleNamespace(memory=SimpleNamespace(nodes=20))]
    watch.told.append((hear, Progress(10, 0.1)))  # the depth before has ended a moment ago
    watch.tick()
    assert told == [10, 20]

    def end(progress: Progress) -> None:
        hear(progress)
        watch.works = []

    watch.told.append((end, Progress(30, 0.2)))  # this one ends while we look
    watch.tick()
    assert told == [10, 20, 30]
