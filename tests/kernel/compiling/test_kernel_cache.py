"""Compiled code on disk: found again, never stale, never mixed up, never in the way."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import plyforge
from command import python
from conftest import compiles, thinned
from patience import FOR_A_PROCESS

pytestmark = compiles
PACKAGE = Path(plyforge.__file__).parent
OURS = "plyforge-kernels"

SEARCH = """
import sys, plyforge as pf
from plyforge.search import SEARCHES
for spec in sys.argv[1:]:
    found = pf.search(pf.load(spec), using="minimax", native=True, depth=4)
    hits = sum(SEARCHES["minimax"].kernel.native.stats.cache_hits.values())
    print(spec, found.value, found.nodes, hits, sep="|")
"""

STICKS = """
from typing import NamedTuple
import plyforge as pf
{extra}
class Heap(NamedTuple):
    sticks: int
    player: int
class Sticks(pf.Game):
    def start(self): return Heap({sticks}, 0)
    def player(self, s): return s.player
    def actions(self, s):
        for n in range(1, min(3, s.sticks) + 1):
            yield n
    def result(self, s, n): return Heap(s.sticks - n, 1 - s.player)
    def terminal(self, s): return s.sticks == 0
    def utility(self, s): return {utility}
"""


def rules(path: Path, sticks: int = 4, utility: str = "-1.0 if s.player == 0 else 1.0", extra: str = "") -> Path:
    path.write_text(STICKS.format(sticks=sticks, utility=utility, extra=extra))
    return path


def start(cache: Path, *specs: object, source: Path | None = None, code: str = SEARCH, **options):
    environment = dict(os.environ, PLYFORGE_CACHE_DIR=str(cache))
    if source is not None:
        environment["PYTHONPATH"] = str(source)
    command = [sys.executable, "-c", textwrap.dedent(code), *map(str, specs)]
    return subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options
    )


def finish(process) -> list[list[str]]:
    output, errors = process.communicate(timeout=FOR_A_PROCESS)
    assert process.returncode == 0, errors
    return [line.split("|") for line in output.splitlines()]


def run(cache: Path, *specs: object, source: Path | None = None, code: str = SEARCH) -> list[list[str]]:
    """In a process of its own: a fork, but with sources of its own, and where no file may grow, not even for output."""
    if source is not None or "RLIMIT_FSIZE" in code:
        return finish(start(cache, *specs, source=source, code=code))
    done = python(textwrap.dedent(code), *specs, PLYFORGE_CACHE_DIR=str(cache))
    return [line.split("|") for line in done.stdout.splitlines()]


def test_a_function_that_calls_itself_from_a_comprehension_runs_in_a_second_process(tmp_path):
    """Its code holds addresses of the first process: loaded, it ended the second one."""
    itself = "def ways(n): return 1 if n < 2 else sum(ways(n - k) for k in (1, 2))"
    game = rules(tmp_path / "ways.py", sticks=6, utility="float(ways(5 + s.player) - 10)", extra=itself)
    first, second = (run(tmp_path / "cache", game)[0] for _ in range(2))
    assert first == second and first[1] == "3.0"


def test_a_second_process_finds_the_code_of_the_first(tmp_path):
    game = rules(tmp_path / "sticks.py")
    [[_, value, nodes, hits]] = run(tmp_path / "cache", game)
    assert (value, hits) == ("-1.0", "0")
    [[_, again, nodes_again, hits]] = run(tmp_path / "cache", game)
    assert (again, nodes_again, hits) == (value, nodes, "1")


def test_the_directory_is_closed_to_others(tmp_path):
    run(tmp_path / "cache", rules(tmp_path / "sticks.py"))
    assert stat.S_IMODE((tmp_path / "cache" / OURS).stat().st_mode) == 0o700


def test_a_directory_that_others_may_enter_is_neither_used_nor_changed(tmp_path):
    folder = tmp_path / "cache" / OURS
    folder.mkdir(parents=True)
    folder.chmod(0o755)
    assert run(tmp_path / "cache", rules(tmp_path / "sticks.py"))[0][1] == "-1.0"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o755
    assert not list(folder.iterdir())


AFTER_LOADING = """
import sys, plyforge as pf
game = pf.load(sys.argv[1])
{change}
import warnings; warnings.simplefilter("ignore")
print(pf.search(game, using="minimax").value, pf.search(game, using="minimax", native=False).value, sep="|")
"""


@pytest.mark.parametrize(
    "change",
    [
        "import pathlib; p = pathlib.Path(sys.argv[1]); p.write_text(p.read_text().replace('1.0', '5.0'))",
        "type(game).utility = lambda self, s: 7.0",
        "sys.modules[type(game).__module__].PRIZE = 3.0",
    ],
    ids=["file edited after loading", "method replaced", "global changed"],
)
def test_what_is_compiled_is_what_is_in_memory(tmp_path, change):
    """Also in the next process, which must not be served the code of the changed game."""
    game = rules(tmp_path / "sticks.py", utility="-PRIZE if s.player == 0 else PRIZE", extra="PRIZE = 1.0")
    [[native, interpreted]] = run(tmp_path / "cache", game, code=AFTER_LOADING.format(change=change))
    assert native == interpreted
    [[native, interpreted]] = run(tmp_path / "cache", game, code=AFTER_LOADING.format(change=""))
    assert native == interpreted


def test_values_computed_at_import_count_too(tmp_path):
    extra = (
        "import os\nclass Base(pf.Game):\n    prize = float(os.environ['PRIZE'])\n    @property\n    def tax(self):"
        " return float(os.environ['PRIZE'])"
    )
    game = rules(tmp_path / "sticks.py", utility="-(self.prize + self.tax)", extra=extra)
    game.write_text(game.read_text().replace("class Sticks(pf.Game)", "class Sticks(Base)"))
    for prize in ("1.0", "2.0"):
        os.environ["PRIZE"] = prize
        assert run(tmp_path / "cache", f"{game}:Sticks")[0][1] == str(-2 * float(prize))
    del os.environ["PRIZE"]


def test_a_clock_in_the_rules_does_not_spoil_the_cache(tmp_path):
    game = rules(tmp_path / "sticks.py", extra="import time\nbegan = time.time()")
    run(tmp_path / "cache", game)
    assert run(tmp_path / "cache", game)[0][3] == "1"


def test_edited_rules_are_compiled_anew(tmp_path):
    game = rules(tmp_path / "sticks.py")
    assert run(tmp_path / "cache", game)[0][1] == "-1.0"
    rules(game, utility="-7.0 if s.player == 0 else 7.0")
    assert run(tmp_path / "cache", game)[0][1] == "-7.0"


def test_an_edited_helper_module_of_the_rules_counts_too(tmp_path):
    (tmp_path / "prize.py").write_text("def prize():\n    return 2.0\n")
    game = rules(
        tmp_path / "sticks.py", utility="-prize() if s.player == 0 else prize()", extra="from prize import prize"
    )
    assert run(tmp_path / "cache", game)[0][1] == "-2.0"
    (tmp_path / "prize.py").write_text("def prize():\n    return 3.0\n")
    assert run(tmp_path / "cache", game)[0][1] == "-3.0"


def test_an_edited_callee_in_the_package_counts_too(tmp_path):
    source = tmp_path / "source"
    shutil.copytree(PACKAGE, source / "plyforge", ignore=shutil.ignore_patterns("__pycache__"))
    assert run(tmp_path / "cache", "tic_tac_toe", source=source)[0][2] == "3610"
    callee = source / "plyforge" / "kernel" / "memory.py"
    text = callee.read_text()
    assert text.count("memory.nodes += 1") == 1
    callee.write_text(text.replace("memory.nodes += 1", "memory.nodes += 2"))
    assert run(tmp_path / "cache", "tic_tac_toe", source=source)[0][2] == "7220"
    callee.write_text(text)
    [[_, _, nodes, hits]] = run(tmp_path / "cache", "tic_tac_toe", source=source)
    assert (nodes, hits) == ("3610", "1")


def test_an_edit_that_no_kernel_reaches_leaves_the_code_warm(tmp_path):
    source = tmp_path / "source"
    shutil.copytree(PACKAGE, source / "plyforge", ignore=shutil.ignore_patterns("__pycache__"))
    cache = tmp_path / "cache"
    assert run(cache, "tic_tac_toe", source=source)[0][3] == "0"
    kept = sorted((cache / OURS).iterdir())
    for name in (
        "studio/server/server.py",
        "cli/search/tree.py",
        "draw/svg.py",
        "check/laws.py",
        "games/two_players/connect4.py",
    ):
        edit(source, name)
    assert run(cache, "tic_tac_toe", source=source)[0][3] == "1"
    assert sorted((cache / OURS).iterdir()) == kept
    edit(source, "games/tic_tac_toe.py")
    assert run(cache, "tic_tac_toe", source=source)[0][3] == "0"


def edit(source: Path, name: str) -> None:
    path = source / "plyforge" / name
    path.write_text(path.read_text() + "\n\nA_NAME_OF_NO_USE = 17\n")


EDITED_MEANWHILE = """
import pathlib, sys, plyforge as pf
import plyforge.search.textbook.minimax
file = pathlib.Path(plyforge.kernel.memory.__file__)
file.write_text(file.read_text().replace("memory.nodes += 1", "memory.nodes += 2"))
print(pf.search(pf.load("tic_tac_toe"), using="minimax", native=True, depth=4).nodes)
"""


def test_sources_that_are_edited_before_they_are_compiled_spoil_nothing(tmp_path):
    """What is compiled is what was imported, and it is not kept as what the file says now."""
    source = tmp_path / "source"
    shutil.copytree(PACKAGE, source / "plyforge", ignore=shutil.ignore_patterns("__pycache__"))
    assert run(tmp_path / "cache", source=source, code=EDITED_MEANWHILE) == [["3610"]]
    assert run(tmp_path / "cache", "tic_tac_toe", source=source)[0][2] == "7220"


@pytest.mark.full
def test_games_cached_by_several_processes_in_any_order_keep_their_own_code(tmp_path):
    games = [rules(tmp_path / f"sticks{i}.py", 4 + i, f"{-i - 1.0} if s.player == 0 else {i + 1.0}") for i in range(3)]
    cache = tmp_path / "cache"
    wanted = {str(game): run(tmp_path / "alone", game)[0][1] for game in games}
    a, b, c = games
    together = [start(cache, *order) for order in ((a, b), (b, c))]
    answers = [line for process in together for line in finish(process)]
    answers += run(cache, c, a, b) + run(cache, b, a, c)
    assert len(answers) == 10
    for spec, value, *_ in answers:
        assert value == wanted[spec]


def test_a_damaged_file_is_compiled_anew(tmp_path):
    game, cache = rules(tmp_path / "sticks.py"), tmp_path / "cache"
    wanted = run(cache, game)[0][1]
    files = sorted((cache / OURS).glob("*.kernel"))
    assert files
    for spoil in (
        lambda content: content[: len(content) // 2],
        lambda content: b"",
        lambda content: content[:-1] + b"?",
    ):
        for file in files:
            file.write_bytes(spoil(file.read_bytes()))
        [[_, value, _, hits]] = run(cache, game)
        assert (value, hits) == (wanted, "0")


def test_a_place_that_is_no_directory_is_no_reason_to_fail(tmp_path):
    (tmp_path / "cache").write_text("a file")
    assert run(tmp_path / "cache", rules(tmp_path / "sticks.py"))[0][1] == "-1.0"
    assert (tmp_path / "cache").read_text() == "a file"


def test_a_full_disk_is_no_reason_to_fail(tmp_path):
    limited = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))\n" + SEARCH
    game, cache = rules(tmp_path / "sticks.py"), tmp_path / "cache"
    assert run(cache, game, code=limited)[0][1] == "-1.0"
    assert not list((cache / OURS).glob("*.kernel"))


FILE_SIZE = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))\n"


@pytest.mark.parametrize("how", thinned(["a file", "a full disk", "others may enter"], ["a full disk"]))
def test_that_nothing_can_be_kept_is_said_once_with_what_to_do(tmp_path, how):
    game, other, cache = rules(tmp_path / "a.py"), rules(tmp_path / "b.py", sticks=5), tmp_path / "cache"
    if how == "a file":
        cache.write_text("a file")
    if how == "others may enter":
        (cache / OURS).mkdir(parents=True, mode=0o755)
    heard = """
