"""The command line, as its users meet it: what it prints, how it fails, how quickly it answers."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import plyforge as pf
from command import as_json, plyforge
from conftest import compiles
from patience import FOR_A_PROCESS, PATIENCE, best_of
from plyforge.cli import VERBS
from sticks import RULES


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    path = tmp_path / "my_rules.py"
    path.write_text(RULES)
    return path


def test_help_lists_every_verb_and_teaches():
    text = plyforge("--help").stdout
    for verb in VERBS:
        assert verb in text
    assert "GAME is a name" in text


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_explains_itself(verb):
    text = plyforge(verb, "--help").stdout
    assert "Usage: plyforge" in text
    assert len(text.splitlines()) >= 5


def test_the_help_of_search_names_searches():
    words = set(plyforge("search", "--help").stdout.replace(",", " ").replace(".", " ").split())
    assert words >= {*pf.search.SEARCHES, *pf.search.MONTE_CARLO, *pf.search.AT_ONCE, *pf.search.PATHS}


def test_the_help_of_tree_names_the_searches_that_can_be_drawn_and_no_other():
    from plyforge.errors import Unsuitable
    from plyforge.search.trace.recorder import record

    drawn = {name for name, cls in pf.search.searches().items() if cls.drawn}
    for using in pf.search.searches():
        game = pf.load("slider(width=2, height=2)" if using in pf.search.PATHS else "tic_tac_toe")
        if using in drawn:
            assert record(game, using=using, depth=1).result.nodes > 0
        else:
            with pytest.raises(Unsuitable):
                record(game, using=using, depth=1)
    words = set(plyforge("tree", "--help").stdout.replace(",", " ").replace(".", " ").split())
    assert drawn <= words and not words & {"uct", "a_star", "regret_matching", "dice_engine"}


def test_a_search_of_depth_0_says_that_it_chooses_nothing():
    text = plyforge("search", "tic_tac_toe", "--depth", 0, "--interpreted").stdout
    assert "a search of depth 0 chooses nothing, it only estimates" in text
    over = plyforge("search", "tic_tac_toe", "--depth", 0, "--interpreted", "--state", "xxx.oo...").stdout
    assert "none: the game is over" in over


def test_where_nobody_chooses_a_search_says_why(rules):
    assert (
        "none: chance moves here"
        in plyforge("search", "pig", "--state", "0 0 0 max rolling", "--depth", "2", "--interpreted").stdout
    )
    rules.write_text(RULES)
    assert "none: the game is over" in plyforge("search", rules, "--state", "(0, 0)", "--interpreted").stdout


def test_a_quiz_ends_with_its_input():
    done = plyforge("quiz")
    assert "End of input: 0 of 0 right." in done.stdout and done.stderr == ""


def test_simulations_show_the_standard_error_of_each_value():
    limits = ("--using", "uct", "--simulations", 60, "--interpreted")
    text = plyforge("search", "tic_tac_toe", "--state", "x...o....", *limits).stdout
    (values,) = [line for line in text.splitlines() if line.startswith("values")]
    assert re.search(r" 2 [-+]?[0-9.e-]+ ± 0\.\d+ ", values)


def test_a_value_of_one_visit_a_mean_and_a_proof_are_told_apart():
    few = plyforge("search", "tic_tac_toe", "--using", "uct", "--simulations", 9, "--interpreted").stdout
    (values,) = [line for line in few.splitlines() if line.startswith("values")]
    assert " ± ?" in values and "proven" not in values
    limits = ("--using", "uct", "--simulations", 400, "--interpreted", "--state", "xoxxo.o..")
    more = plyforge("search", "tic_tac_toe", *limits).stdout
    (values,) = [line for line in more.splitlines() if line.startswith("values")]
    assert "(proven)" in values


def test_what_rounding_leaves_of_zero_is_zero():
    from plyforge.cli.report import value_text

    assert value_text(2.77556e-17) == "0" and value_text((-1e-17, 0.5)) == "(0, 0.5)"
    assert value_text(-0.25) == "-0.25" and value_text(1e-6) == "+1e-06"


NAMED_LIKE_MARKUP = """
import plyforge as pf

class Marked(pf.Notation):
    player_names = ("[dim]", "other")
    def format_choice(self, game, s, player, choice): return ("[red]", "[bold]")[choice]

