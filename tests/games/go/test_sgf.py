"""SGF: games read and written, variations, stones put down, passes, escapes, limits, and what is wrong with its
line."""

from __future__ import annotations

import random
import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plyforge as pf
from plyforge.games.go import Go
from plyforge.games.go.sgf import DEEPEST, SgfGame, escaped, plain_text, read_sgf, write_sgf
from plyforge.games.go.sgf_bytes import decoded
from plyforge.play.formats.sgf import session_of, sgf_of
from plyforge.play.session import GameSession

EXAMPLE = r"""(;GM[1]FF[4]SZ[9]KM[5.5]PB[Somebody]PW[A \[strong\] one]RE[W+2.5]C[a remark: \
goes on]
;B[ee];W[ce]C[the usual
reply]
(;B[cc];W[](;B[tt])(;B[aa]))
(;B[gc];W[gg];B[cg]))
"""


def test_the_main_line_is_read_with_tags_and_comments() -> None:
    (game,) = read_sgf(EXAMPLE)
    assert (game.game.size, game.game.komi) == (9, 5.5)
    assert game.moves() == ["E5", "C5", "C7", "pass", "pass"]
    assert game.tags == {"PB": "Somebody", "PW": "A [strong] one", "RE": "W+2.5"}
    assert game.comments == {0: "a remark: goes on", 2: "the usual\nreply"}
    assert game.winner == pf.MIN and game.start is None


def test_a_collection_has_several_games_and_what_surrounds_them_is_left_out() -> None:
    games = read_sgf("From: somebody\n\n(;SZ[5];B[aa]) \n (;SZ[7];B[ag])\nbye")
    assert [game.moves() for game in games] == [["A5"], ["A1"]]


def test_stones_are_put_down_as_points_and_as_rectangles() -> None:
    (game,) = read_sgf("(;SZ[5]HA[2]AB[aa][cb:db]AW[ee]PL[W];W[ba])")
    assert pf.format_state(game.game, game.first) == "b..../..bb./...../...../....w w - 0 -"
    assert game.moves() == ["B5"] and game.tags == {"HA": "2"}
    (game,) = read_sgf("(;SZ[5]AB[aa][bb];AE[aa]AW[cc];W[dd];B[ab])")
    assert pf.format_state(game.game, game.states()[-1]) == "...../bb.../..w../...w./..... w - 0 A4"


def test_stones_put_down_in_the_middle_begin_the_game_anew() -> None:
    (game,) = read_sgf("(;SZ[5];B[aa]C[gone];W[bb];AB[cc];B[dd])")
    assert game.moves() == ["D2"] and game.comments == {}
    assert pf.format_state(game.game, game.first).startswith("b..../.w.../..b../")


def test_two_moves_of_one_colour_have_a_pass_between_them() -> None:
    (game,) = read_sgf("(;SZ[5];W[aa];W[bb];B[cc])")
    assert game.first.player == pf.MIN
    assert game.moves() == ["A5", "pass", "B4", "C3"]


def test_a_third_pass_is_left_out() -> None:
    (game,) = read_sgf("(;SZ[5];B[aa];W[];B[];W[])")
    assert game.moves() == ["A5", "pass", "pass"]


