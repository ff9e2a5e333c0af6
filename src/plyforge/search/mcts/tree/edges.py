"""The action that leads to each node, kept so that a simulation need not list a node's actions again to follow one.

Interpreted, a dict. Compiled, a block of as many bytes for each node as an action of the game takes, whatever its type:
a number, a tuple, a NamedTuple. How many that is only the compiler knows, so the kernel says it: `action_bytes`.
"""

from __future__ import annotations

from typing import Any

from plyforge.kernel.function import when_compiling


def action_bytes(game: Any, s: Any) -> int:
    """How many bytes an action takes, compiled."""
    return 0


def store_action(game: Any, s: Any, memory: Any, child: int, action: Any) -> None:
    """Keep `action`, one of those of state `s`, as the one that leads to `child`."""
    memory.choices[child] = action


def load_action(game: Any, s: Any, memory: Any, child: int) -> Any:
    """The action, one of those of state `s`, that leads to `child`."""
    return memory.choices[child]


def expect_actions(game: Any, s: Any, memory: Any, child: int) -> None:
    """The action of `child` or of one beside it is about to be loaded: compiled, the processor fetches it meanwhile."""


@when_compiling
def _natively() -> None:
    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic, overload

    def action_type(typing_context: Any, game: Any, s: Any) -> Any:
        method = typing_context.resolve_getattr(game, "actions")
        given = method.get_call_type(typing_context, (s,), {}).return_type
        return types.unliteral(getattr(given, "yield_type", None) or given.dtype)

    def place(context: Any, builder: Any, kind: Any, address: Any, index: Any) -> Any:
        data = context.data_model_manager.lookup(kind).get_data_type()
        return builder.gep(builder.inttoptr(address, data.as_pointer()), [index])

    @intrinsic
    def size(typing_context, game, s):
        kind = action_type(typing_context, game, s)

        def generate(context, builder, signature, args):
            data = context.data_model_manager.lookup(kind).get_data_type()
            return context.get_constant(types.int64, context.get_abi_sizeof(data))

        return types.int64(game, s), generate

    @intrinsic
    def store(typing_context, game, s, address, index, action):
        kind = action_type(typing_context, game, s)

        def generate(context, builder, signature, args):
            model = context.data_model_manager.lookup(kind)
            where = place(context, builder, kind, args[2], args[3])
            builder.store(model.as_data(builder, args[4]), where)
            return context.get_dummy_value()

        return types.void(game, s, types.int64, types.int64, kind), generate

    @intrinsic
    def load(typing_context, game, s, address, index):
        kind = action_type(typing_context, game, s)

        def generate(context, builder, signature, args):
            model = context.data_model_manager.lookup(kind)
            where = place(context, builder, kind, args[2], args[3])
            return model.from_data(builder, builder.load(where))

        return kind(game, s, types.int64, types.int64), generate

    @intrinsic
    def fetch(typing_context, game, s, address, index):
        kind = action_type(typing_context, game, s)

        def generate(context, builder, signature, args):
            where = place(context, builder, kind, args[2], args[3])
            pointer, number = ir.IntType(8).as_pointer(), ir.IntType(32)
            signature = ir.FunctionType(ir.VoidType(), [pointer, number, number, number])
            prefetch = builder.module.declare_intrinsic("llvm.prefetch", [pointer], signature)
            hints = [ir.Constant(number, hint) for hint in (0, 3, 1)]  # to read; keep; data
            builder.call(prefetch, [builder.bitcast(where, pointer), *hints])
            return context.get_dummy_value()

        return types.void(game, s, types.int64, types.int64), generate

    @overload(expect_actions)
    def _expect_actions(game, s, memory, child):
        return lambda game, s, memory, child: fetch(game, s, memory.choices, child)

    @overload(action_bytes)
    def _action_bytes(game, s):
        return lambda game, s: size(game, s)

    @overload(store_action)
    def _store_action(game, s, memory, child, action):
        return lambda game, s, memory, child, action: store(game, s, memory.choices, child, action)

    @overload(load_action)
    def _load_action(game, s, memory, child):
        return lambda game, s, memory, child: load(game, s, memory.choices, child)
