"""Files of chess games: PGN read, written, refused in words, and as sessions."""

from __future__ import annotations

import random
import time
import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from patience import PATIENCE, patiently
from plyforge.contract import MAX, MIN, legal_moves
from plyforge.errors import BadText, PlyforgeError, Unsuitable
from plyforge.games import portable
from plyforge.games.chess.pgn import PgnGame, games_in, read_pgn, write_pgn
from plyforge.games.chess.rules import Chess
from plyforge.games.tic_tac_toe import TicTacToe
from plyforge.play.formats.pgn_pdn import pgn_of, session_of
from plyforge.play.formats.record import Record
from plyforge.play.session import GameSession

GAME = Chess()

EXAMPLES = """\
% four games
[Event "Paris; at the opera"]
[Site "Paris FRA"]
[Date "1858.??.??"]
[White "Morphy, Paul"]
[Black "Duke Karl / Count Isouard"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 3.d4 Bg4 {This is a
weak move} 4. dxe5 Bxf3 (4... dxe5 5. Qxd8+ (5. Bd3 {deeper}) Kxd8 6. Nxe5) 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7
8. Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1! Qe6 $6 15. Bxd7+ Nxd7
16. Qb8+ Nxb8 17. Rd8# 1-0

[Event "A \\"study\\""]
[SetUp "1"]
[FEN "8/8/8/8/8/1k6/p7/K7 b - - 4 70"]
70... Kc2 ; the end
1/2-1/2
[Event "Fischer's"]
[Variant "Chess960"]
[FEN "nrbkqrbn/pppppppp/8/8/8/8/PPPPPPPP/NRBKQRBN w KQkq - 0 1"]
1. Nb3 Nb6 2. e4 e5 0-1

1. e4 e5 2 Nf3 *
"""


def test_games_are_read():
    opera, study, fischer, short = read_pgn(EXAMPLES)
    assert opera.tags["White"] == "Morphy, Paul"
    assert opera.result == "1-0" and opera.winner == MAX
    assert len(opera.actions) == 33 and opera.moves()[-1] == "Rd8#"
    assert opera.comments == {6: "This is a weak move"}
    assert GAME.terminal(opera.states()[-1])
    assert study.tags == {"Event": 'A "study"'}
    assert study.start.moves == 70 and study.moves() == ["Kc2"]
    assert study.comments == {1: "the end"} and study.winner is None
    assert fischer.chess960 and fischer.winner == MIN
    assert short.result == "*" and short.moves() == ["e4", "e5", "Nf3"]


def test_what_is_written_reads_back():
    games = read_pgn(EXAMPLES)
    text = write_pgn(games)
    assert max(map(len, text.splitlines())) <= 80
    again = read_pgn(text)
    for game, other in zip(games, again, strict=True):
        assert (game.actions, game.result, game.start) == (other.actions, other.result, other.start)
        assert (game.comments, game.chess960) == (other.comments, other.chess960)
        assert game.tags.items() <= other.tags.items()
    assert read_pgn(write_pgn(again)) == again
    assert "70... Kc2" in text and "3. d4 Bg4 {This is a weak move} 4. dxe5" in " ".join(text.split())


def test_random_games_read_back():
    dice = random.Random(8)
    games = []
    for _ in range(3):
        s, actions = GAME.start(), []
        while len(actions) < 40 and not GAME.terminal(s):
            actions.append(dice.choice(legal_moves(GAME, s)))
            s = GAME.result(s, actions[-1])
        games.append(PgnGame(tuple(actions), "1/2-1/2", {"Round": "\\1"}))
    for game, other in zip(games, read_pgn(write_pgn(games)), strict=True):
        assert other.actions == game.actions and other.tags["Round"] == "\\1"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1. e4 e5 2. Ke3 *", "line 1: move 2.: 'Ke3' is not a legal move"),
        ("\n1. e4\n1... e4 *", "line 3: move 1...: 'e4' is not a legal move"),
        ("1. e4 {no end", "line 1: a comment begins with {"),
        ('[Event "x]', "line 1: '.Event \"x.' is not a tag"),
        ("1. e4 (1. d4\n\n", "line 1: a variation begins with .* and has no end"),
        ('1. e4 (1. d4\n[Event "?"]', "line 1: a variation begins with"),
        ("1. e4 )", "line 1: . closes a variation"),
        ('[Result "1-0"] 1. e4 0-1', "ends with 0-1, and its tag Result says 1-0"),
        ('[Result "2-0"]', "'2-0' is not a result"),
        ('[Site "?"] [Site "?"]', "a second tag Site"),
        ('1. e4 * (\n[Event "?"] [Event "?"]', "line 1: a variation begins with"),
        ('[FEN "8/8/8/8/8/8/8/8 w - - 0 1"] 1. e4', "line 1: .*White has no king"),
        ('[Variant "Atomic"]', "the variant 'Atomic' is not played here"),
        ("1-0", "neither tags nor moves"),
        ("1. e4 -- 2. d4", "'--' is neither a move"),
        ("1. e4 & e5", "'&' is neither a move"),
        ("1. e4 Z0 2. d4", "'Z0' is not a legal move"),
    ],
)
def test_bad_files_are_refused_in_words(text: str, words: str):
    with pytest.raises(BadText, match=words):
        read_pgn(text)


