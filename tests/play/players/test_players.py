"""Who chooses: searches, chance, plans and people, and the texts that name them."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest

import plyforge as pf
from party_games import TIC_TAC_TOE, DiceRace, Race, ThreeSticks
from plyforge.contract import MAX, MIN, format_action, parse_state
from plyforge.errors import BadLimits, BadText, IllegalAction, PlyforgeError, Unsuitable
from plyforge.games import load
from plyforge.play import (
    Choice,
    GameSession,
    Human,
    Match,
    Player,
    RandomPlayer,
    SearchPlayer,
    StrategyPlayer,
    explain,
    parse_player,
)
from plyforge.play.players.player import Resigned
from plyforge.play.terminal import play_in_terminal
from plyforge.play.terminal.animation import play_live
from plyforge.search import search


def test_a_search_player_plays_what_the_search_finds_and_says_what_it_thought() -> None:
    state = parse_state(TIC_TAC_TOE, "xx.oo....")
    choice = SearchPlayer("alpha_beta", native=False).choose(TIC_TAC_TOE, state)
    assert format_action(TIC_TAC_TOE, state, choice.action) == "3"
    assert choice.result is not None and choice.result.value == 1.0
    assert choice.note.startswith("I win, proven; looked to the end of the game; ")


def test_a_value_is_explained_from_the_view_of_whoever_it_belongs_to() -> None:
    cut_short = search(TIC_TAC_TOE, "x........", "minimax", depth=1, native=False)
    assert explain(cut_short).startswith("about \N{MINUS SIGN}0.11 for X; looked 1 ply ahead; 9 nodes in")
    draw = search(TIC_TAC_TOE, "xoxxoo.x.", native=False)
    assert explain(draw).startswith("a draw, proven; ")
    hero = search(TIC_TAC_TOE, "xx.oo.x..", "paranoid", native=False)
    assert explain(hero).startswith("O wins, proven; ")
    dice = search(DiceRace(), Race(6, 6, MIN, False), depth=2, native=False)
    assert explain(dice).startswith("\N{MINUS SIGN}1 for MAX on average, proven; ")
    three = search(ThreeSticks(), native=False)
    assert explain(three).startswith("Ann 2, Bob \N{MINUS SIGN}1, Cleo \N{MINUS SIGN}1, proven; ")


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
        ("engine:nodes=20000,quiescence=no", "engine:nodes=20000,quiescence=False"),
        ("engine:depth=3,selective=no", "engine:depth=3,selective=False"),
        ("uct:simulations=10000", "uct:simulations=10000"),
        ("uct:seconds=0.5,exploration=0.7", "uct:seconds=0.5,exploration=0.7"),
        ("puct:nodes=500", "puct:nodes=500"),
        ("flat", "flat:seconds=1"),
        ("uct:simulations=9,habits=3", "uct:simulations=9,mast=3"),
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
        ("", BadText, "there are human, random, best, engine, minimax"),
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
        ("engine:quiescence=perhaps", BadLimits, "quiescence must be yes or no"),
        ("alpha_beta:quiescence=no", BadText, "'quiescence=no' is not understood"),
        ("engine:threads=0", BadLimits, "threads is 0"),
        ("engine:table_mib=-1", BadLimits, "table_mib is -1"),
        ("uct:explration=1", BadText, "did you mean exploration"),
        ("uct:cpuct=1", BadText, "did you mean exploration"),
        ("uct:simulations=0", BadLimits, "simulations is 0"),
        ("uct:table_mib=4", BadText, "it takes depth=..., nodes=..., seconds=..., simulations="),
    ],
)
def test_a_bad_description_is_refused_with_the_reason(text: str, error: type[PlyforgeError], says: str) -> None:
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


def test_players_and_models_are_described_for_a_game_by_its_name():
    from plyforge.play import parse_model

    assert parse_player("alpha_beta:depth=2", "tic_tac_toe") == parse_player("alpha_beta:depth=2", load("tic_tac_toe"))
    assert parse_model("uniform", "tic_tac_toe") == parse_model("uniform", load("tic_tac_toe"))


class GivesUp(Player):
    """A player that resigns at once."""

    def choose(self, game: Any, state: Any, **more: Any) -> Choice:
        raise Resigned("enough")


def test_who_gives_up_has_lost_in_every_face() -> None:
    game = pf.load("tic_tac_toe")
    for play in (play_in_terminal, lambda *given, **more: play_live(*given, delay=0.0, **more)):
        session = GameSession(game)
        play(session, [RandomPlayer(1), GivesUp()], output=io.StringIO())
        assert session.outcome is not None and session.outcome.winners == (0,) and session.resigned == 1
    played = Match("tic_tac_toe", GivesUp(), "random", games=2, native=False).run()
    assert all(each.winner == "B" and each.reason == "resigned" for each in played.games)
