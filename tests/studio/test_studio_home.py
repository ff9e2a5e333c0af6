"""The home view in a real browser, and the own rules that stand on it."""

from __future__ import annotations

import json
import os
import re
import threading
import time
from pathlib import Path
from typing import Any

import pytest

import plyforge as pf
from patience import PATIENCE
from plyforge.errors import BadRules, GameNotFound
from plyforge.studio.library import user_rules
from plyforge.studio.library.cards import ABOUT, GROUPS, SOLVED, TITLES, card
from plyforge.studio.library.handler import HomeDesk
from plyforge.studio.library.library import Shelf
from plyforge.studio.library.user_rules import OwnRules
from plyforge.studio.server import limits
from plyforge.studio.server.handler import Room
from studio_browser import NARROW, hard_to_use, opened, running

STICKS = '''
from dataclasses import dataclass
from typing import NamedTuple
import plyforge as pf

class Heap(NamedTuple):
    sticks: int
    player: int

@dataclass(frozen=True)
class Sticks(pf.Game):
    """Take one to three sticks; whoever takes the last one wins."""
    sticks: int = 7
    def start(self): return Heap(self.sticks, pf.MAX)
    def player(self, s): return s.player
    def actions(self, s):
        for n in range(1, min(3, s.sticks) + 1): yield n
    def result(self, s, n): return Heap(s.sticks - n, 1 - s.player)
    def terminal(self, s): return s.sticks == 0
    def utility(self, s): return -1.0 if s.player == pf.MAX else 1.0
'''


def until(true: Any, seconds: float = 90.0) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end
        time.sleep(0.05)


def write(path: Path, text: str) -> None:
    """Write a file so that its time of change differs from before, whatever the file system's clock."""
    before = path.stat().st_mtime_ns if path.exists() else 0
    path.write_text(text)
    os.utime(path, ns=(before + 10**9, before + 10**9))


# ---------------------------------------------------------------- cards, without a browser


def test_every_game_of_the_catalogue_has_a_card() -> None:
    desk = HomeDesk(Room())
    answer = desk.do("cards")
    assert answer["own"] == [] and desk.do("cards") == answer  # made once
    thing = desk.room.made.at(answer["catalogue"])
    assert thing is not None
    cards = json.loads(thing.content)["cards"]
    assert sorted(each["name"] for each in cards) == sorted(pf.names())
    for each in cards:
        assert each["title"] and each["about"] and each["traits"] and each["group"] in GROUPS
        assert each["board"] is not None or each["text"]


def test_what_is_said_of_games_is_said_of_games_that_there_are() -> None:
    assert {
        name for members in GROUPS.values() for name in members
    } | TITLES.keys() | ABOUT.keys() | SOLVED.keys() <= set(pf.names())


def test_a_card_says_in_words_what_a_game_is() -> None:
    assert card("backgammon", pf.load("backgammon"))["traits"] == ["two players", "chance"]
    assert card("three_nim", pf.load("three_nim"))["traits"][0] == "three players"
    assert card("slider", pf.load("slider"))["traits"][0] == "one player"
    assert "choose at once" in card("matrix", pf.load("matrix"))["traits"]


def test_a_picture_is_the_same_at_every_start_and_never_of_a_game_that_is_over() -> None:
    for name in ("tic_tac_toe", "connect4", "go", "hex"):
        first, second = (card(name, pf.load(name))["board"] for _ in range(2))
        assert first == second and first["pieces"]


# ---------------------------------------------------------------- own rules, without a browser


def test_own_rules_are_loaded_checked_and_played(tmp_path: Path) -> None:
    file = tmp_path / "sticks.py"
    file.write_text(STICKS)
    shelf = Shelf((str(file),))
    assert shelf.game("sticks(sticks=5)").start().sticks == 5
    with pytest.raises(GameNotFound, match="takes"):
        shelf.game("sticks(stones=5)")
    until(lambda: shelf.own["sticks"].stage == "done")
    shown = shelf.own_cards()[0]
    assert shown["playable"] and shown["report"]["ok"] and shown["report"]["complete"]
    assert shown["about"].startswith("Take one") and shown["group"] == "Your rules"


