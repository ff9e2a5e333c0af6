"""Players that follow a mixed strategy from a file: they find their information sets, and play the mixes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import plyforge as pf
from plyforge.contract import CHANCE, MAX
from plyforge.errors import BadText, IllegalAction
from plyforge.games.hidden.kuhn_poker import BET
from plyforge.play import GameSession
from plyforge.play.players.mixed_strategy_player import MixedStrategyPlayer
from plyforge.play.players.spec import parse_player
from plyforge.solve.hidden import cfr_plus
from plyforge.solve.hidden.strategy_file import MixedStrategy


@pytest.fixture(scope="module")
def solved() -> MixedStrategy:
    return MixedStrategy.of(cfr_plus("kuhn_poker", iterations=300, native=False))


def play(session: GameSession, players: list[Any]) -> float:
    while not session.over:
        mover = session.player
        assert mover is not None
        if mover == CHANCE:
            session.draw()
            continue
        seen, before = session.observation(mover), session.observations(mover)
        session.play(players[mover].choose(session.game, seen, history=before).action)
    outcome = session.outcome
    assert outcome is not None and outcome.utilities is not None
    return outcome.utilities[MAX]


def test_it_finds_its_information_set_by_what_it_saw_and_did(solved: MixedStrategy, monkeypatch: Any) -> None:
    """Every answer of whole games is by number: the mean over what looks the same is never asked for."""
    players = [MixedStrategyPlayer(solved, seed=seed) for seed in (1, 2)]
    for player in players:
        monkeypatch.setattr(player, "_seeing", {})
    results = [play(GameSession("kuhn_poker", seed=seed), players) for seed in range(300)]
    assert sum(results) / 300 == pytest.approx(-1 / 18, abs=4 * 1.3 / 300**0.5), "within four standard errors"


def test_it_mixes_as_the_file_says(solved: MixedStrategy, tmp_path: Path) -> None:
    """MIN's jack bluffs one time in three after a check (Kuhn 1950)."""
    solved.save(tmp_path / "kuhn.json")
    game = pf.load("kuhn_poker")
    player = parse_player(f"strategy:{tmp_path / 'kuhn.json'}", game, seed=3)
    assert isinstance(player, MixedStrategyPlayer)
    seen = pf.parse_state(game, "? J check")
    bets = sum(player.choose(game, seen).action == BET for _ in range(600))
    assert bets / 600 == pytest.approx(1 / 3, abs=0.08)


def test_what_is_in_no_file_is_said(solved: MixedStrategy, tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_text("{}")
    with pytest.raises(BadText, match="no mixed strategy"):
        parse_player(f"strategy:{tmp_path / 'bad.json'}", "kuhn_poker")
    empty = MixedStrategyPlayer(solved)
    empty._by_key, empty._seeing = {}, {}
    with pytest.raises(IllegalAction, match="says nothing about J"):
        empty.choose(solved.game, pf.parse_state(solved.game, "J ?"))
