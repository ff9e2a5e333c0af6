"""The time manager, by a clock that the test holds: no test here waits, and none can be late.

The rules are those that players of clocks know: a forced move is made at once, a steady one soon, a doubtful one late,
and none after the hard limit; whoever has pondered long enough answers a hit at once. The truth about numbers is
arithmetic, done here by hand.
"""

from __future__ import annotations

import ast
import inspect
import io
import json
import math
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import plyforge as pf
from conftest import thinned
from patience import PATIENCE
from plyforge.cli.search.search import command
from plyforge.play.match.openings import Opening
from plyforge.play.match.played import PlayedGame
from plyforge.play.match.referee import Referee, TimeRules
from plyforge.play.match.score import Standing, TimeUse
from plyforge.play.players.search_player import SearchPlayer
from plyforge.play.protocols.uci.server import Uci
from plyforge.search import Clock, Limits
from plyforge.search.time import rules
from plyforge.search.time.clock import kept_back
from plyforge.search.time.manager import DECIDED, GO_ON, OVER, TimeManager
from plyforge.search.time.rules import LONGER, STEADY, STEADY_DEPTHS, UNSTEADY, WORSE, WORTH_BEGINNING

SOFT = Clock(300.0).soft_seconds
TABLE = Path(__file__).parents[2] / "docs" / "algorithms" / "time.md"


class Now:
    """What time it is."""

    def __init__(self) -> None:
        self.time = 0.0

    def __call__(self) -> float:
        return self.time


def manager(now: Now, clock: Clock | None = None, pondering: bool = False, **limits: Any) -> TimeManager:
    clock = Clock(300.0) if clock is None and not limits else clock
    return TimeManager(Limits(clock=clock, **limits), pondering, now)


def think(time: TimeManager, now: Now, depths: list[tuple[float, str]], choices: int = 30) -> float:
    """When it moves, if each depth takes so long and has this best action."""
    for depth, (took, best) in enumerate(depths, 1):
        now.time += took
        deadline = time.deadline
        if deadline is not None and now.time >= deadline:
            now.time = deadline
            break
        time.finished_depth(depth, best)
        if not time.begins_another(choices):
            break
    return now.time


# ------------------------------------------------------------------ depth after depth
def growing(best: str, first: float = 0.01, factor: float = 1.5) -> list[tuple[float, str]]:
    return [(first * factor**depth, action) for depth, action in enumerate(best)]


def test_a_steady_move_is_made_sooner_than_one_that_changes() -> None:
    times = []
    for best in ("a" * 200, "ab" * 100):
        now = Now()
        times.append(think(manager(now), now, growing(best, first=0.1, factor=1.0)))
    steady, changing = times
    assert steady < changing
    assert WORTH_BEGINNING * STEADY * SOFT <= steady < WORTH_BEGINNING * STEADY * SOFT * 1.1
    assert WORTH_BEGINNING * UNSTEADY * SOFT <= changing < WORTH_BEGINNING * UNSTEADY * SOFT * 1.1


def test_what_looks_worse_is_thought_about_longer() -> None:
    for drop, share in ((0.0, 1.0), (0.29, 1.0), (0.31, WORSE)):
        now = Now()
        time = manager(now)
        for depth in range(1, 4):  # the same action, not for long enough to be steady
            time.finished_depth(depth, "a", 1.0, 1.0)
        time.finished_depth(4, "a", 1.0 - drop, 1.0)
        assert time.share == pytest.approx(WORTH_BEGINNING * share)
    assert time.worse and not time.steady >= STEADY_DEPTHS


def test_the_only_move_is_made_at_once_by_a_clock_and_looked_at_by_who_analyses() -> None:
    now = Now()
    assert think(manager(now), now, growing("aaaa"), choices=1) == 0.01
    now = Now()
    assert think(manager(now, seconds=5.0), now, growing("aaaa"), choices=1) == pytest.approx(
        sum(took for took, _ in growing("aaaa"))
    )