def test_a_file_that_changes_is_offered_and_what_was_loaded_plays_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "WATCH_SECONDS", 0.02)
    monkeypatch.setattr("plyforge.studio.library.user_rules.checked", lambda spec: None)
    file, told = tmp_path / "sticks.py", []
    file.write_text(STICKS)
    shelf = Shelf((str(file),), told.append)
    until(lambda: shelf.own["sticks"].stage == "done")
    assert shelf.game("sticks").start().sticks == 7
    write(file, STICKS.replace("sticks: int = 7", "sticks: int = 9"))
    until(lambda: shelf.own["sticks"].changed)
    assert told[-1]["changed"] and shelf.game("sticks").start().sticks == 7
    shelf.reload("sticks")
    until(lambda: shelf.game("sticks").start().sticks == 9 and not shelf.own["sticks"].changed)
    write(file, "class Broken(:")
    until(lambda: shelf.own["sticks"].changed)
    shelf.reload("sticks")
    until(lambda: "line 1" in shelf.own["sticks"].error)
    assert shelf.game("sticks").start().sticks == 9  # the text before still plays
    assert shelf.own_cards()[0]["playable"]
    write(file, STICKS)
    until(lambda: shelf.own["sticks"].changed)
    shelf.reload("sticks")
    until(lambda: not shelf.own["sticks"].error and shelf.game("sticks").start().sticks == 7)


def test_a_helper_beside_the_rules_is_watched_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "WATCH_SECONDS", 0.02)
    monkeypatch.setattr("plyforge.studio.library.user_rules.checked", lambda spec: None)
    (tmp_path / "how_many.py").write_text("SO_MANY = 5\n")
    file = tmp_path / "helped.py"
    file.write_text("from how_many import SO_MANY\n" + STICKS.replace("= 7", "= SO_MANY"))
    shelf = Shelf((str(file),))
    until(lambda: shelf.own["helped"].stage == "done")
    write(tmp_path / "how_many.py", "SO_MANY = 6\n")
    until(lambda: shelf.own["helped"].changed)
    shelf.reload("helped")
    until(lambda: shelf.game("helped").start().sticks == 6)


def test_a_file_that_can_not_be_loaded_harms_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plyforge.studio.library.user_rules.checked", lambda spec: None)
    monkeypatch.setattr("plyforge.studio.library.user_rules.PATIENCE", 0.05)
    files = {
        "good": STICKS,
        "typo": "class X(:",
        "empty": "",
        "raises": "1 / 0",
        "waits": "import time\ntime.sleep(20)\n",
    }
    for name, text in files.items():
        (tmp_path / f"{name}.py").write_text(text)
    shelf = Shelf(tuple(str(tmp_path / f"{name}.py") for name in files))
    for name, message in (
        ("typo", "line 1"),
        ("empty", "defines no game"),
        ("raises", "ZeroDivisionError"),
        ("waits", "still being loaded"),
    ):
        until(lambda name=name: name == "waits" or shelf.own[name].stage == "done")  # type: ignore[misc]
        with pytest.raises(BadRules, match=message):
            shelf.game(name)
    until(lambda: shelf.own["good"].stage == "done")
    assert shelf.game("good").start().sticks == 7
    assert [each["playable"] for each in shelf.own_cards()[:5]] == [True, False, False, False, False]


def test_a_file_that_is_not_there_is_said_at_once() -> None:
    with pytest.raises(GameNotFound, match=r"no file .*nowhere\.py"):
        Shelf(("nowhere.py",))


def test_only_files_of_the_command_line_can_be_loaded_anew() -> None:
    with pytest.raises(GameNotFound, match="command line"):
        HomeDesk(Room()).do("reload", game="chess")


# ---------------------------------------------------------------- in a browser


def test_every_game_has_a_card_with_a_board_and_three_doors(page: Any) -> None:
    page.get_by_role("heading", name="Connect Four", exact=True).wait_for()
    assert page.locator("article.card").count() == len(pf.names())
    page.get_by_role("article", name="Chess", exact=True).locator("svg.board").wait_for()
    assert page.get_by_role("link", name="Play: Connect Four").get_attribute("href") == "#/play/connect4"
    assert page.get_by_role("link", name="Analyse: Connect Four").get_attribute("href") == "#/analyse/connect4"
    page.get_by_role("link", name="Tree: Connect Four").click()
    page.wait_until("document.title.startsWith('Tree')")
    assert (
        page.evaluate("document.activeElement.id") == "view"
    )  # whoever uses a keyboard or listens is where the new view begins
    page.go_back()
    page.get_by_role("heading", name="Games", exact=True).wait_for()


def test_a_view_without_a_game_lets_people_choose_one(page: Any) -> None:
    for view, name in (("play", "Play"), ("analyse", "Analyse")):
        page.goto_view(f"#/{view}")
        page.get_by_role("heading", name=name, exact=True).wait_for()
        page.get_by_role("article", name="Pig").wait_for()
        assert page.locator("article.card .doors a").count() == len(pf.names())
        page.get_by_role("searchbox").fill("pig")
        page.wait_until(f"location.hash.startsWith('#/{view}?find=pig')")
        assert page.get_by_role("link", name=f"{name}: Pig").get_attribute("href") == f"#/{view}/pig"


