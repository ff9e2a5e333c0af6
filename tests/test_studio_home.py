"""The home view, in a real browser."""

from __future__ import annotations

from typing import Any

import plyforge as pf


def test_every_game_has_a_card_with_three_doors(page: Any) -> None:
    page.get_by_role("heading", name="Connect Four", exact=True).wait_for()
    assert page.locator("article.card").count() == len(pf.names())
    assert page.get_by_role("link", name="Play: Connect Four").get_attribute("href") == "#/play/connect4"
    page.get_by_role("link", name="Tree: Connect Four").click()
    page.get_by_role("heading", name="Tree").wait_for()
    assert page.title().endswith("Plyforge")
