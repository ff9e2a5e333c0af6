"""The checker of the laws: it names the broken law, it passes what is lawful, and nothing makes it fall over."""

from __future__ import annotations

import json
import math
import random
import re
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import paths
from conftest import compiles
from patience import PATIENCE, patiently
from plyforge import CHANCE, MAX, MIN, BadLimits, BadRules, Game
from plyforge.check import LAWS, Progress, check
from plyforge.contract import Heuristics
from plyforge.errors import Interrupted
from plyforge.games import load
from plyforge.games.catalog import CATALOG, find
from plyforge.games.two_players.connect4 import Connect4

CORPUS = sorted(paths.BROKEN_RULES.glob("*.py"))
LAWFUL = sorted(paths.BROKEN_RULES.glob("lawful/*.py"))
"""What many of them are, but for one mistake."""
ONLY_COMPILED = "compiled equals interpreted"
NAMES = [path.stem for path in CORPUS]


def law_of(path: Path) -> str:
    """The law that a file of the corpus breaks: the last line of its docstring."""
    docstring = path.read_text().split('"""')[1]
    return docstring.strip().splitlines()[-1].removeprefix("Breaks: ")


# ------------------------------------------------------------ what is broken is found
@pytest.mark.parametrize("path", CORPUS, ids=NAMES)
def test_the_broken_law_is_named_first_and_quickly(path: Path) -> None:
    law = law_of(path)
    if law == ONLY_COMPILED:
        pytest.skip("seen by compiled code alone, which has a test of its own")
    with patiently():
        report = check(find(str(path)), states=2000, native=False)
    assert not report.ok
    assert report.violations[0].law == law, str(report)
    assert all(violation.sentence and "\n" not in violation.sentence for violation in report.violations)


@pytest.mark.parametrize("path", LAWFUL, ids=[path.stem for path in LAWFUL])
def test_what_the_broken_rules_are_made_from_is_lawful(path: Path) -> None:
    report = check(find(str(path)), states=2000, native=False)
    assert report.ok, str(report)


def test_each_law_is_broken_by_some_file_of_the_corpus() -> None:
    assert {law_of(path) for path in CORPUS} == set(LAWS)
    assert len(CORPUS) >= 24


@compiles
def test_compiled_code_that_differs_is_found() -> None:
    path = paths.BROKEN_RULES / "grows_beyond_64_bits.py"
    assert check(load(str(path)), native=False).ok
    report = check(load(str(path)), native=True)
    assert [violation.law for violation in report.violations] == [law_of(path)]
    assert "compiled" in report.violations[0].sentence


def test_the_actions_of_a_violation_lead_to_its_state() -> None:
    game = load(str(paths.BROKEN_RULES / "miscounted.py"))
    violation = check(game, native=False).violations[0]
    state = game.start()
    for action in violation.actions:
        state = game.result(state, action)
    assert violation.state == repr(state)
    assert violation.path == tuple(map(str, violation.actions))
    assert state.sticks == 2, "the nearest heap with fewer than three"


def test_an_exception_is_reported_with_the_line_of_the_rules() -> None:
    path = paths.BROKEN_RULES / "division_by_nothing.py"
    sentence = check(load(str(path)), native=False).violations[0].sentence
    line = next(n for n, text in enumerate(path.read_text().splitlines(), 1) if "1.0 / s.eaten" in text)
    assert sentence.startswith("utility raised ZeroDivisionError")
    assert f"line {line} of division_by_nothing.py" in sentence


def test_a_flipped_sign_is_found_in_a_game_too_large_to_visit() -> None:
    class Flipped(Connect4):
        def utility(self, s: Any) -> float:
            return 1.0 if self.connected(s.both ^ s.mine) else 0.0

    report = check(Flipped(), states=300, native=False)
    assert not report.complete
    assert [violation.law for violation in report.violations] == ["both players can win"]


# ------------------------------------------------------------ what is lawful passes
LONG_GAMES = ("chess",)
"""Played at random, interpreted, these don't end in the seconds that a check takes: that is warned of."""
FAR_ENDS = ("backgammon_match", "chinese_checkers", "pig", "slider")
"""No end of these is among the first 300 states."""
STATES = {"chess": 100, "go": 200, "othello": 200, "backgammon": 300}
"""How many are looked at where rules are slow interpreted."""