def test_limits(monkeypatch: pytest.MonkeyPatch):
    shuffle = "Nf3 Nf6 Ng1 Ng8 " * 3
    monkeypatch.setattr(portable, "LONGEST_GAME", 10)
    with pytest.raises(BadText, match="more than 10 moves"):
        read_pgn(shuffle)
    monkeypatch.setattr(portable, "LONGEST_TEXT", 20)
    with pytest.raises(BadText, match="too long"):
        read_pgn(shuffle)


def test_variations_may_be_nested_as_deep_as_one_likes():
    depth = 100_000
    began = time.perf_counter()
    assert read_pgn("1. e4 " + "(" * depth + " d4 " + ")" * depth + " *")[0].moves() == ["e4"]
    with pytest.raises(BadText, match="has no end"):
        read_pgn("1. e4 " + "(" * depth)
    assert time.perf_counter() - began < PATIENCE


def test_what_can_not_be_written_is_refused():
    with pytest.raises(BadText, match="not a result"):
        write_pgn([PgnGame(result="2-0")])
    for ply in (-1, 2, 9):
        with pytest.raises(BadText, match=f"after {ply} moves, and there are 1"):
            write_pgn([PgnGame((legal_moves(GAME, GAME.start())[0],), comments={ply: "late"})])
    with pytest.raises(BadText, match="can't be written"):
        write_pgn([PgnGame(tags={"two words": "x"})])
    for line_break in ("\n", "\r", "\r\n", "\v", "\f", "\x1c", "\x85", "\u2028", "\u2029"):
        for value in (f"a{line_break}", f"{line_break}a", f"a{line_break}b", line_break):
            with pytest.raises(BadText, match="values one line"):
                write_pgn([PgnGame(tags={"Event": value})])


@pytest.mark.parametrize("text", ["a } b", "}", "};", "; {}", "% } (", "}" * 200, "} and so on " * 30])
def test_a_comment_with_a_brace_has_lines_of_its_own(text: str):
    (game,) = read_pgn(f"; {text}\n1. e4 ; {text}\n e5 {{x}} 2. Nf3 Nc6 ; {text}\n *")
    assert game.comments == {0: text.strip(), 1: text.strip(), 2: "x", 4: text.strip()}
    written = write_pgn([game, game])
    assert max(map(len, written.splitlines())) <= 80 or "}}" in text
    for again in read_pgn(written):
        assert (again.actions, again.comments) == (game.actions, game.comments)


@given(st.dictionaries(st.integers(0, 2), st.text(alphabet='a }{;%([\\"\n\r\x0b\x85\u2028-', max_size=200), max_size=3))
@settings(deadline=None, max_examples=100)
def test_any_comments_read_back_but_for_white_space(comments: dict[int, str]):
    game = PgnGame(read_pgn("1. e4 e5")[0].actions, comments=comments)
    (again,) = read_pgn(write_pgn([game]))
    assert again.actions == game.actions
    assert {ply: text for ply, text in again.comments.items() if text} == {
        ply: " ".join(text.split()) for ply, text in comments.items() if text.split()
    }


def test_games_come_one_after_the_other():
    games = games_in("1. e4 * 1. d4 * nonsense")
    assert next(games).moves() == ["e4"]
    assert next(games).moves() == ["d4"]
    with pytest.raises(BadText):
        next(games)


@given(st.text(alphabet='1. e4d5Nf3O-x+#*/(){};$%!?[]"\\\n EventWhiteFEN', max_size=120))
@settings(deadline=None, max_examples=200)
def test_any_text_is_games_or_bad_text(text: str):
    try:
        games = read_pgn(text)
    except PlyforgeError as error:
        assert isinstance(error, BadText)
        return
    for game in games:
        assert len(game.states()) == len(game.actions) + 1