def test_names_in_the_old_spelling_are_read() -> None:
    (game,) = read_sgf("(;GaMe[1]SiZe[7]KoMi[0]PlayerBlack[x];Black[aa];White[bb])")
    assert (game.game.size, game.game.komi, game.moves()) == (7, 0.0, ["A7", "B6"])
    assert game.tags == {"PB": "x"}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no game"),
        ("hello", "no game"),
        ("()", "no node"),
        ("(;SZ[9]", "open at the end"),
        ("(;SZ[9];B[ee]\n;W[xx])", "line 2.*no point"),
        ("(;SZ[9];B[ee];W[ee])", "move 2, E5.*there is a stone"),
        ("(;SZ[9];B[jj])", "no point"),
        ("(;SZ[25];B[aa])", "sizes from 2 to 19"),
        ("(;SZ[9:13])", "square"),
        ("(;SZ[nine])", "square"),
        ("(;GM[2])", "another game"),
        ("(;SZ[9]KM[lots])", "komi"),
        ("(;SZ[9]KM[nan])", "komi"),
        ("(;SZ[9]KM[6_5])", "komi"),
        ("(;SZ[9]KM[6 1/2])", "komi"),
        ("(;SZ[9]KM[7½])", "komi"),
        ("(;SZ[9]KM[99999])", "komi"),
        ("(;SZ[9]KM[1" + " " * 100_000 + "1])", "komi"),
        ("(;SZ[9]C[never ends", "] is missing"),
        ("(;SZ[9]C)", "neither a node"),
        ("(;SZ[9]AB[aa]AW[aa])", "same point"),
        ("(;SZ[9]PL[X])", "B or W"),
        ("(;SZ[3]AW[aa]AB[ab][ba])", "no liberty"),
        ("(;SZ[3]AB[ab][ba];W[aa])", "suicide"),
        ("(;SZ[3];B[];W[];B[aa])", "two passes"),
        ("(;SZ[9])(;SZ[9]", "open at the end"),
        ("(" * (DEEPEST + 1), "deep"),
        ("(;SZ[9]" + "(;B[aa]" * DEEPEST + ")" * 2, "deep"),
    ],
)
def test_what_is_wrong_is_said(text: str, reason: str) -> None:
    with pytest.raises(pf.BadText, match=reason):
        read_sgf(text)


def test_variations_as_deep_as_allowed_are_read() -> None:
    depth = DEEPEST - 1
    (game,) = read_sgf("(;SZ[9]" + "(;C[x]" * depth + ";B[aa]" + ")" * depth + ")")
    assert game.moves() == ["A9"]


def test_a_large_file_is_refused_and_a_long_one_is_quick() -> None:
    with pytest.raises(pf.BadText, match="characters"):
        read_sgf(" " * ((1 << 22) + 1))
    assert len(read_sgf("(;SZ[9];B[aa])" * 1000)) == 1000
    assert read_sgf("(;SZ[9]C[" + "\\]" * 100_000 + "])")[0].comments[0] == "]" * 100_000


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet="ab]\\[:;()\n\té", max_size=30))
def test_any_text_survives_as_a_value(text: str) -> None:
    assert plain_text(escaped(text)) == text
    game = SgfGame(Go(5), (0,), {"PB": text}, None, {1: text})
    (back,) = read_sgf(write_sgf([game]))
    assert back.tags == {"PB": text} and back.comments == {1: text}


@settings(max_examples=80, deadline=None)
@given(st.text(alphabet="();[]\\BWAESZKM:abctt9\n ", max_size=60))
def test_whatever_a_file_says_nothing_else_is_raised(text: str) -> None:
    try:
        games = read_sgf("(;SZ[5]" + text)
    except pf.PlyforgeError:
        return
    for game in games:
        assert game.states()


def test_games_that_were_written_are_read_back() -> None:
    games = []
    for seed in range(6):
        dice = random.Random(seed)
        game = Go(dice.choice([2, 5, 9, 19]), dice.choice([0.0, 7.5, -3.0]))
        start = (
            None
            if seed % 2
            else pf.parse_state(game, pf.format_state(game, pf.state_after(game, "A1", "B2"))[:-2] + "-")
        )
        s, actions = game.start() if start is None else start, []
        for _ in range(30):
            if game.terminal(s):
                break
            actions.append(dice.choice(pf.legal_moves(game, s)))
            s = game.result(s, actions[-1])
        games.append(
            SgfGame(game, tuple(actions), {"PB": "b", "RE": "B+R"}, start, {3: "here"} if len(actions) > 3 else {})
        )
    assert read_sgf(write_sgf(games)) == games


def test_what_sgf_can_not_say_is_refused() -> None:
    game = Go(4)
    with pytest.raises(pf.Unsuitable, match="ko"):
        write_sgf(
            [
                SgfGame(
                    game,
                    start=pf.state_after(game, "B3", state=pf.parse_state(game, ".bw./b.bw/.bw./.... w")),
                )
            ]
        )
    for name in ("Player", "B", "SZ", ""):
        with pytest.raises(pf.Unsuitable):
            write_sgf([SgfGame(tags={name: "x"})])


