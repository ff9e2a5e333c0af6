"""The play view: the desk without a browser, then whole games in a real one."""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from plyforge.contract import CHANCE
from plyforge.errors import PlyforgeError
from plyforge.play.formats.record import Record
from plyforge.studio.library.library import Shelf
from plyforge.studio.play.handler import PlayDesk
from plyforge.studio.server.handler import Room

PATIENCE = 60.0
OWN_RULES = '''
from typing import NamedTuple

from plyforge import MAX, Game


class Heap(NamedTuple):
    sticks: int
    player: int


class MySticks(Game):
    """Take one to three sticks; whoever takes the last one wins."""

    def start(self):
        return Heap(5, MAX)

    def player(self, s):
        return s.player

    def actions(self, s):
        for number in range(1, min(3, s.sticks) + 1):
            yield number

    def result(self, s, number):
        return Heap(s.sticks - number, 1 - s.player)

    def terminal(self, s):
        return s.sticks == 0

    def utility(self, s):
        return -1.0 if s.player == MAX else 1.0
'''


def desk_of(*files: str) -> PlayDesk:
    return PlayDesk(Room(Shelf(files)))


def until(what: Callable[[], Any]) -> Any:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        found = what()
        if found:
            return found
        time.sleep(0.01)
    raise AssertionError("nothing came in time")


def told(desk: PlayDesk, kind: str, version: int = -1) -> Any:
    """The last news of a kind, of a later version than that."""
    return until(lambda: [f for k, f in list(desk.room.told) if k == kind and f.get("version", 0) > version])[-1]


def next_standing(desk: PlayDesk, stands: dict[str, Any]) -> dict[str, Any]:
    return stands if stands["over"] or stands["waits"] else told(desk, "play", stands["version"])


def play_out(desk: PlayDesk, stands: dict[str, Any], pick: int = 0) -> dict[str, Any]:
    """A person who always takes the same place in the list, to the end of the game."""
    while not stands["over"]:
        if not stands["waits"]:
            stands = next_standing(desk, stands)
        elif stands["choosers"]:
            chooser = stands["choosers"][0]
            stands = desk.do("choose", player=chooser["player"], text=chooser["choices"][pick]["text"])
        elif stands["player"] == CHANCE:
            stands = desk.do("roll")
        else:
            stands = desk.do("move", text=stands["actions"][pick]["text"])
    return stands


# ------------------------------------------------------------ the desk
def test_a_person_against_an_algorithm_to_the_end() -> None:
    desk = desk_of()
    stands = desk.do("new", game="tic_tac_toe", players=["human", "random:seed=1"])
    assert stands["waits"] and len(stands["actions"]) == 9 and stands["board"]["places"]
    end = play_out(desk, stands)
    assert end["over"]["text"] and end["actions"] == []
    assert end["record"]["actions"] == [move["text"] for move in end["moves"]]
    desk.close()


@pytest.mark.parametrize(
    ("game", "players"),
    [
        ("three_nim", ["human", "random:seed=1", "random:seed=2"]),
        ("goofspiel", ["human", "random:seed=1"]),
        ("repeated_prisoners_dilemma(rounds=3)", ["human", "human"]),
        ("slippery", ["human"]),
        ("pig(goal=8)", ["human", "random:seed=3"]),
        ("matrix", ["human", "regret_matching:simulations=50"]),
    ],
)
def test_dice_many_players_one_player_and_all_at_once(game: str, players: list[str]) -> None:
    desk = desk_of()
    end = play_out(desk, desk.do("new", game=game, players=players, roll="hand"))
    assert end["over"]["reason"] == "by the rules"
    desk.close()


def test_dice_wait_for_a_person_only_where_that_was_asked_for() -> None:
    desk = desk_of()
    by_hand = desk.do("new", game="backgammon", players=["human", "human"], roll="hand")
    assert by_hand["player"] == CHANCE and by_hand["waits"]
    rolled = desk.do("roll")
    assert rolled["moves"][0]["player"] == CHANCE and rolled["actions"]
    automatic = desk.do("new", game="backgammon", players=["human", "human"])
    assert automatic["player"] >= 0 and automatic["actions"][0]["ways"]