# ------------------------------------------------------------------ sessions
def test_a_game_of_a_file_can_be_taken_up_and_saved_as_a_record():
    opera, _, fischer, short = read_pgn(EXAMPLES)
    session = session_of(opera)
    assert session.over and session.outcome is not None and session.outcome.winners == (MAX,)
    record = Record.of(session)
    assert record.game == "chess"
    assert list(record.actions) == opera.moves()
    assert Record.from_json(record.to_json()).session().state == opera.states()[-1]
    assert not session_of(short).over
    lost = session_of(fischer)
    assert lost.outcome is not None and lost.outcome.winners == (MIN,)
    assert pgn_of(lost).chess960


SHUFFLE = "Nf3 Nf6 Ng1 Ng8 " * 2


@pytest.mark.parametrize("moves", ["e4 e5 ", SHUFFLE, SHUFFLE * 2, SHUFFLE + "e4 e5 "])
@pytest.mark.parametrize("result", ["1-0", "0-1", "1/2-1/2", "*"])
def test_a_session_has_all_moves_and_the_result_of_its_file(moves: str, result: str):
    (game,) = read_pgn(f'[Result "{result}"] {moves} {result}')
    session = session_of(game)
    for one in (session, session.copy(), Record.from_json(Record.of(session).to_json()).session()):
        again = pgn_of(one)
        assert (again.moves(), again.result) == (moves.split(), result)


def test_an_end_of_its_own_goes_before_the_result_of_a_file():
    (game,) = read_pgn("1. f3 e5 2. g4 Qh4# 1-0")
    assert pgn_of(session_of(game)).result == "0-1"


def test_a_draw_that_nobody_claimed_may_be_had_later():
    session = session_of(read_pgn(SHUFFLE)[0])
    assert not session.over
    for text in ("Nf3", "Nf6", "Ng1"):  # each is there for the third time
        session.play_text(text)
        assert session.drawn == "repetition"
        session.play_on()
        assert not session.over and session.player is not None
    session.undo(6)
    session.redo(6)
    assert not session.over
    session.undo(5)
    session.play_text("Ng1")
    session.play_text("Ng8")
    assert session.over and session.outcome is not None and session.outcome.reason == "by repetition"


def test_a_session_can_be_written_as_pgn():
    session = GameSession(GAME)
    session.seats = ("human", "engine")
    for text in ("f3", "e5", "g4", "Qh4#"):
        session.play_text(text)
    game = pgn_of(session, {"Event": "here"})
    assert game.moves() == ["f3", "e5", "g4", "Qh4#"]
    assert game.result == "0-1"
    assert game.tags == {"White": "human", "Black": "engine", "Event": "here"}
    assert read_pgn(write_pgn([game]))[0].winner == MIN
    with pytest.raises(Unsuitable, match="TicTacToe"):
        pgn_of(GameSession(TicTacToe()))


# ------------------------------------------------------------------ files as people and programs write them
@pytest.mark.parametrize(
    "text",
    [
        "1. e4\u00a0e5 2.\u3000Nf3",  # pasted from a page
        "1. e4 e5\x85 2. Nf3 \u00a0",
        "\ufeff1. e4 e5 2. Nf3",
        "1. e4 (1. -- e5 2. d4) e5 2. Nf3",  # a null move in a variation
        "1. e4 (1. 0000 Z0 (?? ~ @) 2) e5 2. Nf3",
        "1. e4 e5 2{the usual move} Nf3",
        "1. e4 e5 2 Nf3 3",
        "1. e4 e5 2. Nf3\x1a",  # the end of an old file
        "1. e4 ; a remark\re5\r2. Nf3",  # lines that end as they did on old Macs
    ],
)
def test_moves_are_read_whatever_is_around_them(text: str):
    (game,) = read_pgn(text)
    assert game.moves() == ["e4", "e5", "Nf3"]


def test_en_passant_may_be_marked():
    for mark in (" e.p.", "e.p.", ""):
        (game,) = read_pgn(f"1. e4 a6 2. e5 d5 3. exd6{mark} cxd6")
        assert game.moves()[-2:] == ["exd6", "cxd6"]


PROMOTES = '[FEN "1r6/P7/8/6k1/8/8/7p/K7 w - - 0 1"] '


@pytest.mark.parametrize("piece", ["Q", "R", "B", "N"])
@pytest.mark.parametrize("way", ["{}", "={}", "({})", "=({})"])
@pytest.mark.parametrize("goal", ["a8", "a7a8", "a7-a8", "Pa8", "axb8", "a7xb8", "ab8", "a:b8"])
def test_a_promotion_is_read_in_all_ways(goal: str, way: str, piece: str):
    for text in (way.format(piece), way.format(piece.lower()), way.format(piece) + "+"):
        (game,) = read_pgn(f"{PROMOTES} 1. {goal}{text} ({goal}{text}) h1(Q)# {{x}} *")
        first, second = (move.rstrip("+#") for move in game.moves())
        assert (first, second) == (f"{'axb8' if 'b' in goal else 'a8'}={piece}", "h1=Q")


