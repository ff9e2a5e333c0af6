"""Who may come in: nobody but the person who started the studio, in a browser on this machine.

Any page of the web that this person has open can make the browser send requests to the loopback address. So every
request and every web socket must

1. come from this machine,
2. name us in `Host`: 127.0.0.1, localhost or [::1], with our port. A name that someone has let point to 127.0.0.1 (DNS
   rebinding) is refused,
3. where the browser says from which page it comes (`Origin`, `Sec-Fetch-Site`), come from one of ours. A web socket has
   to say it,
4. carry the cookie, which holds a secret of 256 bits, new at every start.

The cookie is given at the door, `/door?token=...`, the link that the terminal shows, and nowhere else. Cookies don't
tell ports apart: its name holds ours, so that two studios don't take each other's, and rule 3 keeps out pages that
other programs serve on this machine.

Invariant: nothing behind the guard runs before all four hold; and every answer, a refusal too, carries the headers
below. There are none that let another page in (CORS), so an `OPTIONS` request is refused like any other that is neither
GET nor HEAD.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import html
import ipaddress
import secrets
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs

DOOR = "/door"

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data: blob:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
"""What a page of ours may load: only what we serve. Pictures may also be made by the page itself, for export."""

HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cross-origin-embedder-policy", b"require-corp"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=(), payment=(), usb=()"),
    (b"cache-control", b"no-store"),
)


class Guard:
    """The outermost layer of the application; see the module's text."""

    def __init__(self, application: Any, port: int, token: str | None = None) -> None:
        self.application = application
        self.port = port
        self.token = token or secrets.token_urlsafe(32)
        self.cookie = f"plyforge-{port}"
        self.hosts = frozenset(f"{name}:{port}" for name in ("127.0.0.1", "localhost", "[::1]"))
        if port == 80:
            self.hosts |= {"127.0.0.1", "localhost", "[::1]"}
        self.origins = frozenset(f"http://{host}" for host in self.hosts)

    @property
    def link(self) -> str:
        """What to open in a browser."""
        return f"http://127.0.0.1:{self.port}{DOOR}?token={self.token}"

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            await self.application(scope, receive, send)
            return
        refusal = self.refusal(scope)
        if scope["type"] == "websocket":
            if refusal is not None:
                await send({"type": "websocket.close", "code": 1008, "reason": refusal[1]})
                return
            await self.application(scope, receive, send)
        elif refusal is not None:
            await self._answer(send, refusal[0], _page(refusal[1]))
        elif scope["path"] == DOOR:
            await self._open(send)
        else:
            await self.application(scope, receive, _with_headers(send))

    def refusal(self, scope: Any) -> tuple[int, str] | None:
        """Why a request is not let in, as a status and a sentence; None if it is."""
        headers = _headers(scope)
        client = scope.get("client")
        if client is None or not _is_loopback(client[0]):
            return 403, "The studio answers only to this machine."
        if len(headers.get("host", [])) != 1 or headers["host"][0].lower() not in self.hosts:
            return (
                403,
                (
                    f"The studio is at 127.0.0.1:{self.port} and answers to no other name. "
                    "If you forward the port from another machine, forward it to the same number."
                ),
            )
        at_door = scope["type"] == "http" and scope["path"] == DOOR
        if not self._from_ours(scope, headers, at_door):
            return 403, "Another page has asked for this. The studio answers only to its own pages."
        if scope["type"] == "http" and scope["method"] not in ("GET", "HEAD"):
            return 405, "The studio answers to GET alone."
        if not self._has_secret(scope, headers, at_door):
            return (
                401,
                (
                    "This browser has not come in yet, or the studio was started anew since. "
                    "Open the link that the terminal shows; it holds the key."
                ),
            )
        return None

    def _from_ours(self, scope: Any, headers: dict[str, list[str]], at_door: bool) -> bool:
        origins = headers.get("origin", [])
        if any(origin.lower() not in self.origins for origin in origins) or len(origins) > 1:
            return False
        if scope["type"] == "websocket":
            return len(origins) == 1
        sites = headers.get("sec-fetch-site", [])
        if at_door:  # whoever has the token may come from anywhere: a link in a terminal that is a web page, say
            return all(mode == "navigate" for mode in headers.get("sec-fetch-mode", []))
        return all(site in ("same-origin", "none") for site in sites)

    def _has_secret(self, scope: Any, headers: dict[str, list[str]], at_door: bool) -> bool:
        if at_door:
            given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [])
            return len(given) == 1 and self._is_token(given[0])
        return any(self._is_token(value) for value in _cookies(headers.get("cookie", []), self.cookie))

    def _is_token(self, text: str) -> bool:
        return hmac.compare_digest(text.encode("utf-8", "replace"), self.token.encode())

    async def _open(self, send: Any) -> None:
        """Give the cookie, and go on to an address without the token. A page that refreshes itself does, where a
        redirect would not: a browser that came here from another site sends a strict cookie only with what a page of
        ours then asks for."""
        cookie = f"{self.cookie}={self.token}; Path=/; HttpOnly; SameSite=Strict"
        body = _document(
            "Plyforge", '<p><a href="/">To the studio</a></p>', '<meta http-equiv="refresh" content="0; url=/">'
        )
        await self._answer(send, 200, body, [(b"set-cookie", cookie.encode())])

    async def _answer(self, send: Any, status: int, body: bytes, more: list[tuple[bytes, bytes]] | None = None) -> None:
        headers = [
            (b"content-type", b"text/html; charset=utf-8"),
            (b"content-length", str(len(body)).encode()),
            (b"content-security-policy", _STYLED.encode()),
            *(pair for pair in HEADERS if pair[0] != b"content-security-policy"),
            *(more or []),
        ]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body})