def test_sessions_become_files_and_files_sessions() -> None:
    session = GameSession(Go(5, 0.5))
    session.seats = ("uct", "random")
    for text in ("C3", "pass", "pass"):
        session.play_text(text)
    written = sgf_of(session, {"DT": "2026-01-01"})
    assert written.tags == {"PB": "uct", "PW": "random", "RE": "B+24.5", "DT": "2026-01-01"}
    (back,) = read_sgf(write_sgf([written]))
    assert session_of(back).actions_text() == ["C3", "pass", "pass"]
    session = GameSession(Go(5))
    session.play_text("C3")
    session.resign(pf.MAX)
    again = session_of(read_sgf(write_sgf([sgf_of(session)]))[0])
    assert again.resigned == pf.MAX and again.over
    session.undo()
    session.agree()
    again = session_of(read_sgf(write_sgf([sgf_of(session)]))[0])
    assert again.agreed and again.actions_text() == ["C3"]
    with pytest.raises(pf.Unsuitable):
        sgf_of(GameSession(pf.load("nim")))


def test_a_very_long_value_is_read_in_little_memory() -> None:
    long = "x" * 2**21
    tracemalloc.start()
    (game,) = read_sgf(f"(;SZ[9]C[{long}];B[ee])")
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert game.moves() == ["E5"] and most < 10 * len(long)
    with pytest.raises(pf.BadText, match="] is missing"):
        read_sgf(f"(;SZ[9]C[{long}")


def test_so_many_games_as_are_asked_for_are_read() -> None:
    text = "(;SZ[9];B[ee])(;SZ[21];B[aa])"
    assert len(read_sgf(text, most=1)) == 1
    with pytest.raises(pf.BadText):
        read_sgf(text)


# ------------------------------------------------------------ as other programs write them
@pytest.mark.parametrize(
    "text", ["(;SZ[9];B[ee];W[];B[];W[];B[])", "(;SZ[9];B[ee];W[];B[];B[])", "(;SZ[9];B[ee];W[];B[];W[])"]
)
def test_passes_after_the_end_are_left_out(text):
    (game,) = read_sgf(text)
    assert game.moves() == ["E5", "pass", "pass"]
    assert session_of(game).over and read_sgf(write_sgf([game])) == [game]


@pytest.mark.parametrize(
    ("text", "moves", "inserted"),
    [
        ("(;SZ[9];B[cc];W[];W[aa])", ["C7", "pass", "pass", "A9"], {2}),
        ("(;SZ[9];B[cc];B[];W[aa])", ["C7", "pass", "pass", "A9"], {1}),
        ("(;SZ[9];B[cc];B[dd];B[ee]C[x];W[aa])", ["C7", "pass", "D6", "pass", "E5", "A9"], {1, 3}),
        ("(;SZ[9];B[cc];B[dd];AW[ee];B[];W[gg])", ["pass", "G3"], set()),
        ("(;SZ[9];B[];B[];W[];B[])", ["pass", "pass", "pass", "pass"], {1}),
    ],
)
def test_passes_that_the_file_does_not_have_end_no_game(text, moves, inserted):
    (game,) = read_sgf(text)
    assert game.moves() == moves and game.inserted == inserted
    assert len(game.states()) == len(moves) + 1 and not any(map(game.game.terminal, game.states()[:-1]))
    assert read_sgf(write_sgf([game])) == [game]


def test_two_passes_of_the_file_end_the_game():
    with pytest.raises(pf.BadText, match="after two passes"):
        read_sgf("(;SZ[9];B[];W[];B[aa])")


def test_positions_before_a_move_count_the_moves_of_the_file():
    (game,) = read_sgf("(;SZ[5];B[aa];B[bb];B[cc];W[dd])")
    for number, stones in ((1, 0), (2, 1), (3, 2), (4, 3), (5, 4), (99, 4)):
        states = game.before(number)
        assert len(states) == stones + 1
        assert pf.format_state(game.game, states[-1]).partition(" ")[0].count(".") == 25 - stones
    assert [game.before(number)[-1].player for number in (1, 2, 3, 4, 5)] == [0, 0, 0, 1, 0]


