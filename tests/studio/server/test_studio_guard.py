"""Who may come in: of all ways to ask, only our own page's pass. The guard is asked directly, then over real
sockets."""

from __future__ import annotations

import http.client
import itertools
import socket
from typing import Any

import pytest

from plyforge.studio.server.guard import HEADERS, Guard
from studio_browser import running

PORT = 8765


async def inside(scope: Any, receive: Any, send: Any) -> None:
    """What the guard guards."""
    if scope["type"] == "websocket":
        await send({"type": "websocket.accept"})
    else:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"inside"})


GUARD = Guard(inside, PORT, token="secret")
OURS = f"127.0.0.1:{PORT}"


def scope(kind: str = "http", **changes: Any) -> dict[str, Any]:
    """A request like our own page's, but for `changes`; a header that is None is left out."""
    headers: dict[str, Any] = {
        "host": OURS,
        "origin": f"http://{OURS}",
        "cookie": f"plyforge-{PORT}=secret",
    }
    rest = {"path": "/", "method": "GET", "query_string": b"", "client": ("127.0.0.1", 5000)}
    for name, value in changes.items():
        if name in rest:
            rest[name] = value
        else:
            headers[name.replace("_", "-")] = value
    pairs = []
    for name, value in headers.items():
        for each in value if isinstance(value, list) else [value]:
            if each is not None:
                pairs.append((name.encode(), each.encode("latin-1")))
    return {"type": kind, "headers": pairs, **rest}


def ask(what: dict[str, Any]) -> list[dict[str, Any]]:
    sent: list[dict[str, Any]] = []

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    async def receive() -> dict[str, Any]:
        raise AssertionError("the guard reads nothing")

    with pytest.raises(
        StopIteration
    ):  # it waits for nothing but `send`, so it ends at the first step; no event loop is needed
        GUARD(what, receive, send).send(None)
    return sent


def passes(what: dict[str, Any]) -> bool:
    sent = ask(what)
    if what["type"] == "websocket":
        return sent[0]["type"] == "websocket.accept"
    return sent[0]["status"] == 200


COMBINATIONS = list(
    itertools.product(
        ("http", "websocket"),
        (OURS, "plyforge.example.org"),
        (f"http://{OURS}", "http://evil.example.org", None),
        ("secret", "guessed"),
    )
)


@pytest.mark.parametrize(("kind", "host", "origin", "token"), COMBINATIONS)
def test_of_24_combinations_only_our_own_pass(kind: str, host: str, origin: str | None, token: str) -> None:
    ours = {("http", OURS, f"http://{OURS}", "secret"), ("http", OURS, None, "secret")}
    ours |= {("websocket", OURS, f"http://{OURS}", "secret")}
    asked = scope(kind, host=host, origin=origin, cookie=f"plyforge-{PORT}={token}")
    assert passes(asked) == ((kind, host, origin, token) in ours)


def test_there_are_24() -> None:
    assert len(COMBINATIONS) == 24


@pytest.mark.parametrize("host", [f"localhost:{PORT}", f"LOCALHOST:{PORT}", f"[::1]:{PORT}", OURS])
def test_names_of_this_machine_are_ours(host: str) -> None:
    assert passes(scope(host=host, origin=f"http://{host}"))


@pytest.mark.parametrize(
    "host",
    [
        None,
        "",
        "127.0.0.1",
        "localhost",
        f"127.0.0.1:{PORT + 1}",
        f"127.0.0.1.:{PORT}",
        f"localhost.:{PORT}",
        f"127.1:{PORT}",
        f"0.0.0.0:{PORT}",
        f"2130706433:{PORT}",
        f"evil.example.org:{PORT}",
        f"127.0.0.1.example.org:{PORT}",
        f"user@127.0.0.1:{PORT}",
        f"127.0.0.1:{PORT}, evil.example.org",
        [OURS, "evil.example.org"],
        [OURS, OURS],
    ],
)
@pytest.mark.parametrize("kind", ["http", "websocket"])
def test_every_other_name_is_refused(kind: str, host: Any) -> None:
    assert not passes(scope(kind, host=host))


