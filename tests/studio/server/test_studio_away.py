"""Rules of somebody's own run in a process of their own: whatever they do there, the studio and its other games go
on, the page is told, and can begin again."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from patience import FOR_A_PROCESS
from plyforge.errors import BadRules
from plyforge.studio.library.library import Shelf
from plyforge.studio.library.user_rules import OwnRules
from plyforge.studio.play.handler import PlayDesk
from plyforge.studio.server import limits
from plyforge.studio.server.away import ended_words
from plyforge.studio.server.handler import Room
from studio_browser import opened, running
from studio_client import Client

RULES = """
import os, sys, time
from dataclasses import dataclass
from typing import NamedTuple
from plyforge import MAX, Game
{first}
def throw(kind): raise kind("now")
def sleep():
    while True:
        try: time.sleep(0.01)
        except BaseException: pass
def loop():
    while True: pass
def hide():
    os.closerange(3, 50)
    sleep()
def fork():
    if os.fork(): os._exit(4)
    time.sleep(10**6)
DEEDS = {{
    "exit": lambda: os._exit(3), "abort": os.abort, "kill": lambda: os.kill(os.getpid(), 9), "hide": hide, "fork": fork, "sleep": sleep, "loop": loop,
    "take": lambda: bytearray({memory}), "SystemExit": lambda: throw(SystemExit), "KeyboardInterrupt": lambda: throw(KeyboardInterrupt),
    "GeneratorExit": lambda: throw(GeneratorExit), "BaseException": lambda: throw(BaseException), "": lambda: None,
}}
class Heap(NamedTuple):
    sticks: int
    player: int
@dataclass(frozen=True)
class Sticks(Game):
    deed: str = ""
    sticks: int = {sticks}
    def start(self): return Heap(self.sticks, MAX)
    def player(self, s): return s.player
    def actions(self, s):
        if s.sticks == 4: DEEDS[self.deed]()
        return tuple(range(1, min(3, s.sticks) + 1))
    def result(self, s, n): return Heap(s.sticks - n, 1 - s.player)
    def terminal(self, s): return s.sticks == 0
    def utility(self, s): return -1.0 if s.player == MAX else 1.0