@pytest.mark.parametrize("most", [200, pytest.param(1000, marks=pytest.mark.full)])
@pytest.mark.parametrize("name", sorted(CATALOG))
def test_every_game_of_the_catalog_is_lawful(name: str, most: int) -> None:
    report = check(load(name), seconds=4 * PATIENCE, states=min(most, STATES.get(name, most)), native=False)
    assert report.ok, str(report)
    if name not in LONG_GAMES and not (name in FAR_ENDS and most <= 300):
        assert not report.warnings, str(report)


@pytest.mark.parametrize(
    "text",
    [
        "connect4(width=4, height=3, connect=3)",
        "dots_and_boxes(rows=1, columns=2)",
        "hexapawn(width=4, height=4)",
        "kalah(houses=3, seeds=2)",
        "mnk(3, 3, 2)",
        "nim((1, 2, 3))",
        "pig(goal=8)",
        "random_tree(depth=5, doubles=True, dice=True)",
        "slider(width=2, height=3)",
        "slippery(maze='S.G', slip=1.0, battery=4)",
        "random_tree(depth=2, branching=2, doubles=True)",
        "three_nim(sticks=11)",
    ],
)
def test_games_of_other_sizes_are_lawful(text: str) -> None:
    report = check(load(text), seconds=4 * PATIENCE, states=400, native=False)
    assert report.ok, str(report)


@pytest.mark.full
@pytest.mark.parametrize("name", sorted(CATALOG))
def test_every_game_of_the_catalog_is_lawful_compiled(name: str) -> None:
    report = check(load(name), seconds=60, native=True)
    assert report.ok, str(report)
    assert report.laws[ONLY_COMPILED] > 0


@pytest.mark.full
def test_small_random_trees_are_lawful_whatever_their_leaves() -> None:
    for depth in range(5):
        for seed in range(200):
            game = load(f"random_tree(depth={depth}, branching=3, seed={seed}, doubles=True)")
            report = check(game, states=300, native=False)
            assert report.ok, str(report)


def test_compiled_and_interpreted_agree_on_a_game_that_compiles() -> None:
    report = check(load("nim"), states=100, native=True)
    assert report.ok, str(report)
    assert report.laws[ONLY_COMPILED] > 50


def test_all_states_of_tic_tac_toe_are_visited() -> None:
    report = check(load("tic_tac_toe"), seconds=120, native=False)
    assert report.complete
    assert (report.states, report.ends) == (5478, 958)


# ------------------------------------------------------------ games of other kinds
class Sums(Game):
    """Add 1 or 2 until 6: states are plain tuples, actions a list."""

    def start(self) -> Any:
        return (0, MAX)

    def player(self, s: Any) -> Any:
        return s[1]

    def actions(self, s: Any) -> Any:
        return [1, 2]

    def result(self, s: Any, action: Any) -> Any:
        return (s[0] + action, 1 - s[1])

    def terminal(self, s: Any) -> Any:
        return s[0] >= 6

    def utility(self, s: Any) -> Any:
        return -1.0 if s[1] == MAX else 1.0


class Cells:
    """A state that is an ordinary object: mutable, without equality."""

    def __init__(self, cells: list[int], turn: int) -> None:
        self.cells, self.turn = cells, turn


class Objects(Game):
    def start(self) -> Cells:
        return Cells([0, 0, 0], MAX)

    def player(self, s: Cells) -> int:
        return s.turn

    def actions(self, s: Cells) -> Any:
        return (i for i in range(3) if not s.cells[i])

    def result(self, s: Cells, i: int) -> Cells:
        return Cells([*s.cells[:i], s.turn + 1, *s.cells[i + 1 :]], 1 - s.turn)

    def terminal(self, s: Cells) -> bool:
        return all(s.cells)

    def utility(self, s: Cells) -> float:
        return 1.0 if s.cells[0] == 1 else -1.0


class ChangedObjects(Objects):
    def result(self, s: Cells, i: int) -> Cells:
        after = Cells(s.cells, 1 - s.turn)
        after.cells[i] = s.turn + 1
        return after