def test_a_mark_or_a_variation_in_parentheses_is_no_promotion():
    (game,) = read_pgn("1. e4(N) e5(B) 2. Nf3(N)Nc6(Q) 3. Bb5(3. d4) *")
    assert game.moves() == ["e4", "e5", "Nf3", "Nc6", "Bb5"]
    (game,) = read_pgn('[FEN "3r3k/8/8/8/8/8/8/K2R4 w - - 0 1"] 1. Rxd8(N) *')
    assert game.moves() == ["Rxd8+"]


def test_games_of_tags_alone_are_games():
    text = '[Event "a"]\n[Result "1-0"]\n\n[Event "b"]\n[Result "*"]\n\n[Event "c"]\n\n1. e4 0-1\n\n[Event "d"]\n'
    games = read_pgn(text)
    assert [game.tags["Event"] for game in games] == ["a", "b", "c", "d"]
    assert [game.result for game in games] == ["1-0", "*", "0-1", "*"]
    assert [len(game.actions) for game in games] == [0, 0, 1, 0]


@pytest.mark.parametrize("text", ["1. e4 --", "1. e4 \u00a0~", "\u3000@", "1. e4 e5 -- \u00a0"])
def test_what_is_no_move_of_the_game_itself_is_refused_with_its_words(text: str):
    with pytest.raises(BadText, match=r"line 1: '(--|~|@)' is neither"):
        read_pgn(text)


def test_a_byte_order_mark_may_stand_before_each_game():
    assert len(read_pgn('\ufeff[Event "a"]\n\n1. e4 *\n\n\ufeff[Event "b"]\n\n1. d4 *\n')) == 2


def test_long_values_and_many_comments_take_neither_memory_nor_time():
    began = time.perf_counter()
    tracemalloc.start()
    (game,) = read_pgn('[Event "' + "a" * 10_000 + '"]\n\n1. e4 *')
    with pytest.raises(BadText, match="is not a tag"):
        read_pgn('[Event "' + "a" * 1_000_000)
    assert tracemalloc.get_traced_memory()[1] < 40_000_000
    tracemalloc.stop()
    (game,) = read_pgn("1. e4 " + "{a}" * 100_000)
    assert game.comments[1].count("a") == 100_000
    assert time.perf_counter() - began < 2 * PATIENCE  # it took minutes


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('A "B" C', 'A "B" C'),  # as many programs write it
        ('"B"', '"B"'),
        ('"', '"'),
        (r"x\b", r"x\b"),
        (r"C:\new\game", r"C:\new\game"),
        ("x\\", "x\\"),
        (r"A \"B\" C", 'A "B" C'),  # as the standard says
        (r"x\\b", r"x\b"),
        (r"x\\", "x\\"),
        (r"\"]", '"]'),
        ("", ""),
    ],
)
def test_quotes_and_backslashes_in_tags_are_read_as_anybody_writes_them(text: str, value: str):
    for end in ("", " ", "\n"):
        games = read_pgn(f'[White "{text}"{end}]\n[Black "b"] 1. e4 *\n[Event "next"] *')
        assert [game.tags for game in games] == [{"White": value, "Black": "b"}, {"Event": "next"}]
    assert read_pgn(write_pgn(games))[0].tags["White"] == value


def test_tags_that_another_program_wrote_are_read():
    pgn = pytest.importorskip("chess.pgn", reason="python-chess is not installed")
    game = pgn.Game()
    game.headers["White"], game.headers["Black"] = 'Anna "the rook" B.', "x\\y"
    tags = read_pgn(str(game))[0].tags
    assert (tags["White"], tags["Black"]) == ('Anna "the rook" B.', "x\\y")


@pytest.mark.parametrize("piece", ['"', "\\", '\\"', '" ', "\\\\", 'a"', "\\a", '"\\', "] ", '"a]', "[", '["'])
def test_tags_without_an_end_take_no_time(piece: str):
    with patiently():
        text = piece * (1_000_000 // len(piece))
        for end in ("", "\n", '\n"]', "x\n]"):
            with pytest.raises(BadText, match="is not a tag"):
                read_pgn(f'[Event "{text}{end}')
        for blanks in (" " * 1_000_000, '" ' * 500_000, " \n" * 500_000):
            with pytest.raises(BadText, match="is not a tag"):
                read_pgn(f'[Event "x"{blanks}')


@pytest.mark.parametrize("name", ["FEN", "SetUp", "Variant"])
def test_tags_that_the_game_itself_tells_are_not_written_twice(name: str):
    with pytest.raises(BadText, match=f"the tag {name} can't be given"):
        write_pgn([PgnGame(tags={name: "x"})])
