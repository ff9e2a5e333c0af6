"""How Constants and kernels look to Numba: the only place where compilation shows.

Three types carry it. `ConstantType` is the type of one Constant: its name is the fingerprint, so that
each game gets machine code of its own, in memory and on disk. `MethodType` is a method of a Constant,
`KernelType` a kernel: both resolve to a dispatcher, with arguments never typed as literals.

Rules, each from a measured failure, enforced in `resolving.py`:
- a kernel is compiled for one signature per game. A second one (a float where an int went in) would
  crash the next process that loads the kernel from disk;
- a kernel may call itself, but two kernels may not call each other: same crash;
- a method may not call itself: methods are inlined.
"""

from __future__ import annotations

import functools
import inspect
import types as python_types
from typing import Any

import numba
import numpy as np
from numba import from_dtype, njit, types
from numba.core import cgutils, errors
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate
from numba.extending import (
    NativeValue,
    infer_getattr,
    lower_getattr_generic,
    models,
    overload,
    register_model,
    typeof_impl,
    unbox,
)
from numba.np.arrayobj import populate_array

from plyforge.kernel.compiling.cache import KernelCache
from plyforge.kernel.compiling.numba_patches import kernel_functions, seldom_functions
from plyforge.kernel.compiling.resolving import refuse_mutual_recursion, resolve_call
from plyforge.kernel.compiling.rules_context import (
    as_compiled,
    companions_in_machine_words,
    in_machine_words,
    means_machine_words,
    rules_context,
)
from plyforge.kernel.constant import Constant, defines, local_modules, source_digest
from plyforge.kernel.exact.constants import Frozen, frozen_type
from plyforge.kernel.exact.lowering import RulesCompiler
from plyforge.kernel.function import NEVER_COMPILED, Choice, Kernel, register_pending
from plyforge.kernel.run_time import arrays_of, places_of
from plyforge.kernel.storage.fill import PREFIX, filling
from plyforge.kernel.translate import (
    AS_WRITTEN,
    FOR_KERNELS,
    LISTED,
    NOBODY,
    Context,
    Untranslated,
    is_foreign,
    translated,
)
from plyforge.kernel.translate.functions.listing import LISTS
from plyforge.kernel.translate.translator import OWN

_instances: dict[str, Constant] = {}
_contexts: dict[str, Context] = {}
"""What translations know of the games whose types have these names."""
_callable_modules: set[str] = set()


VERSION: str = numba.__version__
"""The compiler's."""
nobody_compiles = global_compiler_lock
"""A context in which no other thread is in the middle of compiling."""


class NoAnswer(errors.TypingError):
    """A method whose answer is needed may end without `return`: interpreted None is false, compiled it would be an
    error at the first node."""


ANSWERED = ("player", "terminal", "utility", "evaluate", "result")
"""Methods that always have to give something."""


def may_be_nothing(kind: Any) -> bool:
    """True for the type of an answer that is None, or None on some path."""
    return isinstance(kind, (types.Optional, types.NoneType))


# ------------------------------------------------------------------ constants
class ConstantType(types.Type):
    """The type of one Constant; `instance` is the object itself, known while compiling."""

    def __init__(self, fingerprint: str, words: int = 0) -> None:
        self.fingerprint = fingerprint
        self.words = words
        """How many addresses it has at run time; see `run_time.py`."""
        super().__init__(name=fingerprint)

    @property
    def key(self) -> str:
        return self.fingerprint

    @property
    def instance(self) -> Constant:
        return _instances[self.fingerprint]


class MethodType(types.BoundFunction):
    """A Constant's method, bound to its Constant."""

    def __init__(self, template: Any, this: ConstantType, target: types.Dispatcher) -> None:
        super().__init__(template, this)
        self.target = target

    def get_impl_key(self, sig: Any) -> Any:
        return self.target.get_impl_key(sig if sig.recvr is None else sig.as_function())


class WordsModel(models.ProxyModel):
    """A Constant with arrays behind addresses is a tuple of these."""

    def __init__(self, manager: Any, kind: ConstantType) -> None:
        super().__init__(manager, kind)
        self._proxied_model = manager.lookup(types.UniTuple(types.int64, kind.words))