def test_undo_redo_and_taking_back_to_the_persons_turn() -> None:
    desk = desk_of()
    stands = desk.do("new", game="connect4", players=["human", "random:seed=5"])
    for _ in range(3):
        stands = next_standing(desk, desk.do("move", text=stands["actions"][0]["text"]))
    assert stands["ply"] == 6
    back = desk.do("take_back")
    assert back["ply"] == 4 and back["waits"] and back["future"] == 2
    one = desk.do("undo")
    assert one["ply"] == 3 and one["paused"], "at an algorithm's turn whoever takes back wants to look"
    again = desk.do("redo", turns=3)
    assert again["ply"] == 6 and [move["text"] for move in again["moves"]] == [m["text"] for m in stands["moves"]]
    everything = desk.do("undo", turns=6)
    assert everything["ply"] == 0 and everything["future"] == 6
    with pytest.raises(PlyforgeError):
        desk.do("undo")
    desk.close()


def test_resign_swap_and_another_at_the_table() -> None:
    desk = desk_of()
    desk.do("new", game="tic_tac_toe", players=["human", "random:seed=1"])
    swapped = desk.do("swap")
    assert [seat["human"] for seat in swapped["seats"]] == [False, True]
    stands = next_standing(desk, swapped)
    assert stands["ply"] == 1 and stands["waits"]
    assert desk.do("resign")["over"]["winners"] == [0]
    assert desk.do("undo")["over"] is None
    assert desk.do("seat", player=0, text="human")["seats"][0]["human"]
    desk.close()


def test_people_agree_on_a_draw_and_take_it_back() -> None:
    desk = desk_of()
    desk.do("new", game="tic_tac_toe", players=["human", "human"])
    stands = desk.do("move", text="5")
    assert desk.do("options", game="tic_tac_toe")["draws"]
    drawn = desk.do("offer_draw", version=stands["version"])
    assert drawn["over"] == {"text": "a draw", "reason": "by agreement", "winners": [], "utilities": [0, 0]}
    assert drawn["record"]["agreed"] and drawn["words"] == "A draw was agreed"
    with pytest.raises(PlyforgeError):
        desk.do("offer_draw")
    back = desk.do("undo")
    assert back["over"] is None and back["ply"] == 1
    with pytest.raises(PlyforgeError, match="meanwhile"):
        desk.do("offer_draw", version=stands["version"])


def test_an_algorithm_answers_an_offer_by_what_it_thought() -> None:
    desk = desk_of()
    stands = desk.do("new", game="tic_tac_toe", players=["human", "alpha_beta:depth=9"])
    declined = desk.do("offer_draw")
    assert declined["over"] is None and declined["version"] == stands["version"]
    assert declined["words"] == "O (MIN) declines the draw: it has not searched this position"
    next_standing(desk, desk.do("move", text="5"))
    accepted = desk.do("offer_draw")
    assert accepted["over"]["reason"] == "by agreement" and "O (MIN) accepts the draw" in accepted["words"]
    players = ["alpha_beta:depth=9", "human"]
    next_standing(desk, desk.do("new", game="tic_tac_toe", players=players, state="xo......."))
    declined = desk.do("offer_draw")
    assert declined["over"] is None and "X (MAX) declines the draw: I win" in declined["words"]
    desk.do("seat", player=0, text="random:seed=1")
    assert "it has not searched" in desk.do("offer_draw")["words"]
    desk.close()


def test_no_draw_is_offered_where_there_is_none_or_by_nobody() -> None:
    desk = desk_of()
    desk.do("new", game="hex", players=["human", "human"])
    assert not desk.do("options", game="hex")["draws"]
    with pytest.raises(PlyforgeError, match="in this game"):
        desk.do("offer_draw")
    desk.do("new", game="tic_tac_toe", players=["random:seed=1", "random:seed=2"], paused=True)
    with pytest.raises(PlyforgeError, match="by a person"):
        desk.do("offer_draw")


def test_a_move_for_an_earlier_standing_is_refused() -> None:
    desk = desk_of()
    first = desk.do("new", game="tic_tac_toe", players=["human", "human"])
    desk.do("move", text="5", version=first["version"])
    with pytest.raises(PlyforgeError, match="gone on"):
        desk.do("move", text="1", version=first["version"])
    with pytest.raises(PlyforgeError, match="not a legal action"):
        desk.do("move", text="5")


@pytest.mark.parametrize(
    "text",
    [
        "strategy:/etc/passwd",
        "engine:database=/tmp",
        "expectimax:against=learned:/tmp/x.json",
        "model:learned:x",
        "engine:seconds=1e9",
        "engine:threads=1000",
        "engine:table_mib=100000",
        "nobody",
        "x" * 5000,
    ],
)
def test_no_player_reads_files_or_takes_the_whole_machine(text: str) -> None:
    with pytest.raises(PlyforgeError):
        desk_of().do("new", game="tic_tac_toe", players=["human", text])


