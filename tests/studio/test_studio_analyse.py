"""The Analyse view in a real browser: starting and stopping, lines to walk, two side by side, leaving."""

from __future__ import annotations

import json
import re
import threading
import time

import pytest

import plyforge as pf
from patience import PATIENCE
from plyforge.studio.analyse import handler
from studio_browser import hard_to_use, opened, running

STOP_WITHIN = 1.5  # on a quiet machine a twentieth of it; tests run beside others
"""Seconds from a click on Stop to the end of the search, on a machine that has the time."""


def searching() -> list[str]:
    names = ("plyforge search", "plyforge thinking", "plyforge engine", "studio analyst")
    return [thread.name for thread in threading.enumerate() if thread.name in names]


def wait_for(condition, seconds: float = PATIENCE) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "that took too long"
        time.sleep(0.01)


def go(page, address: str) -> None:
    page.goto_view(address)
    page.locator(".view-analyse .sides").wait_for()


def badge(page, text: str, side: str = "a"):
    return page.locator(f".side-{side} .badge", has_text=text)


def test_the_answer_is_that_of_the_search(page):
    go(page, "#/analyse/tic_tac_toe?state=xo..x....&depth=3&using=alpha_beta&on=1")
    badge(page, "The depth is reached").wait_for()
    found = pf.search("tic_tac_toe", "xo..x....", "alpha_beta", depth=3, native=False)
    assert page.locator(".side-a .lines li").first.locator("button").all_inner_texts() == found.line_text()
    assert page.locator(".side-a .verdict").inner_text().startswith(f"{found.text(found.action)}: ")
    rows = page.locator("table.moves tbody tr")
    assert rows.count() == 6
    assert rows.first.locator("button").inner_text() == found.text(found.action)
    assert "about" in page.locator(".value-bar").get_attribute("aria-label")


def test_start_stop_and_a_new_position(page):
    before = len(searching())
    go(page, "#/analyse/connect4")
    page.get_by_role("button", name="Start", exact=True).click()
    badge(page, "Thinking").wait_for()
    assert len(searching()) > before
    page.locator("[data-place]").nth(3).click()  # a new position starts it again
    page.locator(".so-far button").first.wait_for()
    badge(page, "Thinking").wait_for()
    page.get_by_label("Lines", exact=True).select_option("5")  # so does another plan
    badge(page, "Thinking").wait_for()
    took = []
    for _ in range(5):  # the machine may be busy with something else: one of them shows what it takes
        began = time.perf_counter()
        page.get_by_role("button", name="Stop", exact=True).click()
        wait_for(lambda: len(searching()) <= before)
        took.append(time.perf_counter() - began)
        if took[-1] < STOP_WITHIN:
            break
        page.get_by_role("button", name="Start", exact=True).click()
        badge(page, "Thinking").wait_for()
    assert min(took) < STOP_WITHIN, took
    badge(page, "Stopped").wait_for()
    page.keyboard.press("ArrowLeft")
    page.locator(".so-far button.undone").wait_for()
    assert len(searching()) <= before, "once stopped, a new position is not searched"


def test_lines_are_walked_and_played(page):
    go(page, "#/analyse/tic_tac_toe?depth=3&on=1")
    badge(page, "The depth is reached").wait_for()
    line = page.locator(".side-a .lines li").first.locator("button").all_inner_texts()
    page.locator(".side-a .lines li").first.locator("button").nth(1).click()
    walk = page.locator(".walk")
    walk.wait_for()
    assert walk.locator("[aria-current]").inner_text() == line[1]
    game = pf.load("tic_tac_toe")
    text = page.get_by_label("Position as text")
    wait_for(lambda: text.input_value() == pf.format_state(game, pf.state_after(game, *line[:2])))
    page.keyboard.press("ArrowRight")
    wait_for(lambda: text.input_value() == pf.format_state(game, pf.state_after(game, *line[:3])))
    page.keyboard.press("Escape")
    wait_for(lambda: text.input_value() == ".........")
    page.keyboard.press("1")
    page.keyboard.press("ArrowRight")
    walk.get_by_role("button", name="Play these").click()
    wait_for(lambda: page.locator(".so-far button").all_inner_texts() == line[:2])


def test_two_side_by_side_and_the_address_brings_it_back(page):
    go(page, "#/analyse/tic_tac_toe?moves=5;1&seconds=0.5")
    page.get_by_role("button", name="Side by side").click()
    page.get_by_role("button", name="Start", exact=True).click()
    for side in "ab":
        page.locator(f".side-{side} .lines button").first.wait_for()
        page.wait_until(f"!!document.querySelector('.side-{side} .badge').textContent.match(/Proven|time is over/)")
    assert page.locator("table.moves thead th").all_inner_texts() == ["Move", "A Engine", "B UCT", "Visits B"]
    address = page.evaluate("location.hash")
    assert "beside=uct" in address and "seconds=0.5" in address
    page.goto_view("#/nowhere")
    page.goto_view(address.replace("&on=1", ""))
    page.locator(".side-b .algorithm").wait_for()
    assert page.locator(".side-b .algorithm").input_value() == "uct"
    assert page.locator(".so-far button").all_inner_texts() == ["5", "1"]
    assert page.get_by_label("How much").input_value() == "0.5"