def test_brackets_before_and_text_between_games_are_no_games():
    text = "From: Bob (bob@example.org)\n\n(;SZ[9];B[aa]) and another one (the second):\n( ;SZ[9];B[bb])\nend (really)"
    assert [game.moves() for game in read_sgf(text)] == [["A9"], ["B8"]]
    assert [game.moves() for game in read_sgf("(;SZ[9];B[aa]) (by Bob) (;SZ[9];B[bb])(x)")] == [
        ["A9"],
        ["B8"],
    ]


def test_komi_and_line_breaks_come_back():
    game = SgfGame(Go(9, 6.123456789), tags={"PB": "a\nb"}, comments={0: "one\r\ntwo\rthree"})
    (back,) = read_sgf(write_sgf([game]))
    assert back.game.komi == 6.123456789 and back.comments == {0: "one\ntwo\nthree"}
    assert "KM[7.5]" in write_sgf([SgfGame(Go(9, 7.5))])


def test_many_remarks_and_many_nodes_are_no_trouble():
    (game,) = read_sgf("(;SZ[9]" + ";C[a]" * 60_000 + ")")
    assert game.comments[0].count("a") == 60_000
    with pytest.raises(pf.BadText, match="more than 65,536 nodes"):
        read_sgf("(" + ";" * 70_000 + ")")


@pytest.mark.parametrize(
    ("text", "komi"),
    [
        ("375", 7.5),  # the Fox server's: 3.75 stones,
        ("325", 6.5),
        ("275", 5.5),
        ("-375", -7.5),
        ("650", 6.5),  # and points
        ("750", 7.5),
        ("6,5", 6.5),
        ("6.5目", 6.5),
        ("6目半", 6.5),
        ("3.75子", 7.5),
        ("7.5 points", 7.5),
        ("+5.5 pts.", 5.5),
        ("0", 0.0),
        (".5", 0.5),
        ("150", 150.0),
        ("3.75", 3.75),
        ("300.0", 300.0),
        ("", 7.5),
    ],
)
def test_komi_is_read_as_servers_write_it(text, komi):
    (game,) = read_sgf(f"(;SZ[19]KM[{text}];B[aa])")
    assert game.game.komi == komi


@pytest.mark.parametrize("komi", [275.0, 200.0, -361.0, 1000.0, 1e300, 150.0, 1e-07, 0.25, 3.75])
def test_any_komi_that_was_written_comes_back(komi):
    assert read_sgf(write_sgf([SgfGame(Go(9, komi))]))[0].game.komi == komi


def test_what_a_session_can_not_play_is_told_with_the_number_of_the_move():
    (game,) = read_sgf("(;SZ[2];B[ab];W[ba];B[aa];W[bb];B[ab];W[aa];B[ab])")
    with pytest.raises(pf.BadText, match=r"move 7, A1: .*superko"):
        session_of(game)
    with pytest.raises(pf.BadText, match=r"move 3, C3: .*over"):
        session_of(read_sgf("(;SZ[3];B[aa];B[];W[ca])")[0])


def test_after_a_handicap_white_moves_unless_the_file_says_something_else():
    for text, player in (
        ("HA[2]AB[cc][gg]", pf.MIN),
        ("HA[2]AB[cc][gg]PL[B]", pf.MAX),
        ("HA[2]AB[cc][gg];B[ee]", pf.MAX),
        ("HA[0]AB[cc][gg]", pf.MAX),
        ("AB[cc][gg]", pf.MAX),
        ("HA[2]", pf.MAX),
    ):
        (game,) = read_sgf(f"(;SZ[9]{text})")
        assert game.first.player == player, text
        assert read_sgf(write_sgf([game])) == [game]


def test_names_of_properties_may_have_digits_and_underscores():
    (game,) = read_sgf("(;SZ[9]XX1[foo]MN_a[bar]x_2[y]XX[z];B[ee]K2[v])")
    assert game.tags == {"XX1": "foo", "MN_": "bar", "X_2": "y", "XX": "z"} and game.moves() == ["E5"]
    assert read_sgf(write_sgf([game])) == [game]


