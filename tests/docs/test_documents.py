"""Code in the documents runs: every python block of the README, the guides, and the pages, in order, one namespace a
page."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import pytest

import paths

ROOT = paths.ROOT
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)#\s]*)(?:#([^)]*))?\)")
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
COMMAND = re.compile(r"^\s*(?:\$ )?plyforge (?!-)(.*)$", re.MULTILINE)


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
    for target, place in LINK.findall(page.read_text()):
        if "://" in target:
            continue
        file = page.parent / target if target else page
        assert file.exists(), f"{page.name} links to {target}"
        if place and file.suffix == ".md":
            assert place in headings(file), f"{page.name} links to {target}#{place}"


def headings(page: Path) -> set[str]:
    """What a link may name after its `#`: the headings, as GitHub writes them."""
    return {re.sub(r"[^\w\- ]", "", heading).lower().replace(" ", "-") for heading in HEADING.findall(page.read_text())}


def parse(text: str, where: str) -> None:
    """Have the command line read a command, without running it. What stands after two spaces is a remark."""
    import shlex

    import click

    from plyforge.cli import plyforge_command as main

    verb, *arguments = shlex.split(re.split(r"\s{2,}|\s#\s|[|>]\s", text)[0].rstrip("`"))
    found = main.get_command(click.Context(main), verb)
    assert found is not None, f"{where}: there is no plyforge {verb}"
    try:
        found.make_context(verb, arguments)
    except click.UsageError as error:
        raise AssertionError(f"{where}: plyforge {text}: {error.format_message()}") from None


@pytest.mark.parametrize("page", PAGES, ids=[str(p.relative_to(ROOT)) for p in PAGES])
def test_the_commands_of_a_page_are_ones_that_the_command_line_takes(page):
    for block in re.findall(r"^```(?:console|text)?\n(.*?)^```", page.read_text(), re.MULTILINE | re.DOTALL):
        for text in COMMAND.findall(block):
            parse(text, page.name)


def test_the_examples_in_the_help_of_a_verb_are_ones_that_the_command_line_takes():
    import click

    from plyforge.cli import VERBS
    from plyforge.cli import plyforge_command as main

    for verb in VERBS:
        command = main.get_command(click.Context(main), verb)
        for text in COMMAND.findall(command.help or ""):
            parse(text, f"plyforge {verb} --help")


def test_there_is_a_page_for_every_game_and_searches():
    import plyforge as pf

    for name in pf.names():
        assert (ROOT / "docs" / "games" / f"{name}.md").is_file(), name
    for name in [*pf.SEARCHES, *pf.search.MONTE_CARLO, *pf.search.AT_ONCE, *pf.search.PATHS, *pf.search.HIDDEN]:
        assert (ROOT / "docs" / "algorithms" / f"{name}.md").is_file(), name


def test_the_readme_names_the_folders_that_there_are():
    text = (ROOT / "README.md").read_text()
    for folder in sorted((ROOT / "src" / "plyforge").iterdir()):
        if folder.is_dir() and not folder.name.startswith("_"):
            assert f"{folder.name}/" in text, folder.name


def test_the_readme_and_the_architecture_have_the_layers_in_the_order_that_is_enforced():
    import tomllib

    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    [contract] = settings["tool"]["importlinter"]["contracts"]
    layers = [layer.removeprefix("plyforge.") for layer in reversed(contract["layers"]) if "|" not in layer]
    folders = [layer for layer in layers if (ROOT / "src" / "plyforge" / layer).is_dir()]
    for page, sign in (("README.md", r"^  (\w+)/ "), ("docs/architecture.md", r"^\| `(\w+)/`")):
        assert re.findall(sign, (ROOT / page).read_text(), re.MULTILINE) == folders, page


def test_the_readme_names_every_guide():
    text = (ROOT / "README.md").read_text()
    for guide in (ROOT / "docs" / "guides").glob("*.md"):
        assert f"(docs/guides/{guide.name})" in text, guide.name


def test_the_guide_of_the_terminal_names_the_strongest_search_for_each_kind_of_game():
    import plyforge as pf
    from plyforge.play.engine import strongest

    text = (ROOT / "docs" / "guides" / "play-in-the-terminal.md").read_text()
    [row] = [line for line in text.splitlines() if line.startswith("| `best` |")]
    named = re.findall(r"\[(\w+)\]\(\.\./algorithms/", row)
    assert named == [strongest(pf.load(game)) for game in ("connect4", "pig", "three_mens_morris", "slider")]


def test_the_readme_shows_every_verb():
    from plyforge.cli import VERBS

    text = (ROOT / "README.md").read_text()
    for verb in VERBS:
        assert f"plyforge {verb}" in text, verb


DECISIONS = ROOT / "docs" / "decisions"
"""They are not edited after they were accepted, not even their lines."""


@pytest.mark.parametrize("page", [p for p in PAGES if p.parent != DECISIONS], ids=lambda p: str(p.relative_to(ROOT)))
def test_prose_is_within_120_columns(page):
    """Tables, and what programs print, are as wide as they are."""
    fenced, found = False, []
    for number, line in enumerate(page.read_text().splitlines(), 1):
        if line.startswith("```"):
            fenced = not fenced
        prose = not fenced and not line.startswith(("|", "#", "!")) and " " in line.strip()[:120]
        if prose and len(line) > 120:
            found.append(number)
    assert not found, f"lines {found} of {page.name} are longer"