class Pennies(pf.Game):
    notation = Marked()
    def start(self): return -1
    def player(self, s): return pf.SIMULTANEOUS
    def legal_actions(self, s, player):
        yield 0
        yield 1
    def result(self, s, action): return 2 * action[0] + action[1]
    def terminal(self, s): return s >= 0
    def utility(self, s): return 1.0 if s in (0, 3) else -1.0
"""


def test_choices_that_look_like_markup_are_shown_as_they_are(rules):
    rules.write_text(NAMED_LIKE_MARKUP)
    text = plyforge("search", rules, "--interpreted", "--simulations", 200).stdout
    assert "mix of [dim]" in text and "[red] 0." in text and "[bold] 0." in text


def test_help_imports_neither_numpy_nor_numba():
    program = (
        "import sys\nfrom plyforge.cli import main\n"
        "try: main(['--help'])\nexcept SystemExit: pass\n"
        "print('numba' in sys.modules, 'numpy' in sys.modules, 'rich' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "False False False"


def test_search_prints_one_json_object_with_the_fields_of_a_result():
    found = as_json("search", "tic_tac_toe", "--using", "minimax", "--interpreted", "--state", "xx.oo....")
    assert found["action"] == "3" and found["value"] == 1.0 and found["best"] == ["3"]
    assert found["line"] == ["3"] and found["reason"] == "complete" and found["nodes"] > 1
    assert set(found) >= {"action", "value", "values", "best", "line", "nodes", "depth", "seconds", "reason"}


def test_search_agrees_with_the_library():
    found = as_json("search", "connect4", "--using", "alpha_beta", "--depth", "6", "--state", "4455", "--native")
    same = pf.search(pf.load("connect4"), "4455", "alpha_beta", depth=6)
    assert found["nodes"] == same.nodes and found["value"] == same.value and found["line"] == same.line_text()


def test_search_for_people_shows_the_position_and_the_answer(rules):
    text = plyforge("search", rules, "--interpreted", "--using", "minimax", "--depth", "9").stdout
    assert "best action" in text and "3" in text and "the value is exact" in text
    assert "to MAX" in text


ENGINE = ["search", "tic_tac_toe", "--using", "engine", "--interpreted"]


def test_search_takes_the_options_of_the_engine():
    found = as_json(*ENGINE, "--state", "xo.......", "--lines", "3", "--depth", "4", "--table-mib", "1")
    assert len(found["lines"]) == 3 and found["lines"][0]["line"] == found["line"]
    found = as_json(*ENGINE, "--only", "1", "--only", "3", "--depth", "3", "--threads", "2")
    assert found["action"] in ("1", "3")
    text = plyforge(*ENGINE, "--state", "xx.oo....", "--lines", "2").stdout
    assert "proven: 1 ply ahead, the value is exact" in text and "then" in text


def test_search_takes_the_options_of_simulations():
    arguments = ["search", "connect4", "--using", "uct", "--interpreted", "--simulations", "150"]
    found = as_json(*arguments, "--seed", "3")
    again = as_json(*arguments, "--seed", "3")
    assert found["simulations"] == 150 and found["visits"] == again["visits"]
    assert found["visits"] != as_json(*arguments, "--seed", "4")["visits"]
    assert "150 simulations" in plyforge(*arguments).stdout


def test_search_keeps_to_a_clock():
    def attempt() -> float:
        found = as_json("search", "connect4", "--using", "alpha_beta", "--interpreted", "--clock", "1/4")
        assert found["reason"] == "seconds"
        return float(found["seconds"])

    assert best_of(attempt, 0.7) <= 0.7


SLOW_RULES = (
    RULES.replace("Heap(7, 0)", "Heap(200, 0)")
    + """
    def evaluate(self, s):
        open(__file__ + ".started", "w").close()
        return 0.0
"""
)
SLOW_TO_CHECK = "import time\n" + SLOW_RULES.replace("return 0.0", "time.sleep(0.01); return 0.0")
ENDS_COUNTED = (
    RULES
    + """
    ends = []
    def utility(self, s):
        self.ends.append(s)
        if len(self.ends) == 100:
            open(__file__ + ".started", "w").close()
        return -1.0 if s.player == 0 else 1.0
