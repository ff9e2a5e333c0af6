"""How long a person waits in the studio, in a real Chromium: a page to open, a move to be shown, a search to stop, and
what watching costs a search.

    python benchmarks/studio.py

Prints medians and worst cases in milliseconds, and nodes a second with and without somebody looking. Needs Chromium and
Playwright, as the browser tests do.
"""

from __future__ import annotations

import os
import re
import shutil
import statistics
import sys
import time
from typing import Any

import plyforge as pf
from plyforge.play import Engine
from plyforge.studio.server.server import Studio

MOVES = 12
OPENINGS = 8
SECONDS = 4.0
ROUNDS = 3
PLAY = """async () => {
  const section = document.querySelector('.play-board'), before = section.dataset.version;
  const open = () => document.querySelector('.board .hit.open');
  const pause = () => new Promise((done) => setTimeout(done, 1));
  let pressed = performance.now();
  for (let key = 0; key < 9 && section.dataset.version === before; key++) {
    const place = open();
    if (!place) return null;
    pressed = performance.now();
    place.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
    for (let wait = 0; wait < 300 && section.dataset.version === before && (!open() || open() === place); wait++) await pause();
  }
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)));
  return section.dataset.version === before ? null : performance.now() - pressed;
}"""  # noqa: E501
"""Press Enter on the first place that is open until a move is made; the milliseconds from the last key to the next
frame."""


def row(what: str, times: list[float]) -> None:
    print(f"{what:44} {statistics.median(times):8.1f} {max(times):8.1f}   {len(times)}", flush=True)


def opening(page: Any, studio: Studio) -> None:
    """From the address to the first board."""
    times = []
    for _ in range(OPENINGS):
        page.goto("about:blank")
        began = time.perf_counter()
        page.goto(f"http://127.0.0.1:{studio.port}/")
        page.locator(".card svg").first.wait_for()
        times.append(1000 * (time.perf_counter() - began))
    row("the page opened, until boards are shown", times)


def moving(page: Any, game: str) -> None:
    """From a key to the move it makes."""
    page.evaluate("address => { location.hash = address; }", f"#/play/{game}?players=human|human")
    page.locator(".play-board[data-stage]").wait_for()
    page.wait_for_timeout(800)
    times = []
    for _ in range(MOVES):
        found = page.evaluate(PLAY)
        if found is not None:
            times.append(found)
        page.wait_for_timeout(350)  # what moves comes to rest
    row(f"{game}: from the key to the move", times)


def watched_rate(page: Any, name: str, seconds: float) -> float | None:
    """Nodes a second of a search that a page shows; None if it was interpreted."""
    page.evaluate("address => { location.hash = address; }", f"#/analyse/{name}?seconds={seconds:g}&lines=1&on=1")
    page.get_by_text("The time is over").wait_for()
    said = page.locator("section.side-a").inner_text()
    page.evaluate("location.hash = '#/'")
    page.wait_for_timeout(300)
    rate = re.search(r"Rate\s+([0-9.]+)\s*([kM]?)", said)
    if rate is None or "interpreted" in said:
        return None
    return float(rate[1]) * {"": 1.0, "k": 1e3, "M": 1e6}[rate[2]]


def watching(page: Any, name: str) -> None:
    """Nodes a second of the engine: alone in this process, and in the studio with a page that shows everything. In
    turns, for machines are noisy."""
    game = pf.load(name)
    alone, watched, stops = [], [], []
    engine = Engine(game)
    engine.start(seconds=0.2)
    engine.wait()  # compiled
    while watched_rate(page, name, 0.5) is None:
        page.wait_for_timeout(500)  # the studio compiles in the background
    for _ in range(ROUNDS):
        engine = Engine(game)
        engine.start(seconds=SECONDS)
        found = engine.wait()
        alone.append(found.nodes / found.seconds)
        watched.append(watched_rate(page, name, SECONDS) or 0.0)
    part = statistics.median(watched) / statistics.median(alone)
    print(
        f"{name}: {statistics.median(alone):,.0f} nodes a second alone, {statistics.median(watched):,.0f} with a page"
        f" that shows them: {part:.2f}",
        flush=True,
    )
    for _ in range(6):
        page.evaluate("address => { location.hash = address; }", f"#/analyse/{name}?on=1")
        stop = page.get_by_role("button", name="Stop", exact=True)
        stop.wait_for(timeout=30_000)
        page.wait_for_timeout(600)
        began = time.perf_counter()
        stop.click()
        page.get_by_role("button", name="Start", exact=True).wait_for()
        stops.append(1000 * (time.perf_counter() - began))
        page.evaluate("location.hash = '#/'")
        page.wait_for_timeout(200)
    row(f"{name}: from Stop to stopped", stops)


def main() -> int:
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        print("There is no Chromium here: the studio is left out.", file=sys.stderr)
        return 0
    from playwright.sync_api import sync_playwright

    with Studio().running() as studio, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce").new_page()
        page.set_default_timeout(60_000)
        began = time.perf_counter()
        page.goto(studio.link)
        page.locator(".card svg").first.wait_for()
        print(f"{'milliseconds':44} {'median':>8} {'worst':>8}   times")
        row("the link opened, the first time", [1000 * (time.perf_counter() - began)])
        opening(page, studio)
        for game in ("tic_tac_toe", "othello", "go", "chess", "backgammon"):
            moving(page, game)
        for game in ("connect4", "othello"):
            watching(page, game)
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