"""  # noqa: E501
PEOPLE = ["human", "human"]


@pytest.fixture(scope="module", autouse=True)
def unchecked() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("plyforge.studio.library.user_rules.checked", lambda spec: None)
        yield


def write(folder: Path, first: str = "", sticks: int = 5) -> Path:
    """Rules that do what their `deed` says, once somebody has taken one of five sticks."""
    file = folder / "sticks.py"
    stamp = file.stat().st_mtime_ns + 10**9 if file.exists() else None
    file.write_text(RULES.format(first=first, sticks=sticks, memory=4 * limits.OWN_BYTES))
    if stamp is not None:
        os.utime(file, ns=(stamp, stamp))
    return file


def that(deed: str) -> str:
    return f"sticks(deed='{deed}')"


def until(true: Callable[[], Any], seconds: float = FOR_A_PROCESS) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end
        time.sleep(0.02)


def patient(studio: Any) -> Client:
    return Client(studio.link, timeout=FOR_A_PROCESS)


def plays_elsewhere(page: Client) -> None:
    """The rest of the studio is as it was, on the same page."""
    assert page.ask("play.new", game="nim", players=PEOPLE)["player"] == 0
    assert page.ask("tree.record", source={"figure": "alpha_beta"})["summary"]


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with running(write(tmp_path_factory.mktemp("own"))) as there:
        yield there


@pytest.fixture
def page(studio: Any) -> Iterator[Client]:
    with patient(studio) as there:
        yield there


# ---------------------------------------------------------------- what rules raise


KINDS = ("SystemExit", "KeyboardInterrupt", "GeneratorExit", "BaseException")


@pytest.mark.parametrize("kind", KINDS)
def test_whatever_rules_raise_the_page_is_told_and_goes_on(kind: str, page: Client) -> None:
    began = page.ask("play.new", game=that(kind), players=PEOPLE)
    assert began["player"] == 0
    assert f"raised {kind} (sticks.py, line" in page.ask("play.move", text="1")["error"]
    again = page.ask("play.new", game=that(kind), players=PEOPLE)
    assert again["ply"] == 0 and again["sitting"] == began["sitting"] + 1  # at the same desk, in the same process
    plays_elsewhere(page)


@pytest.mark.parametrize("kind", KINDS)
def test_also_where_no_request_waits_for_it(kind: str, page: Client) -> None:
    page.ask("play.new", game=that(kind), players=["alpha_beta:depth=3", "human"])
    assert kind in page.wait_for("play", FOR_A_PROCESS)["trouble"]
    assert page.ask("analyse.open", game=that(kind))["number"]
    page.ask("analyse.start", sides=[{"using": "minimax"}], limits={"depth": 3})
    news = page.wait_for("analysis", FOR_A_PROCESS)
    while news["status"] != "failed":
        news = page.wait_for("analysis", FOR_A_PROCESS)
    assert kind in news["error"]
    assert kind in page.ask("tree.record", source={"game": that(kind)}, using="minimax", depth=3)["error"]


def test_a_state_that_the_rules_can_not_show_is_told_all_the_same(tmp_path: Path) -> None:
    """An algorithm's move leads to it; there is no standing to tell, but why there is none."""
    desk = PlayDesk(Room(Shelf((str(write(tmp_path)),))))
    assert isinstance(desk.room.shelf.own["sticks"], OwnRules)
    for seed in range(20):  # one in three takes one stick
        desk.do("new", game=that("SystemExit"), players=[f"random:seed={seed}", "human"])
        before = len(desk.room.told)
        until(lambda before=before: len(desk.room.told) > before or desk.session.history)  # type: ignore[misc]
        if [turn.action for turn in desk.session.history] == [1]:  # type: ignore[union-attr]
            until(lambda: desk.room.told and desk.room.told[-1][0] == "trouble")
            assert "SystemExit" in desk.room.told[-1][1]["why"]
            return
    raise AssertionError("nobody took one stick")


@pytest.mark.parametrize("kind", ["SystemExit", "KeyboardInterrupt"])
def test_a_file_that_ends_the_program_when_it_is_loaded_says_so(kind: str, tmp_path: Path) -> None:
    with running(write(tmp_path, first=f"raise {kind}('at once')")) as studio, patient(studio) as page:
        until(lambda: studio.shelf.own["sticks"].stage == "done")
        assert kind in studio.shelf.own["sticks"].error
        assert kind in page.ask("play.new", game="sticks", players=PEOPLE)["error"]
        plays_elsewhere(page)


# ---------------------------------------------------------------- what ends the process


@pytest.mark.parametrize(
    ("deed", "words"),
    [
        ("exit", "sticks.py has ended the process that it ran in (exit status 3)"),
        ("abort", "was ended by SIGABRT"),
        ("kill", "was ended by SIGKILL"),
        ("hide", "sticks.py"),
        ("fork", "exit status 4"),
    ],
)
def test_rules_that_end_their_process_end_nothing_else(deed: str, words: str, studio: Any, page: Client) -> None:
    with patient(studio) as other:
        page.ask("play.new", game=that(deed), players=PEOPLE)
        assert other.ask("analyse.open", game="sticks")["number"]
        assert words in page.ask("play.move", text="1")["error"]
        for client, view in ((page, "play"), (other, "analyse")):
            told = client.wait_for("ended", FOR_A_PROCESS)
            assert told["game"] == "sticks" and told["views"] == [view] and words in told["why"]
    assert "begin one" in page.ask("play.move", text="1")["error"]  # there is no desk any more
    plays_elsewhere(page)
    again = page.ask("play.new", game=that(deed), players=PEOPLE)  # a new process
    assert again["ply"] == 0 and again["player"] == 0