def test_games_are_found_by_words_and_kinds_and_the_address_says_so(page: Any) -> None:
    shown = page.locator("article.card:visible")
    page.get_by_role("searchbox", name="Find a game").fill("four row")
    page.get_by_text("1 of").wait_for()
    assert shown.count() == 1 and "find=four+row" in page.evaluate("location.hash")
    page.get_by_role("searchbox").fill("")
    page.get_by_role("button", name="Chance").click()
    names = {heading.inner_text() for heading in page.locator("article.card:visible h3").all()}
    assert {"Backgammon", "Pig"} <= names and "Chess" not in names
    page.reload()
    page.get_by_role("button", name="Chance", pressed=True).wait_for()
    assert {heading.inner_text() for heading in page.locator("article.card:visible h3").all()} == names
    page.get_by_role("searchbox").fill("nothing like it")
    page.get_by_text("No game is like that").wait_for()


def test_a_keyboard_skips_to_the_content_and_reaches_the_doors(page: Any) -> None:
    page.get_by_role("heading", name="Games", exact=True).wait_for()
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "view"
    for _ in range(12):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent") == "Play":
            break
    page.keyboard.press("Enter")
    page.wait_until("document.title.startsWith('Play') || location.hash.startsWith('#/play')")


def test_own_rules_stand_first_with_what_the_checker_says(browser: Any, tmp_path: Path) -> None:
    good, broken, typo = tmp_path / "sticks.py", tmp_path / "broken.py", tmp_path / "typo.py"
    good.write_text(STICKS)
    broken.write_text(STICKS.replace("return -1.0 if s.player == pf.MAX else 1.0", "return -1.0"))
    typo.write_text("class X(:")
    with running(good, broken, typo) as studio, opened(browser, studio, viewport=NARROW) as page:
        page.set_default_timeout(90_000)
        page.get_by_role("article", name="Sticks").get_by_text("No law is broken").wait_for()
        page.get_by_role("article", name="Broken").get_by_text("law is broken").wait_for()
        wrong = page.get_by_role("article", name="Typo")
        wrong.get_by_text("can't be loaded").wait_for()
        assert wrong.get_by_role("link").count() == 0
        assert page.locator("article.card").first.get_by_role("heading").inner_text() == "Sticks"
        write(typo, STICKS.replace("class Sticks", "class Typo"))
        wrong.get_by_text("The file has changed").wait_for()
        wrong.get_by_role("button", name="Load it anew").click()
        wrong.get_by_role("link", name="Play: Typo").wait_for()
        assert page.problems == []
        assert page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]