class Arrays(Objects):
    def start(self) -> Any:
        return np.zeros(3, np.int64)

    def player(self, s: Any) -> int:
        return int(np.count_nonzero(s)) % 2

    def actions(self, s: Any) -> Any:
        return [int(i) for i in np.flatnonzero(s == 0)]

    def result(self, s: Any, i: int) -> Any:
        after = s.copy()
        after[i] = 1 + self.player(s)
        return after

    def terminal(self, s: Any) -> Any:
        return np.all(s != 0)

    def utility(self, s: Any) -> float:
        return 1.0 if s[0] == 1 else -1.0


class ChangedArrays(Arrays):
    def result(self, s: Any, i: int) -> Any:
        s[i] = 1 + self.player(s)
        return s


@pytest.mark.parametrize("game", [Sums(), Objects(), Arrays()], ids=lambda game: type(game).__name__)
def test_states_may_be_any_python_objects(game: Game) -> None:
    report = check(game, native=False)
    assert report.ok, str(report)
    assert report.complete


def test_what_is_lost_with_such_states_is_noted() -> None:
    notes = " ".join(check(Objects(), native=False).notes)
    assert "no equality" in notes and "numbers all states" in notes
    assert "no key" not in notes, "they are known again by what they hold"
    assert "no text" in notes


@pytest.mark.parametrize("game", [ChangedObjects(), ChangedArrays()], ids=lambda game: type(game).__name__)
def test_states_of_any_kind_are_seen_to_change(game: Game) -> None:
    report = check(game, native=False)
    assert [violation.law for violation in report.violations] == ["result is pure"]


def test_a_state_that_changes_is_shown_as_it_was() -> None:
    violation = check(ChangedArrays(), native=False).violations[0]
    assert violation.state == repr(np.zeros(3, np.int64))


def test_one_player_may_give_a_number() -> None:
    class Alone(Sums):
        players = 1
        min_utility, max_utility = 0.0, 8.0

        def player(self, s: Any) -> int:
            return 0

        def utility(self, s: Any) -> float:
            return float(s[0])

    assert check(Alone(), native=False).ok


@compiles
def test_rules_that_do_not_compile_are_noted_or_refused() -> None:
    noted = check(Objects(), native=None)
    assert noted.ok
    assert any("interpreted only: Objects: the state is a Cells" in note for note in noted.notes)
    refused = check(Objects(), native=True)
    assert [violation.law for violation in refused.violations] == [ONLY_COMPILED]


def test_what_would_make_an_opponent_stronger_is_noted_once_where_it_would() -> None:
    @dataclass(frozen=True)
    class Estimated(Sums):
        goal: int = 6

        def terminal(self, s: Any) -> bool:
            return s[0] >= self.goal

        def evaluate(self, s: Any) -> float:
            return 0.0

    class Blind(Estimated):
        evaluate = Game.evaluate

    def told(game: Game) -> int:
        report = check(game, states=20, native=False)
        assert report.ok, str(report)
        return sum("no evaluate(s)" in note and "from -1 to 1" in note for note in report.notes)

    assert told(Blind(goal=100)) == 1
    assert told(Estimated(goal=100)) == 0
    assert told(Blind(goal=6)) == 0, "all of its states are seen: searches go to the end"


# ------------------------------------------------------------ warnings
def test_a_player_who_can_only_draw_is_a_warning() -> None:
    class MakerBreaker(Sums):
        """MAX wants two neighbouring cells of five; MIN is content with a draw."""

        def start(self) -> Any:
            return (0, 0, MAX)

        def player(self, s: Any) -> int:
            return s[2]

        def actions(self, s: Any) -> Any:
            return [i for i in range(6) if not (s[0] | s[1]) >> i & 1]

        def result(self, s: Any, i: int) -> Any:
            return (s[0] | 1 << i, s[1], 1) if s[2] == MAX else (s[0], s[1] | 1 << i, MAX)

        def terminal(self, s: Any) -> bool:
            return bool(s[0] & s[0] >> 1 & s[0] >> 2) or s[0] | s[1] == 63

        def utility(self, s: Any) -> float:
            return 1.0 if s[0] & s[0] >> 1 & s[0] >> 2 else 0.0

    report = check(MakerBreaker(), native=False)
    assert report.ok, str(report)
    assert [warning.law for warning in report.warnings] == ["both players can win"]


