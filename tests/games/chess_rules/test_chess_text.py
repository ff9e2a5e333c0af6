"""Chess as text: FEN, EPD and moves, read strictly and written back."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from patience import patiently
from plyforge.contract import format_action, format_state, legal_moves, parse_action, parse_state, state_after
from plyforge.errors import BadText, IllegalAction, PlyforgeError
from plyforge.games.chess.board import squares_in
from plyforge.games.chess.epd import Epd, format_epd, parse_epd
from plyforge.games.chess.fen import START, chess960_start, format_fen, parse_fen
from plyforge.games.chess.notation import parse_uci, uci_text
from plyforge.games.chess.rules import Chess

GAME = Chess()
FISCHER = Chess(chess960=True)


def positions(count: int, seed: int, game: Chess = GAME, start: str = START):
    dice = random.Random(seed)
    s = parse_state(game, start)
    for _ in range(count):
        yield s
        legal = legal_moves(game, s)
        s = game.result(s, dice.choice(legal)) if legal else parse_state(game, start)


# ------------------------------------------------------------------ FEN
def test_the_start():
    assert format_state(GAME, GAME.start()) == START
    assert parse_state(GAME, START) == GAME.start()


def test_what_is_written_reads_back():
    for s in positions(150, 1):
        assert parse_state(GAME, format_state(GAME, s)) == s


def destruction(data: Path) -> list[tuple[str, str]]:
    """The lines that were made to break readers: text, and the reaction wanted."""
    lines = (data / "chess" / "destruction-test.epd").read_text().splitlines()
    return [(line.partition(";")[0], line.partition(";")[2].strip()) for line in lines if line.strip()]


def test_every_line_that_was_made_to_break_readers_is_answered_as_it_wants(data: Path):
    answers = {"ok": 0, "refused": 0, "either": 0}
    for text, wanted in destruction(data):
        either = "leave" in wanted or "cull(or override)" in wanted or "WIP" in wanted
        ok = "should be" in wanted and not either
        try:
            epd = parse_epd(text)
        except PlyforgeError as error:
            assert isinstance(error, BadText) and len(str(error)) > 20
            assert not ok, (text, wanted, error)
        else:
            assert ok or either, (text, wanted)
            for action in epd.actions(GAME, "bm"):
                assert action in legal_moves(GAME, epd.state)
        answers["either" if either else "ok" if ok else "refused"] += 1
    assert answers == {"ok": 27, "refused": 72, "either": 7}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("rnbqkbn1/ppppppppr/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "rank 7, 'ppppppppr', has 9 squares"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR K KQkq - 0 1", "'K' is not who moves"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQAb - 0 1", "'KQAb' does not say who may castle"),
        ("rnbqkbnr.pppppppp.8.8.8.8.PPPPPPPP.RNBQKBNR w KQkq - 0 1", "has 1 ranks, not 8"),
        ("rnbqkbnr/ppppippp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "'i' on rank 7"),
        ("rnbqk0nr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "'0' on rank 8"),
        ("rnbqkbnr/pppppppp/8/6/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "rank 5, '6', has 6 squares"),
        ("rnkqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "Black has 2 kings"),
        ("rnbq1bnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "Black has no king"),
        ("pnbqkbnr/ppprpppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "Black's pawn on a8 can't be there"),
        ("hello have a nice day w - -0 1", "has 9 parts"),
        ("1B6/prpb2p1/2KPp3/qp1p4/Q1k5/nRP3p1/BRPP2Pp/BN6 w - -", "promotions|Black's king is in check"),
        ("8/8/8/1k3q2/8/3K4/8/1Q6 w - -", "Black's king is in check, but it is White's turn"),
        ("rnbqkbnr/ppppNNpp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "White has 4 knights and 8 pawns"),
        ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "no pawn of Black can have passed e6"),
        ("4k3/4p3/8/4p3/8/8/8/4K3 w - e6 0 1", "there is a piece in its way"),
        ("4k3/8/8/8/4P3/8/8/4K3 w - e3 0 1", "it is - or one on rank 6"),
        ("4k3/8/8/44/8/8/8/4K3 w - - 0 1", "two digits in a row"),
        ("4k3/8/8/8/8/8/8/4K3 w - - x 1", "'x' is not moves without progress"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 -1", "'-1' is not the number of the move"),
        ("4k3/8/8/8/8/8/8/4K3 w KK - 0 1", "each once"),
        ("4k3/8/8/8/8/8/8/4K3 w", "has 2 parts"),
        ("", "has 0 parts"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 99999999999999999999", "is not the number of the move"),
        ("4k3/8/8/8/8/8/8/4K3 w - - ٣ 1", "is not moves without progress"),
        ("x" * 100_000, "at most 16,384"),
        ("x" * 10_000, "too many for a position"),
    ],
)
def test_bad_positions_are_refused_in_words(text: str, words: str):
    with pytest.raises(BadText, match=words):
        parse_state(GAME, text)


def test_rights_without_king_and_rook_in_place_are_dropped():
    s = parse_state(GAME, "nrbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
    assert squares_in(s.castling) == [0, 7, 63]
    assert format_state(GAME, s).split()[2] == "KQk"


def test_en_passant_that_nobody_can_make_is_dropped():
    after_e4 = parse_state(GAME, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1")
    assert after_e4 == state_after(GAME, "e4")
    assert format_state(GAME, after_e4).split()[3] == "-"


@given(st.text("rnbqkpRNBQKP12345678/ wbKQkq-abcdefgh0", max_size=90))
@settings(deadline=None, max_examples=300)
def test_any_text_is_a_position_or_bad_text(text: str):
    try:
        s = parse_state(GAME, text)
    except BadText:
        return
    assert parse_state(GAME, format_state(GAME, s)) == s


# ------------------------------------------------------------------ Chess960
def test_castling_rooks_are_named_by_file_where_the_outermost_is_another():
    text = "4k3/8/8/8/8/8/8/1R1RKR1R w HB - 0 1"
    s = parse_state(FISCHER, text)
    assert squares_in(s.castling) == [1, 7]
    assert format_state(FISCHER, s).split()[2] == "KQ"
    inner = parse_state(FISCHER, "4k3/8/8/8/8/8/8/1R1RKR1R w FD - 0 1")
    assert squares_in(inner.castling) == [3, 5]
    assert format_state(FISCHER, inner).split()[2] == "FD"
    assert parse_state(FISCHER, format_state(FISCHER, inner)) == inner
    assert format_fen(s, chess960=True, shredder=True).split()[2] == "HB"


def test_positions_of_chess960_read_back():
    for start in (
        "nrbkqrbn/pppppppp/8/8/8/8/PPPPPPPP/NRBKQRBN w KQkq - 0 1",
        "bbrnkrqn/pppppppp/8/8/8/8/PPPPPPPP/BBRNKRQN w FCfc - 0 1",
    ):
        for s in positions(60, 4, FISCHER, start):
            assert parse_state(FISCHER, format_state(FISCHER, s)) == s
            assert parse_fen(format_fen(s, True, shredder=True), True) == s


def test_the_starts_of_chess960():
    assert chess960_start(518) == START
    starts = [chess960_start(number) for number in range(960)]
    assert len(set(starts)) == 960
    for start in starts:
        row = start[:8]
        assert sorted(row) == sorted("rnbqkbnr") and row.index("r") < row.index("k") < row.rindex("r")
        assert row.index("b") % 2 != row.rindex("b") % 2
    assert format_state(FISCHER, parse_state(FISCHER, starts[7])) == starts[7]
    for number in (-1, 960):
        with pytest.raises(BadText, match="numbered from 0 to 959"):
            chess960_start(number)
    chess = pytest.importorskip("chess", reason="python-chess is not installed")
    assert starts == [chess.Board.from_chess960_pos(number).fen() for number in range(960)]


# ------------------------------------------------------------------ moves
def test_moves_are_written_in_standard_notation():
    s = state_after(GAME, "e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Bxc6", "dxc6", "O-O")
    assert format_state(GAME, s) == "r1bqkbnr/1pp2ppp/p1p5/4p3/4P3/5N2/PPPP1PPP/RNBQ1RK1 b kq - 1 5"
    mate = state_after(GAME, "f3", "e5", "g4")
    assert format_action(GAME, mate, parse_action(GAME, mate, "d8h4")) == "Qh4#"


@pytest.mark.parametrize(
    ("fen", "squares", "text"),
    [
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "a1d1", "Rd1"),  # the other rook does not get through
        ("4k3/8/8/8/8/8/4K3/R6R w - - 0 1", "a1d1", "Rad1"),
        ("4k3/8/8/R7/8/8/8/R3K3 w - - 0 1", "a1a3", "R1a3"),
        ("8/8/1k6/8/4Q2Q/8/8/K6Q w - - 0 1", "h4e1", "Qh4e1"),
        ("4k3/8/8/8/8/4n3/8/1N1NK3 w - - 0 1", "b1c3", "Nbc3"),
        ("4r2k/8/8/8/8/8/4N3/1N2K3 w - - 0 1", "b1c3", "Nc3"),  # the other knight is pinned
        ("3rk3/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7d8q", "exd8=Q+"),
        ("8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", "e7e8n", "e8=N+"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "exd6"),
        ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O+"),
        ("3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1", "O-O-O+"),
    ],
)
def test_a_move_in_both_notations(fen: str, squares: str, text: str):
    s = parse_state(GAME, fen)
    action = parse_uci(GAME, s, squares)
    assert format_action(GAME, s, action) == text
    assert uci_text(s, action) == squares
    assert parse_action(GAME, s, text) == parse_action(GAME, s, squares) == action


def test_every_legal_move_reads_back_in_both_notations():
    for game, start in ((GAME, START), (FISCHER, "r1k1r2q/p1ppp1pp/8/8/8/8/P1PPP1PP/R1K1R2Q w KQkq - 0 1")):
        for s in positions(40, 5, game, start):
            legal = legal_moves(game, s)
            texts = [format_action(game, s, action) for action in legal]
            assert len(set(texts)) == len(legal)
            for action, text in zip(legal, texts, strict=True):
                assert parse_action(game, s, text) == action
                assert parse_uci(game, s, uci_text(s, action, game.chess960)) == action


@pytest.mark.parametrize(
    ("fen", "text", "same"),
    [
        (START, "Ng1f3", "Nf3"),
        (START, "Ng1-f3", "Nf3"),
        (START, "e2-e4", "e4"),
        (START, "Pe4", "e4"),
        (START, " e4!? ", "e4"),
        (START, "Nf3+", "Nf3"),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "0-0", "O-O"),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1h1", "O-O"),
        ("8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", "e8Q", "e8=Q"),
        ("8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", "e8(Q)", "e8=Q"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6 e.p.", "exd6"),
    ],
)
def test_what_else_is_read(fen: str, text: str, same: str):
    s = parse_state(GAME, fen)
    assert parse_action(GAME, s, text) == parse_action(GAME, s, same)


@pytest.mark.parametrize(
    ("fen", "text", "words"),
    [
        (START, "e5", "'e5' is not a legal move here; legal: "),
        (START, "", "is not a legal move"),
        (START, "e2e4e5", "is not a legal move"),
        (START, "0000", "is not a legal move"),
        (START, "O-O", "is not a legal move"),
        (START, "Nf3" * 1000, "is not a legal move"),
        ("4k3/8/8/8/8/8/4K3/R6R w - - 0 1", "Rd1", "can mean several moves here: Rad1, Rhd1"),
        ("8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", "e8", "can mean several moves here: e8=Q"),
        ("8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", "e7e8", "is not a legal move"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "Kg8", "none: the game is over"),
    ],
)
def test_moves_that_are_refused_in_words(fen: str, text: str, words: str):
    s = parse_state(GAME, fen)
    with pytest.raises(IllegalAction, match=words):
        parse_action(GAME, s, text)


def test_chess960_castles_by_king_takes_rook():
    s = parse_state(FISCHER, "4k3/8/8/8/8/8/8/5KR1 w G - 0 1")
    castling = parse_action(FISCHER, s, "O-O")
    assert uci_text(s, castling, chess960=True) == "f1g1"
    assert parse_uci(FISCHER, s, "f1g1") == castling
    step = parse_state(FISCHER, "4k3/8/8/8/8/8/8/5K1R w H - 0 1")
    assert format_action(FISCHER, step, parse_uci(FISCHER, step, "f1g1")) == "Kg1"
    assert format_action(FISCHER, step, parse_uci(FISCHER, step, "f1h1")) == "O-O"


def test_the_picture():
    assert GAME.show(GAME.start()).splitlines()[0] == "8 r n b q k b n r"
    assert GAME.show(GAME.start()).splitlines()[-1] == "  a b c d e f g h"


# ------------------------------------------------------------------ EPD
def test_suites_are_read_and_their_moves_are_legal(data: Path):
    for name, number in (("wacnew", 300), ("bratko-kopec", 24)):
        lines = (data / "chess" / f"{name}.epd").read_text().splitlines()
        assert len(lines) == number
        for line in lines:
            epd = parse_epd(line)
            assert epd.text("id")
            assert epd.actions(GAME, "bm") or epd.actions(GAME, "am")
            assert parse_epd(format_epd(epd)) == epd
            legal = legal_moves(GAME, epd.state)
            assert set(epd.actions(GAME, "bm")) <= set(legal)


def test_operations():
    epd = parse_epd('4k3/8/8/8/8/8/8/4K2R w K - bm O-O Rh8+; id "two; words"; c0 ""; draw_offer; hmvc 3; fmvn 7')
    assert epd.operations == {
        "bm": ("O-O", "Rh8+"),
        "id": ("two; words",),
        "c0": ("",),
        "draw_offer": (),
        "hmvc": ("3",),
        "fmvn": ("7",),
    }
    assert (epd.state.quiet, epd.state.moves) == (3, 7)
    assert len(epd.actions(GAME, "bm")) == 2
    assert parse_epd(format_epd(epd)) == epd
    assert parse_epd("4k3/8/8/8/8/8/8/4K2R w K - 5 9 bm O-O;").state.moves == 9
    assert format_epd(Epd(GAME.start(), {"bm": ("e4", "d4")})) == START.replace(" 0 1", " bm e4 d4;")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('4k3/8/8/8/8/8/8/4K2R w K - id "no end;', "has no end"),
        ("4k3/8/8/8/8/8/8/4K2R w K - bm O-O; bm Kd2;", "is there twice"),
        ("4k3/8/8/8/8/8/8/4K2R w K - ?;", "is no operation"),
        ("4k3/8/8/8/8/8/8/4K2R w K - averyverylongname 5;", "is no operation"),
        ("4k3/8/8/8/8/8/8/4K2R w K - bm!O-O;", "is no operation"),
        ("4k3/8/8/8/8/8/8/4K2R w K - hmvc x;", "is not moves without progress"),
        ("4k3/8/8/8", "is not EPD"),
    ],
)
def test_bad_epd_is_refused_in_words(text: str, words: str):
    with pytest.raises(BadText, match=words):
        parse_epd(text)
    with pytest.raises(BadText, match="not a legal move"):
        parse_epd("4k3/8/8/8/8/8/8/4K2R w K - bm Qd1;").actions(GAME, "bm")


def test_reading_nonsense_takes_no_time():
    with patiently():
        for text in (
            "(" * 4000,
            '"' * 4001,
            "a " * 2000,
            "; " * 2000,
            "bm " + "x" * 4000,
            'c0 "' + '\\"' * 1999 + "\\",
            'c0 "' + "\\a" * 1999 + "\\",
        ):
            with pytest.raises(BadText):
                parse_epd(f"4k3/8/8/8/8/8/8/4K2R w K - {text}"[:4090] + '"')
        for marks in ("+", "!", "#", "?!+"):
            assert parse_action(GAME, GAME.start(), "e4" + marks * 2_000) == parse_action(GAME, GAME.start(), "e4")
            with pytest.raises(IllegalAction):
                parse_action(GAME, GAME.start(), "e4" + marks * 100_000 + "x")


def test_texts_of_epd_are_quoted_and_moves_and_numbers_are_not():
    line = f'{" ".join(START.split()[:4])} bm e4; ce 30; c0 "hello"; id "one";'
    assert format_epd(parse_epd(line)) == line
    chess = pytest.importorskip("chess", reason="python-chess is not installed")
    assert chess.Board().set_epd(line)["c0"] == "hello"


def test_the_moves_of_a_line_follow_each_other_and_others_are_alternatives():
    begin = " ".join(START.split()[:4])
    epd = parse_epd(f"{begin} bm e4 d4; pv e4 e5 Nf3 Nc6; sv d4 d5;")
    s, made = GAME.start(), []
    for action in epd.actions(GAME, "pv"):
        made.append(format_action(GAME, s, action))
        s = GAME.result(s, action)
    assert made == ["e4", "e5", "Nf3", "Nc6"]
    assert len(epd.actions(GAME, "sv")) == 2
    assert [format_action(GAME, GAME.start(), action) for action in epd.actions(GAME, "bm")] == ["e4", "d4"]
    for text in ("bm e4 e5;", "pv e4 d4;"):
        with pytest.raises(BadText, match="not a legal move"):
            parse_epd(f"{begin} {text}").actions(GAME, text[:2])


TEXTS = ['a "q" b', '"', "\\", "x\\", 'x\\"', "C:\\b\\n", "\\\\", '";', "", "; ", " "]


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("name", ["c0", "bm"])
def test_texts_of_epd_may_have_quotes_and_backslashes(name: str, text: str):
    epd = Epd(GAME.start(), {name: (text, text), "id": (text,)})
    assert parse_epd(format_epd(epd)) == epd


@pytest.mark.parametrize("text", TEXTS)
def test_another_program_and_we_read_each_others_texts_of_epd(text: str):
    chess = pytest.importorskip("chess", reason="python-chess is not installed")
    assert parse_epd(chess.Board().epd(c0=text, id="one")).operations == {"c0": (text,), "id": ("one",)}
    line = format_epd(Epd(GAME.start(), {"c0": (text,), "id": ("one",)}))
    assert chess.Board().set_epd(line) == {"c0": text, "id": "one"}


@pytest.mark.parametrize("text", ["a\n", "a\rb", "\u2028"])
def test_texts_of_epd_are_one_line(text: str):
    with pytest.raises(BadText, match="texts one line"):
        format_epd(Epd(GAME.start(), {"c0": (text,)}))


@pytest.mark.parametrize("operation", ["hmvc; fmvn 30;", "hmvc 3 4;", "fmvn;"])
def test_counters_of_epd_are_one_number_each(operation: str):
    with pytest.raises(BadText, match="has one number"):
        parse_epd(f"{' '.join(START.split()[:4])} {operation}")
