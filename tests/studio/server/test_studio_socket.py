"""The socket and the desks behind it: requests, answers, news, bounds; and a server that outlives those who mean it
harm."""

from __future__ import annotations

import itertools
import json
import os
import random
import socket
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from websockets.exceptions import ConnectionClosed

import paths
from patience import PATIENCE, best_of
from plyforge.errors import BadLimits, GameNotFound, PlyforgeError
from plyforge.studio.library.library import Shelf
from plyforge.studio.server import handlers as studio_desks
from plyforge.studio.server import limits
from plyforge.studio.server.artifacts import Made
from plyforge.studio.server.frames import read_frame, write_json
from plyforge.studio.server.handler import BadRequest, Desk, Room, does
from plyforge.studio.server.server import Studio
from plyforge.studio.server.worker import Worker
from studio_browser import running
from studio_client import Client

# ---------------------------------------------------------------- frames


@pytest.mark.parametrize(
    "text",
    [
        None,
        "",
        "x",
        "null",
        "[]",
        "{}",
        '{"id": 1}',
        '{"do": "a.b"}',
        '{"id": "1", "do": "a.b"}',
        '{"id": true, "do": "a.b"}',
        '{"id": 1.0, "do": "a.b"}',
        '{"id": -1, "do": "a.b"}',
        '{"id": 9007199254740992, "do": "a.b"}',
        '{"id": 1, "do": 2}',
        '{"id": 1, "do": "a.b", "x": NaN}',
        '{"id": 1, "do": "a.b", "x": Infinity}',
        "[" * 30_000,
        '{"a":' * 10_000,
        '{"id": 1, "do": "a.b", "x": ' + "9" * 20_000 + "}",
    ],
)
def test_what_is_no_request_is_refused_in_words(text: str | None) -> None:
    with pytest.raises(BadRequest, match=r"^a (frame|request) "):
        read_frame(text)


def test_a_frame_that_is_written_can_be_read_by_any_browser() -> None:
    written = write_json(
        {
            "re": 1,
            "inf": float("inf"),
            "nan": [float("nan")],
            "numbers": (np.float32(0.5), np.int64(3), np.array([1, 2]), np.uint64(2**63)),
            "text": "\u2028é",
        }
    )
    read = json.loads(written)
    assert read == {"re": 1, "inf": None, "nan": [None], "numbers": [0.5, 3, [1, 2], 2**63], "text": "\u2028é"}


# ---------------------------------------------------------------- desks


class TestDesk(Desk):
    """What a desk can do, for tests."""

    __test__ = False
    closed: list[str] = []

    def __init__(self, room: Room) -> None:
        super().__init__(room)
        self.released = threading.Event()

    @does
    def echo(self, text: str, number: int = 0, ratio: float = 1.0, flag: bool = False, more: Any = None) -> Any:
        return {"text": text, "number": number, "ratio": ratio, "flag": flag, "more": more}

    @does
    def fail(self, how: str) -> None:
        raise PlyforgeError("in words") if how == "words" else ZeroDivisionError(how)

    @does
    def sleep(self, seconds: float) -> dict[str, Any]:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            time.sleep(0.005)
        return {"slept": seconds}

    @does
    def hold(self) -> None:
        self.released.wait(PATIENCE)

    @does(at_once=True)
    def release(self) -> None:
        self.released.set()

    @does(at_once=True)
    def ping(self) -> None:
        return None

    @does
    def chatter(self, times: int, of: str = "") -> None:
        for number in range(times):
            self.tell("chat", {"number": number}, of)

    @does
    def flood(self, frames: int, size: int) -> None:
        for number in range(frames):
            self.tell(f"flood {number}", {"load": "x" * size})

    @does
    def keep(self, size: int) -> dict[str, Any]:
        return {"address": self.make("../a b.svg", b"x" * size, "image/svg+xml")}

    def close(self) -> None:
        self.closed.append("closed")

    def not_for_pages(self) -> None:
        raise AssertionError


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.setitem(studio_desks.DESKS, "test", f"{__name__}:TestDesk")
    monkeypatch.setitem(sys.modules, __name__, sys.modules[__name__])
    with running() as studio:
        yield studio


