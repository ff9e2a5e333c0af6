"""An unfinished game in which something is hidden, as it is kept: in an envelope, not in the open.

To go on with such a game the referee needs what chance dealt and what everybody did, so a file that it goes on from
has to hold that. It stands there as one text that says nothing to whoever looks at the file by chance:

    base64( zlib( {"seed": 7, "actions": ["K", "Q", "bet"]} ) )

It is an envelope and no lock: who wants to open it can. So it is written to files of whoever runs the game alone, never
sent to a player or a page. What a player may keep of such a game is the own view (`own_view.py`).
"""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from collections.abc import Sequence
from typing import Any

from plyforge.errors import BadText
from plyforge.reading import parse_json

LARGEST = 4 << 20
"""Bytes of what is in an envelope."""
DAMAGED = "sealed: what is in it is damaged, or was not written by Plyforge"


def seal(seed: int, actions: Sequence[str]) -> str:
    """What chance goes on from and all actions, as one text."""
    plain = json.dumps({"seed": seed, "actions": list(actions)}, ensure_ascii=False)
    return base64.b64encode(zlib.compress(plain.encode("utf-8", "backslashreplace"))).decode()


def unseal(text: Any) -> tuple[Any, Any]:
    """The seed and the actions of a sealed text, not checked yet. Raises BadText."""
    if not isinstance(text, str):
        raise BadText("sealed: expected text")
    try:
        opened = zlib.decompressobj()
        plain = opened.decompress(base64.b64decode(text, validate=True), LARGEST)
        if opened.unconsumed_tail or not opened.eof:
            raise BadText(DAMAGED)
        data: Any = parse_json(plain, "what is sealed")
    except (binascii.Error, zlib.error, ValueError, BadText):
        raise BadText(DAMAGED) from None
    if not isinstance(data, dict) or set(data) != {"seed", "actions"}:
        raise BadText(DAMAGED)
    return data["seed"], data["actions"]


__all__ = ["seal", "unseal"]