"""
)


def interrupted(rules: Path, *arguments: str, verb: str = "search") -> tuple[str, str, int, float]:
    """Standard output, standard error, exit code, and how long Ctrl-C took, of a verb that was stopped after it had
    begun."""
    Path(f"{rules}.started").unlink(missing_ok=True)
    rules.write_text({"search": SLOW_RULES, "check": SLOW_TO_CHECK, "rollout": ENDS_COUNTED}[verb])
    process = subprocess.Popen(
        [sys.executable, "-m", "plyforge", verb, str(rules), "--interpreted", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=dict(os.environ, NO_COLOR="1", COLUMNS="120"),
    )
    try:
        end = time.monotonic() + 60
        while not Path(f"{rules}.started").exists() and time.monotonic() < end:
            time.sleep(0.01)
        time.sleep(0.3)
        began = time.perf_counter()
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
    return output, errors, process.returncode, time.perf_counter() - began


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for another process")
@pytest.mark.parametrize("limit", [["--seconds", "90"], ["--using", "engine", "--to-the-end"], ["--clock", "900"]])
def test_ctrl_c_shows_the_best_so_far_and_says_that_it_was_stopped(rules, limit):
    output, errors, code, seconds = interrupted(rules, *limit)
    assert code == 130 and "Traceback" not in errors and seconds < PATIENCE
    assert "best action" in output and "stopped: the best found so far" in output


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for another process")
def test_ctrl_c_leaves_one_json_object(rules):
    output, errors, code, _ = interrupted(rules, "--using", "engine", "--seconds", "90", "--json")
    assert code == 130 and errors == "" and json.loads(output)["reason"] == "stopped"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for another process")
def test_ctrl_c_shows_what_a_check_found_so_far(rules):
    output, errors, code, _ = interrupted(rules, "--seconds", "90", "--states", "1000000", verb="check")
    assert code == 130 and errors == ""
    assert "Sticks: no law was seen broken so far" in output and "stopped while visiting states" in output
    output, errors, code, _ = interrupted(rules, "--seconds", "90", "--json", verb="check")
    assert code == 130 and errors == "" and json.loads(output)["stopped"].startswith("visiting states")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for another process")
def test_ctrl_c_shows_what_a_rollout_found_so_far(rules):
    more = ["--state", "(6, 0)", "--games", "1000000"]
    output, errors, code, _ = interrupted(rules, *more, verb="rollout")
    assert code == 130 and errors == ""
    [row] = [line for line in output.splitlines() if "+-" in line]
    assert row.split()[0] == "1" and row.endswith(" games)")
    assert "stopped: what was played until then; 3 actions had games left to play" in output
    output, errors, code, _ = interrupted(rules, *more, "--json", verb="rollout")
    assert code == 130 and errors == "" and json.loads(output)["unplayed"] == 3


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for another process")
def test_ctrl_c_in_a_search_to_one_depth_says_why_there_is_no_answer(rules):
    output, errors, code, _ = interrupted(rules, "--using", "minimax", "--depth", "60")
    assert code == 130 and output == "" and "stopped before there was an answer" in errors
    assert "Traceback" not in errors and "--seconds" in errors


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals")
def test_in_a_terminal_a_long_search_shows_a_line_of_progress_and_ctrl_c_the_best_so_far():
    from screen import Screen

    screen = Screen(
        "connect4", "--using", "alpha_beta", "--interpreted", "--seconds", "90", verb="search", COLUMNS="110"
    )
    screen.wait_for("s (Ctrl-C stops), depth ")
    screen.wait_for("nodes, ")
    screen.wait_for(" a second, value 0, 1 1 ")
    screen.type("\x03")
    screen.wait_for("stopped: the best found so far")
    assert screen.code() == 130
    assert all(len(part) < 120 for part in screen.shown.split("\r\x1b[K")[1:-1])
    assert "Traceback" not in screen.shown


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals")
def test_in_a_terminal_json_has_no_line_of_progress():
    from screen import Screen

    screen = Screen("connect4", "--interpreted", "--seconds", "2.6", "--json", verb="search")
    screen.wait_for('"reason": "seconds"')
    assert screen.code() == 0 and screen.shown.lstrip().startswith("{") and "Ctrl-C" not in screen.shown


def test_in_a_log_progress_is_a_line_now_and_then(capsys):
    from plyforge.cli import options
    from plyforge.search.running.runner import Progress

    line = options.ProgressLine()
    line(Progress(1000, 0.5, 7))
    line.logged -= options.LOG_EVERY  # as if so much time had passed
    line(Progress(2000, 0.5, 8))
    line(Progress(3000, 0.5, 9))
    line.clear()
    [written] = capsys.readouterr().err.splitlines()
    assert "depth 8, 2,000 nodes" in written and "\x1b" not in written


def test_rules_that_do_not_compile_run_with_one_line_of_notice(rules):
    rules.write_text(RULES.replace("return s.sticks == 0", "d = {'a': 1, 2: 'b'}; return s.sticks == 0 and bool(d)"))
    done = plyforge("search", rules, "--depth", "4", "--json")
    if os.environ.get("NUMBA_DISABLE_JIT") != "1":
        assert "Sticks.terminal (my_rules.py, line 17)" in done.stderr
        assert len(done.stderr.splitlines()) == 1
        assert "can't be compiled" in plyforge("search", rules, "--depth", "4", "--native", code=2).stderr
    assert json.loads(done.stdout)["native"] is (os.environ.get("NUMBA_DISABLE_JIT") == "1")


TALKATIVE = "print('loaded')" + RULES.replace(
    "return Heap(s.sticks - n, 1 - s.player)", "print('taking', n); return Heap(s.sticks - n, 1 - s.player)"
)


@pytest.mark.parametrize(
    "arguments",
    [
        ["search", "--depth", "2", "--interpreted"],
        ["tree", "--depth", "1"],
        ["check", "--interpreted"],
        ["play", "--as", "none", "--against", "random"],
        ["match", "random", "random:seed=2", "--games", "2", "--workers", "2", "--interpreted"],
    ],
    ids=lambda arguments: " ".join(arguments),
)
def test_what_rules_print_is_kept_apart_from_json(rules, arguments):
    rules.write_text(TALKATIVE)
    verb, *more = arguments
    more += ["--record", rules.with_name("games.jsonl")] if verb == "match" else []
    done = plyforge(verb, rules, *more, "--json")
    assert isinstance(json.loads(done.stdout), dict)
    assert "loaded" in done.stderr and "taking " in done.stderr  # players draw: nobody knows how many
    assert "taking" in plyforge("search", rules, "--depth", "2", "--interpreted").stdout


@pytest.mark.parametrize(
    ("program", "said", "answer"),
    [("plyforge-uci", "uci\nquit\n", "uciok"), ("plyforge-gtp", "protocol_version\nquit\n", "= 2")],
)
def test_engines_can_be_named_by_one_file(program, said, answer):
    file = Path(sys.executable).with_name(program)
    assert file.exists(), "run `make setup`"
    done = subprocess.run([file, "--interpreted"], input=said, capture_output=True, text=True, timeout=FOR_A_PROCESS)
    assert done.returncode == 0 and answer in done.stdout, done.stderr


def test_perft_counts():
    assert as_json("perft", "connect4", "--depth", "4")["nodes"] == 2401
    text = plyforge("perft", "tic_tac_toe", "--depth", "2", "--divide", "--interpreted").stdout
    assert text.splitlines()[0].split() == ["1", "8"] and "72 positions" in text


def test_games_lists_all_with_traits():
    listed = {row["name"]: row for row in as_json("games")["games"]}
    assert sorted(listed) == pf.names()
    assert listed["pig"]["chance"] and listed["three_nim"]["players"] == 3
    assert "connect4" in plyforge("games").stdout


def test_names_of_games_are_in_one_piece_however_narrow_it_is():
    terminal = plyforge("games", COLUMNS="80", FORCE_COLOR="1").stdout
    for name in pf.names():
        assert re.search(rf"^ (\x1b\[1m)?{name}\b", terminal, re.MULTILINE), name
    piped = plyforge("games", COLUMNS="80").stdout.splitlines()
    assert len(piped) == 1 + len(pf.names()) + 2
    assert [line.split()[0] for line in piped[1:-2]] == pf.names()
    assert {line.split()[-1] for line in piped[1:-2]} == {row["search"] or "-" for row in as_json("games")["games"]}


@pytest.mark.parametrize("suffix", ["svg", "dot", "json", "tex", "txt"])
def test_trees_are_drawn_in_every_format(tmp_path, suffix):
    file = tmp_path / f"tree.{suffix}"
    plyforge("tree", "tic_tac_toe", "--state", "xoxoxo...", "--depth", "3", "--using", "alpha_beta", "-o", file)
    assert file.stat().st_size > 200


def test_a_tree_is_printed_as_text_where_no_file_is_named():
    text = plyforge("tree", "tree([[3, 12, 8], [2, 4, 6], [14, 5, 2]])", "--using", "alpha_beta").stdout
    assert "12" in text and "14" in text


def test_check_passes_good_rules_and_names_what_is_wrong_with_bad_ones(rules):
    assert as_json("check", rules, "--interpreted")["ok"] is True
    rules.write_text(RULES.replace("1.0\n", "3.0\n"))
    broken = plyforge("check", rules, "--interpreted", code=1).stdout
    assert "bounds" in broken


def test_strategy_keeps_a_plan(tmp_path, rules):
    file = tmp_path / "plan.json"
    text = plyforge("strategy", rules, "-o", file).stdout
    assert "verified" in text
    assert json.loads(file.read_text())["player"] == 0


@pytest.mark.full
def test_bench_prints_a_signature_that_is_the_same_at_both_speeds():
    slow = as_json("bench", "--interpreted")
    assert slow["signature"] == sum(row["nodes"] for row in slow["searches"])
    fast = as_json("bench")
    assert [row["nodes"] for row in fast["searches"]] == [row["nodes"] for row in slow["searches"]]


@compiles
def test_the_tour_runs_without_a_terminal():
    text = plyforge("demo").stdout
    assert "549,946" in text and "a draw" in text
    assert "interpreted" in text and "compiled" in text and "exactly" in text


BAD = [
    (["search", "chess_with_dragons"], "no game called"),
    (["search", "conect4"], "did you mean connect4"),
    (["search", "connect4(width=)"], "can't be read"),
    (["search", "connect4(wdth=3)"], "width"),
    (["search", "connect4(width=99)"], "63"),
    (["search", "connect4(width='x')"], "width must be int"),
    (["search", "connect4(width=__import__('os'))"], "plain values"),
    (["search", "no/such/file.py"], "no file"),
    (["search", "tic_tac_toe", "--state", "xyz"], "not a tic-tac-toe board"),
    (["search", "connect4", "--state", "489"], "not a column"),
    (["search", "connect4", "--state", "4444444"], "full"),
    (["search", "tic_tac_toe", "--depth", "-1"], "depth is -1"),
    (["search", "tic_tac_toe", "--depth", "1000000000"], "from 0 to 1000"),
    (["search", "tic_tac_toe", "--depth", "many"], "not a valid integer"),
    (["search", "tic_tac_toe", "--seconds", "0"], "seconds is 0"),
    (["search", "tic_tac_toe", "--using", "magic"], "no search called"),
    (["search", "tic_tac_toe", "--clock", "soon"], "'soon' is not a clock"),
    (["search", "tic_tac_toe", "--clock", "0"], "positive number of seconds"),
    (["search", "tic_tac_toe", "--clock", "5", "--to-the-end"], "no other limit"),
    (["search", "tic_tac_toe", "--using", "engine", "--threads", "0"], "threads is 0"),
    (["search", "tic_tac_toe", "--using", "engine", "--table-mib", "-1"], "table_mib is -1"),
    (["search", "tic_tac_toe", "--using", "engine", "--lines", "0"], "lines is 0"),
    (["search", "tic_tac_toe", "--using", "engine", "--only", "12"], "'12'"),
    (["search", "tic_tac_toe", "--using", "uct", "--simulations", "0"], "simulations is 0"),
    (["search", "tic_tac_toe", "--simulations", "9"], "takes no simulations"),
    (["search", "tic_tac_toe", "--depth", "3", "--lines", "2"], "takes no lines"),
    (["search", "pig", "--using", "alpha_beta"], "expectiminimax"),
    (["search", "three_nim", "--using", "minimax"], "max_n"),
    (["perft", "connect4"], "--depth"),
    (["perft", "connect4", "--depth", "-3"], "depth"),
    (["tree", "tic_tac_toe", "-o", "tree.bmp"], ".svg"),
    (["tree", "tic_tac_toe", "-o", "/no/such/folder/tree.svg"], "/no/such/folder"),
    (["match", "three_nim", "random", "random", "random"], "plyforge table takes three and more"),
    (["search", "tic_tac_toe", "--using", "alphabeta"], "did you mean 'alpha_beta'?"),
    (["tree", "tic_tac_toe", "--using", "min_max"], "did you mean 'minimax'?"),
    (["search", "tic_tac_toe", "--native", "--interpreted"], "can't go together"),
    (["play", "tic_tac_toe", "--interpreted", "--native"], "can't go together"),
    (["search", "connect4(width=6"], "the bracket after connect4 is not closed"),
    (["play", "connect4(width=6, height=5"], "the bracket after connect4 is not closed"),
    (["play", "chess", "--against", "uci:no-such-fish"], "there is no program 'no-such-fish' here"),
    (["solve", "chess", "--pieces", "9", "--table", "/no/such"], "of up to 4 pieces, and none with more"),
    (["solve", "checkers", "--pieces", "9", "--table", "/no/such"], "of up to 8 pieces, and none with more"),
    (["fly"], "no verb"),
    (["search"], "GAME"),
    (["check", "no_such_game"], "no game called"),
    (["play", "no_such_game"], "no game called"),
    (["strategy", "pig"], "for ever"),
]


@pytest.mark.parametrize(("arguments", "words"), BAD, ids=[" ".join(a) for a, _ in BAD])
def test_bad_input_is_one_clear_line_and_exit_code_2(arguments, words):
    done = plyforge(*arguments, code=2)
    assert done.stdout == ""
    assert words in done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("def f(:\n", "line 1"),
        ("import no_such_module\n", "no_such_module"),
        ("x = 1\n1 / 0\n", "line 2: ZeroDivisionError"),
        ("x = 1\n", "defines no game"),
        ("raise SystemExit(3)\n", "can't be imported"),
        (RULES + RULES.replace("Sticks", "Other"), "several games"),
        (RULES.replace("def start(self): return Heap(7, 0)", "def start(self): return 1 / 0"), "ZeroDivisionError"),
        (RULES.replace("return Heap(7, 0)", "raise SystemExit(7)"), "can not end the program"),
        (RULES.replace("    def start(self): return Heap(7, 0)\n", ""), "no start()"),
        ("\0", "can't be imported"),
    ],
)
def test_rules_files_that_fail_are_one_clear_line(rules, text, words):
    rules.write_text(text)
    done = plyforge("search", rules, "--interpreted", code=2)
    assert words in done.stderr and "Traceback" not in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


IN_PLACE = """
import plyforge as pf