def test_the_signature_is_the_check() -> None:
    desk = TestDesk(Room())
    assert desk.do("echo", text="a", ratio=2)["ratio"] == 2
    for fields, message in (
        ({}, "needs 'text'"),
        ({"text": 1}, "'text' must be text"),
        ({"text": "a", "number": True}, "a whole number"),
        ({"text": "a", "number": 1.5}, "a whole number"),
        ({"text": "a", "flag": 1}, "true or false"),
        ({"text": None}, "must be text"),
        ({"text": "a", "self": 1}, "takes no 'self'"),
    ):
        with pytest.raises(BadRequest, match=message):
            desk.do("echo", **fields)
    for name in ("not_for_pages", "close", "__init__", "room", "do", "", "tell"):
        with pytest.raises(BadRequest, match="nothing called"):
            desk.do(name)


def test_a_game_is_a_name_and_never_a_path(tmp_path: Path) -> None:
    file = tmp_path / "my rules.py"
    file.write_text((paths.ROOT / "src/plyforge/games/two_players/nim.py").read_text())
    shelf = Shelf((str(file),))
    assert type(shelf.game("my_rules")).__name__ == "Nim"
    assert shelf.game(" connect4 ( width = 5 ) ") == shelf.game("connect4(width=5)")
    for text in (
        str(file),
        f"{file}()",
        "../connect4",
        "connect4.py",
        "nim.py:Nim",
        "/etc/passwd",
        "connect4/..",
        "connect4\x00",
        "catalog",
        "__init__",
        "",
        "connect4(" + "9" * 400 + ")",
    ):
        with pytest.raises(GameNotFound):
            shelf.game(text)
    for text in ("connect4(width=__import__('os'))", "connect4(width=10**2)", "connect4(width='a')", "connect4(x=1)"):
        with pytest.raises(PlyforgeError):
            shelf.game(text)


def test_a_size_beyond_reason_is_refused_before_anything_is_made_of_it() -> None:
    shelf = Shelf()
    for text in ("nim(heaps=(1, 99999999999))", "nim(heaps=(1, 0xfffffff))", "nim((1_000_000,))", "connect4(10001)"):
        with pytest.raises(BadLimits, match="more than the studio can show"):
            shelf.game(text)
    assert shelf.game("random_tree(seed=123456789)").seed == 123456789  # type: ignore[attr-defined]


def test_two_files_of_one_name_have_two_names(tmp_path: Path) -> None:
    files = [tmp_path / "a" / "nim.py", tmp_path / "b" / "nim.py", tmp_path / "4.py"]
    for file in files:
        file.parent.mkdir(exist_ok=True)
        file.write_text("")
    assert list(Shelf(tuple(map(str, files))).own) == ["nim_2", "nim_3", "my_4"]


def test_what_is_made_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MADE_BYTES", 1000)
    monkeypatch.setattr(limits, "MADE_FILE_BYTES", 600)
    made, first, second = Made(), object(), object()
    addresses = [made.add("a.txt", b"x" * 400, "text/plain", owner) for owner in (first, second, first)]
    keys = [address.split("/")[2] for address in addresses]
    assert [made.get(key) is not None for key in keys] == [False, True, True]
    made.forget(first)
    assert [made.get(key) is not None for key in keys] == [False, True, False]
    with pytest.raises(BadLimits):
        made.add("a.txt", b"x" * 601, "text/plain", first)
    assert made.add("../../x y<>.svg", "a", "text/evil", second).endswith("/x-y-.svg")


def test_what_is_told_of_compiling_comes_in_the_order_in_which_it_was_read() -> None:
    studio, told, second = Studio(), [], threading.Event()
    room = SimpleNamespace(tell=lambda kind, fields: told.append(fields["games"]))
    studio.pages = [SimpleNamespace(room=room)]  # type: ignore[assignment]

    class Slow:
        reads = 0

        @property
        def compiling(self) -> list[str]:
            self.reads += 1
            if self.reads == 1:
                second.wait(0.5)  # another thread has something newer meanwhile
                return ["chess"]
            return []

    studio.warm = slow = Slow()  # type: ignore[assignment]
    first = threading.Thread(target=studio._compiling)
    first.start()
    wait_until(lambda: slow.reads == 1)
    studio._compiling()
    second.set()
    first.join(PATIENCE)
    assert told == [["chess"], []]


