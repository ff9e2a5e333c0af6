"""Checkers as text: positions, moves, pictures, and PDN files."""

from __future__ import annotations

import random

import pytest

from plyforge.contract import (
    MAX,
    MIN,
    format_action,
    format_state,
    legal_moves,
    parse_action,
    parse_state,
    state_after,
)
from plyforge.errors import BadText, IllegalAction, PlyforgeError, Unsuitable
from plyforge.games.checkers import Checkers
from plyforge.games.checkers.board import squares_in
from plyforge.games.checkers.pdn import PdnGame, read_pdn, write_pdn
from plyforge.games.tic_tac_toe import TicTacToe
from plyforge.play.formats.pgn_pdn import pdn_of, session_of
from plyforge.play.formats.record import Record
from plyforge.play.session import GameSession

GAME = Checkers()
START = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"

EXAMPLES = """\
% three games
[Event "A match; with a semicolon"]
[Site "London ENG"]
[Date "1847.??.??"]
[Black "Anderson, A."]
[White "Wyllie, J."]
[Result "1/2-1/2"]

1. 11-15 23-19 2. 8-11 22-17 {the usual
reply} 3. 11-16! (3. 4-8 17-13 (17-14)) 24-20 $1 4. 16x23 27x11(?) 5. 7x16 ; a remark
20x11 1/2-1/2

[Event "A \\"study\\""]
[SetUp "1"]
[FEN "W:WK3,K10:BK1"]
[GameType "21,B,8,8,N1,0"]
1... 3-7 2. 1-5 7-2 3. 5-9 2-6 4. 9x2 0-1
1. 9-13 22-18 *
"""


# ------------------------------------------------------------------ positions
def test_the_start_is_written_as_everybody_writes_it():
    assert format_state(GAME, GAME.start()) == START
    assert parse_state(GAME, START) == GAME.start()
    assert parse_state(GAME, "B:W21-32:B1-12") == GAME.start()
    assert parse_state(GAME, "b:b1-11,12:w 21-32.") == GAME.start()


@pytest.mark.parametrize("text", ["W:WK3:B2", "B:W18,24,27,K10:B12,16,K22", "B:W18:B12", "W:W:B12", "B:WK3:B"])
def test_positions_come_back_as_they_were_written(text):
    assert format_state(GAME, parse_state(GAME, text)) == text


def test_kings_and_sides_are_what_was_written():
    s = parse_state(GAME, "B:W18,24,27,K10:B12,16,K22")
    assert squares_in(s.white) == [10, 18, 24, 27]
    assert squares_in(s.black) == [12, 16, 22]
    assert squares_in(s.kings) == [10, 22]
    assert s.player == MAX
    assert parse_state(GAME, "W:WK3:B2").player == MIN


def test_positions_of_random_games_come_back():
    dice = random.Random(1)
    for _ in range(20):
        s = GAME.start()
        while not GAME.terminal(s) and dice.random() > 0.02:
            assert parse_state(GAME, format_state(GAME, s)) == s
            s = GAME.result(s, dice.choice(legal_moves(GAME, s)))


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("W:W:B", "no pieces at all"),
        ("B:W5-17:B1", "White has 13 pieces"),
        ("B:W32:BK1,K2,K3,K4,K5,K6,K7,K8,9,10,11,12,13", "Black has 13 pieces"),
        ("B:W1:B12", "White's man on square 1 .* write K1"),
        ("W:W5:B30", "Black's man on square 30 .* write K30"),
        ("B:W5,5:B1", "square 5 is taken twice"),
        ("B:W5:B5", "square 5 is taken twice"),
        ("B:W0:B1", "square 0"),
        ("B:W33:B1", "square 33"),
        ("B:W5:W6", "lists White twice"),
        ("B:W9-5:B1", "backwards"),
        ("B:W30-33:B1", "square 33"),
        ("B:W:B1", "White has no pieces, but it is Black's turn"),
        ("W:W30:B", "Black has no pieces, but it is White's turn"),
        ("B:WQ5:B1", "'Q5' .* is no square"),
        ("B:W5,:B1", "is no square"),
        ("B:W-5:B1", "is no square"),
        ("B:5:1", "names no side"),
        ("X:W5:B1", "who moves, B or W"),
        ("B:W5", "who moves, B or W"),
        ("", "who moves, B or W"),
        ("11-15", "who moves, B or W"),
        ("B:W" + "9" * 4_000 + ":B1", "too many for a position"),
    ],
)
def test_an_impossible_position_is_refused_in_words(text, wrong):
    with pytest.raises(BadText, match=wrong) as caught:
        parse_state(GAME, text)
    assert len(str(caught.value)) < 400