def test_an_end_that_leads_back_into_the_game_is_a_warning() -> None:
    class Gap(Sums):
        def terminal(self, s: Any) -> bool:
            return s[0] == 3 or s[0] >= 6

    report = check(Gap(), native=False)
    assert report.ok
    assert [warning.law for warning in report.warnings] == ["terminal is stable"]
    assert "alive again" in report.warnings[0].sentence


def test_an_end_from_which_pieces_could_step_back_is_no_warning() -> None:
    class Race(Sums):
        """Two pieces on a path of five squares, a step on or back; whoever is at the other side first has won."""

        def start(self) -> Any:
            return (0, 0, MAX)

        def player(self, s: Any) -> int:
            return s[2]

        def actions(self, s: Any) -> Any:
            return [step for step in (1, -1) if 0 <= s[s[2]] + step <= 4]

        def result(self, s: Any, step: int) -> Any:
            return (s[0] + step, s[1], MIN) if s[2] == MAX else (s[0], s[1] + step, MAX)

        def terminal(self, s: Any) -> bool:
            return s[1 - s[2]] == 4  # whoever moved last has arrived

        def utility(self, s: Any) -> float:
            return 1.0 if s[2] == MIN else -1.0

    game = Race()
    end = (4, 3, MIN)
    assert game.terminal(end) and not game.terminal(game.result(end, -1))
    report = check(game, native=False)
    assert report.ok and report.complete and report.warnings == ()


@pytest.mark.parametrize("after", [lambda s, a: ((s[0] + a) % 7, 0), lambda s, a: (s[0] + a, 0)])
def test_a_game_without_end_is_a_warning_and_takes_bounded_time(after: Any) -> None:
    class Endless(Sums):
        def result(self, s: Any, action: Any) -> Any:
            return after(s, action)

        def terminal(self, s: Any) -> bool:
            return False

    report = check(Endless(), states=500, native=False)
    assert report.ok
    assert [warning.law for warning in report.warnings] == ["terminal is stable"]


def test_an_integer_of_more_than_64_bits_is_a_warning() -> None:
    class Large(NamedTuple):
        bits: int
        player: int

    class Growing(Sums):
        def start(self) -> Any:
            return Large((1 << 60) + 1, MAX)

        def result(self, s: Any, action: Any) -> Any:
            return Large(s.bits << action, 1 - s.player)

        def terminal(self, s: Any) -> bool:
            return s.bits >= 1 << 66

    report = check(Growing(), native=False)
    assert report.ok, str(report)
    assert "more than 64 bits" in report.warnings[0].sentence


# ------------------------------------------------------------ nothing makes it fall over
def forever() -> Any:
    while True:
        yield 1


GARBAGE = {
    "None": None,
    "text": "x",
    "empty text": "",
    "half": 0.5,
    "nan": math.nan,
    "infinity": math.inf,
    "huge": 10**30,
    "list": [1],
    "dict": {},
    "object": object(),
    "type": int,
    "array": np.zeros(2),
    "complex": 1j,
    "pairs": ((1, "x"),),
    "nested": ((((),),),),
    "generator": forever,
    "raises": ZeroDivisionError("by nobody"),
    "raises without words": KeyError(),
}
FUNCTIONS = [
    "start",
    "player",
    "actions",
    "result",
    "terminal",
    "utility",
    "chance",
    "evaluate",
    "count",
    "key",
    "show",
    "format_state",
    "parse_state",
    "format_action",
    "parse_action",
    "winner",
    "moves_again",
]
ASKED = (
    "ordering",
    "tactical_actions",
    "bounds",
    "sufficient_actions",
    "plies_left",
    "symmetries",
    "null_move",
)
"""Of the heuristics."""
PLAUSIBLE = {
    ("start", "text"),
    ("actions", "list"),
    ("evaluate", "half"),
    ("utility", "half"),
    ("format_state", "empty text"),
    *((name, "empty text") for name in ("show", "start")),
    ("show", "text"),
    *(("ordering", name) for name in ("half", "huge")),
    *(("tactical_actions", name) for name in ("empty text", "list", "dict")),
    *(("symmetries", name) for name in ("empty text", "dict")),
    ("plies_left", "huge"),
}


