"""`plyforge studio`: the link, the browser, the end."""

from __future__ import annotations

import http.client
import json
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from patience import PATIENCE
from plyforge.cli import main
from plyforge.cli import studio as studio_command
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

    opened: list[str] = []

    class Window(webbrowser.BackgroundBrowser):
        def open(self, url: str, new: int = 0, autoraise: bool = True) -> bool:
            opened.append(url)
            return True

    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(webbrowser, "get", lambda: Window("a browser"))
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    studio_command._open_browser("http://127.0.0.1:1/")
    assert opened == []
    monkeypatch.setenv("DISPLAY", ":0")
    studio_command._open_browser("http://127.0.0.1:1/")
    assert opened == ["http://127.0.0.1:1/"]
    monkeypatch.setattr(webbrowser, "get", lambda: webbrowser.GenericBrowser("lynx"))
    studio_command._open_browser("http://127.0.0.1:1/")
    assert len(opened) == 1


def test_help_says_how() -> None:
    text = CliRunner().invoke(studio_command.command, ["--help"]).output
    assert "--port" in text and "RULES" in text
