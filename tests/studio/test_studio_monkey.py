"""A monkey at the studio: seeded random clicks, keys, drags and visits in a real browser. Whatever it does, the page's
console has nothing to complain of.

And what such a monkey has found, or would find: what is clicked, pressed or told before a view is ready, and after it
was left.
"""

from __future__ import annotations

import random
import time
from collections import deque
from collections.abc import Iterator
from typing import Any

import pytest

from patience import PATIENCE
from studio_browser import opened, running

VIEWS = (
    "#/",
    "#/play/tic_tac_toe",
    "#/play/nim",
    "#/play/connect4?players=human|random",
    "#/play/pig",
    "#/play/rock_paper_scissors",
    "#/play/chess",
    "#/play/nowhere",
    "#/analyse/tic_tac_toe",
    "#/analyse/connect4?on=1",
    "#/analyse/pig",
    "#/analyse/othello",
    "#/tree",
    "#/tree/tic_tac_toe",
    "#/tree/connect4?using=alpha_beta&depth=3",
    "#/tree/tic_tac_toe?using=uct&simulations=30",
    "#/tree?random=minimax.3.3.1.0",
    "#/tree?figure=alpha_beta",
    "#/tree?text=no+tree",
    "#/quiz",
    "#/quiz?sheet=1&number=2",
    "#/constructor",
)
KEYS = (
    *("ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Enter", " ", "Escape", "Tab", "Home", "End"),
    *(".", ",", "c", "l", "x", "t", "?", "+", "-", "0", "1", "2", "Control+z", "Control+y"),
)
WORDS = ("1", "3", "99999", "-1", "", "[[1, 2], 3]", "e4", "zzz")
SIGHT = """() => {
  const top = document.querySelector("dialog[open]") ?? document.body;
  const wanted = "button, a, select, input, textarea, summary, label, canvas, svg.board .hit, li button, details";
  return [...top.querySelectorAll(wanted)].filter((one) => !one.closest("[inert]") && one.textContent !== "Print" && !/^Load/.test(one.textContent)
      && !(one.matches("input[type=file]"))).map((one) => [one, one.getBoundingClientRect()])
    .filter(([one, box]) => box.width > 1 && box.height > 1 && box.right > 0 && box.left < innerWidth && box.bottom > 0 && box.top < innerHeight)
    .map(([one, box]) => ({ x: Math.max(1, box.left), y: Math.max(1, box.top), width: box.width, height: box.height, kind: one.localName, text: (one.textContent || one.id || "").slice(0, 30),
      options: one.localName === "select" ? [...one.options].map((each) => each.value) : [], number: one.type === "number" }));
}"""  # noqa: E501
CHOOSE = """([x, y, value]) => {
  const one = document.elementFromPoint(x, y)?.closest("select");
  if (one) { one.value = value; one.dispatchEvent(new Event("change", { bubbles: true })); }
}"""


class Monkey:
    """Does one thing after the other, and remembers the last ones."""

    def __init__(self, page: Any, seed: int) -> None:
        self.page, self.chance = page, random.Random(seed)
        self.did: deque[str] = deque(maxlen=25)
        self.count = 0

    def act(self) -> None:
        """One thing."""
        acts = {self.click: 55, self.key: 18, self.visit: 9, self.write: 5, self.drag: 6, self.go_back: 4, self.wait: 3}
        act = self.chance.choices(list(acts), list(acts.values()))[0]
        self.count += 1
        act()

    def note(self, words: str) -> None:
        self.did.append(words)

    def target(self) -> dict[str, Any] | None:
        seen = self.page.evaluate(SIGHT)
        if not seen:
            return None
        kinds = sorted({one["kind"] for one in seen})
        kind = self.chance.choice(kinds)  # a page has a hundred buttons and one canvas
        return self.chance.choice([one for one in seen if one["kind"] == kind])

    def at(self, one: dict[str, Any]) -> tuple[float, float]:
        return (
            one["x"] + self.chance.uniform(0.1, 0.9) * one["width"],
            one["y"] + self.chance.uniform(0.1, 0.9) * one["height"],
        )

    def click(self) -> None:
        one = self.target()
        if one is None:
            return
        x, y = self.at(one)
        self.note(f"{one['kind']} {one['text']!r} at {x:.0f}, {y:.0f}")
        if one["options"]:
            self.page.evaluate(CHOOSE, [x, y, self.chance.choice(one["options"])])
        else:
            self.page.mouse.click(x, y, click_count=self.chance.choice((1, 1, 1, 2)))

    def key(self) -> None:
        key = self.chance.choice(KEYS)
        self.note(f"key {key!r}")
        self.page.keyboard.press(key)

    def visit(self) -> None:
        address = self.chance.choice(VIEWS)
        self.note(f"visit {address}")
        self.page.evaluate("address => { location.hash = address; }", address)

    def write(self) -> None:
        words = self.chance.choice(WORDS)
        self.note(f"write {words!r}")
        self.page.keyboard.type(words)

    def drag(self) -> None:
        one = self.target()
        if one is None:
            return
        (x, y), (u, v) = self.at(one), self.at(one)
        self.note(f"drag {one['kind']} {x:.0f}, {y:.0f} to {u:.0f}, {v:.0f}")
        mouse = self.page.mouse
        mouse.move(x, y)
        mouse.down()
        mouse.move(u, v, steps=3)
        if self.chance.random() < 0.2:
            self.visit()
        mouse.up()

    def go_back(self) -> None:
        self.note("back")
        self.page.evaluate("history.length > 3 && history.back()")

    def wait(self) -> None:
        self.page.wait_for_timeout(self.chance.choice((20, 100, 400)))