@pytest.mark.parametrize("function", [*FUNCTIONS, *ASKED])
def test_no_answer_of_the_rules_makes_it_fall_over(function: str) -> None:
    for name, value in GARBAGE.items():

        def answer(self: Game, *args: Any, value: Any = value) -> Any:
            if isinstance(value, Exception):
                raise value
            return value() if callable(value) and value is not int else value

        hints = {"heuristics": type("Hints", (Heuristics,), {function: answer})()}
        broken = type("Broken", (Sums,), hints if function in ASKED else {function: answer})()
        report = check(broken, seconds=1, states=50, native=False)
        str(report), json.dumps(report.to_json())
        if function in ("start", "player", "result", "actions", "utility", "terminal") and (
            (function, name) not in PLAUSIBLE
        ):
            assert not report.ok, f"{function} giving {name}: {report}"
        if function in ASKED:
            assert report.ok == ((function, name) in PLAUSIBLE), f"{function} giving {name}: {report}"


def test_rules_that_leave_or_recurse_for_ever_are_reported() -> None:
    class Leaves(Sums):
        def terminal(self, s: Any) -> bool:
            raise SystemExit(1)

    class Recurses(Sums):
        def terminal(self, s: Any) -> bool:
            return self.terminal(s)

    for game, word in ((Leaves(), "SystemExit"), (Recurses(), "RecursionError")):
        violation = check(game, native=False).violations[0]
        assert violation.law == "the rules run"
        assert word in violation.sentence


def test_text_that_is_never_finished_is_left_behind() -> None:
    class WritesNotation(type(Sums.notation)):
        def format_state(self, game, s: Any) -> str:
            while s[0] == 4:
                pass
            return str(s)

    class Writes(Sums):
        notation = WritesNotation()

    with patiently():
        report = check(Writes(), seconds=0.5, native=False)
    assert report.violations[0].law == "the rules run"
    assert "format_state has not answered" in report.violations[0].sentence


def test_games_that_claim_nonsense_are_refused_before_the_first_state() -> None:
    claims = (
        {"players": 0},
        {"players": 2.0},
        {"min_utility": math.nan},
        {"utility_sum": "0"},
        {"has_chance": 3},
    )
    for claim in claims:
        report = check(type("Odd", (Sums,), claim)(), native=False)
        assert [violation.law for violation in report.violations] == ["the claims make sense"]
        assert report.states == 0


def test_only_games_and_sensible_limits_are_accepted() -> None:
    with pytest.raises(BadRules, match="inherits from"):
        check(Sums)  # type: ignore[arg-type]
    with pytest.raises(BadLimits):
        check(Sums(), seconds=0)
    with pytest.raises(BadLimits):
        check(Sums(), states=0)


# ------------------------------------------------------------ the report
def test_the_same_seed_gives_the_same_report() -> None:
    for name in ("pig(goal=30)", "connect4"):
        first = check(load(name), states=200, seed=7, native=False)
        assert check(load(name), states=200, seed=7, native=False) == first


def test_rules_that_draw_random_numbers_get_the_same_report_and_the_world_gets_its_numbers_back() -> None:
    path = str(paths.BROKEN_RULES / "moody_estimate.py")
    random.seed(1)
    first = check(load(path), native=False)
    after = random.random()
    random.seed(1)
    assert random.random() == after
    assert check(load(path), native=False) == first


def test_the_report_reads_well_and_goes_to_json() -> None:
    report = check(load(str(paths.BROKEN_RULES / "nine_tenths.py")), native=False)
    text = str(report)
    assert "Broken: 1 law is broken" in text
    assert "probabilities sum to one: the probabilities" in text
    assert "sum to 0.9, not to 1" in text
    assert "after: roll" in text
    found = json.loads(json.dumps(report.to_json()))
    assert found["ok"] is False
    assert found["violations"][0]["law"] == "probabilities sum to one"
    assert found["violations"][0]["path"] == ["roll"]
    assert set(found["laws"]) == set(LAWS)
    assert found["laws"]["probabilities sum to one"] > 0