def test_a_depth_in_the_middle_is_cut_off_at_the_hard_limit_and_never_later() -> None:
    now, clock = Now(), Clock(300.0)
    assert think(manager(now, clock), now, [(0.1, "a"), (1000.0, "b")]) == pytest.approx(clock.hard_seconds)
    now = Now()
    assert think(manager(now, seconds=2.0), now, [(0.1, "a"), (1000.0, "b")]) == 2.0


def test_a_depth_that_counts_for_nothing_unless_finished_is_not_begun_where_it_can_not_be() -> None:
    for seconds, ends in ((3.9, False), (4.1, True)):
        now = Now()
        time = manager(now, seconds=seconds)
        now.time = 1.0
        time.finished_depth(1, "a")
        assert time.begins_another(9, counts=False)
        now.time = 2.5  # the second has taken 1.5 s, and so will the third, at the least
        time.finished_depth(2, "a")
        assert time.begins_another(9, counts=False) == ends
        assert time.begins_another(9, counts=True)  # the engine's counts in part


def test_the_first_depth_has_a_millisecond_however_little_there_is() -> None:
    now = Now()
    time = manager(now, seconds=1e-9)
    assert time.deadline_of_depth(1) == 0.001 and time.deadline_of_depth(2) == 1e-9


def test_without_a_limit_of_time_nothing_is_decided() -> None:
    now = Now()
    time = manager(now, depth=5)
    now.time = 1e9
    assert time.deadline is time.soft_end is None and time.begins_another(1) and not time.decisions


def test_compiling_is_not_counted() -> None:
    now = Now()
    time = manager(now, seconds=2.0)
    now.time = 30.0
    time.begin(now.time)
    assert time.deadline == 32.0 and time.seconds == 0.0


@given(
    st.floats(0.01, 1e4), st.floats(0.0, 10.0), st.one_of(st.none(), st.integers(1, 60)),
    st.lists(st.tuples(st.floats(0.0, 5.0), st.sampled_from("ab")), min_size=1, max_size=30),
)  # fmt: skip
def test_no_move_takes_longer_than_its_hard_limit_and_the_clock_never_runs_out(
    remaining: float, increment: float, to_go: int | None, depths: list[tuple[float, str]]
) -> None:
    now, clock = Now(), Clock(remaining, increment, to_go)
    moved = think(manager(now, clock), now, depths)
    assert moved <= clock.hard_seconds + 1e-9 < remaining


def test_whole_games_by_a_clock_of_a_fifth_of_a_second_never_lose_on_time() -> None:
    """0.2 s + 0.002 s with a machine that is late by up to a millisecond at each move, and by 30 at some."""
    now, remaining = Now(), 0.2
    for move in range(300):
        began = now.time
        think(manager(now, Clock(remaining, 0.002)), now, growing("abababababab", first=0.0004, factor=2.0))
        now.time += 0.03 if move % 60 == 59 else 0.001 * (move % 2)
        remaining -= now.time - began
        assert remaining > 0.0, move
        remaining += 0.002
    assert remaining > 0.02


def test_ten_seconds_and_a_tenth_are_used_and_not_used_up() -> None:
    now, remaining, spent = Now(), 10.0, []
    for _ in range(60):
        began = now.time
        think(manager(now, Clock(remaining, 0.1)), now, growing("aabaaaaabbbbbbb", first=0.001, factor=1.9))
        spent.append(now.time - began)
        remaining += 0.1 - spent[-1]
        assert remaining > 0.3
    assert sum(spent[:30]) > 5.0 and remaining < 5.0


# ------------------------------------------------------------------ pondering
def test_no_time_runs_before_the_hit() -> None:
    now = Now()
    time = manager(now, pondering=True)
    now.time = 1000.0
    time.finished_depth(1, "a")
    assert time.deadline is None and time.begins_another(1)
    assert time.simulates_on(1e9, False, 10**6, 1 << 62) == GO_ON