@pytest.mark.parametrize(
    "origin",
    [
        "null",
        "",
        "http://127.0.0.1",
        f"https://127.0.0.1:{PORT}",
        f"http://127.0.0.1:{PORT + 1}",
        f"http://127.0.0.1:{PORT}.example.org",
        f"http://{OURS}/",
        "file://",
        "chrome-extension://abc",
        [f"http://{OURS}", "http://evil.example.org"],
    ],
)
@pytest.mark.parametrize("kind", ["http", "websocket"])
def test_every_other_origin_is_refused(kind: str, origin: Any) -> None:
    assert not passes(scope(kind, origin=origin))


@pytest.mark.parametrize(
    "cookie",
    [
        None,
        "",
        "secret",
        f"plyforge-{PORT}=",
        f"plyforge-{PORT}=secre",
        f"plyforge-{PORT}=secrets",
        f"plyforge-{PORT + 1}=secret",
        f"other=1; plyforge-{PORT}",
        "\x00=\xff; ;;=;",
    ],
)
def test_without_the_secret_nobody_comes_in(cookie: str | None) -> None:
    assert not passes(scope(cookie=cookie))
    assert not passes(scope("websocket", cookie=cookie))


def test_cookies_of_other_programs_on_this_machine_do_not_lock_us_out() -> None:
    assert passes(scope(cookie=f'a=1; plyforge-{PORT}=old; b="x y"; plyforge-{PORT}=secret; c'))
    assert passes(scope(cookie=["a=1", f"plyforge-{PORT}=secret"]))


@pytest.mark.parametrize("address", ["10.0.0.7", "192.168.1.2", "::2", "unix", ""])
def test_other_machines_are_refused(address: str) -> None:
    assert not passes(scope(client=(address, 5000)))
    assert not passes(scope(client=None))


@pytest.mark.parametrize("address", ["127.0.0.1", "127.8.8.8", "::1"])
def test_this_machine_is_not(address: str) -> None:
    assert passes(scope(client=(address, 5000)))


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_what_another_page_loads_is_refused(site: str) -> None:
    """A script or a picture of ours in another page has no Origin, but the browser says where it is from."""
    assert not passes(scope(origin=None, sec_fetch_site=site))
    assert passes(scope(origin=None, sec_fetch_site="none"))
    assert passes(scope(origin=None, sec_fetch_site="same-origin"))


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH", "CONNECT"])
def test_nothing_but_reading(method: str) -> None:
    sent = ask(scope(method=method))
    assert sent[0]["status"] == 405
    assert not any(name.startswith(b"access-control") for name, _ in sent[0]["headers"])


def test_the_door_gives_the_cookie_to_whoever_has_the_token() -> None:
    door: dict[str, Any] = {"path": "/door", "query_string": b"token=secret", "cookie": None, "origin": None}
    sent = ask(scope(**door))
    cookies = [value.decode() for name, value in sent[0]["headers"] if name == b"set-cookie"]
    assert cookies == [f"plyforge-{PORT}=secret; Path=/; HttpOnly; SameSite=Strict"]
    assert b"url=/" in sent[1]["body"] and b"secret" not in sent[1]["body"]
    # a link followed from a page elsewhere (a terminal in a browser) works; being loaded by a page elsewhere does not
    assert passes(scope(**door, sec_fetch_site="cross-site", sec_fetch_mode="navigate"))
    assert not passes(scope(**door, sec_fetch_site="cross-site", sec_fetch_mode="no-cors"))