class NothingModel(models.OpaqueModel):
    """A Constant without arrays is known by its type alone: no call carries it. (As a pointer to nothing it would take
    one of the six registers for arguments, in every kernel, for each of the game, the evaluation and the watcher.)"""

    def get_argument_type(self) -> Any:
        return ()

    def as_argument(self, builder: Any, value: Any) -> Any:
        return ()

    def from_argument(self, builder: Any, value: Any) -> Any:
        return self.get_value_type()(None)


@register_model(ConstantType)
def _model(manager: Any, kind: ConstantType) -> Any:
    return WordsModel(manager, kind) if kind.words else NothingModel(manager, kind)


@register_model(MethodType)
def _model_of_method(manager: Any, kind: MethodType) -> Any:
    """The Constant itself is what a method gets."""
    return manager[kind.this]


def constant_type(fingerprint: str, value: Constant) -> ConstantType:
    """The type of a Constant."""
    return ConstantType(fingerprint, len(value._addresses))


@typeof_impl.register(Constant)
def _type_of_constant(value: Constant, context: Any) -> ConstantType:
    fingerprint = value.fingerprint()
    context_ = rules_context(value, fingerprint)
    if context_ is not None:
        fingerprint += context_.text
        _contexts[fingerprint] = context_
    if _instances.get(fingerprint) is not value:
        _instances[fingerprint] = value  # the latest: rules that were loaded again have new classes
        _callable_modules.update(local_modules(type(value)))
        for field in vars(value).values():
            if isinstance(field, python_types.FunctionType):
                _callable_modules.update(local_modules(field) or {field.__module__: None})
    return constant_type(fingerprint, value)


@unbox(ConstantType)
def _unbox_constant(typ: Any, obj: Any, c: Any) -> NativeValue:
    if typ.words == 0:
        return NativeValue(c.context.get_dummy_value())
    addresses = c.pyapi.object_getattr_string(obj, "_addresses")
    words = c.unbox(types.UniTuple(types.int64, typ.words), addresses)
    c.pyapi.decref(addresses)
    return NativeValue(words.value, is_error=words.is_error)


@infer_getattr
class _ConstantAttributes(AttributeTemplate):
    key = ConstantType

    def generic_resolve(self, typ: ConstantType, name: str) -> Any:
        if name.startswith(PREFIX):
            return _filling_type(typ, name)
        if name in type(typ.instance)._run_time:
            array = arrays_of(typ.instance).get(name)
            return None if array is None else _array_type(array)
        known = _contexts.get(typ.fingerprint, NOBODY)
        plain = name.removeprefix(OWN)
        value = inspect.getattr_static(typ.instance, plain, None)
        if isinstance(value, staticmethod):
            return KernelType(_inlined(as_compiled(typ.instance, value.__func__, known)))
        if inspect.isfunction(value) and name in vars(typ.instance):
            return KernelType(_inlined(as_compiled(typ.instance, value, NOBODY)))  # kept in a field: no method
        if getattr(value, NEVER_COMPILED, False):
            return None
        if inspect.isfunction(value):
            if is_foreign(value) and name in LISTS and not means_machine_words(typ.instance):
                return _listing_type(typ, name, value, known)
            return _method_type(typ, name, _inlined(_translated_for(typ.instance, value, known)))
        if known is not NOBODY and isinstance(value, (list, tuple, dict, set, frozenset, str)):
            kind = frozen_type(value) if len(value) else None
            if kind is not None:
                return kind
        if isinstance(value, (property, functools.cached_property)):
            value = getattr(typ.instance, name)
        if isinstance(value, Constant):
            if means_machine_words(typ.instance):
                companions_in_machine_words[id(value)] = value
            return _companion_type(value, known)
        if isinstance(value, (bool, int, float, str, tuple, np.generic, np.ndarray)):
            return self.context.resolve_value_type(value)
        return None


def _companion_type(value: Constant, known: Context) -> ConstantType:
    """The type of a Constant that another one has as an attribute: what is known of a game's states is known to its
    companions."""
    kind: ConstantType = cpu_target.typing_context.resolve_value_type(value)
    if known is NOBODY or kind.fingerprint in _contexts:
        return kind
    fingerprint = value.fingerprint() + known.text
    _contexts[fingerprint] = known
    _instances[fingerprint] = value
    return constant_type(fingerprint, value)


@overload(defines, prefer_literal=True)
def _defines(constant, name):
    """Known while compiling."""
    if defines(constant.instance, name.literal_value):
        return lambda constant, name: True
    return lambda constant, name: False


