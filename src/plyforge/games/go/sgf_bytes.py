"""The text of an SGF file: its bytes, in the encoding that it names."""

from __future__ import annotations

import codecs
import contextlib
import re

from plyforge.errors import BadText
from plyforge.games.go.sgf import LARGEST_FILE

# ------------------------------------------------------------------ bytes
NEAR_THE_START = 1 << 12
"""How many bytes after the beginning of the first game CA is looked for."""
WIDER = {"gb2312": "gb18030", "gbk": "gb18030", "shift_jis": "cp932", "big5": "big5hkscs", "euc_kr": "cp949"}
"""Files say the one and have signs of the other, which has all signs of the one."""
_ROOT = re.compile(rb"\(\s*;")
_CHARSET = re.compile(rb"(?:^|[;\]\s])CA\s*\[\s*([A-Za-z0-9][\w.:+ -]{0,39}?)\s*\]")
_PAIR = re.compile(rb"[\x81-\xfe]([\x40-\xfe])")
_PROBE = r"(;)[]:\u005d aA09"


def decoded(data: bytes) -> str:
    """The text of a file; see the module's text. Raises BadText if it is too large, else never."""
    if len(data) > LARGEST_FILE:
        raise BadText(f"the file has more than {LARGEST_FILE:,} bytes, which is as many as are read")
    begin = _ROOT.search(data)
    said = begin and _CHARSET.search(data[begin.end() : begin.end() + NEAR_THE_START])
    name = _codec(said[1].decode("ascii")) if said else None
    if name is not None and name != "utf-8":
        return data.decode(name, "replace")
    text = data.decode("utf-8-sig", "replace")
    bad = text.count("\ufffd")
    if 2 * bad < len(text) - len(text.encode("ascii", "ignore")) or not bad:
        return text
    # an accented letter before a bracket looks like a sign of two bytes: most second ones are no ASCII in real text
    if sum(1 if pair[1] >= b"\xa1" else -1 for pair in _PAIR.finditer(data)) > 0:
        with contextlib.suppress(UnicodeError):
            return data.decode("gb18030")
    return data.decode("latin-1")


def _codec(name: str) -> str | None:
    """What Python calls an encoding; None if it knows none of that name, or one in which SGF's own signs are others."""
    try:
        known = codecs.lookup(name).name
        known = WIDER.get(known, known)
        if _PROBE.encode("ascii").decode(known, "replace") == _PROBE:
            return known
    except (LookupError, ValueError):
        pass
    return None