def test_news_of_own_rules_that_comes_while_the_page_is_made_is_not_lost(
    browser: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    checked = threading.Event()
    report = {"ok": True, "violations": [], "warnings": [], "states": 14, "complete": True}
    monkeypatch.setattr("plyforge.studio.library.user_rules.checked", lambda spec: report if checked.wait(90) else None)
    file = tmp_path / "sticks.py"
    file.write_text(STICKS)
    with running(file) as studio, opened(browser, studio) as page:
        page.get_by_text("The checker is looking").wait_for()

        def slow(route: Any) -> None:
            checked.set()
            until(lambda: studio.shelf.own["sticks"].stage == "done")
            time.sleep(1.0)  # the news arrives before the page has what it needs to be shown
            route.continue_()

        page.route("**/games.json", slow)
        page.reload()
        page.get_by_text("No law is broken").wait_for()


def test_of_two_cards_the_newer_one_has_more_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plyforge.studio.library.user_rules.checked", lambda spec: None)
    file, told = tmp_path / "sticks.py", []
    file.write_text(STICKS)
    shelf = Shelf((str(file),), told.append)
    until(lambda: shelf.own["sticks"].stage == "done" and len(told) == 3)
    assert [(each["stage"], each["changes"]) for each in told] == [
        ("loading", 1),
        ("checking", 2),
        ("done", 3),
    ]
    assert shelf.own_cards()[0]["changes"] == 3


def test_news_of_own_rules_from_two_threads_comes_in_its_order(tmp_path: Path) -> None:
    file, told, second = tmp_path / "sticks.py", [], threading.Event()
    file.write_text(STICKS)

    def on_change(changed: OwnRules) -> None:
        card = changed.card()
        if card["changes"] == 1:
            second.wait(0.5)  # held up: another thread has something newer meanwhile
        told.append(card["changes"])

    rules = OwnRules("sticks", str(file), on_change)
    first = threading.Thread(target=rules._become, args=("checking",))
    first.start()
    until(lambda: rules.changes == 1)
    rules._become("done")
    second.set()
    first.join(PATIENCE)
    assert told == [1, 2]


def test_a_file_that_is_loaded_anew_while_we_look_at_it_has_not_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("plyforge.studio.library.user_rules.checked", lambda spec: None)
    file = tmp_path / "sticks.py"
    file.write_text(STICKS)
    rules = OwnRules("sticks", str(file), lambda changed: None)
    rules._work()
    write(file, STICKS + "\n")
    stamp = user_rules._stamp

    def slowly(path: Path) -> int:
        monkeypatch.setattr(user_rules, "_stamp", stamp)
        rules._work()  # in between
        return stamp(path)

    monkeypatch.setattr(user_rules, "_stamp", slowly)
    rules.look()
    assert not rules.changed
    write(file, STICKS + "\n\n")
    rules.look()
    assert rules.changed


def test_when_the_studio_goes_the_page_says_so_and_comes_back_with_it(browser: Any) -> None:
    with running(token="the-same") as studio:
        port = studio.port
        with opened(browser, studio) as page:
            page.get_by_role("heading", name="Games", exact=True).wait_for()
            studio.stop()
            page.get_by_text("The connection to the studio is lost").wait_for()
            from plyforge.studio.server.server import Studio

            again = Studio(token="the-same")
            until(lambda: _listens(again, port))
            thread = threading.Thread(target=again.serve, daemon=True)
            thread.start()
            try:
                page.get_by_text("The connection to the studio is lost").wait_for(state="hidden")
                page.get_by_role("heading", name="Connect Four").wait_for()
            finally:
                again.stop()
                thread.join(PATIENCE)


def _listens(studio: Any, port: int) -> bool:
    from plyforge.studio.server.server import PortTaken

    try:
        studio.listen(port)
    except PortTaken:
        return False
    return True


def test_a_note_tells_what_is_being_compiled(browser: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from plyforge.studio.library.precompile import Warm

    monkeypatch.delenv("NUMBA_DISABLE_JIT", raising=False)
    done = threading.Event()

    def compile_slowly(warm: Any, task: Any) -> tuple[bool, str]:
        done.wait(60)
        return True, ""

    monkeypatch.setattr(Warm, "_compile", compile_slowly)
    with running() as studio, opened(browser, studio) as page:
        page.get_by_role("heading", name="Games", exact=True).wait_for()
        assert studio.warm.native(pf.load("nim"), "engine") is False
        page.get_by_text("Compiling Nim (engine) …").wait_for()
        page.reload()
        page.get_by_text("Compiling Nim (engine) …").wait_for()
        done.set()
        page.get_by_text("Compiling").wait_for(state="hidden")
        assert studio.warm.native(pf.load("nim"), "engine") is None


def test_a_view_that_is_not_there_is_an_error_in_words(page: Any) -> None:
    page.goto_view("#/nowhere")
    page.get_by_role("alert").get_by_text("There is no view called").wait_for()
    page.get_by_role("link", name="To the games").click()
    page.get_by_role("heading", name="Games", exact=True).wait_for()


def test_light_and_dark_can_be_chosen_and_are_remembered(page: Any) -> None:
    background = "getComputedStyle(document.documentElement).backgroundColor"
    page.get_by_role("heading", name="Games", exact=True).wait_for()
    light = page.evaluate(background)
    for _ in range(2):
        page.get_by_role("button", name=re.compile("Colours")).click()
    dark = page.evaluate(background)
    assert light != dark
    page.reload()
    page.get_by_role("heading", name="Games", exact=True).wait_for()
    assert page.evaluate(background) == dark


def test_whoever_has_no_key_is_told_where_it_is(browser: Any, studio: Any) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"http://127.0.0.1:{studio.port}/")
    page.get_by_text("Open the link that the terminal shows").wait_for()
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nobody_is_kept_out_by_how_the_page_is_made(browser: Any, studio: Any, axe: str, scheme: str) -> None:
    with opened(browser, studio, color_scheme=scheme) as page:
        page.get_by_role("article", name="Chess", exact=True).locator("svg.board").wait_for()
        assert hard_to_use(page, axe) == []
        page.goto_view("#/nowhere")
        page.get_by_role("alert").get_by_text("There is no view called").wait_for()
        assert hard_to_use(page, axe) == []


@pytest.mark.full
def test_every_door_of_every_game_opens(page: Any) -> None:
    """Or says in words why not; the page's console complains of nothing."""
    page.get_by_role("heading", name="Games", exact=True).wait_for()
    for name in pf.names():
        for view in ("play", "analyse", "tree"):
            page.goto_view(f"#/{view}/{name}")
            page.wait_until(f"document.querySelector('.view-{view} h1, .view-{view} .trouble') !== null")
            assert page.problems == [], f"{view} {name}: {page.problems}"
