"""A kernel's memory: one record, of the same fields at both speeds.

    PLAN = RecordType("plan", [("nodes", "i8"), ("heap", "i8"), ("spent", "f8", (100,))])
    memory = PLAN.new(compiled)        # for compiled code a record in memory, else a plain object
    memory.nodes                       # read and written as attributes, from any thread, while a kernel runs

Compiled code takes the record as a bare pointer. To describe a record of NumPy to the compiler's dispatcher takes
microseconds, and so does to read one of its numbers; here each field is a view of its own, and the type says itself
what it is. A `RecordType` stands for memories of its kind where a kernel is compiled before there is one.

Invariant: a record's fields are zero at first, and mean the same at both speeds. (In plain objects numbers are as wide
as Python's, and further attributes may stand beside the fields.)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from plyforge.kernel.function import when_compiling


class Record:
    """For compiled code: numbers are properties, arrays are views, and `data` is all that an entry point asks for."""

    kind: RecordType

    if TYPE_CHECKING:

        def __getattr__(self, field: str) -> Any: ...
        def __setattr__(self, field: str, value: Any) -> None: ...

    def __init__(self, block: np.ndarray | None = None) -> None:
        block = np.zeros(1, self.kind.dtype) if block is None else block
        self.block = block
        self.data = block.view(np.uint8).data
        for name, (field, *_) in (self.kind.dtype.fields or {}).items():
            view = block[name]
            setattr(self, name if field.shape else f"_{name}", view[0] if field.shape else view)


def _number(view: str) -> property:
    def read(self: Any) -> Any:
        return getattr(self, view).item()

    def write(self: Any, value: Any) -> None:
        getattr(self, view)[0] = value

    return property(read, write)


class PlainRecord:
    """For the interpreted speed: plain attributes are ten times faster than a record's."""

    kind: RecordType

    if TYPE_CHECKING:

        def __getattr__(self, field: str) -> Any: ...
        def __setattr__(self, field: str, value: Any) -> None: ...

    def __init__(self) -> None:
        for name in self.kind.dtype.names or ():
            field = self.kind.dtype[name]
            zero = 0.0 if field.kind == "f" else 0
            setattr(self, name, np.zeros(field.shape, field.base) if field.shape else zero)


class RecordType:
    """The fields of a memory, and the two classes that have them."""

    def __init__(self, name: str, fields: np.dtype | Sequence[Any]) -> None:
        self.name = name
        self.dtype = fields if isinstance(fields, np.dtype) else np.dtype(list(fields), align=True)
        names = self.dtype.names or ()
        numbers = {field: _number(f"_{field}") for field in names if not self.dtype[field].shape}
        self.compiled: type[Record] = type("Record", (Record,), {"kind": self, **numbers})
        self.interpreted: type[PlainRecord] = type("PlainRecord", (PlainRecord,), {"kind": self})

    def __repr__(self) -> str:
        return f"<memory {self.name}>"

    def new(self, compiled: bool) -> Any:
        """A memory of zeros."""
        return self.compiled() if compiled else self.interpreted()

    def extended(self, name: str, fields: Sequence[Any]) -> RecordType:
        """A kind with further fields after these."""
        own = [(each, self.dtype[each]) for each in self.dtype.names or ()]
        return RecordType(name, [*own, *fields])


@when_compiling
def _natively() -> None:
    from numba import from_dtype
    from numba.extending import typeof_impl

    known: dict[RecordType, Any] = {}

    def numba_type(kind: RecordType) -> Any:
        if kind not in known:
            known[kind] = from_dtype(kind.dtype)
        return known[kind]

    @typeof_impl.register(Record)
    def _type_of_record(record: Record, context: Any) -> Any:
        return numba_type(record.kind)

    @typeof_impl.register(RecordType)
    def _type_of_records(kind: RecordType, context: Any) -> Any:
        return numba_type(kind)