def _headers(scope: Any) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name, value in scope["headers"]:
        found.setdefault(name.decode("latin-1").lower(), []).append(value.decode("latin-1"))
    return found


def _is_loopback(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False


def _cookies(headers: list[str], name: str) -> list[str]:
    """The values of all cookies of that name: another program on this machine may have set one, too."""
    values = []
    for header in headers:
        for part in header.split(";"):
            try:
                values += [morsel.value for key, morsel in SimpleCookie(part.strip()).items() if key == name]
            except CookieError:
                continue
    return values


def _with_headers(send: Any) -> Any:
    async def sending(message: Any) -> None:
        if message["type"] == "http.response.start":
            given = {name.lower() for name, _ in message["headers"]}
            message = message | {"headers": [*message["headers"], *(pair for pair in HEADERS if pair[0] not in given)]}
        await send(message)

    return sending


_STYLE = (
    ":root{color-scheme:light dark;font:400 1rem/1.5"
    " system-ui,sans-serif;background:light-dark(#faf8f4,#161412);color:light-dark(#211c17,#f0eae2)}body{max-width:34rem;margin:18vh"  # noqa: E501
    " auto 0;padding:0 1.5rem}h1{font-size:1.625rem;letter-spacing:-.02em}a{color:light-dark(#a1421a,#f29b6b)}"
)
"""The little style of the pages that are shown outside; inside, pages have style sheets, and no style may stand in a
page."""
_STYLED = POLICY.replace(
    "style-src 'self'", f"style-src 'sha256-{base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()}'"
)


def _page(sentence: str) -> bytes:
    return _document(
        "Not let in · Plyforge",
        f"<main><h1>Not let in</h1><p>{html.escape(sentence)}</p>"
        '<p>If the studio is open in this browser already: <a href="/">go there</a>.</p></main>',
    )


def _document(title: str, body: str, head: str = "") -> bytes:
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f"{head}<title>{title}</title><style>{_STYLE}</style></head><body>{body}</body></html>"
    ).encode()


__all__ = ["DOOR", "HEADERS", "POLICY", "Guard"]