def test_every_game_has_steps_that_can_sit_down() -> None:
    from plyforge.studio.play import seats

    shelf = Shelf()
    for name in shelf.names:
        game = shelf.game(name)
        for _, text in seats.steps(game):
            assert not seats.seat_of(game, text, False).human


def test_stop_and_leave_are_immediate() -> None:
    desk = desk_of()
    stands = desk.do("new", game="othello", players=["engine:seconds=600", "human"])
    assert stands["thinking"]
    began = time.monotonic()
    desk.do("stop")
    assert told(desk, "play", stands["version"])["ply"] == 1
    desk.do("new", game="othello", players=["engine:seconds=600", "human"])
    desk.do("leave")
    assert not desk.thinker.busy
    assert time.monotonic() - began < PATIENCE / 2


def test_who_leaves_late_does_not_disturb_who_has_sat_down_meanwhile() -> None:
    desk = desk_of()
    first = desk.do("new", game="othello", players=["human", "engine:seconds=600"])
    stands = desk.do("new", game="othello", players=["engine:seconds=600", "human"], clock=[600.0, 0.0])
    desk.do("leave", sitting=first["sitting"])
    assert desk.thinker.busy and desk.version == stands["version"]
    assert desk.clocks is not None and desk.clocks.to_json()["runs"] == 0
    desk.do("leave", sitting=stands["sitting"])
    assert not desk.thinker.busy and desk.clocks.to_json()["runs"] is None


def test_hints_say_more_from_step_to_step() -> None:
    desk = desk_of()
    stands = desk.do("new", game="tic_tac_toe", players=["human", "human"], state="xx.oo....")
    desk.do("hint", step=1)
    first = told(desk, "hint")
    desk.room.told.clear()
    desk.do("hint", step=2)
    second = told(desk, "hint")
    desk.room.told.clear()
    desk.do("hint", step=3)
    third = told(desk, "hint")
    assert third["action"] == "3" and third["way"] == ["3"], "three in a row"
    assert "3" in second["places"] and set(second["places"]) <= set(first["places"])
    assert len(second["places"]) < len(first["places"]) < 9
    assert first["version"] == stands["version"]


def test_the_look_back_is_exact_where_the_game_is_small() -> None:
    """1. 1 5 2. 2 is a win thrown away for nobody: by hand, O's 9 then loses to 3."""
    desk = desk_of()
    desk.do("new", game="tic_tac_toe", players=["human", "human"])
    for text in ("1", "5", "2", "9", "3"):
        desk.do("move", text=text)
    desk.do("review")
    found = until(lambda: [f for k, f in desk.room.told if k == "review" and f["done"]])[-1]
    rows = found["rows"]
    assert [row["values"][0] for row in rows] == [0, 0, 0, 0, 1, 1]
    assert all(row["exact"] for row in rows)
    assert [row.get("grade", "") for row in rows] == ["", "", "", "", "blunder", ""]
    assert rows[4]["player"] == 1 and rows[4]["cost"] == 1
    assert desk.do("attempt", ply=3, text="8")["grade"] == "blunder"
    assert desk.do("attempt", ply=3, text="3")["good"]
    assert desk.do("attempt", ply=3) == {"answer": "3", "way": ["3"]}


def test_looking_at_an_earlier_position_changes_nothing() -> None:
    desk = desk_of()
    desk.do("new", game="tic_tac_toe", players=["human", "human"])
    stands = desk.do("move", text="5")
    seen = desk.do("look", ply=0)
    assert seen["board"]["pieces"] == [] and len(seen["actions"]) == 9
    assert desk.version == stands["version"]
    with pytest.raises(PlyforgeError):
        desk.do("look", ply=9)