def play_about(browser: Any, studio: Any, seed: int, seconds: float) -> None:
    """A monkey in a fresh page, for so long; whoever reads a failure sees what it did last."""
    with opened(browser, studio) as page:
        monkey = Monkey(page, seed)
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            monkey.act()
            assert not page.problems, f"seed {seed}, action {monkey.count}: {page.problems} after {list(monkey.did)}"
            if "127.0.0.1" not in page.url:  # nothing leads elsewhere
                raise AssertionError(f"{page.url} after {list(monkey.did)}")
        page.keyboard.press("Escape")
        page.goto_view("#/")  # the page still answers
        page.get_by_role("heading", name="Games", exact=True).wait_for()
        assert monkey.count > 20


@pytest.fixture(scope="module")
def jungle() -> Iterator[Any]:
    """A studio where nothing is compiled: the processor is for the monkey."""
    with running() as there:
        there.native = lambda room, game, using: False  # type: ignore[method-assign]
        yield there


def test_a_monkey_of_eight_seconds(browser: Any, jungle: Any) -> None:
    play_about(browser, jungle, 1, 8.0)


@pytest.mark.full
def test_a_monkey_of_ten_minutes(browser: Any, jungle: Any) -> None:
    for seed in range(2, 12):
        play_about(browser, jungle, seed, 60.0)


# ---------------------------------------------------------------- before a view is ready, and after it was left


def test_what_is_clicked_before_the_tree_is_there_waits_for_it(page: Any) -> None:
    held: list[Any] = []
    let_go: list[bool] = []
    page.route("**/tree.json", lambda route: route.continue_() if let_go else held.append(route))
    page.goto_view("#/tree/tic_tac_toe?using=minimax&depth=2")
    end = time.monotonic() + PATIENCE
    while not held and time.monotonic() < end:
        page.wait_for_timeout(20)
    assert page.locator(".transport").is_hidden()
    page.locator(".tree-canvas").dblclick()
    page.locator("#tree-shown").select_option("400")
    page.get_by_role("button", name="Export").click()
    page.get_by_role("button", name="Save").click()
    page.wait_for_timeout(100)
    let_go.append(True)
    for route in held:
        route.continue_()
    page.locator(".transport").wait_for()
    page.wait_until("location.hash.includes('shown=400')")
    assert "null" not in page.locator("body").inner_text()


def test_a_dialog_goes_with_its_view(page: Any) -> None:
    page.goto_view("#/play/tic_tac_toe")
    page.get_by_role("button", name="New game").click()
    page.locator("dialog[open]").wait_for()
    page.goto_view("#/play/nim")
    page.wait_until("!document.querySelector('dialog')")


def test_news_of_the_game_before_is_not_taken_for_this_one(page: Any, studio: Any) -> None:
    """The desk outlives the view: what it tells may arrive when another view of it listens, and has no game yet."""
    page.goto_view("#/play/tic_tac_toe?players=human|human")
    page.locator("[data-stage=waits]").wait_for()
    (there,) = [each for each in studio.pages if "play" in each.desks]
    desk = there.desks["play"]
    old = desk.stands()
    begin = desk.sit_down

    def slowly(*given: Any, **more: Any) -> dict[str, Any]:
        desk.tell("hint", {"version": old["version"], "words": "old", "places": []})
        desk.tell("play", old)
        time.sleep(0.3)
        found: dict[str, Any] = begin(*given, **more)
        return found

    desk.sit_down = slowly
    page.goto_view("#/play/nim?players=human|human")
    page.locator("[data-stage=waits]").wait_for()
    assert "Nim" in page.locator("h1").inner_text()
    assert page.locator(".board-view .hit").count() != 9
    kept = page.evaluate("sessionStorage.getItem('plyforge play nim')")
    assert "nim" in kept and "tic_tac_toe" not in kept
