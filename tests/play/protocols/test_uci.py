"""`plyforge uci`: scripted sessions over real pipes. Searches are interpreted and short here; nothing waits for
ever."""

from __future__ import annotations

import io
import random
import resource
import threading
import time

import pytest

from conftest import compiles
from conversation import Conversation
from patience import FOR_A_PROCESS, PATIENCE, best_of
from plyforge.contract import format_state, parse_state
from plyforge.games.chess import Chess
from plyforge.games.chess.notation import parse_uci
from plyforge.play.engine import Engine
from plyforge.play.protocols.uci import ready
from plyforge.play.protocols.uci.go import FALLBACK_SECONDS, Order, read_order
from plyforge.play.protocols.uci.server import Uci
from plyforge.play.protocols.uci.words import (
    HIGHEST_ELO,
    LOWEST_ELO,
    nodes_for,
    options_of,
    score_text,
    weaker_choice,
)
from plyforge.search import Clock, Limits, searches
from plyforge.search.time.manager import TimeManager

OPTIONS = options_of(searches()["engine"])

SMALL = "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1"
"""Few pieces: quick, interpreted."""
MATE_IN_ONE = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"
MATED_IN_ONE = "k7/8/1K6/8/8/8/8/7R b - - 0 1"
"""Black's only moves are Kb8, and then Rh8 mates."""
MATED = "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1"
STALEMATE = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"
SOON = PATIENCE
"""Seconds in which something that happens at once has happened, on a busy machine."""


@pytest.fixture
def talk():
    conversation = Conversation.with_object(
        lambda commands, answers: Uci(commands, answers, native=False, seed=1).run()
    )
    yield conversation
    conversation.close()


def bestmove(lines):
    """The move of the last line."""
    words = lines[-1].split()
    assert words[0] == "bestmove"
    return words[1]


def is_legal(fen, move, moves=()):
    game = Chess()
    state = parse_state(game, fen) if fen else game.start()
    for text in moves:
        state = game.result(state, parse_uci(game, state, text))
    parse_uci(game, state, move)
    return True


def test_it_introduces_itself_with_its_options(talk):
    lines = talk.ask("uci", "uciok", SOON)
    assert lines[0].startswith("id name Plyforge")
    assert [line for line in lines if line.startswith("option")] == [option.line() for option in OPTIONS]
    assert "option name Hash type spin default 64 min 1 max 32768" in lines
    assert "option name UCI_Chess960 type check default false" in lines


def test_a_search_to_a_depth_ends_in_a_legal_move_and_the_reply_it_expects(talk):
    talk.say("isready")
    talk.hear("readyok", SOON)
    talk.say("position startpos moves e2e4 e7e5", "go depth 2")
    lines = talk.hear("bestmove")
    words = lines[-1].split()
    assert is_legal("", words[1], ["e2e4", "e7e5"])
    assert words[2] == "ponder" and is_legal("", words[3], ["e2e4", "e7e5", words[1]])
    last = [line for line in lines if " pv " in line][-1]
    assert last.startswith("info depth 2 multipv 1 score cp ")
    for word in ("nodes", "nps", "time"):
        assert f" {word} " in last
    assert last.split(" pv ")[1].split()[:2] == [words[1], words[3]]


def test_isready_is_answered_at_once_during_a_search_and_stop_ends_it(talk):
    talk.say("position startpos", "go infinite")
    talk.hear("info depth")
    assert talk.ask("isready", "readyok", SOON)
    assert is_legal("", bestmove(talk.ask("stop", "bestmove", SOON)))


@pytest.mark.parametrize("order", ["go infinite", "go ponder wtime 60000 btime 60000"])
def test_no_move_is_sent_before_stop_though_the_search_has_ended(talk, order):
    talk.say(f"position fen {MATE_IN_ONE}", order)
    assert "score mate 1" in talk.hear(lambda line: "mate" in line)[-1]
    assert not any(line.startswith("bestmove") for line in talk.hears_nothing(0.5))
    assert bestmove(talk.ask("stop", "bestmove", SOON)) == "a1a8"