@pytest.mark.parametrize(
    ("game", "kind", "moves"),
    [("chess", "pgn", 4), ("checkers", "pdn", 4), ("go", "sgf", 3), ("backgammon", "mat", 2), ("kalah", "json", 5)],
)
def test_games_are_saved_in_their_own_format_and_come_back(game: str, kind: str, moves: int) -> None:
    from plyforge.play.formats import registry

    desk = desk_of()
    stands = desk.do("new", game=game, players=["human"] * 2)
    assert desk.do("options", game=game)["formats"][0] == kind
    for _ in range(moves):
        stands = desk.do("move", text=stands["actions"][-1]["text"])
    assert desk.session is not None
    text = registry.write([desk.session], kind)
    assert desk.do("save", kind=kind)["address"].startswith("/made/")
    desk.do("new", game=game, players=["human"] * 2)
    again = desk.do("load", content=text)
    played = [move["text"] for move in stands["moves"] if move["player"] != CHANCE]
    assert [move["text"] for move in again["moves"] if move["player"] != CHANCE] == played
    assert again["position"].split()[0] == stands["position"].split()[0] or kind == "mat"


def test_a_file_of_chess_keeps_its_moves_and_its_result() -> None:
    shuffle = "Nf3 Nf6 Ng1 Ng8 " * 2
    desk = desk_of()
    desk.do("new", game="chess", players=["human", "human"])
    for text, winners in ((f"{shuffle} e4 e5 1-0", [0]), (f"{shuffle} e4 1/2-1/2", [])):
        stands = desk.do("load", content=text)
        assert len(stands["moves"]) == len(text.split()) - 1 and stands["over"]["winners"] == winners
        record = json.loads(json.dumps(stands["record"]))
        again = desk_of().do("resume", game="chess", record=record, players=["human", "human"])
        assert again["over"] == stands["over"] and again["moves"] == stands["moves"]
    assert stands["over"]["text"] == "a draw" and stands["over"]["reason"] == "by agreement"
    assert desk.do("take_back")["over"] is None
    assert len(desk.do("redo")["moves"]) == 9


ENCODED = [
    ("Shift_JIS", "cp932", "ソ表"),
    ("GBK", "gbk", "柯洁乗"),
    ("GB2312", "gbk", "柯洁乗"),
    ("Big5", "big5", "許功蓋"),
    ("EUC-KR", "euc_kr", "이세돌"),
    ("ISO-8859-1", "latin-1", "André"),
    ("UTF-8", "utf-8-sig", "ソ乚é"),
    ("", "gb18030", "柯洁九段乗乚"),
    ("", "latin-1", "Müller"),
]
"""What CA says of a file of Go, what it is, and a name: second bytes that look like a backslash or a bracket among
them."""


def go_file(said: str, codec: str, name: str) -> bytes:
    charset = f"CA[{said}]" if said else ""
    return f"(;GM[1]FF[4]{charset}SZ[9]PB[{name}]C[{name}];B[ee]C[{name}];W[cc])".encode(codec)


@pytest.mark.parametrize(("said", "codec", "name"), ENCODED)
def test_files_of_go_are_read_in_their_encoding(said: str, codec: str, name: str) -> None:
    desk = desk_of()
    desk.do("new", game="go(size=9)", players=["human", "human"])
    stands = desk.do("load", content=go_file(said, codec, name).decode("latin-1"))
    assert [move["text"] for move in stands["moves"]] == ["E5", "C7"]


@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "latin-1"])
def test_files_of_chess_may_be_of_either_encoding(codec: str) -> None:
    desk = desk_of()
    desk.do("new", game="chess", players=["human", "human"])
    data = '[White "André Müller"]\n\n1. e4 {für} e5 *'.encode(codec)
    assert len(desk.do("load", content=data.decode("latin-1"))["moves"]) == 2


def test_what_is_no_saved_game_is_refused_in_words() -> None:
    desk = desk_of()
    desk.do("new", game="tic_tac_toe", players=["human", "human"])
    for text in (
        "",
        "{",
        "{}",
        "[1, 2]",
        '{"format": "plyforge game", "version": 1, "game": "/etc/passwd.py", "start": null, "seed": 1, "actions": []}',
        "\0" * 100,
        '{"format": "caf\xe9"}',
        "柯",
    ):
        with pytest.raises(PlyforgeError):
            desk.do("load", content=text)


def test_a_game_goes_on_with_another_desk() -> None:
    first = desk_of()
    stands = first.do("new", game="backgammon", players=["human", "human"])
    stands = first.do("move", text=stands["actions"][0]["text"])
    second = desk_of()
    again = second.do(
        "resume", game="backgammon", record=json.loads(json.dumps(stands["record"])), players=["human", "human"]
    )
    assert again["moves"] == stands["moves"] and again["position"] == stands["position"]