# ------------------------------------------------------------------ moves
def test_moves_are_numbers_of_squares():
    s = state_after(GAME, "11-15", "22-18", "15x22", "25x18")
    assert format_state(GAME, s) == "B:W18,21,23,24,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,12"


def test_a_capture_may_be_written_by_its_ends_alone():
    s = parse_state(GAME, "W:W22,32:B18,11")
    assert [format_action(GAME, s, action) for action in legal_moves(GAME, s)] == ["22x15x8"]
    action = legal_moves(GAME, s)[0]
    for text in ("22x15x8", "22X15X8", " 22x8 ", "22-8", "22-15-8"):
        assert parse_action(GAME, s, text) == action


def test_a_short_capture_that_could_take_different_pieces_is_refused():
    s = parse_state(GAME, "W:W30:B17,18,25,26")
    for text in ("30x21x14", "30x23x14"):
        assert format_action(GAME, s, parse_action(GAME, s, text)) == text
    with pytest.raises(IllegalAction, match=r"several captures: 30x2[13]x14, 30x2[13]x14"):
        parse_action(GAME, s, "30x14")


def test_a_short_capture_with_one_result_is_read_whatever_the_route():
    s = parse_state(GAME, "W:WK22:B17,18,9,10")
    after = GAME.result(s, parse_action(GAME, s, "22x22"))
    assert {GAME.result(s, action) for action in legal_moves(GAME, s)} == {after}


@pytest.mark.parametrize("text", ["11-14", "11x15", "15-11", "x", "", "11", "11-", "11-15-18", "٣-٤", "1" * 5000])
def test_what_is_not_a_legal_move_is_refused_with_those_that_are(text):
    with pytest.raises(IllegalAction, match="legal: 9-13, 10-14") as caught:
        parse_action(GAME, GAME.start(), text)
    assert len(str(caught.value)) < 300


def test_a_refusal_says_that_captures_are_forced():
    s = state_after(GAME, "11-15", "22-18")
    with pytest.raises(IllegalAction, match="whoever can capture must"):
        parse_action(GAME, s, "9-13")


def test_the_picture_shows_men_and_kings():
    assert GAME.show(parse_state(GAME, "W:W21,K3:B12,K30")).splitlines() == [
        "  .   .   W   .   1-4",
        ".   .   .   .     5-8",
        "  .   .   .   b   9-12",
        ".   .   .   .    13-16",
        "  .   .   .   .  17-20",
        "w   .   .   .    21-24",
        "  .   .   .   .  25-28",
        ".   B   .   .    29-32",
    ]


# ------------------------------------------------------------------ PDN files
def test_a_file_of_games_is_read():
    first, second, third = read_pdn(EXAMPLES)
    assert first.tags["Event"] == "A match; with a semicolon"
    assert first.tags["Black"] == "Anderson, A."
    assert first.moves()[:6] == ["11-15", "23-19", "8-11", "22-17", "11-16", "24-20"]
    assert first.moves()[6:] == ["16x23", "27x18x11", "7x16", "20x11"]
    assert first.comments == {4: "the usual reply"}
    assert first.result == "1/2-1/2"
    assert first.drawn and first.winner is None
    assert second.tags == {"Event": 'A "study"', "GameType": "21,B,8,8,N1,0"}
    assert format_state(GAME, second.start) == "W:WK3,K10:BK1"
    assert second.winner == MAX and not second.drawn
    assert third.moves() == ["9-13", "22-18"]
    assert third.result == "*"
    assert third.winner is None and not third.drawn


