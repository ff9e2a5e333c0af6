"""The compiled body of `buffer.py`: an array on the stack of the recursion."""

from __future__ import annotations

from typing import Any

from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, models, overload, register_model

from plyforge.kernel.storage.buffer import (
    ACTION_LIMIT,
    get,
    new_actions,
    new_buffer,
    new_keys,
    new_numbers,
    new_outcomes,
    put,
)


class BufferType(types.Type):
    """A pointer to actions of one type."""

    def __init__(self, item: Any) -> None:
        self.item = item
        super().__init__(name=f"buffer({item})")

    @property
    def key(self) -> Any:
        return self.item


@register_model(BufferType)
class BufferModel(models.PrimitiveModel):
    def __init__(self, manager: Any, buffer_type: Any) -> None:
        pointer = manager.lookup(buffer_type.item).get_data_type().as_pointer()
        super().__init__(manager, buffer_type, pointer)


def on_the_stack(item, size):
    def generate(context, builder, signature, args):
        kind = context.data_model_manager.lookup(item).get_data_type()
        return cgutils.alloca_once(builder, kind, size=size)

    return generate


def type_of(typing_context, game, state, name):
    method = typing_context.resolve_getattr(game, name)
    given = method.get_call_type(typing_context, (state,), {}).return_type
    return types.unliteral(getattr(given, "yield_type", None) or given.dtype)


@intrinsic
def native_new(typing_context, game, state):
    item = type_of(typing_context, game, state, "actions")
    return BufferType(item)(game, state), on_the_stack(item, ACTION_LIMIT)


@intrinsic
def native_actions(typing_context, game, state):
    item = type_of(typing_context, game, state, "actions")
    return BufferType(item)(game, state), on_the_stack(item, game.instance.max_actions)


@intrinsic
def native_outcomes(typing_context, game, state):
    item = type_of(typing_context, game, state, "chance")
    return BufferType(item)(game, state), on_the_stack(item, ACTION_LIMIT)


@intrinsic
def native_numbers(typing_context, game):
    return BufferType(types.float64)(game), on_the_stack(types.float64, game.instance.max_actions)


@intrinsic
def native_keys(typing_context, game):
    return BufferType(types.uint64)(game), on_the_stack(types.uint64, game.instance.max_actions)


@intrinsic
def native_put(typing_context, buffer, index, action):
    def generate(context, builder, signature, args):
        model = context.data_model_manager.lookup(buffer.item)
        builder.store(model.as_data(builder, args[2]), builder.gep(args[0], [args[1]]))
        return context.get_dummy_value()

    return types.void(buffer, types.int64, buffer.item), generate


@intrinsic
def native_get(typing_context, buffer, index):
    def generate(context, builder, signature, args):
        model = context.data_model_manager.lookup(buffer.item)
        return model.from_data(builder, builder.load(builder.gep(args[0], [args[1]])))

    return buffer.item(buffer, types.int64), generate


@overload(new_buffer, inline="always")  # the array must be on the stack of the caller, not of this function
def _new_buffer(game, state):
    return lambda game, state: native_new(game, state)


@overload(new_actions, inline="always")
def _new_actions(game, state):
    return lambda game, state: native_actions(game, state)


@overload(new_numbers, inline="always")
def _new_numbers(game):
    return lambda game: native_numbers(game)


@overload(new_keys, inline="always")
def _new_keys(game):
    return lambda game: native_keys(game)


@overload(new_outcomes, inline="always")
def _new_outcomes(game, state):
    return lambda game, state: native_outcomes(game, state)


@overload(put, inline="always")
def _put(buffer, index, action):
    return lambda buffer, index, action: native_put(buffer, index, action)


@overload(get, inline="always")
def _get(buffer, index):
    return lambda buffer, index: native_get(buffer, index)