def test_the_clock_runs_for_whoever_moves_and_ends_the_game() -> None:
    desk = desk_of()
    stands = desk.do("new", game="tic_tac_toe", players=["human", "human"], clock=[1.0, 0.0])
    assert stands["clock"]["runs"] == 0
    end = told(desk, "play", stands["version"])
    assert end["over"]["winners"] == [1] and "time" in end["over"]["reason"]
    assert Record.from_json(end["record"]).session().outcome.reason == end["over"]["reason"]  # type: ignore[union-attr]
    assert desk.do("undo")["over"] is None
    with pytest.raises(PlyforgeError):
        desk.do("new", game="tic_tac_toe", players=["human", "human"], clock=[0.0, 0.0])


def test_no_clock_runs_while_a_game_is_paused() -> None:
    desk = PlayDesk(Room())
    desk.do("new", game="othello", players=["engine:seconds=600", "human"], clock=[600.0, 60.0])
    stands = desk.do("pause", on=True)
    assert stands["paused"] and stands["clock"]["runs"] is None
    assert desk.clocks is not None and desk.clocks.now() == desk.clocks.left
    assert max(desk.clocks.left) <= 600.0, "a pause is no move: nothing is added"
    stands = desk.do("pause", on=False)
    assert stands["clock"]["runs"] == 0
    desk.close()


def test_algorithms_share_out_what_the_clock_leaves_them() -> None:
    desk = desk_of()
    stands = desk.do("new", game="tic_tac_toe", players=["engine:seconds=600"] * 2, clock=[60.0, 0.0])
    end = until(lambda: [f for k, f in list(desk.room.told) if k == "play" and f["over"]])[-1]
    assert end["over"]["reason"] == "by the rules" and end["over"]["winners"] == []
    assert stands["version"] < end["version"] and min(end["clock"]["left"]) > 0
    desk.close()


def test_what_is_thought_after_leaving_is_thrown_away() -> None:
    desk = desk_of()
    desk.do("new", game="connect4", players=["random:seed=1", "random:seed=2"])
    told(desk, "play")
    desk.do("leave")
    ply = len(desk.session.history) if desk.session else 0
    time.sleep(1.0)
    assert desk.session is not None and len(desk.session.history) == ply and not desk.thinker.busy


def test_own_rules_without_a_board_are_text_and_buttons(tmp_path: Path) -> None:
    file = tmp_path / "my_sticks.py"
    file.write_text(OWN_RULES)
    desk = desk_of(str(file))
    stands = desk.do("new", game="my_sticks", players=["human", "human"])
    assert stands["board"] is None and stands["text"]
    assert [action["ways"] for action in stands["actions"]] == [[], [], []]
    desk.do("hint", step=1)
    assert len(told(desk, "hint")["among"]) == 3
    assert play_out(desk, stands)["over"]["winners"]


# ------------------------------------------------------------ in a browser
def begin(page: Any, game: str, players: str, **more: str) -> None:
    query = "&".join([f"players={players}", *(f"{key}={value}" for key, value in more.items())])
    page.goto_view(f"#/play/{game}?{query}")
    page.locator(".play-board[data-stage]").wait_for()


def stage(page: Any) -> str:
    return str(page.locator(".play-board").get_attribute("data-stage"))


def version(page: Any) -> int:
    return int(page.locator(".play-board").get_attribute("data-version"))


def wait_for_turn(page: Any) -> None:
    """Until a person is to move, or nobody. (The page's content security policy allows no `wait_for_function`.)"""
    page.locator(".play-board:is([data-stage='waits'], [data-stage='over'])").wait_for()


def wait_for_moves(page: Any, number: int) -> None:
    until(lambda: page.locator(".moves button").count() == number)


def play_by_mouse(page: Any, most: int = 400) -> None:
    """Point at the first place that is open, again and again, until the game is over."""
    for _ in range(most):
        wait_for_turn(page)
        if stage(page) == "over":
            return
        menu = page.locator(".board-menu button")
        place = page.locator(".board .hit.open")
        button = page.locator(".actions button")
        if menu.count():
            press(menu.first)
        elif place.count():
            press(place.first)
        elif button.count():
            press(button.first)
        else:
            page.wait_for_timeout(20)  # a move is on its way to the server
    raise AssertionError("the game has no end")


def press(there: Any) -> None:
    """Click something that may be gone by then: the move before it was on its way."""
    from playwright.sync_api import TimeoutError as TooLate

    with contextlib.suppress(TooLate):
        there.click(timeout=1000)


