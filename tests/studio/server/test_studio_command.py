"""`plyforge studio`: the link, the browser, the end."""

from __future__ import annotations

import html
import http.client
import json
import os
import re
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from click.testing import CliRunner

from patience import PATIENCE
from plyforge.cli import main
from plyforge.cli.play import studio as studio_command
from plyforge.studio.server.signpost import signpost
from studio_browser import running
from studio_client import Client


def start(*arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "plyforge", "studio", "--no-browser", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_the_link_opens_the_door_and_ctrl_c_closes_it_cleanly(tmp_path: Path) -> None:
    with start() as studio:
        assert studio.stdout is not None and studio.stderr is not None
        try:
            found = re.search(r"http://127\.0\.0\.1:(\d+)(/door\?token=\S+)", studio.stdout.readline())
            assert found
            connection = http.client.HTTPConnection("127.0.0.1", int(found[1]), timeout=20)
            connection.request("GET", found[2])
            answer = connection.getresponse()
            answer.read()
            assert answer.status == 200
            cookie = (answer.getheader("set-cookie") or "").split(";")[0]
            connection.request("GET", "/", headers={"Cookie": cookie})
            page = connection.getresponse()
            assert page.status == 200 and b"Plyforge" in page.read()
            with Client(found[0]) as client:  # an open page does not keep the studio from closing
                client.ask("home.cards")
                studio.send_signal(signal.SIGINT)
                assert studio.wait(PATIENCE) == 0
            rest = studio.stdout.read()
            assert "closed" in rest.splitlines()[-1]
            assert studio.stderr.read() == ""
        finally:
            if studio.poll() is None:
                studio.kill()


def test_json_is_one_object_and_a_port_can_be_chosen() -> None:
    with start("--json") as first:
        assert first.stdout is not None
        try:
            said = json.loads(first.stdout.readline())
            assert said["link"].startswith(f"http://127.0.0.1:{said['port']}/door?token=")
            with start("--port", str(said["port"])) as second:
                assert second.stderr is not None
                assert second.wait(60) == 2
                assert second.stderr.read().startswith("plyforge: the port")
        finally:
            first.send_signal(signal.SIGINT)
            assert first.wait(PATIENCE) == 0
            assert first.stdout.read() == ""


def test_a_rules_file_that_is_not_there_is_one_line(capsys: Any) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["studio", "--no-browser", "nowhere.py"])
    assert ended.value.code == 2
    assert capsys.readouterr().err == "plyforge: there is no file nowhere.py\n"


def test_no_browser_is_opened_where_there_is_no_window(monkeypatch: pytest.MonkeyPatch) -> None:
    import webbrowser

    window = webbrowser.BackgroundBrowser("a browser")
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(webbrowser, "get", lambda: window)
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    assert studio_command._browser() is None
    monkeypatch.setenv("DISPLAY", ":0")
    assert studio_command._browser() is window
    monkeypatch.setattr(webbrowser, "get", lambda: webbrowser.GenericBrowser("lynx"))
    assert studio_command._browser() is None


@pytest.mark.skipif(sys.platform != "linux", reason="a browser of our own is named as Linux does it")
def test_the_key_is_not_in_what_the_browser_is_started_with(tmp_path: Path) -> None:
    """Everybody on a machine can read what its programs were started with."""
    seen = tmp_path / "seen"
    script = tmp_path / "browser"
    script.write_text(f'#!/bin/sh\nprintf %s "$*" > {seen}.part && mv {seen}.part {seen}\n')
    script.chmod(0o755)
    surroundings = os.environ | {"DISPLAY": ":0", "BROWSER": f"{script} %s &", "TMPDIR": str(tmp_path)}
    with subprocess.Popen(
        [sys.executable, "-m", "plyforge", "studio"], stdout=subprocess.PIPE, text=True, env=surroundings
    ) as studio:
        assert studio.stdout is not None
        try:
            link = studio.stdout.readline().split()[-1]
            end = time.monotonic() + PATIENCE
            while not seen.exists() and time.monotonic() < end:
                time.sleep(0.01)
            address = seen.read_text()
            token = link.partition("token=")[2]
            assert len(token) >= 43 and token not in address and address.startswith("file://")
            file = Path(unquote(urlsplit(address).path))
            assert html.escape(link) in file.read_text()
            assert stat.S_IMODE(file.stat().st_mode) == 0o600
            assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
            connection = http.client.HTTPConnection(urlsplit(link).netloc, timeout=PATIENCE)
            connection.request("GET", "/")  # answered once it serves, which Ctrl-C ends
            assert connection.getresponse().status == 401
        finally:
            studio.send_signal(signal.SIGINT)
            assert studio.wait(PATIENCE) == 0
    assert not file.parent.exists()


def test_a_browser_is_let_in_by_the_file(browser: Any) -> None:
    with running() as studio, signpost(studio.link) as address:
        page = browser.new_page()
        page.goto(address)
        page.get_by_role("heading", name="Games", exact=True).wait_for(timeout=1000 * PATIENCE)
        assert page.url.startswith(f"http://127.0.0.1:{studio.port}/") and "token" not in page.url
        page.close()


def test_help_says_how() -> None:
    text = CliRunner().invoke(studio_command.command, ["--help"]).output
    assert "--port" in text and "RULES" in text