def test_a_pondering_search_becomes_one_on_the_clock(talk):
    talk.say("position startpos", "go ponder wtime 25000 btime 25000")
    talk.hear("info depth 1")
    assert not any(line.startswith("bestmove") for line in talk.hears_nothing(0.5))
    began = time.monotonic()
    lines = talk.ask("ponderhit", "bestmove", SOON)
    assert is_legal("", bestmove(lines))
    assert time.monotonic() - began < 25.0
    assert "nothing is being pondered" in talk.ask("ponderhit", "info string", SOON)[-1]


def test_a_mate_is_told_from_the_side_of_whoever_moves(talk):
    talk.say(f"position fen {MATE_IN_ONE}", "go depth 3")
    lines = talk.hear("bestmove")
    assert "score mate 1 " in lines[-2] and lines[-2].endswith(" pv a1a8")
    talk.say(f"position fen {MATED_IN_ONE}", "go depth 4")
    lines = talk.hear("bestmove")
    assert "score mate -1 " in lines[-2] and lines[-2].endswith(" pv a8b8 h1h8")
    assert bestmove(lines) == "a8b8"


def test_values_are_hundredths_of_a_pawn_for_whoever_moves():
    assert score_text(0.0123, None, 0) == "score cp 123"
    assert score_text(0.0123, None, 1) == "score cp -123"
    assert score_text(1.0, 5, 0) == "score mate 3"
    assert score_text(1.0, 4, 1) == "score mate -2"
    assert score_text(1.0, None, 0) == "score cp 10000", "a mate is only claimed with its proof"
    assert score_text(0.0, 3, 0) == "score cp 0", "a proven draw is no mate"


def test_where_there_is_no_move_none_is_sent(talk):
    talk.say(f"position fen {MATED}", "go movetime 1000")
    assert talk.hear("bestmove", SOON) == ["info depth 0 score mate 0", "bestmove (none)"]
    talk.say(f"position fen {STALEMATE}", "go wtime 1000 btime 1000")
    assert talk.hear("bestmove", SOON) == ["info depth 0 score cp 0", "bestmove (none)"]
    talk.say("go infinite")
    talk.hear("info depth 0", SOON)
    assert not talk.hears_nothing(0.3)
    assert talk.ask("stop", "bestmove", SOON) == ["bestmove (none)"]


@pytest.mark.parametrize(
    "order",
    [
        "go wtime -100 btime -100",
        "go wtime 0 btime 0 winc 0 binc 0",
        "go wtime 1 btime 1 movestogo 1",
        "go btime 50",
        "go movetime 0",
        "go movetime -5",
        "go depth 0",
        "go depth -3",
        "go nodes 0",
        "go nodes -1 depth 1",
        "go mate 0",
        "go wtime abc btime",
        "go wtime 99999999999999999999999999 btime 1",
        "go wtime 100 btime 100 movestogo -7",
        "go wtime 100 btime 100 winc -50 binc -50",
        "go depth 1 nonsense 12",
        "go movetme 100",
        "go MOVETIME 100",
        "go 5",
        "go winc 100 binc 100",
        "go movestogo 10",
        "go wtime 1000.5 btime 1000.5",
        "go mate 2",
    ],
)
def test_whatever_the_limits_are_a_legal_move_comes_soon(talk, order):
    talk.say(f"position fen {SMALL}", order)
    assert is_legal(SMALL, bestmove(talk.hear("bestmove", 2 * SOON)))


def test_a_clock_is_never_overstepped(talk):
    talk.say("position startpos")
    for remaining in (20, 100, 400):

        def attempt(remaining=remaining):
            began = time.monotonic()
            talk.say(f"go wtime {remaining} btime {remaining}")
            talk.hear("bestmove", SOON)
            return 1000 * (time.monotonic() - began)

        assert best_of(attempt, remaining) <= remaining


