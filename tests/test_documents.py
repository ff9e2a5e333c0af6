"""Code in the documents runs: every python block of the README, the guides, and the pages, in order, one namespace a page."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")


@pytest.mark.parametrize("page", PAGES, ids=[str(p.relative_to(ROOT)) for p in PAGES])
def test_the_code_of_a_page_runs(page, tmp_path, monkeypatch):
    blocks = BLOCK.findall(page.read_text())
    if not blocks:
        pytest.skip("no python block on this page")
    monkeypatch.chdir(tmp_path)
    script = tmp_path / "page.py"
    script.write_text("\n".join(blocks))  # as a file: rules are digested from their source
    names = {"__name__": "page", "__file__": str(script)}
    import sys
    import types

    module = types.ModuleType("page")
    module.__dict__.update(names)
    monkeypatch.setitem(sys.modules, "page", module)
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile(script.read_text(), str(script), "exec"), module.__dict__)
    assert len(module.__dict__) > 2


@pytest.mark.parametrize("page", PAGES, ids=[str(p.relative_to(ROOT)) for p in PAGES])
def test_links_between_pages_lead_somewhere(page):
    for target in LINK.findall(page.read_text()):
        if "://" not in target:
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_there_is_a_page_for_every_game_and_every_search():
    import plyforge as pf

    for name in pf.names():
        assert (ROOT / "docs" / "games" / f"{name}.md").is_file(), name
    for name in [*pf.SEARCHES, *pf.search.PATHS]:
        assert (ROOT / "docs" / "algorithms" / f"{name}.md").is_file(), name


def test_the_readme_names_the_folders_that_there_are():
    text = (ROOT / "README.md").read_text()
    for folder in sorted((ROOT / "src" / "plyforge").iterdir()):
        if folder.is_dir() and not folder.name.startswith("_"):
            assert f"{folder.name}/" in text, folder.name


def test_the_guide_of_the_terminal_names_the_strongest_search_for_each_kind_of_game():
    import plyforge as pf
    from plyforge.play.engine import strongest

    text = (ROOT / "docs" / "guides" / "play-in-the-terminal.md").read_text()
    [row] = [line for line in text.splitlines() if line.startswith("| `engine` |")]
    named = re.findall(r"\[(\w+)\]\(\.\./algorithms/", row)
    assert named == [strongest(pf.load(game)) for game in ("connect4", "pig", "three_nim", "slider")]


def test_the_readme_shows_every_verb():
    from plyforge.cli import VERBS

    text = (ROOT / "README.md").read_text()
    for verb in VERBS:
        assert f"plyforge {verb}" in text, verb
