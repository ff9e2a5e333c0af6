"""How long a user waits: the first native search from an empty cache (a small game's, the engine's), a warm search, and
`plyforge --help`.

Wall-clock times of whole processes, best and worst of several.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time

from rich.console import Console
from rich.table import Table

FIRST = "import plyforge as pf; pf.search(pf.load('tic_tac_toe'), using='alpha_beta', native=True)"
ENGINE = "import plyforge as pf; pf.search(pf.load('connect4'), using='engine', depth=4, native=True)"


def seconds(command: list[str], cache: str) -> float:
    began = time.perf_counter()
    subprocess.run(command, env=dict(os.environ, PLYFORGE_CACHE_DIR=cache), check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - began


def main() -> None:
    python = sys.executable
    warm = [python, "-m", "plyforge", "search", "connect4", "--depth", "10", "--json"]
    table = Table(title="Start-up", title_justify="left")
    for title in ("what", "best", "worst", "at most"):
        table.add_column(title, justify="left" if title == "what" else "right")
    with tempfile.TemporaryDirectory() as folder:
        cold = [seconds([python, "-c", FIRST], os.path.join(folder, str(i))) for i in range(3)]  # noqa: PTH118
        engine = [seconds([python, "-c", ENGINE], os.path.join(folder, f"engine{i}")) for i in range(3)]  # noqa: PTH118
        seconds(warm, folder)
        rows = [
            ("first native search of a small game, cold cache", cold, "5 s"),
            ("first search of connect4 by the engine, cold cache", engine, "4 s"),
            (
                "search connect4 --depth 10 --json, warm cache",
                [seconds(warm, folder) for _ in range(5)],
                "0.7 s",
            ),
            (
                "plyforge --help",
                [seconds([python, "-m", "plyforge", "--help"], folder) for _ in range(5)],
                "0.3 s",
            ),
        ]
    for name, times, limit in rows:
        table.add_row(name, f"{min(times):.2f} s", f"{max(times):.2f} s", limit)
    Console().print(table)


if __name__ == "__main__":
    main()