def test_laws_that_do_not_apply_are_counted_as_not_tested() -> None:
    laws = check(load("tic_tac_toe"), states=200, native=False).laws
    assert set(laws) == set(LAWS)
    assert laws["probabilities sum to one"] == 0
    assert laws["result is pure"] > 200


def test_ctrl_c_comes_with_what_was_found_so_far() -> None:
    class Slow(Sums):
        def terminal(self, s: Any) -> bool:
            time.sleep(0.01)
            return bool(super().terminal(s))

    def press(progress: Any) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt) as caught:
        check(Slow(), native=False, on_progress=press)
    assert isinstance(caught.value, Interrupted)
    report = caught.value.found
    assert report.stopped and not report.complete and report.to_json()["stopped"] == report.stopped
    assert "no law was seen broken so far" in str(report) and "stopped while" in str(report)


def test_progress_is_told() -> None:
    told: list[Progress] = []
    check(load("tic_tac_toe"), native=False, on_progress=told.append)
    assert told
    assert all(isinstance(progress, Progress) and progress.phase for progress in told)


# ------------------------------------------------------------ declared facts
@dataclass(frozen=True)
class Dice(Game):
    """Throw a die twice; more than seven wins for MAX. `winner` says the same in other words."""

    def start(self) -> Any:
        return (0, 0)

    def player(self, s: Any) -> int:
        return CHANCE

    def actions(self, s: Any) -> Any:
        return range(1, 7)

    def chance(self, s: Any) -> Any:
        for face in range(1, 7):
            yield face, 1 / 6

    def result(self, s: Any, face: int) -> Any:
        return (s[0] + face, s[1] + 1)

    def terminal(self, s: Any) -> bool:
        return s[1] == 2

    def utility(self, s: Any) -> float:
        return float(s[0] > 7) - float(s[0] < 7)

    def winner(self, s: Any) -> int | None:
        return None if s[0] == 7 else int(s[0] < 7)


def test_a_winner_that_fits_is_lawful() -> None:
    report = check(Dice(), native=False)
    assert report.ok, str(report)
    assert report.laws["utility fits the winner"] == 11


@pytest.mark.parametrize("wrong", [lambda s: 0, lambda s: None, lambda s: 2, lambda s: int(s[0] <= 7)])
def test_a_winner_that_does_not_fit_is_found(wrong: Any) -> None:
    class Wrong(Dice):
        def winner(self, s: Any) -> Any:
            return wrong(s)

    assert [violation.law for violation in check(Wrong(), native=False).violations] == ["utility fits the winner"]


def test_moves_again_that_fits_is_lawful() -> None:
    @dataclass(frozen=True)
    class Declared(Sums):
        def result(self, s: Any, action: Any) -> Any:
            return (s[0] + action, s[1] if action == 2 else 1 - s[1])

        def moves_again(self, s: Any, action: Any) -> bool:
            return action == 2

    report = check(Declared(), native=False)
    assert report.ok, str(report)
    assert report.laws["turns are as declared"] > 0


# ------------------------------------------------------------ the guide
def test_the_guide_lists_every_law_with_its_meaning() -> None:
    guide = paths.DOCS / "guides" / "write-a-game.md"
    rows = re.findall(r"^\| ([^|]+?) \| ([^|]+?) \| ([^|]+?) \|$", guide.read_text(), re.MULTILINE)
    listed = {name: (meaning, mistake) for name, meaning, mistake in rows}
    for law in LAWS.values():
        assert listed.get(law.name) == (law.meaning, law.mistake), law.name


@compiles
def test_the_guide_shows_what_the_check_of_its_first_game_says(tmp_path: Path) -> None:
    guide = (paths.DOCS / "guides" / "write-a-game.md").read_text()
    rules = tmp_path / "toads.py"
    rules.write_text(re.search(r"```python\n(.*?)```", guide, re.DOTALL)[1])  # type: ignore[index]
    shown = re.search(r"^\$ plyforge check toads.py\n(.*?)```", guide, re.DOTALL | re.MULTILINE)
    assert shown is not None
    said, told = (re.sub(r"[\d.]+ s$", "", text.strip()) for text in (str(check(load(rules))), shown[1]))
    assert said == told