def test_what_cannot_be_read_in_go_is_said_and_gives_a_short_search():
    said: list[str] = []

    def order(words: str) -> Order:
        return read_order(words.split(), Chess().start(), Chess(), 0.01, 0.0, said.append)

    for words in ("movetme 100", "MOVETIME 100", "5", "winc 100 binc 100", "movestogo 10", "wtime x btime y"):
        said.clear()
        assert order(words).seconds == FALLBACK_SECONDS and said, words
    assert order("") == Order() and order("depth 3 nonsense") == Order(depth=3)
    clock = order("wtime 1000.9 btime 50").clock
    assert clock is not None and clock.remaining == pytest.approx(0.99)
    assert (order("mate 3").depth, order("mate 3").within) == (6, 5)
    assert order("mate -2").within == 1 and order("mate 3 depth 2").depth == 2
    for far in (499, 500, 501, 10**17):  # further than any search looks, and still a search
        Limits(depth=order(f"mate {far}").depth)


def test_whoever_is_ready_has_the_memory_for_all_threads(talk):
    uci = Uci(io.StringIO(), io.StringIO(), native=False)
    for line in ("setoption name Threads value 3", "isready"):
        assert uci.obey(line)
    engine = uci._engine
    assert engine is not None and engine._searcher.table is not None and len(engine._searcher.table.memories) == 3
    table = engine._searcher.table
    assert table.owner is not None
    uci.obey("ucinewgame")
    uci.obey("isready")
    assert uci._engine is engine and engine._searcher.table is table and table.owner is None


@compiles
def test_a_new_game_has_the_memory_of_the_last_and_nothing_that_it_learned():
    uci = Uci(io.StringIO(), io.StringIO())
    uci.engine()
    found = []
    for _ in range(2):
        uci.obey("go depth 6")
        assert uci.wait(FOR_A_PROCESS)
        engine = uci.engine()
        found.append((engine.result.nodes, engine.result.line, engine.result.value))
        table = engine._searcher.table
        where = table.address, [memory.block.ctypes.data for memory in table.memories]
        uci.obey("ucinewgame")
        assert uci.engine() is engine
        assert (table.address, [memory.block.ctypes.data for memory in table.memories]) == where
        assert len(where[1]) == 1
    assert found[0] == found[1]


def test_what_is_wrong_in_a_position_is_said_and_the_rest_is_kept(talk):
    talk.say("position startpos moves e2e4 e7e5 e1e3 g1f3")
    assert "move 3 of the position" in talk.hear("info string", SOON)[-1]
    assert "4p3/4P3" in talk.ask("d", "info string FEN", SOON)[-1]
    talk.say("position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w KQkq - 0 1")
    talk.hear("info string", SOON)
    talk.say("position fen")
    talk.hear("info string", SOON)
    talk.say("position")
    assert "write: position startpos" in talk.hear("info string", SOON)[-1]
    assert "4p3/4P3" in talk.ask("d", "info string FEN", SOON)[-1]


@pytest.mark.parametrize("wrong", ["fen 4k3/4R3/8/8/8/8/8/4K3 w - - 0 1", "fen", "", "fen nonsense moves e2e4"])
def test_after_a_position_that_cannot_be_read_nothing_is_said_about_another_one(talk, wrong):
    talk.say(f"position fen {MATE_IN_ONE}", f"position {wrong}", "go depth 1")
    lines = talk.hear("bestmove")
    assert lines[-1] == "bestmove (none)" and "could not be read" in lines[-2]
    assert not [line for line in lines if not line.startswith("info string")][:-1]
    talk.say("go infinite")
    talk.hear("info string", SOON)
    talk.hears_nothing(0.1)
    assert talk.ask("stop", "bestmove", SOON)[-1] == "bestmove (none)"
    talk.say(f"position {wrong}", f"position fen {MATE_IN_ONE}", "go depth 1")
    assert bestmove(talk.hear("bestmove")) == "a1a8"


def test_of_a_position_with_an_illegal_move_what_comes_before_it_is_thought_about(talk):
    talk.say("position startpos moves e2e4 e7e5 e1e3", "go depth 1")
    assert is_legal("", bestmove(talk.hear("bestmove")), ["e2e4", "e7e5"])


class Compiler:
    """In place of the process that compiles: done when it is told so."""

    def __init__(self):
        self.done, self.closed = threading.Event(), False

    def native(self, game, using, heard):
        threading.Thread(target=lambda: (self.done.wait(PATIENCE), heard("Chess", using, "")), daemon=True).start()
        return False

    def close(self):
        self.closed = True