def test_what_is_written_is_read_back():
    games = read_pdn(EXAMPLES)
    again = read_pdn(write_pdn(games))
    assert [(g.actions, g.result, g.start, g.comments) for g in again] == [
        (g.actions, g.result, g.start, g.comments) for g in games
    ]
    for game, other in zip(games, again, strict=True):
        assert {name: other.tags[name] for name in game.tags if name != "GameType"} == {
            name: value for name, value in game.tags.items() if name != "GameType"
        }
    assert read_pdn(write_pdn(again)) == again
    assert write_pdn(again) == write_pdn(games)


def test_random_games_are_written_and_read_back():
    dice = random.Random(9)
    games = []
    for number in range(15):
        s, actions = GAME.start(), []
        while not GAME.terminal(s) and len(actions) < 120:
            actions.append(dice.choice(legal_moves(GAME, s)))
            s = GAME.result(s, actions[-1])
        tags = {"Event": 'odd \\ "name"', "Round": str(number), "Annotator": "nobody"}
        comments = {0: "before", len(actions): "after it all", 7: "1-0 (11-15) ; % [x] $1"}
        games.append(PdnGame(tuple(actions), dice.choice(["1-0", "0-1", "1/2-1/2", "*"]), tags, GAME.start(), comments))
    text = write_pdn(games)
    assert max(map(len, text.splitlines())) <= 80
    for game, other in zip(games, read_pdn(text), strict=True):
        assert (game.actions, game.result, game.comments) == (other.actions, other.result, other.comments)
        assert game.tags.items() <= other.tags.items()
        assert len(other.states()) == len(other.actions) + 1


def test_white_may_begin():
    game = PdnGame((parse_action(GAME, parse_state(GAME, "W:W22:B12"), "22-18"),), start=parse_state(GAME, "W:W22:B12"))
    text = write_pdn([game])
    assert '[FEN "W:W22:B12"]' in text and '[SetUp "1"]' in text
    assert "1... 22-18 *" in text


def test_the_score_of_white_comes_first_unless_said_otherwise():
    assert read_pdn("1. 11-15 1-0")[0].winner == MIN
    assert read_pdn("1. 11-15 0-1")[0].winner == MAX
    assert read_pdn("1. 11-15 2-0")[0].winner == MIN
    assert read_pdn("1. 11-15 1-0", first=MAX)[0].winner == MAX
    assert read_pdn("1. 11-15 1/2-1/2", first=MAX)[0].drawn
    assert read_pdn("1. 11-15 1-1")[0].drawn


def test_the_tag_tells_the_result_where_a_star_ends_the_game():
    assert read_pdn('[Result "1-0"]\n1. 11-15 *')[0].result == "1-0"
    assert read_pdn('[Result "1-0"]\n1. 11-15')[0].result == "1-0"
    assert read_pdn("1. 11-15")[0].result == "*"


def test_games_without_a_result_are_parted_by_their_tags():
    games = read_pdn('[Event "a"]\n1. 11-15\n[Event "b"]\n1. 9-13 22-18')
    assert [game.tags["Event"] for game in games] == ["a", "b"]
    assert [len(game.actions) for game in games] == [1, 2]
    assert read_pdn("") == []
    assert read_pdn("  \n; nothing here\n") == []


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("1. 11-15 23-19\n2. 11-16", r"line 2: move 3: '11-16' is not a legal move"),
        ("1. 11-15\n\n{no end", "line 3: a comment begins"),
        ("1. 11-15\n(1. 9-13", "line 2: a variation begins"),
        ("1. 11-15 )", r"line 1: \) closes a variation"),
        ("[Event Match]\n1. 11-15", r"line 1: '\[Event Match\]' is not a tag"),
        ('\n[Site "a"]\n[Site "b"]', "line 3: the game has a second tag Site"),
        ('[FEN "W:W1:B2"]', "line 1: .* write K1"),
        ('[Result "3-0"]', "line 1: '3-0' is not a result"),
        ('[Result "1-0"]\n1. 11-15 0-1', "line 2: the game ends with 0-1, and its tag Result says 1-0"),
        ('[GameType "20"]\n1. 32-28', "line 1: GameType 20 is another kind"),
        ("1. 11-15 e4", "line 1: 'e4' is neither"),
        ("11-15 1-0\n1-0", "line 2: the result 1-0 of a game that has neither"),
        ('11-15 /FEN "W:W5:B1"/', "line 1: .* sets up a position"),
        ("11-15 23-190", "line 1: '23-190' is neither"),
        ("\x00", "line 1"),
    ],
)
def test_what_is_wrong_in_a_file_is_said_with_its_line(text, wrong):
    with pytest.raises(BadText, match=wrong):
        read_pdn(text)