def _translated_for(owner: Any, function: Any, known: Context) -> Any:
    """A method as it is compiled. Watchers and logs of somebody's own write to the search's memory, which rules
    never do: they are kernels' code, and are taken as they are."""
    try:
        return as_compiled(owner, function, known)
    except Untranslated:
        if hasattr(owner, "actions") or known is not NOBODY:
            raise
        return function


def _listing_type(typ: ConstantType, name: str, value: Any, known: Context) -> Any:
    """A method that kernels go through. A generator that holds lists while it waits would lose them: it gives a list
    instead."""
    made = _inlined(translated(value, known, FOR_KERNELS))
    if not inspect.isgeneratorfunction(made.py_func):
        return _method_type(typ, name, made)
    listed = _inlined(translated(value, known, LISTED)) if inspect.isgeneratorfunction(value) else None
    return _method_type(typ, name, made, listed or _inlined(translated(value, known)))


def _filling_type(typ: ConstantType, name: str) -> MethodType:
    """A method that puts a list of the rules into a buffer: not inlined, since it may be long and is called for a
    whole list at once."""
    owner: Any = type(typ.instance)
    known = _contexts.get(typ.fingerprint)
    filled = filling(name.removeprefix(PREFIX), owner, known)
    if means_machine_words(typ.instance):
        in_machine_words.add(filled)
    return _method_type(typ, name, _called(filled))


def _holds_lists(kind: Any) -> bool:
    """True for a generator with lists or sets among what it keeps while it waits."""
    if not isinstance(kind, types.Generator):
        return False
    manager = cpu_target.target_context.data_model_manager
    return any(manager.lookup(each).contains_nrt_meminfo() for each in (*kind.state_types, *kind.arg_types))


def _method_type(typ: ConstantType, name: str, compiled: Any, without_generator: Any = None) -> MethodType:
    target = types.Dispatcher(compiled)

    class Method(AbstractTemplate):
        key = (typ, name)

        def generic(self, args: Any, kws: Any) -> Any:
            signature = resolve_call(target, self.context, (typ, *args), kws, super_call=None)
            if without_generator is not None and _holds_lists(signature.return_type):
                made.target = other = types.Dispatcher(without_generator)
                signature = resolve_call(other, self.context, (typ, *args), kws, super_call=None)
            if name in ANSWERED and may_be_nothing(signature.return_type):
                raise NoAnswer(f"{name} gives nothing on some path: end it with a `return`")
            parameters = list(signature.pysig.parameters.values())[1:]
            return signature.replace(
                args=signature.args[1:],
                recvr=typ,
                pysig=signature.pysig.replace(parameters=parameters),
            )

    made = MethodType(Method, typ, target)
    return made


@lower_getattr_generic(ConstantType)
def _lower_attribute(context: Any, builder: Any, typ: ConstantType, value: Any, name: str) -> Any:
    attribute = getattr(typ.instance, name.removeprefix(PREFIX).removeprefix(OWN))
    if typ.words and (place := places_of(typ.instance).get(name)):
        words = [builder.extract_value(value, place.first + index) for index in range(place.words)]
        if isinstance(attribute, Constant):
            return cgutils.pack_array(builder, words)
        return _array_at(context, builder, attribute, words[0])
    if typ.fingerprint in _contexts and isinstance(attribute, (list, tuple, dict, set, frozenset, str)):
        kind = frozen_type(attribute) if len(attribute) else None
        if kind is not None:
            return context.get_constant_generic(builder, kind, Frozen(attribute))
    if callable(attribute) or isinstance(attribute, Constant):
        return context.get_dummy_value()
    attribute_type = context.typing_context.resolve_value_type(attribute)
    return context.get_constant_generic(builder, attribute_type, attribute)


def _array_type(array: np.ndarray) -> types.Array:
    return types.Array(from_dtype(array.dtype), array.ndim, "C", readonly=True)


def _array_at(context: Any, builder: Any, array: np.ndarray, address: Any) -> Any:
    """An array like this one at an address."""
    made = context.make_array(_array_type(array))(context, builder)
    numbers = [[context.get_constant(types.intp, n) for n in each] for each in (array.shape, array.strides)]
    populate_array(
        made,
        data=builder.inttoptr(address, made.data.type),
        shape=numbers[0],
        strides=numbers[1],
        itemsize=context.get_constant(types.intp, array.itemsize),
        meminfo=None,
    )
    return made._getvalue()


