"""Players, games in progress, and games on disk."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyforge.errors import BadLimits, BadRules, BadText, IllegalAction, PlyforgeError, Unsuitable
from plyforge.game import CHANCE, MAX, MIN, Game
from plyforge.games import load
from plyforge.kernel import new_stream, uniform
from plyforge.play import (
    GameSession,
    Human,
    RandomPlayer,
    Record,
    SearchPlayer,
    StrategyPlayer,
    explain,
    game_text,
    parse_player,
    player_name,
    record,
    restore,
    save,
)
from plyforge.search import search


class Race(NamedTuple):
    first: int
    second: int
    player: int
    rolling: bool


@dataclass(frozen=True)
class DiceRace(Game):
    """Throw a die in turn, with the left hand or the right; whoever reaches the goal first wins."""

    goal: int = 7

    def start(self) -> Race:
        return Race(0, 0, MAX, False)

    def player(self, s: Race) -> int:
        return CHANCE if s.rolling else s.player

    def actions(self, s: Race) -> Iterator[int]:
        yield 1
        yield 2

    def chance(self, s: Race) -> Iterator[tuple[int, float]]:
        for face in range(1, 7):
            yield face, 1 / 6

    def result(self, s: Race, action: int) -> Race:
        if not s.rolling:
            return Race(s.first, s.second, s.player, True)
        if s.player == MAX:
            return Race(s.first + action, s.second, MIN, False)
        return Race(s.first, s.second + action, MAX, False)

    def terminal(self, s: Race) -> bool:
        return max(s.first, s.second) >= self.goal

    def utility(self, s: Race) -> float:
        return 1.0 if s.first >= self.goal else -1.0


class Sticks(NamedTuple):
    sticks: int
    player: int


@dataclass(frozen=True)
class ThreeSticks(Game):
    """Three players take one or two sticks; who takes the last one gets 2, the others lose 1."""

    sticks: int = 5
    players = 3
    lowest = -1.0
    highest = 2.0
    player_names = ("Ann", "Bob", "Cleo")

    def start(self) -> Sticks:
        return Sticks(self.sticks, 0)

    def player(self, s: Sticks) -> int:
        return s.player

    def actions(self, s: Sticks) -> Iterator[int]:
        yield 1
        if s.sticks > 1:
            yield 2

    def result(self, s: Sticks, action: int) -> Sticks:
        return Sticks(s.sticks - action, (s.player + 1) % 3)

    def terminal(self, s: Sticks) -> bool:
        return s.sticks == 0

    def utility(self, s: Sticks) -> tuple[float, ...]:
        return tuple(2.0 if player == (s.player - 1) % 3 else -1.0 for player in range(3))

    def evaluate(self, s: Sticks) -> tuple[float, ...]:
        return (0.0, 0.0, 0.0)


TIC_TAC_TOE = load("tic_tac_toe")
X_WINS = ["1", "4", "2", "5", "3"]


def played(game: Game, *texts: str, seed: int = 1) -> GameSession:
    session = GameSession(game, seed=seed)
    for text in texts:
        session.play_text(text)
    return session


# ------------------------------------------------------------------ players
def test_a_search_player_plays_what_the_search_finds_and_says_what_it_thought() -> None:
    state = TIC_TAC_TOE.parse_state("xx.oo....")
    choice = SearchPlayer("alpha_beta", native=False).choose(TIC_TAC_TOE, state)
    assert TIC_TAC_TOE.format_action(state, choice.action) == "3"
    assert choice.result is not None and choice.result.value == 1.0
    assert choice.note.startswith("+1 for X (MAX) (I win with best play); looked to the end of the game; ")


def test_a_value_is_explained_from_the_view_of_whoever_it_belongs_to() -> None:
    cut_short = search(TIC_TAC_TOE, "x........", "minimax", depth=1, native=False)
    assert explain(cut_short).startswith(
        "-0.1111 for X (MAX) (an estimate: O (MIN) is ahead); looked 1 ply ahead; 9 nodes in"
    )
    draw = search(TIC_TAC_TOE, "xoxxoo.x.", native=False)
    assert "0 for X (MAX) (a draw, proven)" in explain(draw)
    hero = search(TIC_TAC_TOE, "xx.oo.x..", "paranoid", native=False)
    assert explain(hero).startswith("+1 for O (MIN) (O (MIN) wins with best play)")
    dice = search(DiceRace(), Race(6, 6, MIN, False), depth=2, native=False)
    assert explain(dice).startswith("-1 for MAX (exact, on average: MIN is ahead)")
    three = search(ThreeSticks(), native=False)
    assert "for Ann" in explain(three) and "for Cleo" in explain(three) and "(exact)" in explain(three)


def test_a_random_player_repeats_itself_with_the_same_seed_and_plays_everything() -> None:
    state = TIC_TAC_TOE.start()

    def choices(seed: int) -> list[int]:
        player = RandomPlayer(seed)
        return [player.choose(TIC_TAC_TOE, state).action for _ in range(200)]

    assert choices(3) == choices(3) != choices(4)
    assert set(choices(3)) == set(range(9))


def test_a_strategy_is_an_object_with_move_or_a_function() -> None:
    class Middle:
        def move(self, state: Any) -> int:
            return 4

    state = TIC_TAC_TOE.start()
    assert StrategyPlayer(Middle()).choose(TIC_TAC_TOE, state).action == 4
    assert StrategyPlayer(lambda state: 8).choose(TIC_TAC_TOE, state).action == 8
    with pytest.raises(IllegalAction, match="no move"):
        StrategyPlayer(lambda state: None).choose(TIC_TAC_TOE, state)
    with pytest.raises(TypeError, match="strategy"):
        StrategyPlayer(7)


def test_a_saved_plan_is_a_player(tmp_path: Path) -> None:
    strategy = pytest.importorskip("plyforge.solve.strategy")
    nim = load("nim(heaps=(1, 2))")
    strategy.make_strategy(nim, player=MAX).save(tmp_path / "plan.json")
    player = parse_player(f"strategy:{tmp_path / 'plan.json'}", nim)
    assert not isinstance(player, Human)
    choice = player.choose(nim, nim.start())
    assert search(nim, nim.result(nim.start(), choice.action), "minimax", native=False).value == 1.0


@pytest.mark.parametrize(
    ("text", "description"),
    [
        ("human", "human"),
        ("random:seed=3", "random:seed=3"),
        ("alpha_beta:depth=6", "alpha_beta:depth=6"),
        ("Alpha-Beta: depth=6", "alpha_beta:depth=6"),
        ("minimax", "minimax:seconds=1"),
        ("expectiminimax:seconds=2", "expectiminimax:seconds=2"),
        ("alpha_beta:depth=20,seconds=0.5", "alpha_beta:depth=20,seconds=0.5"),
        ("alpha_beta:nodes=1_000", "alpha_beta:nodes=1000"),
        ("engine", "engine:seconds=1"),
        ("engine:depth=4", "engine:depth=4"),
        ("engine:seconds=2", "engine:seconds=2"),
        ("engine:depth=8,threads=2", "engine:depth=8,threads=2"),
        ("engine:threads=2", "engine:seconds=1,threads=2"),
        ("engine:table_mib=0.5", "engine:seconds=1,table_mib=0.5"),
        ("uct:simulations=10000", "uct:simulations=10000"),
        ("uct:seconds=0.5,exploration=0.7", "uct:seconds=0.5,exploration=0.7"),
        ("puct:nodes=500", "puct:nodes=500"),
        ("flat", "flat:seconds=1"),
        ("flat:simulations=700,seed=2", "flat:simulations=700,seed=2"),
    ],
)
def test_descriptions_of_players_are_read_and_written(text: str, description: str) -> None:
    player = parse_player(text, TIC_TAC_TOE)
    assert player.description == description
    assert parse_player(player.description, TIC_TAC_TOE).description == description


@pytest.mark.parametrize(
    ("text", "error", "says"),
    [
        ("", BadText, "there are human, random, engine, minimax"),
        ("alpha_betta", BadText, "did you mean alpha_beta"),
        ("alpha_beta:deep=6", BadText, "'deep=6' is not understood, it takes depth="),
        ("alpha_beta:depth", BadText, "'depth' is not understood"),
        ("alpha_beta:", BadText, "is not understood"),
        ("alpha_beta:depth=2,depth=3", BadText, "depth is given twice"),
        ("human:seed=1", BadText, "takes no options"),
        ("random:depth=1", BadText, "it takes seed="),
        ("strategy", BadText, "strategy:plan.json"),
        ("strategy:/nowhere/plan.json", PlyforgeError, "plan.json"),
        ("alpha_beta:depth=six", BadLimits, "depth must be a whole number, not 'six'"),
        ("alpha_beta:depth=-1", BadLimits, "depth is -1"),
        ("alpha_beta:depth=0", BadLimits, "at least 1 ply"),
        ("alpha_beta:depth=1000000000", BadLimits, "depth is 1000000000"),
        ("alpha_beta:seconds=nan", BadLimits, "positive number"),
        ("alpha_beta:seconds=0", BadLimits, "positive number"),
        ("alpha_beta:nodes=0", BadLimits, "at least 1"),
        ("random:seed=x", BadLimits, "seed must be a whole number"),
        ("alpha_beta:threads=2", BadText, "'threads=2' is not understood, it takes depth="),
        ("engine:simulations=5", BadText, "'simulations=5' is not understood"),
        ("engine:threads=0", BadLimits, "threads is 0"),
        ("engine:table_mib=-1", BadLimits, "table_mib is -1"),
        ("uct:simulations=0", BadLimits, "simulations is 0"),
        ("uct:table_mib=4", BadText, "it takes depth=..., nodes=..., seconds=..., seed="),
    ],
)
def test_a_bad_description_is_refused_with_the_reason(
    text: str, error: type[PlyforgeError], says: str
) -> None:
    with pytest.raises(error, match=says):
        parse_player(text, TIC_TAC_TOE)


def test_a_search_that_is_not_sound_for_the_game_is_refused_before_the_game_begins() -> None:
    with pytest.raises(Unsuitable, match="max_n"):
        parse_player("alpha_beta:depth=3", ThreeSticks())
    with pytest.raises(Unsuitable, match="expectiminimax"):
        parse_player("minimax", DiceRace())


def test_limits_given_outside_hold_only_where_the_description_has_none() -> None:
    assert parse_player("alpha_beta", depth=3).description == "alpha_beta:depth=3"
    assert parse_player("engine", depth=3).description == "engine:depth=3"
    assert parse_player("alpha_beta:nodes=9", depth=3, seconds=2.0).description == "alpha_beta:nodes=9"


# ------------------------------------------------------------------ a game in progress
def test_a_session_knows_who_moves_what_is_legal_and_who_won() -> None:
    session = GameSession(TIC_TAC_TOE)
    assert session.player == MAX and session.legal == list(range(9)) and session.outcome is None
    for text in X_WINS:
        session.play_text(text)
    assert session.over and session.player is None and session.legal == []
    outcome = session.outcome
    assert outcome is not None
    assert outcome.winners == (MAX,) and outcome.utilities == (1.0, -1.0) and outcome.reason == "by the rules"
    assert outcome.text(TIC_TAC_TOE) == "X (MAX) wins"
    assert [turn.player for turn in session.history] == [MAX, MIN, MAX, MIN, MAX]
    with pytest.raises(IllegalAction, match="the game is over"):
        session.play(8)


def test_a_draw_has_no_winner() -> None:
    outcome = GameSession(TIC_TAC_TOE, "xoxxoooxx").outcome
    assert (
        outcome is not None
        and outcome.draw
        and outcome.winners == ()
        and outcome.text(TIC_TAC_TOE) == "a draw"
    )


def test_an_illegal_action_is_refused_and_changes_nothing() -> None:
    session = played(TIC_TAC_TOE, "5")
    before = session.state
    with pytest.raises(IllegalAction, match="5 is not a legal action here; legal: 1, 2, 3, 4, 6"):
        session.play(4)
    with pytest.raises(IllegalAction, match="legal: 1, 2"):
        session.play_text("z9")
    with pytest.raises(IllegalAction):
        session.play("nonsense")
    assert session.state == before and len(session.history) == 1


def test_resigning_ends_the_game_and_can_be_taken_back() -> None:
    session = played(TIC_TAC_TOE, "5")
    session.resign(MIN)
    outcome = session.outcome
    assert outcome is not None
    assert (
        outcome.winners == (MAX,)
        and outcome.utilities == (1.0, -1.0)
        and outcome.reason == "O (MIN) resigned"
    )
    session.undo()
    assert session.outcome is None and len(session.history) == 1
    with pytest.raises(IllegalAction, match="no player 2"):
        session.resign(2)


def test_nobody_wins_when_one_of_three_resigns() -> None:
    session = GameSession(ThreeSticks())
    session.resign(1)
    outcome = session.outcome
    assert outcome is not None and outcome.winners == () and outcome.utilities is None and not outcome.draw
    assert outcome.text(session.game) == "Bob resigned"


def test_three_players_take_turns_and_one_wins() -> None:
    session = played(ThreeSticks(), "2", "1", "2")
    outcome = session.outcome
    assert outcome is not None and outcome.winners == (2,) and outcome.utilities == (-1.0, -1.0, 2.0)
    assert player_name(session.game, 2) == "Cleo"


def test_undo_and_redo_walk_along_the_game() -> None:
    session = played(TIC_TAC_TOE, *X_WINS)
    states = [turn.state for turn in session.history] + [session.state]
    session.undo(3)
    assert session.state == states[2] and session.can_redo
    session.redo(2)
    assert session.state == states[4]
    session.undo(4)
    session.play_text("9")
    assert not session.can_redo
    with pytest.raises(IllegalAction, match="can't take back 3 turns: there are 1"):
        session.undo(3)
    with pytest.raises(IllegalAction):
        session.redo()


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(-3, 8), max_size=40))
def test_the_state_is_always_the_start_with_the_history_applied(steps: list[int]) -> None:
    session = GameSession(DiceRace(), seed=5)
    for step in steps:
        if step == -1 and session.history:
            session.undo()
        elif step == -2 and session.can_redo:
            session.redo()
        elif step >= 0 and not session.over:
            if session.player == CHANCE:
                session.draw()
            else:
                session.play(session.legal[step % len(session.legal)])
        state = session.start
        for turn in session.history:
            assert turn.state == state and turn.player == session.game.player(state)
            state = session.game.result(state, turn.action)
        assert state == session.state


def test_chance_takes_the_numbers_of_the_seeds_stream_one_for_each_ply() -> None:
    session = GameSession(DiceRace(goal=40), seed=99)
    stream = new_stream(99)
    while not session.over:
        number = uniform(stream)
        if session.player == CHANCE:
            assert session.draw().outcome == int(number * 6) + 1
        else:
            session.play(1)


def test_taking_back_does_not_buy_another_throw() -> None:
    session = played(DiceRace(), "1", seed=4)
    first = session.draw().outcome
    session.undo(2)
    session.play(2)
    assert session.draw().outcome == first


def test_every_face_of_the_die_comes_up_as_often_as_it_should() -> None:
    counts: Counter[int] = Counter()
    for seed in range(3000):
        session = played(DiceRace(), "1", seed=seed)
        counts[session.draw().outcome] += 1
    assert set(counts) == set(range(1, 7))
    assert all(abs(count - 500) < 100 for count in counts.values())  # five standard deviations


def test_chance_moves_only_where_it_is_to_move() -> None:
    session = GameSession(DiceRace(), seed=1)
    with pytest.raises(IllegalAction, match="chance is not to move"):
        session.draw()
    session.play(1)
    session.play(6)  # an outcome may also be given: real dice
    assert session.state.first == 6 and session.history[-1].player == CHANCE


def test_rules_without_an_action_in_a_live_state_are_named() -> None:
    class Stuck(ThreeSticks):
        def actions(self, s: Sticks) -> Iterator[int]:
            return iter(())

    with pytest.raises(BadRules, match="no action"):
        _ = GameSession(Stuck()).legal


def test_a_session_begins_anywhere_but_not_with_any_seed() -> None:
    assert GameSession(TIC_TAC_TOE, "x...o...x").player == MIN
    with pytest.raises(BadText):
        GameSession(TIC_TAC_TOE, "xxxxxxxxx")
    with pytest.raises(BadLimits, match="seed"):
        GameSession(TIC_TAC_TOE, seed=-1)


# ------------------------------------------------------------------ games on disk
@pytest.mark.parametrize(
    "text",
    [
        "tic_tac_toe",
        "connect4",
        "connect4(width=6, height=5)",
        "three_nim(sticks=9)",
        "nim(heaps=(1, 2))",
        "tree([[1, 2], [3, {'chance': [4, 5]}]])",
    ],
)
def test_a_game_has_a_text_that_makes_it_again(text: str) -> None:
    game = load(text)
    assert load(game_text(game)) == game


def test_only_what_differs_from_the_defaults_is_named() -> None:
    assert game_text(load("connect4(7, 6, 4)")) == "connect4"
    assert game_text(load("connect4(5)")) == "connect4(width=5)"


def test_a_rules_file_is_named_by_its_path() -> None:
    assert game_text(DiceRace(goal=9)) == f"{Path(__file__).resolve()}:DiceRace(goal=9)"


def test_a_game_that_no_text_can_name_is_not_saved() -> None:
    class Local(ThreeSticks):
        pass

    with pytest.raises(BadText, match="top level"):
        game_text(Local())
    with pytest.raises(BadText, match="its goal is <object"):
        game_text(DiceRace(goal=object()))  # type: ignore[arg-type]


@pytest.mark.parametrize("actions", [[], ["5"], X_WINS, ["1", "2", "3", "5", "8", "6", "4", "7", "9"]])
def test_what_is_saved_is_restored(tmp_path: Path, actions: list[str]) -> None:
    session = played(TIC_TAC_TOE, *actions, seed=12)
    session.seats = ("human", "alpha_beta:depth=3")
    again = restore(save(session, tmp_path / "game.json"))
    assert again.game == session.game and again.history == session.history and again.seed == 12
    assert again.outcome == session.outcome and again.seats == session.seats
    assert GameSession.from_json(json.loads(json.dumps(session.to_json()))).history == session.history


def test_a_saved_game_with_dice_goes_on_with_the_dice_it_would_have_had(tmp_path: Path) -> None:
    session = played(DiceRace(), "1", seed=31)
    save(session, tmp_path / "race.json")
    again = restore(tmp_path / "race.json", DiceRace())
    for one in (session, again):
        one.draw()
        one.play(2)
        one.draw()
    assert again.history == session.history


def test_a_resignation_is_saved(tmp_path: Path) -> None:
    session = played(TIC_TAC_TOE, "5")
    session.resign(MAX)
    outcome = restore(save(session, tmp_path / "g")).outcome
    assert outcome is not None and outcome.winners == (MIN,) and outcome.resigned == MAX


def test_a_start_that_is_not_the_games_own_is_saved_as_text(tmp_path: Path) -> None:
    session = GameSession(load("connect4"), "4455")
    session.play_text("4")
    again = restore(save(session, tmp_path / "g.json"))
    assert again.state == session.state and len(again.history) == 1


GOOD = {
    "format": "plyforge game",
    "version": 1,
    "game": "tic_tac_toe",
    "start": ".........",
    "seed": 7,
    "players": ["human", "random"],
    "actions": X_WINS,
    "resigned": None,
    "result": {"winners": [0], "utilities": [1.0, -1.0], "reason": "by the rules"},
}


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"format": "chess game"}, "not a saved game"),
        ({"version": 2}, "version: 2 was written by a newer Plyforge"),
        ({"version": True}, "version: expected a whole number"),
        ({"game": "tic_tac_two"}, "game: there is no game called 'tic_tac_two'; did you mean tic_tac_toe"),
        ({"game": 5}, "game: expected text, found 5"),
        ({"game": "connect4(width=-1)"}, "game: connect4 needs"),
        ({"game": "connect4(" + "(" * 100_000 + ")" * 100_000 + ")"}, "game: "),
        ({"start": 3}, "start: expected text or null"),
        ({"start": "xxxxxxxxx"}, "start: 'xxxxxxxxx' can't arise"),
        ({"seed": -1}, "seed: expected a whole number from 0"),
        ({"seed": 1.5}, "seed: "),
        ({"seed": True}, "seed: "),
        ({"players": "human"}, "players: expected a list of texts"),
        ({"players": ["human"]}, "players: 1 are named, tic_tac_toe has 2"),
        ({"actions": {"1": 2}}, "actions: expected a list"),
        ({"actions": ["1", 4]}, "actions, number 2: expected text, found 4"),
        (
            {"actions": ["1", "4", "2", "5", "7", "9", "4"], "result": None},
            "action 7, '4': .* legal: 3, 6, 8",
        ),
        ({"actions": [*X_WINS, "9"]}, "action 6, '9': .*the game is over"),
        ({"actions": ["1"]}, "result: there is one, but the game is not over"),
        ({"resigned": 0}, "resigned: nobody can resign: the game is over"),
        ({"resigned": 2, "actions": [], "result": None}, "resigned: there is no player 2"),
        ({"resigned": "MAX"}, "resigned: expected the number of a player"),
        ({"late": True}, "late: expected false, or true where somebody is out"),
        ({"late": 1, "resigned": 0}, "late: expected false"),
        ({"result": {"winners": [1], "utilities": [1, -1], "reason": ""}}, r"result: it says winners \[1\]"),
        ({"result": {"winners": [0], "utilities": [1], "reason": ""}}, "result: it says"),
        ({"result": {"winners": [0], "utilities": [2, -1], "reason": ""}}, "result: it says"),
        ({"result": {"winners": [0], "utilities": None, "reason": ""}}, "result: it says"),
        ({"result": {"winners": [0], "utilities": [10**400, 1], "reason": ""}}, "result: utilities"),
        ({"result": {"winners": 0, "utilities": [1, -1], "reason": ""}}, "result: winners is 0"),
        ({"result": {"winners": [0], "utilities": "1", "reason": ""}}, "result: utilities is '1'"),
        ({"result": {"winners": [0], "utilities": [1, -1], "reason": 1}}, "result: reason is 1"),
        ({"result": "MAX"}, "result: expected winners"),
        ({"surprise": 1}, "there is no field 'surprise'"),
    ],
)
def test_a_saved_game_that_is_not_right_is_refused_with_the_place(
    tmp_path: Path, change: dict[str, Any], says: str
) -> None:
    path = tmp_path / "game.json"
    path.write_text(json.dumps(GOOD))
    assert restore(path).over  # without the change it is fine
    path.write_text(json.dumps(GOOD | change))
    with pytest.raises(BadText, match=says) as caught:
        restore(path)
    assert str(caught.value).startswith(f"{path}: ") and "\n" not in str(caught.value)


@pytest.mark.parametrize("missing", ["version", "game", "start", "seed", "actions"])
def test_a_saved_game_with_a_field_missing_is_refused(missing: str) -> None:
    with pytest.raises(BadText, match=missing):
        Record.from_json({key: value for key, value in GOOD.items() if key != missing})


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "line 1, column 1: not JSON"),
        (b"{", "not JSON"),
        (b'{"format": "plyforge game",\n "version": }', "line 2, column 13: not JSON"),
        (b"[]", "not a saved game"),
        (b"null", "not a saved game"),
        (b"\xff\xfe", "byte 0: not UTF-8"),
        (b"[" * 200_000, "nested too deeply"),
        (b"NaN", "NaN is not a number"),
        (b"9" * 10_000, "not JSON"),
        (b" " * (record.LARGEST_FILE + 1), "larger than 4 MiB"),
    ],
)
def test_a_file_that_is_not_a_saved_game_is_refused(tmp_path: Path, content: bytes, says: str) -> None:
    path = tmp_path / "game.json"
    path.write_bytes(content)
    with pytest.raises(BadText, match=says):
        restore(path)


def test_a_file_cut_short_anywhere_is_refused(tmp_path: Path) -> None:
    path = save(played(TIC_TAC_TOE, *X_WINS), tmp_path / "game.json")
    content = path.read_bytes().rstrip()
    for length in range(len(content)):
        path.write_bytes(content[:length])
        with pytest.raises(BadText):
            restore(path)


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_a_damaged_file_is_a_game_or_bad_text_and_nothing_else(data: st.DataObject) -> None:
    content = bytearray(json.dumps(GOOD).encode())
    for _ in range(data.draw(st.integers(1, 3))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    try:
        session = Record.from_json(record.parse(bytes(content))).session()
    except BadText:
        return
    assert session.game.players == 2


def test_a_file_that_is_not_there_or_not_a_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadText, match="there is no file"):
        restore(tmp_path / "nowhere.json")
    with pytest.raises(BadText, match="there is no file"):
        restore(tmp_path)
    for name in ("", "a\0b", "x" * 5000):
        with pytest.raises(BadText):
            restore(name)


@pytest.mark.parametrize(
    "game", ["{rules}", "{rules}:Trap", "tree({rules}", "tree({rules}:Trap", "../{name}"]
)
def test_reading_a_saved_game_runs_no_rules_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    (tmp_path / "tree(").mkdir()
    rules = tmp_path / "trap.py"
    rules.write_text(f"open({str(tmp_path / 'sprung')!r}, 'w')\n")
    monkeypatch.chdir(tmp_path / "tree(")
    text = game.format(rules=rules, name=rules.name)
    with pytest.raises(BadText, match=r"A rules file is a program|no game called"):
        Record.from_json(GOOD | {"game": text}).session()
    with pytest.raises(BadText):
        Record.from_json(GOOD | {"game": text}).session(TIC_TAC_TOE)
    assert not (tmp_path / "sprung").exists()


def test_a_record_of_one_game_is_not_taken_for_another() -> None:
    data = played(TIC_TAC_TOE, "5").to_json()
    with pytest.raises(BadText, match="this is a game of tic_tac_toe, not of connect4"):
        GameSession.from_json(data, load("connect4"))
    same = Record.from_json(played(load("connect4"), "5").to_json() | {"game": "connect4(7, 6)"})
    assert same.session(load("connect4")).history


def test_saving_replaces_saved_games_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    save(played(TIC_TAC_TOE, "5"), path)
    save(played(TIC_TAC_TOE, "5", "1"), path)
    assert len(restore(path).history) == 2
    notes = tmp_path / "notes.txt"
    notes.write_text("mine")
    for target in (notes, tmp_path):
        with pytest.raises(PlyforgeError, match="exists and is not a saved game"):
            save(played(TIC_TAC_TOE), target)
    assert notes.read_text() == "mine"
    with pytest.raises(PlyforgeError, match="can't write"):
        save(played(TIC_TAC_TOE), tmp_path / "no" / "such" / "folder.json")
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["game.json", "notes.txt"]


def test_a_failed_write_leaves_the_old_file_and_no_rubbish(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = save(played(TIC_TAC_TOE, "5"), tmp_path / "game.json")

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(PlyforgeError, match="No space left"):
        save(played(TIC_TAC_TOE, "5", "1"), path)
    monkeypatch.undo()
    assert len(restore(path).history) == 1
    assert [entry.name for entry in tmp_path.iterdir()] == ["game.json"]


def test_saving_follows_a_link(tmp_path: Path) -> None:
    save(played(TIC_TAC_TOE), tmp_path / "real.json")
    link = tmp_path / "link.json"
    link.symlink_to(tmp_path / "real.json")
    save(played(TIC_TAC_TOE, "5"), link)
    assert link.is_symlink() and len(restore(tmp_path / "real.json").history) == 1


def test_reading_an_action_asks_of_it_alone_whether_it_is_forbidden(monkeypatch) -> None:
    session, asked = GameSession(load("go(size=5)")), []
    original = GameSession.forbidden

    def spy(self: GameSession, action: Any) -> str:
        asked.append(action)
        return original(self, action)

    monkeypatch.setattr(GameSession, "forbidden", spy)
    action = session.read_action("C3")
    assert asked == [action]