@pytest.fixture
def cold(monkeypatch, tmp_path):
    """A conversation while the search is compiled, and the compiler."""
    compiler = Compiler()
    monkeypatch.setattr(ready, "Warm", lambda: compiler)
    monkeypatch.setattr(ready, "note_for", lambda game, using: tmp_path / "note")
    talk = Conversation.with_object(lambda commands, answers: Uci(commands, answers, seed=1).run())
    yield talk, compiler, tmp_path / "note"
    talk.close()


@compiles
def test_while_it_compiles_it_is_ready_at_once_and_searches_interpreted(cold):
    talk, compiler, _ = cold
    assert talk.ask("isready", "readyok", SOON) == ["readyok"]
    talk.say(f"position fen {SMALL}", "go movetime 50")
    lines = talk.hear("bestmove", SOON)
    assert "still being compiled" in lines[0] and is_legal(SMALL, bestmove(lines))
    talk.say("go depth 2")
    assert is_legal(SMALL, bestmove(talk.hear("bestmove", SOON)))
    talk.say("quit")
    talk._ended(SOON)
    assert compiler.closed and not compiler.done.is_set()


@compiles
def test_a_search_without_a_limit_of_time_goes_on_compiled(cold, monkeypatch):
    talk, compiler, _ = cold
    speeds, start = [], Engine.start

    def spy(self, *args, **options):
        speeds.append(self.native)
        self.native = False  # here nothing is compiled
        start(self, *args, **options)

    monkeypatch.setattr(Engine, "start", spy)
    talk.ask("isready", "readyok", SOON)
    talk.say("position startpos", "go infinite")
    talk.hear("info depth 2", SOON)
    assert speeds == [False]
    compiler.done.set()
    talk.hear("info depth 1", SOON)
    assert None in speeds[1:], "that one was to be compiled"
    assert talk.ask("isready", "readyok", SOON)[-1] == "readyok"
    assert is_legal("", bestmove(talk.ask("stop", "bestmove", SOON)))


@compiles
def test_a_search_that_is_loaded_and_not_compiled_is_waited_for_and_nothing_to_talk_about(cold, monkeypatch):
    """It takes a second or two; `python-chess` warns of every line that nobody asked for."""
    _, compiler, note = cold
    note.touch()
    monkeypatch.setattr(Engine, "native", False, raising=False)
    talk = Conversation.with_object(lambda commands, answers: Uci(commands, answers, seed=1).run())
    talk.ask("uci", "uciok", SOON)
    talk.say("isready")
    assert talk.hears_nothing(0.5) == []
    compiler.done.set()
    assert talk.hear("readyok", SOON) == ["readyok"]
    talk.close()


def test_a_position_that_goes_on_from_the_last_one_is_the_one_that_it_says(talk):
    fen = "info string FEN"
    talk.say("position startpos moves e2e4 e7e5 g1f3")
    first = talk.ask("d", fen, SOON)[-1]
    talk.say("position startpos moves e2e4 e7e5 g1f3 b8c6 f1b5")
    talk.hears_nothing(0.0)
    assert talk.ask("d", fen, SOON)[-1].startswith(f"{fen} r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/")
    talk.say("position startpos moves e2e4 e7e5 g1f3")
    assert talk.ask("d", fen, SOON)[-1] == first
    talk.say("position startpos moves d2d4 e7e5")
    assert talk.ask("d", fen, SOON)[-1].startswith(f"{fen} rnbqkbnr/pppp1ppp/8/4p3/3P4/8/")
    talk.say(f"position fen {SMALL} moves e1d2")
    assert talk.ask("d", fen, SOON)[-1] == f"{fen} 8/8/8/4k3/8/8/3KP3/8 b - - 1 1"


