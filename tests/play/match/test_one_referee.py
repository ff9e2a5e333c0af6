"""The one referee: hidden information, simultaneous moves and many players, in matches and round a table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import paths
import plyforge as pf
from plyforge.contract import SIMULTANEOUS
from plyforge.errors import Unsuitable
from plyforge.play import Match, TableMatch, Tournament
from plyforge.play.match.openings import Opening
from plyforge.play.match.referee import Referee, TimeRules
from plyforge.play.players.given import contestant
from plyforge.play.players.player import Choice, Player

AGENTS = f"python:{paths.SUPPORT / 'agents.py'}"
SETTINGS: dict[str, Any] = {"native": False, "workers": 1}


class Spy(Player):
    """Keeps what it is shown, and passes it on."""

    def __init__(self, text: str, game: Any) -> None:
        self.inner = contestant(text, game, native=False)
        self.shown: list[str] = []
        self.heard: list[Any] = []
        self.game = game
        self.description = text

    def prepare(self, game: Any) -> None:
        self.inner.prepare(game)

    def new_game(self, seat: int, start: Any, seed: int) -> None:
        assert start is None
        self.inner.new_game(seat, start, seed)

    def observe(self, state: Any, action: Any, player: int) -> None:
        self.heard.append(action)

    def choose(self, game: Any, state: Any, *, history: Any = (), **more: Any) -> Choice:
        self.shown += [pf.format_state(self.game, each) for each in (*history, state)]
        return self.inner.choose(game, state, history=history, **more)

    def close(self) -> None:
        self.inner.close()


def spied(name: str, seed: int, text: str = "random:seed=1") -> tuple[Any, list[Spy], Referee]:
    game = pf.load(name)
    spies = [Spy(text, game), Spy(text, game)]
    for spy in spies:
        spy.prepare(game)
    referee = Referee(game, spies, TimeRules())
    return referee.play(0, "A", Opening(), seed), spies, referee


def test_players_of_a_hidden_game_see_their_own_part_and_hear_nothing() -> None:
    for seed in range(5):
        played, spies, _ = spied("kuhn_poker", seed)
        cards = played.actions[:2]
        for seat, spy in enumerate(spies):
            assert spy.heard == []
            assert all(shown.split()[1 - seat] in ("?", "-") for shown in spy.shown), spy.shown
            assert not spy.shown or spy.shown[-1].split()[seat] == cards[seat]
        end = pf.state_after(pf.load("kuhn_poker"), *played.actions)
        assert pf.load("kuhn_poker").terminal(end) and played.winner in ("A", "B")


def test_the_canary_reaches_no_player() -> None:
    played, spies, _ = spied(str(paths.HIDDEN_RULES / "canary.py"), 3)
    for spy in spies:
        assert not any(word in shown for shown in spy.shown for word in ("7340912856", "9182736450"))
    assert played.forfeited is None


def test_a_match_of_a_hidden_game_among_agents_and_searches(tmp_path: Path) -> None:
    match = Match("kuhn_poker", f"{AGENTS}:Seeing", "random", games=6, record=tmp_path / "m.jsonl", **SETTINGS)
    standing = match.run()
    assert standing.forfeited == 0 and standing.finished
    assert all(game.actions[0] in "JQK" for game in standing.games), "the cards are on record when it is over"
    found = Tournament("kuhn_poker", ["is_mcts:simulations=50", "random"], games=4, **SETTINGS).run()
    assert found.forfeits == [0, 0] and len(found.games) == 4


def test_where_all_choose_at_once_each_is_asked_and_hears_of_it_after() -> None:
    name = "repeated_prisoners_dilemma(rounds=4)"
    played, spies, referee = spied(name, 1)
    game = pf.load(name)
    assert game.player(game.start()) == SIMULTANEOUS
    assert len(played.actions) == 4 and len(spies[0].heard) == 4, "of the last one, too, which ends the game"
    assert spies[0].heard == spies[1].heard
    assert played.moves == (4, 4) and played.utilities is not None
    assert referee.session.paid == played.utilities


def test_a_match_of_a_game_of_choosing_at_once() -> None:
    name = "repeated_prisoners_dilemma(rounds=3)"
    match = Match(name, f"{AGENTS}:Cooperative", "regret_matching:simulations=30,seed=1", games=2, **SETTINGS)
    standing = match.run()
    assert standing.forfeited == 0
    for game in standing.games:
        seat = 0 if game.first == "A" else 1
        assert {text.split(", ")[seat] for text in game.actions} == {"cooperate"}
    again = Match(name, f"{AGENTS}:Cooperative", "regret_matching:simulations=30,seed=1", games=2, **SETTINGS).run()
    assert [game.actions for game in again.games] == [game.actions for game in standing.games]


@pytest.mark.parametrize("game", ["kuhn_poker", "goofspiel"])
def test_such_games_begin_at_their_start(game: str) -> None:
    with pytest.raises(Unsuitable, match="begin at its start"):
        Match(game, "random", "random", games=2, opening_plies=1)


def test_agents_sit_round_a_table_and_a_forfeit_costs_the_worst_payoff() -> None:
    good = TableMatch("three_nim(sticks=9)", [f"{AGENTS}:First", "random", "max_n:depth=2"], rounds=1, native=False)
    assert all(game.forfeited is None for game in good.run().games)
    bad = TableMatch("three_nim(sticks=25)", [f"{AGENTS}:Raising", "random", "random:seed=2"], rounds=1, native=False)
    game = bad.game
    for played in bad.run().games:
        assert played.forfeited is not None and played.seats[played.forfeited] == 0
        assert played.payoffs[played.forfeited] == game.min_utility
        assert sum(played.payoffs) == pytest.approx(game.utility_sum)
        assert "KeyError" in played.message
        assert type(played).from_json(played.to_json()) == played
    with pytest.raises(Unsuitable, match="GTP has two colours"):
        TableMatch("three_nim(sticks=9)", ["gtp:cat", "random", "random"], native=False)