import warnings
heard = []
warnings.showwarning = lambda message, category, *more: heard.append((category.__name__, str(message)))
"""
    code = heard + (FILE_SIZE if how == "a full disk" else "") + SEARCH
    code += "\nfor kind, text in heard: print(kind, 'PLYFORGE_CACHE_DIR' in text, text.count('\\n'))"
    assert run(cache, game, other, code=code)[2:] == [["NotKept True 0"]]


@pytest.mark.skipif(hasattr(os, "getuid") and os.getuid() == 0, reason="root may write anywhere")
def test_a_read_only_directory_is_read_and_not_written(tmp_path):
    game, cache = rules(tmp_path / "sticks.py"), tmp_path / "cache"
    run(cache, game)
    other = rules(tmp_path / "other.py", sticks=5)
    cache = cache / OURS
    before = sorted(cache.iterdir())
    cache.chmod(0o500)
    try:
        assert [line[3] for line in run(cache.parent, game, other)] == ["1", "1"]
        assert sorted(cache.iterdir()) == before
    finally:
        cache.chmod(0o700)


def test_rules_without_a_source_run_interpreted_and_say_so(tmp_path):
    """What can't be read can't be translated."""
    code = f"""
import warnings
import plyforge as pf
text = {STICKS!r}
for utility in ("1.0", "2.0"):
    names = {{"__name__": "__main__"}}
    exec(text.format(sticks=4, utility=utility, extra=""), names)
    game = names["Sticks"]()
    warnings.simplefilter("ignore")
    print(pf.search(game, using="minimax").value)
"""
    assert run(tmp_path / "cache", code=code) == [["1.0"], ["2.0"]]