def test_damaged_files_raise_nothing_but_our_own_errors():
    dice = random.Random(3)
    for _ in range(1500):
        text = list(EXAMPLES)
        for _ in range(dice.randrange(1, 4)):
            place = dice.randrange(len(text))
            text[place : place + dice.randrange(4)] = dice.choice(
                ["", "x", "{", "}", "(", ")", "[", '"', "1-0", "\n", "9"]
            )
        try:
            games = read_pdn("".join(text))
        except PlyforgeError as error:
            assert str(error).startswith("line ")
        else:
            assert all(len(game.states()) == len(game.actions) + 1 for game in games)


@pytest.mark.parametrize(
    "game",
    [
        PdnGame(result="3-0"),
        PdnGame(tags={"two words": "x"}),
        PdnGame(tags={"Event": "two\nlines"}),
        PdnGame(comments={0: "a } b"}),
        PdnGame(comments={1: "after the end"}),
    ],
)
def test_what_a_file_cannot_hold_is_not_written(game):
    with pytest.raises(BadText):
        write_pdn([game])


def test_quotes_and_backslashes_in_tags_are_read_as_anybody_writes_them():
    for text, value in (('A "B" C', 'A "B" C'), (r"A \"B\" C", 'A "B" C'), (r"x\b", r"x\b"), ("x\\", "x\\")):
        (game,) = read_pdn(f'[White "{text}"]\n[Black "b"] 1. 11-15 *')
        assert game.tags == {"White": value, "Black": "b"}
        assert read_pdn(write_pdn([game]))[0].tags["White"] == value


# ------------------------------------------------------------------ PDN and sessions
def test_a_game_of_a_file_can_be_taken_up_and_saved_as_a_record():
    drawn, lost, _ = read_pdn(EXAMPLES)
    session = session_of(lost)
    assert session.over and session.outcome is not None
    record = Record.of(session)
    assert record.game == "checkers"
    assert record.start == "W:WK3,K10:BK1"
    assert list(record.actions) == lost.moves()
    assert Record.from_json(record.to_json()).session().state == lost.states()[-1]
    agreed = session_of(drawn)
    assert agreed.over and agreed.agreed and pdn_of(agreed).result == "1/2-1/2"
    assert agreed.state == drawn.states()[-1]


def test_a_draw_by_repetition_that_nobody_claimed_does_not_end_a_game_of_a_file():
    shuffle = "3-7 1-5 7-3 5-1 " * 3
    (game,) = read_pdn(f'[FEN "W:WK3:BK1"] {shuffle} 1-0')
    session = session_of(game)
    assert len(session.history) == 12 and pdn_of(session).result == "1-0"


def test_a_session_can_be_written_as_pdn():
    session = GameSession(GAME, "W:WK3,K10:BK1")
    session.seats = ("human", "alpha_beta")
    for text in ("3-7", "1-5"):
        session.play_text(text)
    game = pdn_of(session, {"Event": "here"})
    assert game.moves() == ["3-7", "1-5"]
    assert game.result == "*"
    assert game.tags == {"Black": "human", "White": "alpha_beta", "Event": "here"}
    session.resign(MAX)
    assert pdn_of(session).result == "1-0"
    assert read_pdn(write_pdn([pdn_of(session)]))[0].winner == MIN
    with pytest.raises(Unsuitable, match="TicTacToe"):
        pdn_of(GameSession(TicTacToe()))