def test_nonsense_is_survived(talk):
    letters = random.Random(7)
    talk.say("", "   ", "\tquite", "position startpos moves", "setoption", "go_home", "stop", "ponderhit")
    talk.say(b"\xff\xfe\x00 nonsense \x80", "x" * 200_000, "setoption name Hash", "setoption name")
    known = [option.name for option in OPTIONS]
    known += ["uci", "isready", "position", "go", "setoption", "fen", "startpos", "moves", "name", "value"]
    known += ["depth", "-1", "1", "e2e4", "stop"]
    for _ in range(60):
        words = [letters.choice(known) for _ in range(letters.randint(1, 6))]
        if "go" in words and "stop" not in words[words.index("go") :]:
            words = ["debug", *words]
        talk.say(" ".join(words), "stop")
    talk.say("isready")
    lines = talk.hear("readyok", SOON)
    assert any("too long" in line for line in lines)
    talk.say("stop", "position startpos", "go depth 1", "d")
    talk.hear("info string FEN rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")


def test_words_before_a_command_are_skipped_as_the_standard_says(talk):
    talk.say("joho isready")
    talk.hear("readyok", SOON)
    assert talk.ask("joho", "info", SOON) == ["info string unknown command: joho"]


@pytest.mark.parametrize("order", ["go infinite", "go ponder", "go depth 30", "go"])
def test_the_end_of_the_input_ends_it_in_the_middle_of_a_search(order):
    talk = Conversation.with_object(lambda commands, answers: Uci(commands, answers, native=False).run())
    talk.say("position startpos", order)
    talk.hear("info depth")
    assert talk.close(SOON)[-1].startswith("bestmove ")


def test_each_go_has_its_bestmove_though_nobody_stopped_the_one_before(talk):
    talk.say("position startpos", "go infinite", f"position fen {SMALL}", "go depth 1")
    assert is_legal("", bestmove(talk.hear("bestmove", SOON)))
    assert is_legal(SMALL, bestmove(talk.hear("bestmove", SOON)))


def test_several_lines_each_with_its_number_and_first_move(talk):
    talk.say("setoption name MultiPV value 3", f"position fen {SMALL}", "go depth 2")
    lines = talk.hear("bestmove")
    numbered = [line.split() for line in lines if "depth 2 multipv" in line][-3:]
    assert [line[4] for line in numbered] == ["1", "2", "3"]
    assert len({line[line.index("pv") + 1] for line in numbered}) == 3
    assert bestmove(lines) == numbered[0][numbered[0].index("pv") + 1]


def test_only_the_moves_that_are_named_are_searched(talk):
    talk.say("position startpos", "go depth 1 searchmoves a2a3 h2h4")
    assert bestmove(talk.hear("bestmove")) in ("a2a3", "h2h4")
    talk.say("go searchmoves h2h3 depth 1")
    assert bestmove(talk.hear("bestmove")) == "h2h3"
    talk.say("go searchmoves e7e5 depth 1")
    lines = talk.hear("bestmove")
    assert any("searchmoves" in line for line in lines) and is_legal("", bestmove(lines))


def test_castling_is_written_as_the_option_says(talk):
    castles = "4k3/8/8/8/8/8/8/4K2R w K - 0 1"
    talk.say(f"position fen {castles}", "go depth 1 searchmoves e1g1")
    assert bestmove(talk.hear("bestmove")) == "e1g1"
    talk.say("setoption name UCI_Chess960 value true", f"position fen {castles}")
    talk.say("go depth 1 searchmoves e1h1")
    assert bestmove(talk.hear("bestmove")) == "e1h1"
    talk.say("position fen 4k3/8/8/8/8/8/8/1R3K1R w HB - 0 1 moves f1b1", "d")
    assert "2KR3R b" in talk.hear("info string FEN", SOON)[-1]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("setoption name Hash value 0", "Hash is from 1 to 32768"),
        ("setoption name Hash value lots", "Hash is a whole number"),
        ("setoption name Threads value -1", "Threads is from 1 to 256"),
        ("setoption name Ponder value maybe", "Ponder is true or false"),
        ("setoption name Endings value nowhere/to/be found", "nowhere/to/be found"),
        ("setoption name Colour value red", "no such option: Colour"),
        ("setoption name Hash value", "Hash is a whole number"),
        ("setoption Hash 12", "write: setoption name"),
    ],
)
def test_settings_that_make_no_sense_are_refused_in_words(talk, line, said):
    assert said in talk.ask(line, "info string", SOON)[-1]
    talk.say(f"position fen {SMALL}", "go depth 1")
    talk.hear("bestmove", SOON)


