"""A name that is a whole number on one path and a float on another is a float in compiled code: exactly, or an
exception.

The compiler turns whole numbers into floats by itself where two paths meet, where a list of floats is handed one, in
tuples and in values that may be None. Python would have kept them whole; as long as they are within 2**53 that is the
same number. The other way round nothing is the same, and it is refused.

Invariant: in code of rules every conversion that the compiler makes by itself goes through `ExactContext.cast`.
"""

from __future__ import annotations

from typing import Any

from numba.core import types
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.cpu import CPUContext
from numba.core.lowering import Lower
from numba.core.typed_passes import BaseNativeLowering, NativeLowering

from plyforge.kernel.exact.numbers.arithmetic import exact_float, is_int
from plyforge.kernel.exact.primitive import Refused


class ExactContext(CPUContext):
    """The compiler's knowledge of the machine, with conversions that check."""

    def cast(self, builder: Any, value: Any, given: Any, wanted: Any) -> Any:
        if wanted == types.float64 and is_int(given):
            whole = super().cast(builder, value, given, types.int64)
            return exact_float(self, builder, whole)
        if isinstance(given, types.Float) and isinstance(wanted, types.Integer):
            raise Refused("it puts a float where whole numbers are: make it one, `int(...)`, or make them all floats")
        if isinstance(wanted, types.Boolean) and isinstance(given, types.Number):
            raise Refused("it puts a number where True and False are: write `!= 0`, or make them all numbers")
        return super().cast(builder, value, given, wanted)


class ExactLower(Lower):
    """Writes LLVM code; whole numbers become floats only if they can."""

    def init(self) -> None:
        super().init()
        self.context.__class__ = ExactContext  # a copy that is this function's own


@register_pass(mutates_CFG=True, analysis_only=False)
class ExactLowering(BaseNativeLowering):
    """The compiler's last pass, for rules that are not Plyforge's own."""

    _name = "exact_lowering"

    @property
    def lowering_class(self) -> Any:
        return ExactLower


class RulesCompiler(CompilerBase):
    """The compiler for translated functions."""

    def define_pipelines(self) -> list[Any]:
        manager = DefaultPassBuilder.define_nopython_pipeline(self.state)
        manager.passes = [
            (ExactLowering, text) if each is NativeLowering else (each, text) for each, text in manager.passes
        ]
        manager.finalize()
        return [manager]