def test_a_hit_after_long_thought_is_answered_at_once_and_one_after_none_gets_its_time() -> None:
    now = Now()
    time = manager(now, pondering=True)
    now.time = SOFT
    time.finished_depth(9, "a")
    assert time.begins_another(30) and time.hit() == 0.0
    now = Now()
    time = manager(now, pondering=True)
    now.time = 0.1
    time.finished_depth(3, "a")
    assert time.begins_another(30)
    assert time.hit() == pytest.approx(SOFT) and time.deadline == pytest.approx(0.1 + Clock(300.0).hard_seconds)
    now.time = 0.1 + UNSTEADY * WORTH_BEGINNING * SOFT
    time.finished_depth(4, "b")
    assert not time.begins_another(30)  # what was thought before the hit counts


def test_a_limit_in_seconds_is_used_up_after_a_hit() -> None:
    now = Now()
    time = manager(now, seconds=3.0, pondering=True)
    now.time = 100.0
    time.finished_depth(20, "a")
    assert time.begins_another(30) and time.hit() == 3.0 and time.deadline == 103.0


# ------------------------------------------------------------------ simulations
def test_simulations_stop_when_nothing_can_change_and_go_on_in_doubt() -> None:
    now = Now()
    time = manager(now)
    now.time = SOFT / 2
    assert time.simulates_on(999.0, False, 1000, 1 << 62) == GO_ON  # as many can still be made
    assert time.simulates_on(1301.0, False, 1000, 1 << 62) == DECIDED
    assert time.simulates_on(math.inf, False, 1000, 1 << 62) == DECIDED
    now.time = SOFT * 1.01
    assert time.simulates_on(10.0, False, 1000, 1 << 62) == OVER
    assert time.simulates_on(10.0, True, 1000, 1 << 62) == GO_ON
    now.time = SOFT * LONGER
    assert time.simulates_on(10.0, True, 1000, 1 << 62) == OVER
    said = [decision.what for decision in time.decisions]
    assert said == ["decided", "decided", "over", "doubt", "over"]


# ------------------------------------------------------------------ words
def test_what_was_decided_is_told_with_its_numbers() -> None:
    now, clock = Now(), Clock(300.0)
    time = manager(now, clock)
    think(time, now, growing("abbbbbbbbbbbbbbbbbbbbbbbb", factor=1.3))
    told = time.spent(now.time, "seconds").lines()
    assert told[0].startswith("a clock of 300 ") and f"soft limit {clock.soft_seconds:.3f} s" in told[0]
    assert "another best action" in told[2] and "steady" in told[-3]
    assert f"no new depth: they are begun until {WORTH_BEGINNING * STEADY * SOFT:.3f} s" in told[-2]
    assert told[-1] == f"ended after {now.time:.3f} s: for its time"


@pytest.mark.parametrize("using", thinned(["engine", "alpha_beta", "uct", "guarded_uct"], ["engine"]))
def test_every_result_within_a_limit_of_time_says_what_became_of_it(using: str) -> None:
    game = pf.load("tic_tac_toe")
    found = pf.search(game, using=using, clock=Clock(2.0), native=False)
    assert found.timing is not None and found.timing.seconds == found.seconds
    assert found.timing.lines()[-1].startswith("ended after")
    assert pf.search(game, using=using, depth=1, native=False).timing is None


def test_dice_and_choices_at_once_have_the_same_manager() -> None:
    for game, using in (("pig", "dice_engine"), ("goofspiel(cards=3)", "decoupled_uct"), ("slider", "a_star")):
        found = pf.search(game, using=using, clock=Clock(1.0), native=False)
        assert found.timing is not None and found.timing.soft == Clock(1.0).soft_seconds


def test_what_protocols_keep_back_leaves_something() -> None:
    assert kept_back(10.0, 0.2) == 9.8 and kept_back(0.1, 0.2) == kept_back(-5.0, 0.2) == 0.001
    assert kept_back(0.1, 0.2, most=0.2) == pytest.approx(0.08) and kept_back(1e12, 0.0) == 1e7


