"""Where things are: the project, its tests, and the known truths beside it."""

from __future__ import annotations

from pathlib import Path

SUPPORT = Path(__file__).resolve().parent
TESTS = SUPPORT.parent
ROOT = TESTS.parent
DOCS, EXAMPLES = ROOT / "docs", ROOT / "examples"
DATA = ROOT.parent / "shared" / "data"
"""Known truths that nobody here wrote; tests that need them skip where they are not."""
FACTS = DATA / "facts"

BROKEN_RULES = TESTS / "laws" / "broken_rules"
RULES_CORPUS = TESTS / "laws" / "rules_corpus"
HIDDEN_RULES = TESTS / "laws" / "hidden_rules"
NATURAL_GAMES = TESTS / "laws" / "natural_games"