def test_a_worker_can_be_interrupted_and_goes_on() -> None:
    worker, begun, done = Worker("test"), threading.Event(), threading.Event()

    def for_ever() -> None:
        begun.set()
        while True:
            time.sleep(0.001)

    worker.run(for_ever)
    assert begun.wait(PATIENCE)
    worker.run(done.set)
    worker.interrupt()
    assert done.wait(PATIENCE)
    worker.close()
    worker._thread.join(PATIENCE)
    assert not worker._thread.is_alive()


# ---------------------------------------------------------------- over a socket


def test_requests_are_answered_and_errors_are_in_words(here: Any, capsys: Any) -> None:
    with Client(here.link) as page:
        assert page.next()["news"] == "welcome"
        assert page.ask("test.echo", text="é")["text"] == "é"
        assert page.ask("test.fail", how="words")["error"] == "in words"
        assert "ZeroDivisionError" in page.ask("test.fail", how="bug")["error"]
        assert "nothing called" in page.ask("test.close")["error"]
        assert "no desk" in page.ask("nothing.here")["error"]
        assert "no desk" in page.ask("")["error"]
        assert page.ask("home.cards")["catalogue"]
    assert "ZeroDivisionError: bug" in capsys.readouterr().err


def test_a_request_is_answered_however_quick_its_desk_is(here: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def run(worker: Worker, job: Any) -> None:
        quick = threading.Thread(target=job)
        quick.start()
        quick.join(PATIENCE)

    monkeypatch.setattr(Worker, "run", run)
    with Client(here.link) as page:
        assert page.ask("test.echo", text="a")["text"] == "a"


OWN_RULES = """
from typing import NamedTuple
from plyforge import MAX, Game
class Heap(NamedTuple):
    sticks: int
    player: int
class Sticks(Game):
    def start(self): return Heap(5, MAX)
    def player(self, s): return s.player
    def actions(self, s): return {actions}
    def result(self, s, n): {result}
    def terminal(self, s): return s.sticks == 0
    def utility(self, s): return -1.0 if s.player == MAX else 1.0
"""
NEXT = "return Heap(s.sticks - n, 1 - s.player)"


def _played(tmp_path: Path, actions: str = "(1, 2)", result: str = NEXT) -> tuple[str, str]:
    """Rules of one's own in which somebody plays 1: the error that the page is told, and the file."""
    file = tmp_path / "sticks.py"
    file.write_text(OWN_RULES.format(actions=actions, result=result))
    with running(file) as studio, Client(studio.link) as page:
        began = page.ask("play.new", game="sticks", players=["human", "human"])
        return began.get("error") or page.ask("play.move", text="1").get("error", ""), str(file)


@pytest.mark.parametrize(
    ("result", "words"),
    [
        (
            NEXT.removeprefix("return "),
            (
                "terminal of the rules raised AttributeError (sticks.py, line 12): 'NoneType' object has no attribute "
                "'sticks'; terminal was asked about None, so a `return` is missing in result or start"
            ),
        ),
        (
            "return Heap(n // 0, 0)",
            "result of the rules raised ZeroDivisionError (sticks.py, line 11): integer division or modulo by zero",
        ),
        (
            "import json; return json.loads('x')",
            "result of the rules raised JSONDecodeError (sticks.py, line 11): Expecting value",
        ),
        (
            "raise type('Mute', (Exception,), {'__str__': lambda self: 1 / 0})",
            "result of the rules raised Mute (sticks.py, line 11)",
        ),
    ],
)
def test_what_own_rules_raise_is_said_of_them(result: str, words: str, tmp_path: Path, capfd: Any) -> None:
    error, file = _played(tmp_path, result=result)
    assert error.startswith(words)
    assert error.endswith(f". `plyforge check {file}` says more")
    printed = capfd.readouterr()
    assert "Traceback" not in printed.out + printed.err
    assert error in printed.err  # the terminal; what is written to it is of another process


BROKEN = {"law": "a live state has actions", "sentence": "actions(s) is None: it must `yield`, or return a tuple"}


@pytest.mark.parametrize(
    ("violations", "words"),
    [
        ([BROKEN], f"the rules of sticks.py break a law, {BROKEN['law']}: {BROKEN['sentence']}. `plyforge check"),
        ([], "the studio failed (TypeError); the terminal shows where"),
        (None, "the studio failed (TypeError), or sticks.py did: the terminal shows where. `plyforge check"),
    ],
)
def test_an_answer_of_the_wrong_form_is_the_rules_fault_if_the_checker_says_so(
    violations: Any, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: Any
) -> None:
    report = None if violations is None else {"violations": violations}
    file = tmp_path / "sticks.py"
    file.write_text(OWN_RULES.format(actions="None", result=NEXT))
    monkeypatch.setattr("plyforge.studio.library.user_rules.checked", lambda spec: report)
    with running(file) as studio, Client(studio.link) as page:
        end = time.monotonic() + PATIENCE
        while studio.shelf.own["sticks"].stage != "done" and time.monotonic() < end:
            time.sleep(0.01)
        error = page.ask("play.new", game="sticks", players=["human", "human"])["error"]
    assert error.startswith(words)
    assert ("Traceback" in capfd.readouterr().err) == (not violations)


def test_what_is_at_once_does_not_wait_and_the_rest_keeps_its_order(here: Any) -> None:
    with Client(here.link) as page:
        page.ask("test.ping")
        page.send({"id": 1, "do": "test.hold"})
        page.send({"id": 2, "do": "test.echo", "text": "a"})
        page.send({"id": 3, "do": "test.ping"})
        page.send({"id": 1, "do": "test.ping"})
        first = {said["re"]: "error" in said for said in (page.next(), page.next())}
        assert first == {3: False, 1: True}  # the second request with the id 1 is refused
        page.send({"id": 4, "do": "test.release"})
        order = [said["re"] for said in (page.next(), page.next(), page.next())]
        assert [number for number in order if number != 4] == [1, 2]


def test_a_request_that_takes_too_long_is_given_up(here: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "REQUEST_SECONDS", 0.2)
    with Client(here.link) as page:
        assert "longer than" in page.ask("test.sleep", seconds=60)["error"]
        monkeypatch.setattr(limits, "REQUEST_SECONDS", 20)
        assert page.ask("test.echo", text="on")["text"] == "on"


def test_news_comes_ten_times_a_second_at_most_and_the_last_arrives(here: Any) -> None:
    with Client(here.link) as page:
        began = time.monotonic()
        for _ in range(40):
            page.ask("test.chatter", times=50)
            time.sleep(0.01)
        last = page.ask("test.chatter", times=8)  # ends with 7
        assert "error" not in last
        while page.wait_for("chat")["number"] != 7:
            pass
        seconds = time.monotonic() - began
        numbers = [message for message in page.news if message["news"] == "chat"]
        assert len(numbers) <= 10 * seconds + 2


def test_news_of_two_things_does_not_replace_each_other(here: Any) -> None:
    with Client(here.link) as page:
        page.ask("test.chatter", times=3, of="left")
        page.ask("test.chatter", times=5, of="right")
        seen = set()
        while not {2, 4} <= seen:
            seen.add(page.wait_for("chat")["number"])


def test_when_the_page_goes_its_desks_are_closed_and_what_was_made_is_forgotten(here: Any) -> None:
    TestDesk.closed.clear()
    with Client(here.link) as page:
        address = page.ask("test.keep", size=10)["address"]
        page.send({"id": 9, "do": "test.sleep", "seconds": 60})
        assert here.made.get(address.split("/")[2]) is not None
    wait_until(lambda: TestDesk.closed == ["closed"] and not here.pages)
    assert here.made.get(address.split("/")[2]) is None
    wait_until(lambda: not any(thread.name == "studio test" for thread in threading.enumerate()))


def wait_until(true: Any, seconds: float = PATIENCE) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_a_frame_beyond_64_kib_closes_the_socket(here: Any) -> None:
    with Client(here.link) as page:
        assert page.ask("test.echo", text="x" * 65_000)["text"]
        page.send(json.dumps({"id": 1, "do": "test.echo", "text": "x" * 70_000}))
        with pytest.raises(ConnectionClosed) as closed:
            while True:
                page.next()
        assert closed.value.rcvd is not None and closed.value.rcvd.code == 1009


def test_a_page_that_sends_what_is_no_request_is_dropped(here: Any) -> None:
    with Client(here.link) as page, pytest.raises(ConnectionClosed):
        for _ in range(limits.STRIKES + 1):
            page.send("nonsense")
        refused = 0
        while True:
            refused += page.next()["news"] == "refused"
    assert refused <= limits.STRIKES


def test_a_page_that_asks_faster_than_a_person_is_slowed_then_dropped(here: Any) -> None:
    with Client(here.link) as page, pytest.raises(ConnectionClosed):
        for number in range(2000):
            page.send({"id": number, "do": "test.ping"})
        while True:
            page.next()


def test_a_page_that_does_not_read_is_dropped(here: Any) -> None:
    with Client(here.link, max_queue=1) as page:
        page.ask("test.ping")
        page.send({"id": 1, "do": "test.flood", "frames": 200, "size": 100_000})  # and does not read
        wait_until(lambda: not here.pages)
        wait_until(lambda: connections(here.port) == 0)  # nothing waits for it: not even the connection


def connections(port: int) -> int:
    """How many connections of this process's server at `port` are there, by the system's table."""
    table = Path("/proc/net/tcp")
    if not table.exists():
        return 0
    states = {"01", "04", "08"}  # established, waiting for the other side to close
    rows = [line.split() for line in table.read_text().splitlines()[1:]]
    return sum(1 for row in rows if row[1].endswith(f":{port:04X}") and row[3] in states and row[9] != "0")


def test_so_many_pages_and_no_more(here: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "SOCKETS", 2)
    with Client(here.link) as one, Client(here.link) as two:
        assert one.ask("test.ping") == two.ask("test.ping") == {"re": 1}
        with Client(here.link) as three, pytest.raises(ConnectionClosed, match="too many pages"):
            three.next()


# ---------------------------------------------------------------- those who mean harm


def hostile_frames(number: int, seed: int) -> Iterator[Any]:
    """Frames that are malformed, oversized, or a flood of good ones."""
    draw = random.Random(seed)
    good = json.dumps({"id": 1, "do": "home.cards"})
    for _ in range(number):
        kind = draw.randrange(8)
        if kind == 0:
            yield draw.randbytes(draw.randrange(2000))
        elif kind == 1:
            yield good[: draw.randrange(len(good))]
        elif kind == 2:
            yield "[" * draw.randrange(60_000)
        elif kind == 3:
            yield json.dumps(
                {"id": draw.randrange(99), "do": draw.choice(["home.cards", "play.move", "x.y", ".", "home.__init__"])}
            )
        elif kind == 4:
            yield json.dumps({"id": draw.randrange(99), "do": "home.cards", "cards": "x" * draw.randrange(60_000)})
        elif kind == 5:
            yield "".join(chr(draw.randrange(1, 0xD7FF)) for _ in range(draw.randrange(500)))
        elif kind == 6 and draw.random() < 0.1:
            yield "x" * draw.randrange(65_536, 1_000_000)
        else:
            yield json.dumps({"id": draw.randrange(99), "do": "home.cards"})


def memory_of(process: int) -> float:
    """Megabytes in use by a process."""
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024
    raise AssertionError


def settled(process: int) -> float:
    """Megabytes in use once a program has loaded what it loads in the background."""
    seen, end = [memory_of(process)], time.monotonic() + 2 * PATIENCE
    while time.monotonic() < end and (
        len(seen) < 8 or seen[-1] > seen[-8] + 0.5 or "llvmlite" not in Path(f"/proc/{process}/maps").read_text()
    ):  # the compiler comes last, and is the largest
        time.sleep(0.5)
        seen.append(memory_of(process))
    return seen[-1]


def slow_reader(link: str) -> socket.socket:
    """A socket that asks and asks, and never reads."""
    port, token = link.split(":")[2].split("/")[0], link.split("=")[1]
    raw = socket.create_connection(("127.0.0.1", int(port)))
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    raw.sendall(
        f"GET /socket HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\nCookie:"
        f" plyforge-{port}={token}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version:"
        " 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n".encode()
    )
    raw.setblocking(False)
    for number in range(150):
        text = json.dumps({"id": number, "do": "home.cards"}).encode()
        mask = os.urandom(4)
        try:
            raw.send(bytes([0x81, 0x80 | len(text)]) + mask + bytes(byte ^ mask[i % 4] for i, byte in enumerate(text)))
        except BlockingIOError:
            break
    return raw


def attack(frames: int, reconnects: int, slow: int) -> dict[str, float]:
    """Let them at a studio in a process of its own, while an honest person plays on; what that person waited for a
    move, and what the studio grew by."""
    program = [sys.executable, "-m", "plyforge", "studio", "--no-browser", "--json"]
    with subprocess.Popen(program, stdout=subprocess.PIPE, text=True) as studio:
        assert studio.stdout is not None
        try:
            link = json.loads(studio.stdout.readline())["link"]
            waits: list[float] = []
            stop = threading.Event()
            failures: list[BaseException] = []
            with Client(link) as honest:
                assert "error" not in honest.ask("play.new", game="connect4", players=["human", "human"])
                before = settled(studio.pid)

                def ask_on() -> None:
                    try:
                        for number in itertools.count():
                            began = time.perf_counter()
                            answer = honest.ask("play.undo") if number % 2 else honest.ask("play.move", text="4")
                            waits.append(time.perf_counter() - began)
                            assert "error" not in answer, answer
                            honest.news.clear()
                            if stop.is_set():
                                break
                            time.sleep(0.05)
                    except BaseException as error:
                        failures.append(error)

                person = threading.Thread(target=ask_on)
                person.start()
                readers = [slow_reader(link) for _ in range(slow)]
                sent = connected = 0
                left = hostile_frames(frames, seed=7)
                while sent < frames or connected < reconnects:
                    connected += 1
                    try:
                        with Client(link) as bad:
                            for frame in left:
                                sent += 1
                                bad.send(frame)
                                if sent * reconnects > connected * frames:
                                    break
                    except (ConnectionClosed, OSError, TimeoutError):
                        continue
                time.sleep(0.5)
                stop.set()
                person.join(2 * PATIENCE)
                for reader in readers:
                    reader.close()
                assert not failures, failures
                assert studio.poll() is None
                grown = memory_of(studio.pid) - before
        finally:
            studio.terminate()
            studio.wait(PATIENCE)
    waits.sort()
    return {
        "sent": sent,
        "connected": connected,
        "grown": grown,
        "asked": len(waits),
        "median": statistics.median(waits),
        "worst": waits[-1],
        "late": sum(1 for wait in waits if wait > 0.3) / len(waits),
    }


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")  # clients that are cut off
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is read from /proc")
@pytest.mark.parametrize(
    ("frames", "reconnects", "slow"), [(400, 8, 2), pytest.param(10_000, 200, 10, marks=pytest.mark.full)]
)
def test_the_studio_outlives_those_who_mean_harm(frames: int, reconnects: int, slow: int) -> None:
    def attempt() -> float:
        seen = attack(frames, reconnects, slow)
        print(seen)
        assert seen["sent"] >= frames and seen["connected"] >= reconnects
        assert seen["grown"] < 50
        # a machine that is busy with other things may make one request wait; most are answered at once
        return max(seen["median"] / 0.3, seen["late"] / 0.05 if frames >= 10_000 else 0.0)

    assert best_of(attempt, 1.0, tries=4) <= 1.0