# ------------------------------------------------------------------ one table
def test_all_rules_stand_in_the_table_with_their_values_and_units() -> None:
    """Each constant of `rules.py` is a row of the page: its name, its value; and says its unit first."""
    page = TABLE.read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `(\w+)` \| ([^|]+?) \|", page, re.MULTILINE))
    values = {name: value for name, value in vars(rules).items() if name.isupper()}
    assert rows.keys() == values.keys()
    assert {name: float(text.replace(",", "").split()[0]) for name, text in rows.items()} == values


TIMES = ("remaining", "soft_seconds", "hard_seconds")


def test_nobody_else_has_numbers_of_time() -> None:
    """Shares of a clock stand in `rules.py` alone: nowhere else is a clock's time divided or multiplied by a number,
    but to have milliseconds."""
    package = Path(inspect.getfile(pf)).parent
    told: list[str] = []
    for file in package.rglob("*.py"):
        if file.parent.name == "time" and file.parent.parent.name == "search":
            continue
        text = file.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)) if any(name in text for name in TIMES) else ():
            if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Mult, ast.Div)):
                sides = (node.left, node.right)
                clocks = any(isinstance(side, ast.Attribute) and side.attr in TIMES for side in sides)
                if clocks and any(isinstance(side, ast.Constant) and side.value != 1000 for side in sides):
                    told.append(f"{file.relative_to(package)}:{node.lineno}")
    assert told == []


# ------------------------------------------------------------------ faces
def test_the_command_line_says_what_became_of_the_time() -> None:
    words = ["tic_tac_toe", "--using", "engine", "--state", "xo.......", "--clock", "300", "--interpreted"]
    said = CliRunner().invoke(command, [*words, "--explain-time"])
    assert said.exit_code == 0 and "a clock of 300" in said.output and "ended after" in said.output
    found = json.loads(CliRunner().invoke(command, [*words, "--explain-time", "--json"]).stdout)
    assert found["timing"]["soft"] == pytest.approx(SOFT) and found["timing"]["seconds"] == found["seconds"]
    assert "timing" not in json.loads(CliRunner().invoke(command, [*words, "--json"]).stdout)


def test_a_match_says_how_time_was_used() -> None:
    use = TimeUse.of([(1.0, 2.0, 8.0), (3.0, 2.0, 8.0), (8.0, 2.0, 8.0)])
    assert (use.moves, use.soft, use.share, use.beyond, use.cut_off) == (3, 2.0, 2.0, 2, 1)
    assert "200 % of them used; 2 of 3 moves took longer, 1 as long as they could" in use.text()
    game = pf.load("tic_tac_toe")
    players = {name: SearchPlayer("alpha_beta", native=False, limited=False) for name in "AB"}
    for player in players.values():
        player.prepare(game)
    referee = Referee(game, list(players.values()), TimeRules(None, Clock(60.0), 0.25, None, 100))
    played = PlayedGame.from_json(json.loads(json.dumps(referee.play(0, "A", Opening((), None), 1).to_json())))
    standing = Standing([played], 1)
    assert [standing.time_use(name).moves for name in "AB"] == [5, 4]
    assert 0.0 < standing.time_use("A").soft <= Clock(60.0).soft_seconds


def test_uci_says_it_where_it_is_asked_to() -> None:
    answers = io.StringIO()
    uci = Uci(io.StringIO(), answers, native=False)
    for line in ("setoption name Explain Time value true", "position startpos", "go wtime 600 btime 600"):
        assert uci.obey(line)
    assert uci.wait(PATIENCE)
    said = [line for line in answers.getvalue().splitlines() if line.startswith("info string time: ")]
    assert "a clock of 0.5" in said[0] and "soft limit" in said[0] and "ended after" in said[-1]


def test_every_search_asks_the_manager_and_none_its_limits() -> None:
    package = Path(inspect.getfile(pf)).parent / "search"
    told = [
        str(file.relative_to(package))
        for file in package.rglob("*.py")
        if file.parent.name != "time" and file.name != "limits.py" and "soft_seconds" in file.read_text("utf-8")
    ]
    assert told == []
