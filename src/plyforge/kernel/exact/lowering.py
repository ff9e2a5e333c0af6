"""A name that is a whole number on one path and a float on another is a float in compiled code: exactly, or an exception.

The compiler turns whole numbers into floats by itself where two paths meet. Python would have kept them whole; as long as they are within 2**53 that is
the same number.
"""

from __future__ import annotations

from typing import Any

from numba.core import ir, types
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.lowering import Lower
from numba.core.typed_passes import BaseNativeLowering, NativeLowering

from plyforge.kernel.exact.arithmetic import exact_float, is_int


class ExactLower(Lower):
    """Writes LLVM code; where paths meet, whole numbers become floats only if they can."""

    def lower_assign(self, ty: Any, inst: Any) -> Any:
        if isinstance(inst.value, ir.Var) and self.becomes_float(inst.value.name, ty):
            return self.as_float(inst.value.name)
        return super().lower_assign(ty, inst)

    def lower_expr(self, resty: Any, expr: Any) -> Any:
        if expr.op == "cast" and self.becomes_float(expr.value.name, resty):
            return self.as_float(expr.value.name)
        return super().lower_expr(resty, expr)

    def becomes_float(self, name: str, kind: Any) -> bool:
        return kind == types.float64 and is_int(self.typeof(name))

    def as_float(self, name: str) -> Any:
        value = self.context.cast(self.builder, self.loadvar(name), self.typeof(name), types.int64)
        return exact_float(self.context, self.builder, value)


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
