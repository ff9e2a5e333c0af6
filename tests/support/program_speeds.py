"""A child process that judges random programs, one number a question: `{"number": 1234}`.

The programs go through `plyforge.kernel.translate.compile_function`, which compiles a function by the same translation
as rules' own functions.
"""

from __future__ import annotations

import dataclasses
import time
import warnings
from typing import Any

from child import serve
from plyforge.kernel.translate import compile_function
from random_programs import judge, program


def answer(question: dict[str, Any]) -> dict[str, Any]:
    warnings.simplefilter("ignore")  # of Python, about what nobody would write: `(5 or 100)`
    began = time.perf_counter()
    verdict = judge(program(question["number"]), compile_function)
    return {**dataclasses.asdict(verdict), "seconds": time.perf_counter() - began}


if __name__ == "__main__":
    serve(answer)