@pytest.mark.parametrize("query", [b"", b"token=", b"token=secre", b"token=secret&token=x", b"secret", b"token=\xff"])
def test_the_door_is_shut_to_others(query: bytes) -> None:
    sent = ask(scope(path="/door", query_string=query, cookie=None, origin=None))
    assert sent[0]["status"] == 401
    assert not any(name == b"set-cookie" for name, _ in sent[0]["headers"])
    # the cookie itself is no key to the door, and the token is no key to anything else
    assert not passes(scope(path="/", query_string=b"token=secret", cookie=None))


def test_every_answer_carries_the_headers() -> None:
    assert set(HEADERS) <= set(ask(scope())[0]["headers"])
    policy, *rest = HEADERS
    for what in (scope(host="evil.example.org"), scope(cookie=None), scope(method="OPTIONS")):
        headers = ask(what)[0]["headers"]
        assert set(rest) <= set(headers)
        policies = [value.decode() for name, value in headers if name == policy[0]]
        assert len(policies) == 1 and "default-src 'none'" in policies[0] and "unsafe" not in policies[0]


def test_a_refusal_says_in_words_what_to_do_and_repeats_nothing_of_the_request() -> None:
    body = ask(scope(host='"><script>alert(1)</script>'))[1]["body"]
    assert b"script" not in body and b"127.0.0.1:8765" in body
    assert b"terminal" in ask(scope(cookie=None))[1]["body"]


def test_tokens_are_new_at_every_start() -> None:
    tokens = {Guard(inside, PORT).token for _ in range(20)}
    assert len(tokens) == 20 and min(len(token) for token in tokens) >= 43


# ---------------------------------------------------------------- over real sockets


@pytest.fixture(scope="module")
def here() -> Any:
    with running(token="secret") as studio:
        yield studio


def fetch(port: int, path: str, method: str = "GET", **headers: str) -> tuple[int, dict[str, str], bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    connection.request(method, path, headers={"Cookie": f"plyforge-{port}=secret", **headers})
    answer = connection.getresponse()
    return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()


def test_the_page_is_served_with_a_strict_policy(here: Any) -> None:
    status, headers, body = fetch(here.port, "/")
    assert status == 200 and b"/page/app.js" in body
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy and "frame-ancestors 'none'" in policy
    assert headers["x-content-type-options"] == "nosniff" and "server" not in headers
    status, _, body = fetch(here.port, "/", method="HEAD")
    assert (status, body) == (200, b"")


@pytest.mark.parametrize(
    "path",
    [
        "/page/../server.py",
        "/page/%2e%2e/server.py",
        "/page/..%2fserver.py",
        "/page/....//server.py",
        "/page//etc/passwd",
        "/page/%00",
        "/page/index.html/",
        "/page/",
        "/made/../page/app.js",
        "/made/x/y",
        "//evil.example.org/",
        "/page/app.js%00.py",
    ],
)
def test_no_path_leads_outside(here: Any, path: str) -> None:
    status, _, body = fetch(here.port, path)
    assert status in (404, 307) and b"import" not in body


def test_a_link_in_the_page_s_folder_is_not_followed(here: Any, tmp_path: Any, monkeypatch: Any) -> None:
    from plyforge.studio.server import server

    (tmp_path / "secret.js").write_text("secret")
    (tmp_path / "page").mkdir()
    (tmp_path / "page" / "good.js").write_text("good")
    (tmp_path / "page" / "bad.js").symlink_to(tmp_path / "secret.js")
    (tmp_path / "page" / "folder").symlink_to(tmp_path)
    (tmp_path / "page" / "notes.txt").write_text("not for pages")
    monkeypatch.setattr(server, "PAGE", tmp_path / "page")
    assert list(server.page_files()) == ["good.js"]


def test_only_the_loopback_address_listens(here: Any) -> None:
    assert here._listening.getsockname()[0] == "127.0.0.1"
    assert here._listening.family == socket.AF_INET


def test_a_port_that_is_taken_is_an_error_in_words(here: Any) -> None:
    from plyforge.studio.server.server import PortTaken, Studio

    with pytest.raises(PortTaken, match="--port"):
        Studio().listen(here.port)
