"""Pictures of every page of the studio, light and dark, wide and narrow: docs/pictures/studio-*.png.

    python docs/make_screenshots.py                      # all of them
    python docs/make_screenshots.py analyse play         # those whose names begin so
    python docs/make_screenshots.py --into somewhere     # elsewhere, to look at first

Needs Chromium and Playwright, as the browser tests do. A page that does not come to show what it should within its time, or whose console complains, is named at the end, and the exit code is 1.
"""  # noqa: E501

from __future__ import annotations

import argparse
import os
import shutil
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PICTURES = Path(__file__).parent / "pictures"
SIZES = {"wide": {"width": 1280, "height": 900}, "narrow": {"width": 390, "height": 844}}
SCHEMES = ("light", "dark")
LONGEST = 60.0
"""Seconds that a page may take to show what it should."""
SETTLING = 0.6
"""Seconds after that for what moves to come to rest."""


@dataclass(frozen=True)
class Shot:
    """One view, as it is to be seen."""

    name: str
    address: str
    ready: str
    """What has to be there: a CSS selector."""
    click: tuple[str, ...] = ()
    """What to click then, one after the other."""
    wait: float = 0.0
    """Seconds to let it think."""


SHOTS = (
    Shot("home", "#/", ".card"),
    Shot("play-connect4", "#/play/connect4?state=4453", ".view-play .board"),
    Shot("play-chess", "#/play/chess", ".view-play .board"),
    Shot("play-backgammon", "#/play/backgammon", ".view-play .board"),
    Shot("analyse-connect4", "#/analyse/connect4?moves=4;4;3&seconds=3&on=1", ".side-a .lines button", wait=4.0),
    Shot(
        "analyse-side-by-side",
        "#/analyse/othello?moves=d3;c3&seconds=4&beside=uct&on=1",
        ".side-b .lines button",
        wait=5.0,
    ),
    Shot("analyse-chess", "#/analyse/chess?moves=e4;e5;Nf3;Nc6;Bb5&seconds=5&on=1", ".side-a .lines button", wait=6.0),
    Shot(
        "analyse-line",
        "#/analyse/tic_tac_toe?moves=5;1&depth=4&on=1",
        ".side-a .lines button",
        (".side-a .lines li:first-child button:nth-child(2)",),
        wait=2.0,
    ),
    Shot("analyse-players", "#/analyse/three_nim?using=max_n&on=1", ".side-a .badge.good"),
    Shot("analyse-at-once", "#/analyse/goofspiel?moves=3&seconds=3&on=1", ".mixes td.number", wait=3.5),
    Shot("analyse-chance", "#/analyse/pig?moves=roll&depth=4&using=expectiminimax&on=1", ".side-a .verdict"),
    Shot("tree-figure", "#/tree", ".view-tree .sentence[data-step]", wait=1.0),
    Shot("tree-tic-tac-toe", "#/tree/tic_tac_toe?state=xo..x...o&depth=4", ".view-tree .sentence[data-step]", wait=1.0),
    Shot("quiz", "#/quiz?seed=4&level=2", ".view-quiz canvas, .view-quiz svg", wait=1.0),
    Shot("quiz-sheet", "#/quiz?sheet=1&seed=5&topic=alpha_beta&number=2", ".view-quiz canvas, .view-quiz svg", wait=1.0),  # noqa: E501
)  # fmt: skip


def take(browser: Any, studio: Any, shot: Shot, size: str, scheme: str, into: Path) -> str:
    """One picture. What was wrong with it; "" if nothing was."""
    around = browser.new_context(viewport=SIZES[size], color_scheme=scheme, reduced_motion="reduce")
    page = around.new_page()
    page.set_default_timeout(1000.0 * LONGEST)
    problems: list[str] = []
    page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: problems.append(str(error)))
    try:
        page.goto(studio.link)
        page.wait_for_url(f"http://127.0.0.1:{studio.port}/")
        page.evaluate("address => { location.hash = address; }", shot.address)
        page.locator(shot.ready).first.wait_for()
        time.sleep(shot.wait)
        for target in shot.click:
            page.locator(target).first.click()
        time.sleep(SETTLING)
    except Exception as error:
        problems.append(str(error).splitlines()[0])
    page.screenshot(path=into / f"studio-{shot.name}-{scheme}-{size}.png", full_page=size == "narrow")
    around.close()
    return "; ".join(problems)


def main() -> int:
    reader = argparse.ArgumentParser(description="Take pictures of every page of the studio.")
    reader.add_argument("names", nargs="*", help="beginnings of names; all if there are none")
    reader.add_argument("--into", type=Path, default=PICTURES, help="the folder that they go into")
    given = reader.parse_args()
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        print("There is no Chromium here.", file=sys.stderr)
        return 1
    from playwright.sync_api import sync_playwright

    from plyforge.studio.server.server import Studio

    given.into.mkdir(parents=True, exist_ok=True)
    shots = [shot for shot in SHOTS if not given.names or shot.name.startswith(tuple(given.names))]
    wrong = []
    with Studio().running() as studio, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for shot in shots:
            for size in SIZES:
                for scheme in SCHEMES:
                    problem = take(browser, studio, shot, size, scheme, given.into)
                    print(f"{shot.name}, {scheme}, {size}: {problem or 'taken'}", flush=True)
                    wrong += [f"{shot.name}, {scheme}, {size}"] if problem else []
        browser.close()
    if wrong:
        print(f"Wrong: {'; '.join(wrong)}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
