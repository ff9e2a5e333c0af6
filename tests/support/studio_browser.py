"""Shared by the browser tests of the studio: a running studio, and a page of a real Chromium that has come in.

    def test_home(page):                        # the fixtures `page`, `browser` and `studio` are there for every test
        page.goto_view("#/")
        page.get_by_role("heading", name="Games").wait_for()

Skipped with a reason where there is no Chromium or no Playwright. A test fails if the page writes an error to its
console.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from patience import PATIENCE

if TYPE_CHECKING:
    from plyforge.studio.server.server import Studio

CHROMIUM = (
    os.environ.get("CHROMIUM")
    or shutil.which("chromium")
    or shutil.which("chromium-browser")
    or shutil.which("google-chrome")
)
GO = """address => {
  const before = location.hash;
  for (const old of document.querySelectorAll("#view > *")) old.dataset.left = "";
  location.hash = address;
  return location.hash !== before;
}"""
WIDE, NARROW = {"width": 1280, "height": 900}, {"width": 390, "height": 844}


@contextmanager
def running(*files: str | Path, **options: Any) -> Iterator[Studio]:
    """A studio that answers, in a thread, at a free port."""
    from plyforge.studio.server.server import Studio

    there = Studio(tuple(str(file) for file in files), **options)
    there.listen(0)
    thread = threading.Thread(target=there.serve, daemon=True)
    thread.start()
    end = time.monotonic() + PATIENCE
    while not there.started and time.monotonic() < end:
        time.sleep(0.005)
    assert there.started, f"the studio has not started within {PATIENCE:g} s"
    try:
        yield there
    finally:
        there.stop()
        thread.join(PATIENCE)
        assert not thread.is_alive(), f"the studio has not stopped within {PATIENCE:g} s"


@pytest.fixture(scope="module")
def studio() -> Iterator[Studio]:
    """One studio for all tests of a file."""
    with running() as there:
        yield there


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Chromium, started once."""
    if CHROMIUM is None:
        pytest.skip("there is no chromium here")
    if os.environ.get("NUMBA_DISABLE_JIT") == "1" or os.environ.get("NUMBA_BOUNDSCHECK") == "1":
        pytest.skip("pages are looked at with the code as it ships, once")
    playwright = pytest.importorskip("playwright.sync_api", reason="there is no playwright here")
    with playwright.sync_playwright() as driver:
        there = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield there
        there.close()


@contextmanager
def opened(browser: Any, studio: Studio, **context: Any) -> Iterator[Any]:
    """A page that has come in by the link. `page.goto_view("#/play/nim")` goes to a view;
    `page.wait_until("script")` waits; `page.problems` is what its console complained of."""
    context.setdefault("viewport", WIDE)
    surroundings = browser.new_context(**context)
    page = surroundings.new_page()
    page.set_default_timeout(1000 * PATIENCE)
    page.problems = []
    page.on("console", lambda message: page.problems.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: page.problems.append(str(error)))
    page.goto(studio.link)
    page.wait_for_url(lambda address: "/door" not in address)

    def goto_view(address: str) -> None:
        """Go there; what was shown before is gone then, so that nothing of it is taken for the new view."""
        if page.evaluate(GO, address):
            page.wait_until("!document.querySelector('#view > [data-left]')")

    def wait_until(script: str) -> None:
        """Until an expression is true. Playwright's own way of waiting for that evaluates text in the page, which
        our content security policy forbids."""
        end = time.monotonic() + PATIENCE
        while not page.evaluate(script):
            assert time.monotonic() < end, f"never true: {script}"
            page.wait_for_timeout(20)

    page.goto_view, page.wait_until = goto_view, wait_until
    try:
        yield page
    finally:
        surroundings.close()


@pytest.fixture
def page(browser: Any, studio: Studio) -> Iterator[Any]:
    """A fresh page that has come in. What its console complains of fails the test."""
    with opened(browser, studio) as there:
        yield there
        assert there.problems == [], f"the page's console says: {there.problems}"


@pytest.fixture(scope="session")
def axe() -> str:
    """The source of axe-core, which finds what makes a page hard to use for some: of $AXE_CORE, or installed by npm
    into a folder that is kept."""
    given = os.environ.get("AXE_CORE")
    kept = Path(os.environ.get("PLYFORGE_CACHE_DIR") or Path("~/.cache").expanduser()) / "plyforge-tests"
    file = Path(given) if given else kept / "node_modules" / "axe-core" / "axe.min.js"
    if not file.is_file() and not given and shutil.which("npm"):
        kept.mkdir(parents=True, exist_ok=True)
        with suppress(OSError, subprocess.TimeoutExpired):
            subprocess.run(
                [
                    "npm",
                    "install",
                    "--no-save",
                    "--no-audit",
                    "--no-fund",
                    "--prefix",
                    str(kept),
                    "axe-core@4",
                ],
                capture_output=True,
                timeout=90,
            )
    if not file.is_file():
        pytest.skip("axe-core is not here, and npm can't get it")
    return file.read_text()


def hard_to_use(page: Any, axe: str) -> list[str]:
    """What axe-core calls serious or critical on a page as it is shown, in words. It looks twice: a button that
    changes while it looks has two colours that never meet."""
    page.evaluate(axe)
    first = _violations(page)
    return [violation for violation in _violations(page) if violation in first] if first else []


def _violations(page: Any) -> list[str]:
    found = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
    return [
        f"{violation['impact']}: {violation['help']} ({violation['id']}): {node['html'][:200]}"
        for violation in found["violations"]
        if violation["impact"] in ("serious", "critical")
        for node in violation["nodes"]
    ]
