"""Frames as text: requests read with suspicion, answers written so that any browser reads them."""

from __future__ import annotations

import json
from typing import Any

from plyforge.studio.server.handler import BadRequest


def read_frame(text: str | None) -> dict[str, Any]:
    """A request as the page sent it. Raises BadRequest."""
    if text is None:
        raise BadRequest("a frame must be text, not bytes")
    try:
        request = json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise BadRequest("a frame must be an object of JSON") from None
    if not isinstance(request, dict):
        raise BadRequest("a frame must be an object of JSON")
    number, do = request.get("id"), request.get("do")
    if type(number) is not int or not 0 <= number < 1 << 53:
        raise BadRequest('a request needs an "id": a whole number')
    if not isinstance(do, str):
        raise BadRequest('a request needs a "do": text, such as "play.move"')
    return request


def _no_constant(name: str) -> Any:
    raise ValueError(name)


def write_json(message: dict[str, Any]) -> str:
    """A message as text. Numbers of NumPy are numbers; infinity and what is no number become null, which JSON has."""
    try:
        return json.dumps(message, ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=_plain)
    except ValueError:
        return json.dumps(_finite(message), ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def _plain(value: Any) -> Any:
    for convert in ("item", "tolist", "to_json"):
        if hasattr(value, convert) and not (convert == "item" and getattr(value, "size", 1) != 1):
            return getattr(value, convert)()
    return str(value)


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _finite(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(each) for each in value]
    if isinstance(value, float):
        return value if value - value == 0 else None
    if value is None or isinstance(value, (str, int)):
        return value
    return _finite(_plain(value))


__all__ = ["read_frame", "write_json"]