def test_settings_reach_the_search(talk, monkeypatch):
    made = []
    original = Engine.__init__

    def spy(self, *args, **options):
        made.append(options)
        original(self, *args, **options)

    forgotten = []
    monkeypatch.setattr(Engine, "__init__", spy)
    monkeypatch.setattr(Engine, "new_game", lambda self: forgotten.append(self))
    talk.say("setoption name hash value 3", "setoption name Threads value 2", f"position fen {SMALL}")
    talk.say("go depth 1")
    talk.hear("bestmove")
    assert (made[-1]["table_mib"], made[-1]["threads"]) == (3.0, 2)
    talk.ask("go depth 1", "bestmove")
    assert len(made) == 1, "the same settings keep the same engine"
    for forget in ("setoption name Clear Hash", "ucinewgame"):
        before = len(forgotten)
        talk.say(forget)
        talk.ask("go depth 1", "bestmove")
        assert len(forgotten) == before + 1 and len(made) == 1, "what was learned is forgotten, what was set is not"


def test_the_search_is_told_of_the_states_before_and_no_further_back_than_they_can_return(talk, monkeypatch):
    told = []
    original = Engine.start

    def spy(self, state=None, **options):
        told.append((state, options.get("history", ())))
        original(self, state, **options)

    monkeypatch.setattr(Engine, "start", spy)
    talk.say("position startpos moves e2e4 e7e5 g1f3 b8c6 f3g1 c6b8", "go depth 1")
    talk.hear("bestmove")
    state, history = told[-1]
    game = Chess()
    fens = [format_state(game, s).split()[0] for s in history]
    assert format_state(game, state).split()[0] in fens, "the position has been there before"
    assert fens[-4] == format_state(game, state).split()[0]


def test_limited_strength_is_fewer_nodes_and_more_chance():
    nodes = [nodes_for(elo, 20) for elo in range(LOWEST_ELO, HIGHEST_ELO + 1, 100)]
    assert nodes == sorted(nodes) and nodes[0] < 500 and nodes[-1] > 100_000
    lines = [(0.02, (1,)), (0.015, (2,)), (-0.05, (3,))]
    source = random.Random(1)

    def best(elo):
        return sum(weaker_choice(lines, elo, source) == (1,) for _ in range(400))

    weak, middle, strong = best(LOWEST_ELO), best(1600), best(HIGHEST_ELO)
    assert weak < middle < strong == 400


def test_the_weakest_player_has_several_lines_to_choose_from(talk, monkeypatch):
    numbers = []
    original = Uci._choice

    def spy(self, thought, found):
        numbers.append(len(found.lines))
        return original(self, thought, found)

    monkeypatch.setattr(Uci, "_choice", spy)
    talk.say("setoption name UCI_LimitStrength value true", f"setoption name UCI_Elo value {LOWEST_ELO}")
    middle_game = "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQK2R w KQkq - 0 1"
    for position in ("startpos", f"fen {middle_game}"):
        talk.say(f"position {position}", "go wtime 60000 btime 60000")
        talk.hear("bestmove")
    assert numbers == [4, 4]


def test_a_text_without_a_letter_switches_it_off(talk):
    talk.say("setoption name Endings value ", "setoption name Endings value", "d")
    assert not any("no such option" in line for line in talk.hear("info string FEN", SOON))


def test_a_clock_that_has_run_out_forgets_the_position_before(talk):
    """What the last search found is about another position: nothing of it may be played."""
    rook = "7k/8/8/8/8/8/r7/6K1 w - - 0 1"
    talk.say("position startpos", "go depth 3")
    talk.hear("bestmove")
    for order in ("go wtime 0 btime 0", "go movetime 0", "go nodes 1"):
        talk.say(f"position fen {rook}", order)
        lines = talk.hear("bestmove", SOON)
        assert not any("failed" in line for line in lines)
        assert is_legal(rook, bestmove(lines))
        talk.say("position startpos", "go depth 3")
        talk.hear("bestmove")


