"""Modules that can be called, where a function and its package share a name.

`pf.search(game)` is the public face, `plyforge/search/` is where the searches live; importing anything from there makes
`pf.search` the module. So the module answers a call as the function of its name would, and the parent hands out the
function itself, which has all that the module has: `pf.search.Uct` is there, and `help(pf.search)`, its text and its
signature are the function's.

Invariant: the function's attributes are the module's namespace, the same dictionary, not a copy; what is imported into
the module later is seen through both.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Callable
from typing import Any


class CallableModule(types.ModuleType):
    """A module that a function speaks for."""

    spoken_for: Callable[..., Any]
    keeps_its_place = False


class Parent(types.ModuleType):
    """A package whose callable modules are known by their functions."""

    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(name, face_of(value))


def face_of(module: Any) -> Any:
    """What stands for a module in its parent: its function, if it has one."""
    if isinstance(module, CallableModule) and not module.keeps_its_place:
        return module.spoken_for
    return module


def make_callable(function: Callable[..., Any], module: str, *, stays_module: bool = False) -> None:
    """Calling the module of that name calls `function`, which takes its place in the parent.

    With `stays_module` it does not: compiled rules may say `pf.kernel.popcount`, and the compiler looks for names in
    modules only. Whoever asks for text or signature is told the function's all the same.
    """
    import inspect

    here = sys.modules[module]
    says = {
        "__call__": staticmethod(function),
        "spoken_for": staticmethod(function),
        "keeps_its_place": stays_module,
    }
    here.__class__ = type("CallableModule", (CallableModule,), says)
    here.__signature__ = inspect.signature(function)  # type: ignore[attr-defined]
    if stays_module:
        here.__doc__ = function.__doc__
    else:
        function.__dict__ = here.__dict__


def hand_out_functions(package: str) -> None:
    """From now on the callable modules of this package are handed out as their functions."""
    sys.modules[package].__class__ = Parent