def test_a_file_that_ends_its_process_when_it_is_loaded_is_not_tried_for_ever(tmp_path: Path) -> None:
    with running(write(tmp_path, first="os._exit(5)")) as studio, patient(studio) as page:
        until(lambda: studio.shelf.own["sticks"].stage == "done")
        card = page.ask("home.cards")["own"][0]
        assert not card["playable"] and "exit status 5" in card["error"]
        assert "exit status 5" in page.ask("play.new", game="sticks", players=PEOPLE)["error"]
        assert studio.shelf.own["sticks"].coming is None


@pytest.mark.parametrize("deed", ["sleep", "loop"])
def test_rules_that_never_come_back_are_stopped_from_the_page(
    deed: str, studio: Any, page: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    page.ask("play.new", game=that(deed), players=PEOPLE)
    monkeypatch.setattr(limits, "SLOW_SECONDS", 0.2)
    page.news.clear()
    page.send({"id": 1000, "do": "play.move", "text": "1"})
    assert page.wait_for("slow", FOR_A_PROCESS) == {"news": "slow", "game": "sticks", "slow": True}
    assert "error" not in page.ask("home.stop", game="sticks")
    assert page.wait_for("ended", FOR_A_PROCESS)["why"] == "sticks.py was stopped"
    assert {"re": 1000, "error": "sticks.py was stopped"} in page.news
    assert page.ask("play.new", game="sticks", players=PEOPLE)["ply"] == 0


def test_a_request_that_takes_too_long_ends_the_process(page: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    page.ask("play.new", game=that("sleep"), players=PEOPLE)
    monkeypatch.setattr(limits, "REQUEST_SECONDS", 0.3)
    assert "took longer than 0.3 s" in page.ask("play.move", text="1")["error"]
    monkeypatch.undo()
    assert page.ask("play.new", game="sticks", players=PEOPLE)["ply"] == 0


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="nobody limits memory here")
def test_the_memory_of_rules_is_bounded(page: Client) -> None:
    page.ask("play.new", game=that("take"), players=PEOPLE)
    assert "raised MemoryError" in page.ask("play.move", text="1")["error"]


# ---------------------------------------------------------------- where desks are


def test_a_whole_visit_is_as_with_other_games(studio: Any) -> None:
    with patient(studio) as page:
        assert page.ask("play.options", game="sticks")["players"]
        page.ask("play.new", game="sticks", players=["human", "minimax:depth=3"])
        assert page.ask("play.move", text="1")["ply"] == 1
        assert page.wait_for("play", FOR_A_PROCESS)["ply"] == 2
        saved = page.ask("play.save", kind="json")["address"]
        thing = studio.made.at(saved)
        assert thing is not None and json.loads(thing.content)["actions"][0] == "1"
        tree = page.ask("tree.record", source={"game": "sticks()"}, using="minimax", depth=2)
        assert studio.made.at(tree["document"]) is not None
        assert page.ask("tree.step", number=1)["number"] == 1  # names no game: it goes where the one before went
        assert page.ask("quiz.begin", source={"game": "sticks"}, depth=2)["questions"]
        assert not next(iter(studio.pages)).desks  # none of them is here
    until(lambda: studio.made.at(saved) is None)  # it went with its page


def test_the_server_itself_never_loads_own_rules(tmp_path: Path) -> None:
    note = "open(os.path.join(os.path.dirname(__file__), f'pid-{os.getpid()}'), 'w').close()"
    with running(write(tmp_path, first=note)) as studio, patient(studio) as page:
        record = page.ask("play.new", game="sticks", players=PEOPLE)["record"]
        with pytest.raises(BadRules, match="process of its own"):
            studio.shelf.game("sticks")
        page.ask("play.new", game="nim", players=PEOPLE)
        assert "error" in page.ask("play.resume", game="nim", record=record, players=PEOPLE)
        assert not (tmp_path / f"pid-{os.getpid()}").exists() and list(tmp_path.glob("pid-*"))


def test_a_desk_that_moves_counts_on_so_that_who_leaves_late_disturbs_nobody(page: Client) -> None:
    old = page.ask("play.new", game="nim", players=PEOPLE)["sitting"]
    new = page.ask("play.new", game="sticks", players=["minimax:depth=2", "human"])
    assert new["sitting"] > old
    page.ask("play.leave", sitting=old)  # late, and not meant for this desk
    assert page.wait_for("play", FOR_A_PROCESS)["ply"] == 1


def test_who_waits_at_a_desk_that_moves_is_answered(studio: Any, page: Client) -> None:
    page.ask("play.new", game=that("sleep"), players=PEOPLE)
    page.send({"id": 2000, "do": "play.move", "text": "1"})  # never comes back
    assert page.ask("play.new", game="nim", players=PEOPLE)["ply"] == 0
    assert {"re": 2000, "error": "another game has been begun meanwhile"} in page.news
    studio.shelf.stop("sticks")


def test_what_was_loaded_plays_on_in_its_process_until_the_last_desk_there_is_closed(tmp_path: Path) -> None:
    """And a process ends with the studio; and lines of another form in its pipe, which somebody's code may write to,
    are as if they had not come."""
    noise = "\n".join(
        (
            "for fd in range(3, 20):",
            "    for line in LINES:",
            "        try: os.write(fd, line)",
            "        except OSError: pass",
        )
    )
    with running(write(tmp_path, first=f"LINES = {LINES!r}\n{noise}")) as studio, patient(studio) as page:
        own = studio.shelf.own["sticks"]
        page.ask("play.new", game="sticks", players=PEOPLE)
        old = own.process()
        write(tmp_path, sticks=7)
        until(lambda: own.changed)
        page.ask("home.reload", game="sticks")
        until(lambda: own.away is not old and own.stage == "done")
        assert page.ask("play.move", text="1")["ply"] == 1 and old._process.poll() is None
        assert "7" in page.ask("play.new", game="sticks", players=PEOPLE)["position"]
        until(lambda: old._process.poll() is not None)
        now = own.process()
    until(lambda: now._process.poll() is not None)


LINES = [
    *(
        b"\n",
        b"[]\n",
        b"null\n",
        b"{\n",
        b'{"page": []}\n',
        b'{"page": 1, "frame": 7, "id": 1}\n',
        b'{"compiling": 3}\n',
    ),
    *(b'{"page": 1, "made": "../../etc", "content": ""}\n', b'{"page": 1, "news": 5}\n', b"[" * 5000 + b"\n"),
]


def test_how_a_process_ended_is_said_in_words() -> None:
    assert ended_words("a.py", 0).startswith("a.py has ended the process")
    assert ended_words("a.py", -11).endswith("SIGSEGV")
    assert ended_words("a.py", -1000).endswith("signal 1000")


# ---------------------------------------------------------------- in a browser


def test_the_page_says_what_happened_and_starts_again(browser: Any, studio: Any) -> None:
    with opened(browser, studio) as page:
        page.set_default_timeout(1000 * FOR_A_PROCESS)
        page.goto_view(f"#/play/{that('exit')}?players=human|human")
        page.get_by_role("button", name="1", exact=True).first.click()
        banner = page.locator("#rules")
        banner.get_by_text("has ended the process").wait_for()
        banner.get_by_role("button", name="Start again").click()
        page.locator("[data-stage=waits]").wait_for()
        assert banner.is_hidden()
        page.get_by_role("button", name="2", exact=True).first.click()
        page.wait_until("document.querySelector('.moves').innerText.includes('2')")
        assert page.problems == []


def test_rules_that_loop_can_be_stopped_by_a_button(browser: Any, studio: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(limits, "SLOW_SECONDS", 0.5)
    with opened(browser, studio) as page:
        page.set_default_timeout(1000 * FOR_A_PROCESS)
        page.goto_view(f"#/play/{that('loop')}?players=human|human")
        page.get_by_role("button", name="1", exact=True).first.click()
        page.get_by_role("button", name="Stop these rules").click()
        page.get_by_role("button", name="Start again").click()
        page.locator("[data-stage=waits]").wait_for()
        assert page.problems == []