class Tac(pf.Game):
    def start(self): return [[0] * 4, 0]
    def player(self, s): return s[1]
    def actions(self, s): return [i for i in range(4) if s[0][i] == 0]
    def result(self, s, i):
        s[0][i] = s[1] + 1
        return [s[0], 1 - s[1]]
    def terminal(self, s): return all(s[0])
    def utility(self, s): return 1 if s[0][0] == 1 else -1
"""
LISTS = RULES.replace("yield n", "yield [n]").replace("s.sticks - n,", "s.sticks - n[0],")
FROM_ONE = RULES.replace("Heap(7, 0)", "Heap(7, 1)").replace("1 - s.player", "3 - s.player")
NO_SELF = RULES.replace("def player(self, s)", "def player(s)")
MISSPELT = RULES.replace("def terminal", "def terminel")
HINT = "Sticks has no terminal(s); did you mean your `terminel`?"


@pytest.mark.parametrize(
    ("verb", "more", "text", "words"),
    [
        ("play", ["--as", "none", "--against", "random"], FROM_ONE, "says more"),
        ("play", [], NO_SELF, "yours has no self: write player(self, s)"),
        ("search", ["--interpreted"], LISTS, "says more"),
        ("search", ["--interpreted"], IN_PLACE, "says more"),
        ("tree", [], IN_PLACE, "result changed the state"),
        ("play", [], MISSPELT, HINT),
        ("solve", ["--interpreted"], MISSPELT, HINT),
        ("search", ["--interpreted"], MISSPELT, HINT),
        (
            "search",
            ["--interpreted"],
            RULES.replace("def actions", "def acts"),
            "no actions(s); did you mean your `acts`",
        ),
        ("search", ["--interpreted"], RULES.replace("def utility", "def worth"), "no utility(s): rules have to say it"),
    ],
)
def test_mistakes_in_rules_that_show_elsewhere_are_one_clear_line(rules, verb, more, text, words):
    rules.write_text(text)
    done = plyforge(verb, rules, *more, code=2)
    assert words in done.stderr and "Traceback" not in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert "Traceback" in plyforge("--debug", verb, rules, *more, code=2).stderr


def test_check_knows_which_function_was_meant(rules):
    rules.write_text(MISSPELT)
    assert HINT in plyforge("check", rules, "--interpreted", code=1).stdout


def test_debug_shows_the_traceback():
    done = plyforge("--debug", "search", "no_such_game", code=2)
    assert "Traceback" in done.stderr and "GameNotFound" in done.stderr


def test_an_endless_game_is_refused_not_crashed_on():
    done = plyforge("search", "pig", "--using", "expectiminimax", "--depth", "1000", "--nodes", "2000", "--json")
    assert json.loads(done.stdout)["reason"] == "nodes"
