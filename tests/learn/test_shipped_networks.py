"""Networks that come with games: small, each with a card, and asked for as `network=own`."""

from __future__ import annotations

import pytest

import plyforge as pf
from paths import ROOT
from plyforge.errors import BadText
from plyforge.evaluate.learned import learned_from, shipped_file
from plyforge.evaluate.weighted import WEIGHTS
from plyforge.play import parse_player

SHIPPED = sorted(WEIGHTS.glob("*_learned.npz"))
MOST = 8 << 20
"""Bytes of all together."""


def test_they_are_small_and_have_a_card() -> None:
    """A card says how to make the network again."""
    assert SHIPPED and sum(path.stat().st_size for path in SHIPPED) <= MOST
    for path in SHIPPED:
        page = (ROOT / "docs" / "games" / f"{path.stem.removesuffix('_learned')}.md").read_text()
        assert path.name in page and "plyforge learn" in page and "games against itself" in page


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_a_player_may_judge_by_them(path) -> None:
    """And by nothing else than what the file says; rules of another size are refused."""
    game = pf.load(path.stem.removesuffix("_learned"))
    assert shipped_file(game) == path
    player = parse_player("engine:network=own,nodes=50", game, native=False)
    assert player.evaluate == learned_from(path, game)
    assert game.min_utility < player.evaluate.estimate(game, game.start()) < game.max_utility
    with pytest.raises(BadText, match="other rules"):
        parse_player("engine:network=own", pf.load("connect4(width=5, height=4)"), native=False)