def test_all_values_of_the_first_node_come_back():
    text = r"(;SZ[9]LB[aa:1][bb:a\:\]b]TR[cc]AR[aa:bb]PC[https://example.org];B[ee])"
    (game,) = read_sgf(text)
    assert game.tags == {"TR": "cc", "AR": "aa:bb", "PC": "https://example.org"}
    assert game.lists == {"LB": ("aa:1", r"bb:a\:\]b")}
    written = write_sgf([game])
    for each in (r"LB[aa:1][bb:a\:\]b]", "TR[cc]", "AR[aa:bb]", "PC[https://example.org]"):
        assert each in written
    assert read_sgf(written) == [game]
    for bad in (("a]", "b"), ("a\\", "b"), ("a",), ()):
        with pytest.raises(pf.Unsuitable, match="list of values"):
            write_sgf([SgfGame(lists={"LB": bad})])
    with pytest.raises(pf.Unsuitable):
        write_sgf([SgfGame(lists={"AB": ("aa", "bb")})])


# ------------------------------------------------------------ bytes
@pytest.mark.parametrize(
    ("charset", "name"),
    [
        ("Shift_JIS", "ソゾ 趙治勲 九段ソ"),  # the last byte of the first two is a backslash and a bracket
        ("shift-jis", "①髙ゾ"),  # what Windows calls so has more signs
        ("Big5", "許功蓋周俊勳"),
        ("GBK", "乗乚柯潔"),
        ("GB2312", "朱乚镕"),
        ("GB18030", "乗乚𠀀"),
        ("EUC-KR", "이창호"),
        ("ISO-8859-1", "André"),
        ("UTF-8", "ソ乚é"),
    ],
)
def test_files_are_read_in_the_encoding_that_they_name(charset, name):
    text = f"(;GM[1]FF[4]CA[{charset}]SZ[9]PB[{name}];B[ee];W[cc]C[{name}];B[gg])"
    codec = {"Shift_JIS": "cp932", "shift-jis": "cp932", "GB2312": "gbk"}.get(charset, charset)
    assert decoded(text.encode(codec)) == text
    (game,) = read_sgf(decoded(b"From: nobody\n\n" + text.encode(codec)))
    assert game.tags == {"PB": name} and game.moves() == ["E5", "C7", "G3"]


@pytest.mark.parametrize(
    ("codec", "name"),
    [
        ("utf-8", "ソ乚é"),
        ("utf-8-sig", "ソ乚é"),
        ("gb18030", "柯洁九段乗乚"),
        ("latin-1", "André"),
        ("latin-1", "Müller \xff\xfe"),
        ("ascii", "nobody"),
    ],
)
@pytest.mark.parametrize("said", ["", "CA[]", "CA[Klingon]", "CA[utf-16]", "CA[zlib]", "CA[punycode]", "CA[UTF-8]"])
def test_without_a_name_that_can_be_believed_the_encoding_is_guessed(codec, name, said):
    text = f"(;FF[4]{said}SZ[9]PB[{name}];B[ee]C[{name}];W[cc])"
    assert decoded(text.encode(codec)) == text


def test_damaged_text_costs_no_moves():
    data = "(;SZ[9]PB[柯洁柯洁]PW[".encode() + "洁".encode()[:2] + b"];B[ee];W[cc])"
    (game,) = read_sgf(decoded(data))
    assert game.tags["PB"] == "柯洁柯洁" and game.moves() == ["E5", "C7"]


def test_a_file_of_too_many_bytes_is_refused(monkeypatch):
    monkeypatch.setattr("plyforge.games.go.sgf_bytes.LARGEST_FILE", 100)
    assert decoded(b" " * 100) == " " * 100
    with pytest.raises(pf.BadText, match="100 bytes"):
        decoded(b" " * 101)


@given(st.binary(max_size=60))
def test_any_bytes_are_some_text(data):
    for charset in (b"", b"CA[gbk]", b"CA[utf-7]", b"CA[hz]", b"CA[idna]"):
        assert isinstance(decoded(b"(;" + charset + data), str)
