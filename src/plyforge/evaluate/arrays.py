"""Arrays in a file, as NumPy keeps them (`.npz`): read within limits, written whole or not at all.

Claim: what is read has the names and kinds that were asked for, and no more bytes than the limit, whatever the file
says of itself; else a BadText. The header of an array is read before its memory is asked for, and no more is unpacked
than it announces. Nothing is unpickled.
"""

from __future__ import annotations

import io
import math
import os
import zipfile
from typing import Any

import numpy as np

from plyforge.errors import BadText
from plyforge.reading import in_mebibytes, read_bytes
from plyforge.writing import write_file

KINDS = "iufU"
"""Of numbers and texts; objects are none of them."""


def read_arrays(path: str | os.PathLike[str], names: tuple[str, ...], limit: int, what: str) -> dict[str, np.ndarray]:
    """The arrays of these names, `limit` bytes in all at most. Raises BadText; `what` is in the file, with an
    article."""
    content = read_bytes(path, limit, what)
    found: dict[str, np.ndarray] = {}
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            for name in names:
                with archive.open(f"{name}.npy") as file:
                    found[name] = _read_array(file, limit)
                limit -= found[name].nbytes
    except Exception as error:  # neither NumPy nor zipfile say which errors a damaged file may cause
        raise BadText(f"{path} is not {what}, or is damaged: {str(error)[:200]}") from None
    return found


def _read_array(file: Any, limit: int) -> np.ndarray:
    version = np.lib.format.read_magic(file)
    if version not in ((1, 0), (2, 0)):
        raise ValueError(f"an array of format {version}")
    header = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
    shape, by_columns, dtype = header(file)
    size = math.prod(shape) * dtype.itemsize
    if dtype.kind not in KINDS or min(shape, default=0) < 0 or size > limit:
        raise ValueError(f"an array of {dtype} {shape}; at most {in_mebibytes(limit)} of numbers are read")
    content = file.read(size + 1)
    if len(content) != size:
        raise ValueError("an array has another size than it says")
    return np.frombuffer(content, dtype).reshape(shape, order="F" if by_columns else "C")


def write_arrays(path: str | os.PathLike[str], **arrays: np.ndarray) -> None:
    """Write a file of arrays, whole or not at all. Raises PlyforgeError."""
    content = io.BytesIO()
    np.savez_compressed(content, **arrays)  # type: ignore[arg-type]
    write_file(path, content.getvalue())


__all__ = ["read_arrays", "write_arrays"]