def test_leaving_stops_the_search(page):
    before = len(searching())
    for leave in (lambda: page.goto_view("#/nowhere"), page.close):
        if leave == page.close:
            page.problems.clear()
        go(page, "#/analyse/connect4?on=1&beside=uct")
        badge(page, "Thinking", "b").wait_for()
        assert len(searching()) > before
        leave()
        wait_for(lambda: len(searching()) <= before)


def test_text_in_and_out(page):
    go(page, "#/analyse/connect4")
    text = page.get_by_label("Position as text")
    text.fill("4455")
    page.get_by_role("button", name="Set", exact=True).click()
    page.wait_until("location.hash.includes('state=')")
    text.fill("999")
    text.press("Enter")
    page.locator(".position .trouble-text").wait_for()
    go(page, "#/analyse/tic_tac_toe?depth=2&on=1&moves=5")
    badge(page, "The depth is reached").wait_for()
    with page.expect_download() as saving:
        page.get_by_role("button", name="Save").click()
    saved = json.loads(saving.value.path().read_text())
    assert saved["moves"] == ["5"] and saved["analysis"][0]["result"]["depth"] == 2


def test_chance_many_players_and_choices_at_once(page):
    go(page, "#/analyse/pig?moves=roll&using=expectiminimax&depth=2&on=1")
    badge(page, "The depth is reached").wait_for()
    assert page.locator("table.moves tbody tr").count() == 6
    page.locator(".extra button").click()
    page.locator(".so-far button").nth(1).wait_for()
    go(page, "#/analyse/three_nim?using=max_n&on=1")
    badge(page, "Proven").wait_for()
    assert page.locator(".value-row").count() == 3
    go(page, "#/analyse/matrix?simulations=200&on=1")
    badge(page, "The simulations are made").wait_for()
    assert page.locator(".mixes tbody tr").count() == 3


def test_a_position_is_set_up_by_pointing(page):
    go(page, "#/analyse/tic_tac_toe")
    page.get_by_role("button", name="Edit").click()
    page.get_by_label("X cross").check()
    page.locator("[data-place='5']").click()
    page.get_by_label("O ring").check()
    page.locator("[data-place='1']").click()
    page.get_by_text("o...x....", exact=True).wait_for()
    page.get_by_role("button", name="Use this position").click()
    wait_for(lambda: page.get_by_label("Position as text").input_value() == "o...x....")
    assert "state=o...x...." in page.evaluate("location.hash")


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.full)])
def test_nobody_is_kept_out_by_how_the_page_is_made(browser, studio, axe, scheme):
    addresses = (
        "#/analyse/connect4?moves=4;4&depth=3&beside=uct&on=1",
        "#/analyse/three_nim?using=max_n&on=1",
        "#/analyse/matrix?simulations=100&on=1",
        "#/analyse/pig?moves=roll&depth=2&using=expectiminimax&on=1",
    )
    with opened(browser, studio, color_scheme=scheme, reduced_motion="reduce") as page:
        for address in addresses:
            go(page, address)
            page.locator(".side-a .verdict", has_text=re.compile(".")).wait_for()
            assert hard_to_use(page, axe) == [], address
        go(page, "#/analyse/tic_tac_toe?moves=5")
        page.get_by_role("button", name="Edit").click()
        page.get_by_role("radio", name="O ring").wait_for()
        assert hard_to_use(page, axe) == []
        for dialog in ("Settings of Engine", "Keys", "Compare all"):
            page.get_by_role("button", name=dialog).click()
            assert hard_to_use(page, axe) == [], dialog
            page.keyboard.press("Escape")


def test_what_is_compiled_before_anything_was_told_is_searched_again_all_the_same(browser):
    asked = []
    with running() as studio:

        def native(room, game, using):
            asked.append(using)
            if len(asked) == 1:
                room.tell("compiled", {"game": "Connect4", "using": using, "why": ""}, using)
            return False

        studio.native = native
        with opened(browser, studio) as page:
            go(page, "#/analyse/connect4?using=alpha_beta&on=1")
            wait_for(lambda: len(asked) == 2)
            badge(page, "Thinking").wait_for()
            page.wait_for_timeout(500)
            assert len(asked) == 2, "once is enough"
            assert page.problems == []


def test_a_position_is_used_as_it_was_set_up_last(page, monkeypatch):
    begin = handler.begin

    def slow(*arguments):
        time.sleep(0.3)
        return begin(*arguments)

    go(page, "#/analyse/tic_tac_toe")
    page.get_by_role("button", name="Edit").click()
    page.get_by_label("X cross").check()
    page.get_by_role("button", name="Use this position").and_(page.locator(":enabled")).wait_for()
    monkeypatch.setattr(handler, "begin", slow)
    page.locator("[data-place='5']").click()
    page.get_by_role("button", name="Use this position").click()
    page.locator(".edit").wait_for(state="hidden")
    wait_for(lambda: page.get_by_label("Position as text").input_value() == "....x....")