def test_a_mates_line_is_followed_only_where_there_is_time():
    def seconds(limits):
        return TimeManager(limits, now=lambda: 0.0).for_the_line()

    assert seconds(Limits(depth=3)) == 1.0
    assert seconds(Limits(clock=Clock(60.0))) == 0.02 and seconds(Limits(clock=Clock(0.05))) == 0.0
    assert seconds(Limits(seconds=10.0)) == 1.0
    assert seconds(Limits(seconds=0.9)) == 0.225
    assert seconds(Limits(seconds=0.001)) == 0.0


def test_it_can_be_prepared_before_a_program_waits_for_it():
    talk = Conversation.with_verb("uci", "--prepare", "--interpreted")
    talk.hear("readyok")
    assert talk.close(SOON) == [], "it ends by itself"


def test_a_limited_player_plays_legal_moves(talk):
    talk.say("setoption name UCI_LimitStrength value true", "setoption name UCI_Elo value 800")
    talk.say(f"position fen {SMALL}", "go wtime 60000 btime 60000")
    lines = talk.hear("bestmove")
    assert is_legal(SMALL, bestmove(lines))
    assert not any("multipv 2" in line for line in lines), "what it chooses from is not what was asked for"


def test_the_verb_speaks_uci_and_ends_at_quit():
    talk = Conversation.with_verb("uci", "--interpreted")
    talk.say("uci", "isready")
    assert "uciok" in talk.hear("readyok")
    talk.say(f"position fen {MATE_IN_ONE}", "go depth 1")
    assert bestmove(talk.hear("bestmove")) == "a1a8"
    talk.say("quit")
    assert talk.close(SOON) == []


@compiles
@pytest.mark.full
def test_it_is_compiled_within_50_seconds_and_loaded_within_3(tmp_path, monkeypatch):
    """Of processor time, of both processes: the one that compiles, and the one that loads what it made."""
    monkeypatch.setenv("PLYFORGE_CACHE_DIR", str(tmp_path))
    times = []
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        talk = Conversation.with_verb("uci")
        talk.ask("uci", "uciok", 20.0)
        assert talk.ask("isready", "readyok", SOON) == ["readyok"]
        if not times:  # that was said at once; later starts say it when all is loaded
            said = talk.hear("info string compiled in", 300.0)
            assert any("compiling the search" in line for line in said)
        talk.say("quit")
        talk.close(SOON)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    assert times[0] <= 50.0, times
    assert min(times[1:]) <= 3.0, times


@compiles
@pytest.mark.full
def test_who_quits_while_it_compiles_does_not_wait_for_that(tmp_path, monkeypatch):
    monkeypatch.setenv("PLYFORGE_CACHE_DIR", str(tmp_path))
    talk = Conversation.with_verb("uci")
    talk.say("uci", "isready", "position startpos", "go wtime 500 btime 500")
    assert is_legal("", bestmove(talk.hear("bestmove")))
    talk.say("quit")
    talk.close(SOON)


@pytest.mark.full
def test_another_projects_client_plays_analyses_and_ponders_with_it():
    """python-chess is a user interface that we have not written: it checks every line that it reads."""
    pytest.importorskip("chess", reason="python-chess is not installed")
    import sys

    import chess.engine

    command = [sys.executable, "-m", "plyforge", "uci", "--interpreted"]
    with chess.engine.SimpleEngine.popen_uci(command, timeout=60) as engine:
        board = chess.Board(SMALL)
        for number in range(6):
            limit = chess.engine.Limit(white_clock=2, black_clock=2)
            move = engine.play(board, limit, ponder=number % 2 == 0).move
            assert move in board.legal_moves
            board.push(move)
        lines = engine.analyse(chess.Board(SMALL), chess.engine.Limit(depth=2), multipv=3)
        assert len({line["pv"][0] for line in lines}) == 3
        found = engine.analyse(chess.Board(MATE_IN_ONE), chess.engine.Limit(depth=2))
        assert found["score"].white() == chess.engine.Mate(1)
        fischer = chess.Board("4k3/8/8/8/8/8/8/1R3K1R w HB - 0 1", chess960=True)
        assert engine.play(fischer, chess.engine.Limit(depth=1)).move in fischer.legal_moves