def test_tic_tac_toe_by_mouse_with_undo_hint_save_and_load(page: Any, tmp_path: Path) -> None:
    begin(page, "tic_tac_toe", "human|human")
    for place in ("5", "1", "2"):
        page.locator(f".hit[data-place='{place}']").click()
        page.locator(f".hit[data-place='{place}'][aria-label*='last move']").wait_for()
    page.get_by_role("button", name="Undo").click()
    page.locator(".moves li").nth(2).wait_for(state="detached")
    page.get_by_role("button", name="Redo").click()
    page.locator(".moves li").nth(2).wait_for()
    page.get_by_role("button", name="Hint").click()
    page.get_by_text("Hint 1 of 3").wait_for()
    page.get_by_role("button", name="Hint").click()
    page.get_by_text("Hint 2 of 3").wait_for()
    page.get_by_role("button", name="Hint").click()
    page.get_by_text("Hint 3 of 3: 8").wait_for()
    with page.expect_download() as download:
        page.get_by_role("button", name="Save JSON").click()
    kept = tmp_path / "game.json"
    download.value.save_as(kept)
    assert json.loads(kept.read_text())["actions"] == ["5", "1", "2"]
    play_by_mouse(page)
    assert "a draw" in page.locator(".status").inner_text().lower()
    page.locator("input[type=file]").set_input_files(str(kept))
    wait_for_moves(page, 3)
    page.get_by_role("button", name="Look back").click()
    page.get_by_text("everything is exact").wait_for()


def test_files_of_go_are_opened_in_their_encoding(page: Any, tmp_path: Path) -> None:
    begin(page, "go(size=9)", "human|human")
    for number, (said, codec, name) in enumerate(ENCODED):
        file = tmp_path / f"{number}.sgf"
        file.write_bytes(go_file(said, codec, name))
        before = version(page)
        page.locator("input[type=file]").set_input_files(str(file))
        until(lambda before=before: version(page) > before)
        texts = page.locator(".moves button").all_inner_texts()
        assert [text.split()[-1] for text in texts] == ["E5", "C7"], said or codec
    assert page.locator(".refused").is_hidden()


def test_a_draw_is_offered_to_a_person_and_to_an_algorithm(page: Any) -> None:
    offer = page.get_by_role("button", name="Offer draw")
    begin(page, "tic_tac_toe", "human|human")
    offer.click()
    page.get_by_text("X offers a draw. O, do you accept?").wait_for()
    page.get_by_role("button", name="Decline").click()
    page.get_by_role("dialog").wait_for(state="detached")
    assert stage(page) == "waits"
    offer.click()
    page.get_by_role("button", name="Accept").click()
    page.get_by_text("A draw (by agreement)").wait_for()
    page.get_by_text("A draw was agreed.").wait_for()
    assert offer.is_disabled()
    page.get_by_role("button", name="Undo").click()
    page.locator(".play-board[data-stage='waits']").wait_for()  # it was over a moment ago
    assert offer.is_enabled()
    begin(page, "tic_tac_toe", "human|alpha_beta:depth=9", state="........x")
    wait_for_moves(page, 1)
    wait_for_turn(page)
    offer.click()
    page.get_by_text("O (MIN) accepts the draw: ").wait_for()
    page.get_by_text("A draw (by agreement)").wait_for()
    begin(page, "tic_tac_toe", "alpha_beta:depth=9|human", state="xo.......")
    page.locator(".play-board[data-stage='waits']").wait_for()
    offer.click()
    page.get_by_text("X (MAX) declines the draw: I win").wait_for()
    assert stage(page) == "waits"
    begin(page, "hex", "human|human")
    page.get_by_role("heading", name="Hex").wait_for()
    wait_for_turn(page)
    assert offer.is_hidden()


def test_connect_four_by_mouse_against_an_algorithm_and_after_a_reload(page: Any) -> None:
    begin(page, "connect4", "human|random:seed=4")
    page.locator(".hit.open").first.click()
    wait_for_moves(page, 2)
    page.reload()
    wait_for_moves(page, 2)
    play_by_mouse(page)
    assert page.locator(".board .look-disc").count() == page.locator(".moves li").count()


def test_othello_by_mouse(page: Any) -> None:
    begin(page, "othello(size=4)", "human|random:seed=2")
    play_by_mouse(page)
    assert "wins" in page.locator(".status").inner_text() or "draw" in page.locator(".status").inner_text()