# -------------------------------------------------------------------- kernels
class KernelType(types.Dispatcher):
    """A kernel, or a plain function of a rules file, called from compiled code. Its name is part of the names of
    compiled code on disk: it must not tell where in memory the function is."""

    def __init__(self, dispatcher: Any) -> None:
        super().__init__(dispatcher)
        function = dispatcher.py_func
        self.name = f"function {function.__module__}.{function.__qualname__}"

    def get_call_type(self, context: Any, args: Any, kws: Any) -> Any:
        return resolve_call(self, context, args, kws, super().get_call_type)


class ChoiceType(KernelType):
    """A helper with two bodies: which one a call means is decided by the type of its first argument."""

    def __init__(self, choice: Choice) -> None:
        self.choice = choice
        super().__init__(choice.native)

    def _chosen(self, args: Any) -> Any:
        chosen = self.choice.chosen_for(args[0].instance)
        return self if chosen is self.choice else KernelType(chosen.native)

    def get_call_type(self, context: Any, args: Any, kws: Any) -> Any:
        chosen = self._chosen(args)
        return KernelType.get_call_type(chosen, context, args, kws)

    def get_impl_key(self, sig: Any) -> Any:
        chosen = self._chosen(sig.args)
        return super().get_impl_key(sig) if chosen is self else chosen.get_impl_key(sig)


register_model(KernelType)(models.OpaqueModel)
register_model(ChoiceType)(models.OpaqueModel)


@typeof_impl.register(Kernel)
def _type_of_kernel(value: Kernel, context: Any) -> KernelType:
    if hasattr(value, "for_compiler"):
        function = value.for_compiler()
        return KernelType((_called if getattr(function, "__plyforge_called__", False) else _inlined)(function))
    refuse_mutual_recursion(value.function)
    return ChoiceType(value) if isinstance(value, Choice) else KernelType(value.native)


@typeof_impl.register(python_types.FunctionType)
def _type_of_function(value: Any, context: Any) -> KernelType | None:
    """Plain functions beside the rules may be called from them. All others keep Numba's own meaning."""
    if value.__module__ not in _callable_modules:
        return None
    running = cpu_target.typing_context.callstack
    if len(running) and running[0].func_id.func in in_machine_words:
        in_machine_words.add(value)
        return KernelType(_inlined(value))
    return KernelType(_inlined(translated(value)))


def dispatcher(kernel: Kernel) -> Any:
    """The compiled form of a kernel."""
    if kernel.inlined:
        return _inlined(kernel.function)
    options = {"forceinline": False} if kernel.seldom else {}  # who calls it may be inlined, which it would inherit
    made = njit(nogil=True, no_cfunc_wrapper=True, **options)(kernel.function)
    kernel_functions.add(kernel.function)
    if kernel.seldom:
        seldom_functions.add((kernel.function.__module__, kernel.function.__qualname__))
    if hasattr(made, "_cache"):  # not with NUMBA_DISABLE_JIT
        identity = f"{kernel.function.__module__}.{kernel.function.__qualname__}#{source_digest(kernel.function)}"
        made._cache = KernelCache(kernel.function, identity)
    return made


@functools.cache
def _inlined(function: Any) -> Any:
    return _jit(function, forceinline=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)


def _jit(function: Any, **options: Any) -> Any:
    """A dispatcher; of a translated function with the compiler for rules."""
    if hasattr(function, "__plyforge_tree__"):
        options["pipeline_class"] = RulesCompiler
    return njit(nogil=True, **options)(function)


def callable_from_python(function: Any) -> Any:
    """A translated function compiled for calls from Python, with whatever types it is given."""
    return _jit(function)


def method_of(game: Any, hook: Any) -> tuple[Any, ConstantType]:
    """A hook as kernels compile it, and the type of what has it: the game, or a companion."""
    game_type = cpu_target.typing_context.resolve_value_type(game)
    known = _contexts.get(game_type.fingerprint, NOBODY)
    owner = hook.owner_of(game)
    kind = game_type if owner is game else _companion_type(owner, known)
    form = FOR_KERNELS if hook.name in LISTS else AS_WRITTEN
    return _inlined(as_compiled(game, hook.function_of(game), known, form)), kind


@functools.cache
def _called(function: Any) -> Any:
    return _jit(function, no_cpython_wrapper=True, no_cfunc_wrapper=True)


register_pending()
