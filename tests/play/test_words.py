"""One source of words: what a search or a solution says of a value is the same phrase in every face."""

from __future__ import annotations

import io
from typing import Any

import pytest
from rich.console import Console

import plyforge as pf
from paths import ROOT
from plyforge.cli import report
from plyforge.contract.value_words import everyone, in_words
from plyforge.play.words import REASONS, ended, ended_because, explain, value_words
from plyforge.studio.present.search_message import Teller

FOUND: list[tuple[str, str | None, dict[str, Any], str]] = [
    ("tic_tac_toe", None, {"using": "engine"}, "a draw, proven"),
    ("tic_tac_toe", "xx.oo....", {"using": "engine"}, "X wins in 1 ply, proven"),
    ("nim(heaps=(1, 2))", None, {"using": "engine"}, "MAX wins in 3 plies, proven"),
    ("chess", None, {"using": "engine", "nodes": 300}, "about "),
    ("pig(goal=4)", None, {"using": "expectiminimax", "depth": 2}, "about "),
    ("three_nim(sticks=5)", None, {"using": "max_n"}, "player 0 "),
    ("slider(width=2, height=2)", None, {"using": "a_star"}, ""),
    ("goofspiel(cards=2)", None, {"simulations": 50}, "about "),
]


@pytest.mark.parametrize(("game", "state", "how", "phrase"), FOUND)
def test_every_face_says_the_same(
    game: str, state: str | None, how: dict[str, Any], phrase: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = pf.search(game, state, native=False, **how)
    words = value_words(found)
    assert words.startswith(phrase)
    assert explain(found).startswith(f"{words}; ") or found.depth == 0
    assert Teller(found.game, found.state).tell(found)["value"]["words"] == words
    output = io.StringIO()
    monkeypatch.setattr(report, "Console", lambda **more: Console(file=output, width=500))
    report.print_result(found)
    assert words in output.getvalue() and ended_because(found) in output.getvalue()
    assert ended_because(found).startswith(ended(found))


@pytest.mark.parametrize("state", ["xx.oo....", "x...o....", "xo......."])
def test_a_solution_says_what_a_proof_says(state: str) -> None:
    found = pf.search("tic_tac_toe", state, using="engine", native=False)
    solved = pf.solve("tic_tac_toe", state, using="retrograde", native=False)
    assert solved.words == value_words(found)
    assert f"value={solved.words}" in str(solved.rows()) or solved.words in dict(solved.rows())["value"]


def test_chance_and_claims_are_told_from_proofs() -> None:
    pig, chess = pf.load("pig"), pf.load("chess")
    assert in_words(pig, everyone(pig, 0.25), True, on_average=True).endswith(" for MAX on average, proven")
    assert in_words(chess, everyone(chess, 1.0), False, 5) == "White wins in 5 plies, it says"
    assert in_words(chess, everyone(chess, 1.0), True, 5, speaker=1) == "I lose in 5 plies, proven"


QUOTED = tuple(f'"{short}"' for short, _ in REASONS.values() if " " in short)


def test_no_other_file_puts_values_into_words() -> None:
    """A second place is found by its phrases."""
    phrases = ("wins{by", "about {text}", "about {number_text", *QUOTED)
    found = {
        (path.name, phrase)
        for face in ("cli", "play", "studio", "solve", "contract", "teach", "draw")
        for path in (ROOT / "src" / "plyforge" / face).rglob("*.py")
        for phrase in phrases
        if phrase in path.read_text()
    }
    assert {name for name, _ in found} == {"value_words.py", "words.py"}, sorted(found)