def test_backgammon_by_mouse_to_the_end_of_a_race(page: Any) -> None:
    """From where both bear off; checker by checker, with the dice rolled by hand."""
    begin(page, "backgammon", "human|random:seed=1", state="AwAAYAAAAAAAAA X", roll="hand")
    for _ in range(100):
        wait_for_turn(page)
        if stage(page) == "over":
            break
        roll = page.get_by_role("button", name="Roll", exact=True)
        if roll.count():
            before = version(page)
            roll.click()
            until(lambda before=before: version(page) != before)  # type: ignore[misc]
            page.locator(".board .look-die").first.wait_for()
        else:
            play_one(page)
    assert "wins" in page.locator(".status").inner_text()


def play_one(page: Any) -> None:
    before = version(page)
    while version(page) == before:
        place = page.locator(".board .hit.open")
        if place.count():
            press(place.first)
        else:
            page.wait_for_timeout(20)


def test_hexapawn_by_keyboard_alone(page: Any) -> None:
    begin(page, "hexapawn", "human|human")
    page.locator(".hit[data-place='a1']").focus()
    for number, keys in enumerate(("Enter ArrowUp Enter", "ArrowUp ArrowRight Enter ArrowLeft ArrowDown Enter"), 1):
        for key in keys.split():
            page.keyboard.press(key)
        wait_for_moves(page, number)
    page.locator(".hit[data-place='a2'][aria-label*='last move']").wait_for()
    assert page.locator(".moves").inner_text().split() == ["1", "MAX:", "a1-a2", "2", "MIN:", "b3xa2"]
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.locator(".hit[data-place='b1'][aria-label*='chosen']").wait_for()
    page.keyboard.press("Escape")
    page.locator(".hit[data-place='b1']:not([aria-label*='chosen'])").wait_for()
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    wait_for_moves(page, 3)
    page.keyboard.press("Control+z")
    wait_for_moves(page, 2)
    page.keyboard.press("Control+y")
    wait_for_moves(page, 3)
    for key in ("ArrowUp", "ArrowRight", "ArrowRight", "Enter", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    page.locator(".play-board[data-stage='over']").wait_for()
    assert "MIN wins" in page.locator(".status").inner_text(), "White is stuck"


def test_a_pawn_is_dragged_and_a_promotion_asked_for(page: Any) -> None:
    begin(page, "chess", "human|human", state="8/4P1k1/8/8/8/8/8/4K3 w - - 0 1".replace(" ", "%20"))
    page.locator(".hit[data-place='e7']").drag_to(page.locator(".hit[data-place='e8']"))
    page.get_by_role("menuitem", name="e8=N+").click()
    page.locator(".hit[data-place='e8'][aria-label*='knight']").wait_for()


def test_people_who_choose_at_once_hand_over(page: Any) -> None:
    begin(page, "repeated_prisoners_dilemma(rounds=1)", "human|human")
    for name, choice in (("first", "defect"), ("second", "cooperate")):
        page.get_by_role("button", name=f"I am {name}").click()
        page.locator(f".hit[data-place='{name}: {choice}']").click()
    page.locator(".play-board[data-stage='over']").wait_for()
    assert "4 points" in page.locator(".bar").nth(1).inner_text()


def test_own_rules_in_the_browser(browser: Any, tmp_path: Path) -> None:
    from studio_browser import opened, running

    file = tmp_path / "my_sticks.py"
    file.write_text(OWN_RULES)
    with running(str(file)) as studio, opened(browser, studio) as page:
        begin(page, "my_sticks", "human|human")
        page.locator("pre.picture").wait_for()
        page.locator(".actions button", has_text="3").click()
        page.locator(".actions button").nth(2).wait_for(state="detached")
        page.locator(".actions button", has_text="2").click()
        page.locator(".play-board[data-stage='over']").wait_for()
        assert page.problems == []


def test_a_mistake_is_tried_again_before_the_answer_is_shown(page: Any) -> None:
    begin(page, "tic_tac_toe", "human|human")
    for number, text in enumerate(("1", "5", "2", "9", "3"), 1):
        page.get_by_label("Type a move").fill(text)
        page.keyboard.press("Enter")
        wait_for_moves(page, number)
    page.locator(".review button", has_text="Look back").click()
    page.get_by_role("button", name="Next mistake").click()
    page.get_by_text("Turn 4: O played 9??, which cost 1.").wait_for()
    page.get_by_role("button", name="Try again").click()
    page.locator(".hit[data-place='8']").click()
    page.get_by_text("8 costs 1, a blunder").wait_for()
    page.locator(".hit[data-place='3']").click()
    page.get_by_text("3 is right.").wait_for()


@pytest.mark.parametrize("game", ["chess", "backgammon", "goofspiel"])
def test_the_play_view_keeps_nobody_out(page: Any, axe: str, game: str) -> None:
    from studio_browser import hard_to_use

    begin(page, game, "human|human")
    assert hard_to_use(page, axe) == []


POINTING = """async () => {
  const { Pointing, carried } = await import("/page/board/pointing.js");
  const told = (answer) => (answer.actions ? answer.actions.map((action) => action.text) : Object.keys(answer)[0]);
  const walk = (actions, ...places) => { const pointing = new Pointing(actions); return places.map((place) => told(pointing.point(place))); };
  const hop = { text: "short", ways: [["a", "b"]] }, jump = { text: "long", ways: [["a", "b", "c"]] }, other = { text: "other", ways: [["d", "b"]] };
  const column = new Pointing([{ text: "1", ways: [["x"], ["y"]] }]);
  return {
    longer: walk([hop, jump], "a", "b", "c"),
    shorter: walk([hop, jump], "a", "b", "b"),
    back: walk([hop], "a", "a", "a", "b"),
    elsewhere: walk([hop, other], "a", "d", "b"),
    refused: walk([hop], "z"),
    same: walk([{ text: "queen", ways: [["p", "q"]] }, { text: "rook", ways: [["p", "q"]] }], "p", "q"),
    open: [...column.next()],
    marked: [...column.worthShowing()],
    carried: carried([{ place: "8", look: "disc", owner: 0, count: 3 }, { place: "5", look: "disc", owner: 0, count: 1 }], ["8", "5", "8"]).map(({ place, count }) => `${place}:${count}`),
  };
}"""  # noqa: E501


def test_pointing(page: Any) -> None:
    """What was pointed at, and what may come next; see page/board/pointing.js."""
    assert page.evaluate(POINTING) == {
        "longer": ["more", "more", ["long"]],
        "shorter": ["more", "more", ["short"]],
        "back": ["more", "cleared", "more", ["short"]],
        "elsewhere": ["more", "more", ["other"]],
        "refused": ["refused"],
        "same": ["more", ["queen", "rook"]],
        "open": ["x", "y"],
        "marked": ["x"],
        "carried": ["8:2", "5:2"],
    }


@pytest.mark.full
@pytest.mark.parametrize("game", ["othello", "backgammon"])
def test_whole_games_by_mouse(page: Any, game: str) -> None:
    begin(page, game, "human|random:seed=2")
    play_by_mouse(page, 2000)


def test_a_game_that_was_left_before_it_began_does_not_begin(browser: Any) -> None:
    from studio_browser import opened, running

    held: list[Any] = []
    with running() as studio, opened(browser, studio) as page:
        page.route("**/play.css", lambda route: held.append(route))
        page.goto_view("#/play/hexapawn?players=human|human")
        until(lambda: page.wait_for_timeout(20) or held)
        page.goto_view("#/play/tic_tac_toe?players=human|human")
        page.wait_for_timeout(300)
        held[0].continue_()
        page.locator(".play-board[data-stage='waits'] .hit[data-place='5']").click()
        wait_for_moves(page, 1)
        [there] = studio.pages
        assert there.desks["play"].name == "tic_tac_toe" and there.desks["play"].sitting == 1
        assert page.problems == []


def test_an_algorithm_s_parameters_are_set_in_a_form(page: Any) -> None:
    begin(page, "tic_tac_toe", "human|uct:simulations=50,rave=30")
    page.get_by_role("button", name="New game …").click()
    setup = page.locator("form.setup")
    setup.get_by_label("Algorithm").last.wait_for()
    further = setup.get_by_label("Further").last
    assert further.input_value() == "rave=30"
    setup.get_by_role("button", name="Settings …").last.click()
    form = page.locator("dialog").last
    assert form.get_by_label("RAVE, visits").first.input_value() == "30"
    form.get_by_label("Exploration, of the utility's range").fill("0.5")
    form.get_by_label("Decisive rollouts").check()
    form.get_by_role("button", name="Use these").click()
    until(lambda: further.input_value() == "decisive=yes,exploration=0.5,rave=30")
    setup.get_by_role("button", name="Play", exact=True).click()
    described = "uct:simulations=50,decisive=yes,exploration=0.5,rave=30"
    until(lambda: described in unquote(page.evaluate("location.hash")))
