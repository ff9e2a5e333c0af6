"""The Analyse desk without a browser: positions, one search and two, what is told, stopping."""

from __future__ import annotations

import random
import threading
import time

import pytest

import plyforge as pf
from patience import PATIENCE
from plyforge.contract.value_words import everyone, in_words
from plyforge.contract.value_words import numbers_text as value_text
from plyforge.errors import BadLimits, BadText, IllegalAction, Unsuitable
from plyforge.evaluate import opinion
from plyforge.games.backgammon.board import TO_ROLL
from plyforge.grids.hooks import board_of
from plyforge.play.engine import Engine
from plyforge.play.engine import _thinking as thinking_engines
from plyforge.search import MONTE_CARLO
from plyforge.studio.analyse.algorithms import algorithms, algorithms_for, make
from plyforge.studio.analyse.analyst import Analyst, Order
from plyforge.studio.analyse.handler import AnalyseDesk
from plyforge.studio.analyse.setup_by_rules import Placing
from plyforge.studio.analyse.setup_by_text import Layout, standing
from plyforge.studio.present.search_message import Teller
from plyforge.studio.present.value import share, worth
from plyforge.studio.server import limits
from plyforge.studio.server.handler import BadRequest, Room

SOON = PATIENCE
"""Seconds in which anything here has happened, however busy the machine is."""


@pytest.fixture
def desk():
    desk = AnalyseDesk(Room())
    yield desk
    desk.close()
    wait_for(lambda: not desk.thinking)


def wait_for(condition, seconds: float = SOON):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "that took too long"
        time.sleep(0.005)


def news(desk: AnalyseDesk, kind: str = "analysis", side: str | None = "a") -> list[dict]:
    return [said for name, said in list(desk.room.told) if name == kind and side in (None, said.get("side"))]


def ended(desk: AnalyseDesk, side: str = "a", number: int | None = None) -> dict:
    """The last word about the position that is on the desk now."""
    number = desk.number if number is None else number

    def last() -> list[dict]:
        return [n for n in news(desk, side=side) if n["number"] == number and n["status"] in ("ended", "failed")]

    wait_for(last)
    return last()[-1]


def engines_at_work() -> list[Engine]:
    """Of this process: threads are used again, by whoever comes first."""
    return [engine for engine in list(thinking_engines) if engine.running]


# ------------------------------------------------------------------ positions
def test_a_position_is_played_forward_and_back(desk):
    said = desk.do("open", game="tic_tac_toe")
    assert said["position"]["state"] == "........." and len(said["position"]["legal"]) == 9
    assert said["strongest"] == "engine"
    assert desk.do("play", move="5")["position"]["state"] == "....x...."
    assert desk.do("play", move="1")["position"]["moves"] == ["5", "1"]
    back = desk.do("go", ply=0)["position"]
    assert (back["moves"], back["undone"]) == ([], ["5", "1"])
    assert desk.do("go", ply=99)["position"]["moves"] == ["5", "1"]
    with pytest.raises(IllegalAction):
        desk.do("play", move="5")
    numbers = [desk.do("go", ply=ply)["number"] for ply in (0, 1, 2)]
    assert numbers == sorted(set(numbers)), "each position has a number of its own"


def test_a_game_can_be_looked_at_past_a_draw_that_nobody_claimed(desk):
    moves = [*("Nf3", "Nf6", "Ng1", "Ng8") * 2, "e4"]
    assert desk.do("open", game="chess", moves=moves)["position"]["moves"] == moves


def test_a_position_is_set_by_text(desk):
    desk.do("open", game="connect4", state="4455", moves=["1"])
    assert desk.do("set", text="444")["position"]["state"] == "444"
    with pytest.raises(pf.PlyforgeError):
        desk.do("set", text="99999")
    assert desk.here()["state"] == "444", "what was refused changes nothing"
    with pytest.raises(BadText, match="letters"):
        desk.do("set", text="4" * 5000)
    assert desk.here()["start"] == "444"


def test_looking_ahead_changes_nothing_and_following_does(desk):
    desk.do("open", game="tic_tac_toe")
    number = desk.number
    assert desk.do("look", moves=["5", "1", "9"])["position"]["state"] == "o...x...x"
    assert (desk.number, desk.here()["state"]) == (number, ".........")
    with pytest.raises(IllegalAction):
        desk.do("follow", moves=["5", "5"])
    assert desk.here()["moves"] == [], "a line that can't be played is not half played"
    assert desk.do("follow", moves=["5", "1"])["position"]["moves"] == ["5", "1"]
    with pytest.raises(BadRequest):
        desk.do("look", moves=[1, 2])


def test_chance_is_rolled_or_chosen(desk):
    said = desk.do("open", game="pig", moves=["roll"])["position"]
    assert said["turn"] == "chance"
    assert sum(each["probability"] for each in said["legal"]) == pytest.approx(1.0)
    assert desk.do("roll")["position"]["ply"] == 2
    desk.do("go", ply=1)
    assert desk.do("play", move=said["legal"][5]["text"])["position"]["ply"] == 2


# ------------------------------------------------------------------ what is told is what was found
@pytest.mark.parametrize("using", ["engine", "alpha_beta", "minimax"])
def test_the_answer_is_that_of_the_search(desk, using):
    game = pf.load("tic_tac_toe")
    text = "xo..x...."
    desk.do("open", game="tic_tac_toe", state=text)
    desk.do("start", sides=[{"using": using}], limits={"depth": 4}, lines=3)
    said = ended(desk)
    more = {"lines": 3} if using == "engine" else {}
    expected = pf.search(game, text, using, depth=4, native=False, **more)
    assert said["best"] == expected.text(expected.action)
    assert said["lines"][0]["moves"] == expected.line_text()
    assert said["value"]["numbers"] == [expected.value, -expected.value]
    assert said["value"]["proven"] == expected.exact
    assert len(said["moves"]) == 6
    for move in said["moves"]:
        action = pf.parse_action(game, pf.parse_state(game, text), move["move"])
        if action in expected.values:
            assert move["value"]["numbers"][0] == expected.values[action]


def test_the_engine_s_lines_are_those_that_it_finds(desk):
    desk.do("open", game="connect4", state="4455")
    desk.do("start", sides=[{"using": "engine"}], limits={"depth": 3}, lines=3)
    said = ended(desk)
    known = opinion(desk.session.game)  # what play goes by, where the rules themselves have no opinion
    found = pf.search("connect4", "4455", "engine", depth=3, lines=3, evaluate=known, native=False)
    assert [line["value"]["numbers"][0] for line in said["lines"]] == [value for value, _ in found.lines]
    assert len(said["lines"]) == 3 and len({line["moves"][0] for line in said["lines"]}) == 3
    merits = {move["move"]: move["merit"] for move in said["moves"]}
    assert merits[said["best"]] == 1.0 == max(merits.values())


def test_samples_come_with_visits_errors_and_lines(desk):
    desk.do("open", game="tic_tac_toe", state="xo..x....")
    desk.do(
        "start",
        sides=[{"using": "uct", "options": {"seed": 7, "solve": False}}],
        limits={"simulations": 60},
        lines=3,
    )
    said = ended(desk)
    assert said["simulations"] == 60 and said["rate_of"] == "simulations"
    assert sum(move["visits"] for move in said["moves"]) == 60
    assert sum(move["share"] for move in said["moves"]) == pytest.approx(1.0)
    assert all(move["value"]["error"] is None or move["value"]["error"] >= 0 for move in said["moves"])
    found = pf.search(
        "tic_tac_toe",
        "xo..x....",
        make("uct", desk.session.game, {"seed": 7, "solve": False}, 3),
        simulations=60,
        native=False,
    )
    assert said["best"] == found.text(found.action)
    assert {move["move"]: move["visits"] for move in said["moves"]} == {
        found.text(a): n for a, n in found.visits.items()
    }
    assert len(said["lines"]) == 3 and said["lines"][0]["moves"] == found.line_text()


def test_many_players_have_a_number_each(desk):
    desk.do("open", game="three_nim")
    desk.do("start", sides=[{"using": "max_n"}], limits={"depth": 8})
    said = ended(desk)
    found = pf.search("three_nim", using="max_n", depth=8, native=False)
    assert tuple(said["value"]["numbers"]) == found.value and said["value"]["proven"]
    assert len(said["value"]["shares"]) == 3


def test_outcomes_of_chance_are_weighted(desk):
    position = desk.do("open", game="pig(goal=10)", moves=["roll"])["position"]
    for using in ("expectiminimax", "dice_engine", "star1", "max_n", "uct"):
        desk.do(
            "start",
            sides=[{"using": using}],
            limits={"simulations": 300} if using in MONTE_CARLO else {"depth": 3},
        )
        said = ended(desk)
        assert [move["move"] for move in said["moves"]] == [each["text"] for each in position["legal"]]
        average = sum(move["probability"] * move["value"]["numbers"][0] for move in said["moves"])
        assert average == pytest.approx(said["value"]["numbers"][0], abs=0.2 if using == "uct" else 1e-9), using
        desk.do("stop")
        desk.number += 1


def test_choices_at_once_are_mixed(desk):
    desk.do("open", game="matrix")  # rock, paper, scissors
    desk.do("start", sides=[{"using": "regret_matching"}], limits={"simulations": 1000})
    said = ended(desk)
    assert [mix["player"] for mix in said["mixes"]] == [0, 1]
    for mix in said["mixes"]:
        assert sum(choice["probability"] for choice in mix["choices"]) == pytest.approx(1.0)
        assert all(choice["probability"] == pytest.approx(1 / 3, abs=0.15) for choice in mix["choices"])


def test_a_path_has_a_cost(desk):
    desk.do("open", game="slider")
    desk.do("start", sides=[{"using": "a_star"}], limits={"nodes": 300})
    said = ended(desk)
    found = pf.search("slider", using="a_star", nodes=300, native=False)
    assert said["lines"][0]["moves"] == found.line_text()[:40] and said["cost"] == found.cost


def test_proven_is_told_apart(desk):
    desk.do("open", game="tic_tac_toe", state="xx.oo....")
    desk.do("start", sides=[{"using": "engine"}], limits={})
    said = ended(desk)
    assert said["value"]["proven"] and said["value"]["distance"] == 1 and said["reason"] == "proven"
    assert said["value"]["words"] == "X wins in 1 ply, proven"
    desk.do("open", game="tic_tac_toe")
    desk.do("start", sides=[{"using": "engine"}], limits={"depth": 2})
    assert not ended(desk)["value"]["proven"]


def test_a_game_that_is_over_is_not_searched(desk):
    desk.do("open", game="tic_tac_toe", state="xxxoo....")
    desk.do("start", sides=[{"using": "engine"}])
    assert ended(desk)["reason"] == "the game is over"


# ------------------------------------------------------------------ starting and stopping
def test_two_side_by_side(desk):
    desk.do("open", game="tic_tac_toe")
    desk.do("start", sides=[{"using": "engine"}, {"using": "uct"}], limits={"seconds": 0.3})
    first, second = ended(desk, "a"), ended(desk, "b")
    assert (first["using"], second["using"]) == ("engine", "uct")
    assert first["seconds"] < PATIENCE and second["seconds"] < PATIENCE
    desk.do("start", sides=[{"using": "engine"}], limits={"depth": 2})
    assert set(desk.analysts) == {"a"}


def test_stopping_is_immediate_and_nothing_is_left(desk):
    desk.do("open", game="connect4")
    before = set(engines_at_work())
    desk.do("start", sides=[{"using": "engine"}, {"using": "uct"}])
    wait_for(lambda: len(set(engines_at_work()) - before) == 2)
    time.sleep(0.3)
    began = time.perf_counter()
    desk.do("stop")
    assert time.perf_counter() - began < PATIENCE
    wait_for(lambda: not desk.thinking)
    assert {ended(desk, side)["reason"] for side in "ab"} == {"stopped"}
    wait_for(lambda: not set(engines_at_work()) - before)


def test_a_new_position_starts_again_until_it_is_stopped(desk):
    desk.do("open", game="connect4")
    desk.do("start", sides=[{"using": "engine"}])
    number = desk.do("play", move="4")["number"]
    wait_for(lambda: any(n["number"] == number for n in news(desk)))
    time.sleep(0.2)
    assert desk.thinking
    later = [n["number"] for n in news(desk)]
    assert later == sorted(later), "nothing is told of a position that was left once there is a new one"
    desk.do("stop")
    desk.do("play", move="4")
    wait_for(lambda: not desk.thinking)
    assert not any(n["number"] == desk.number for n in news(desk))


def test_leaving_stops_the_search():
    desk = AnalyseDesk(Room())
    desk.do("open", game="connect4")
    before = set(engines_at_work())
    desk.do("start", sides=[{"using": "engine"}, {"using": "minimax"}])
    wait_for(lambda: set(engines_at_work()) - before)
    desk.close()
    wait_for(lambda: not desk.thinking and not set(engines_at_work()) - before)
    told = len(desk.room.told)
    time.sleep(0.2)
    assert len(desk.room.told) == told


def test_at_most_ten_messages_a_second(desk):
    desk.do("open", game="tic_tac_toe")
    began = time.perf_counter()
    desk.do("start", sides=[{"using": "minimax"}], limits={"seconds": 1.0})
    ended(desk)
    assert len(news(desk)) <= 10 * (time.perf_counter() - began) + 3


def test_the_searches_of_all_pages_are_counted(monkeypatch):
    room = threading.BoundedSemaphore(1)
    monkeypatch.setattr("plyforge.studio.analyse.analyst.room_to_search", room)
    told: list[dict] = []
    game = pf.load("connect4")
    first, second = Analyst(game, lambda message: None), Analyst(game, told.append)
    first.think(Order(1, game.start(), "engine", native=False))
    wait_for(lambda: room._value == 0)
    second.think(Order(1, game.start(), "engine", native=False))
    wait_for(lambda: told)
    assert told[0]["status"] == "failed" and "other pages" in told[0]["error"]
    first.close()
    wait_for(lambda: not first.thinking)


# ------------------------------------------------------------------ what is refused
@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"sides": []}, BadRequest),
        ({"sides": [{"using": "engine"}] * 3}, BadRequest),
        ({"sides": [{"using": "nothing"}]}, Unsuitable),
        ({"sides": [{"using": "a_star"}]}, Unsuitable),
        ({"sides": [{"using": "engine", "options": {"table_mib": 10**9}}]}, BadLimits),
        ({"sides": [{"using": "engine", "options": {"database": "/etc"}}]}, BadLimits),
        ({"sides": [{"using": "expectimax", "options": {"policy": "learned:/etc/passwd"}}]}, BadLimits),
        ({"sides": [{"using": "engine"}], "limits": {"seconds": -1}}, BadLimits),
        ({"sides": [{"using": "engine"}], "limits": {"seconds": 10**9}}, BadLimits),
        ({"sides": [{"using": "engine"}], "limits": {"days": 1}}, BadRequest),
        ({"sides": [{"using": "engine"}], "lines": 0}, BadLimits),
        ({"sides": [{"using": "engine"}], "lines": limits.LINES + 1}, BadLimits),
    ],
)
def test_what_is_refused_starts_nothing(desk, fields, error):
    desk.do("open", game="tic_tac_toe")
    with pytest.raises(error):
        desk.do("start", **fields)
    assert not desk.on and not desk.thinking


def test_every_algorithm_is_offered_where_it_suits():
    assert set(algorithms()) == set(pf.search.searches())
    for name in ("tic_tac_toe", "pig", "three_nim", "matrix", "slider", "goofspiel", "slippery"):
        game = pf.load(name)
        offered = {each["name"]: each["missing"] for each in algorithms_for(game)["algorithms"]}
        assert offered[algorithms_for(game)["strongest"]] is None
        for algorithm, missing in offered.items():
            if missing is None:
                defaults = {
                    s["name"]: s["default"]
                    for s in next(a for a in algorithms_for(game)["algorithms"] if a["name"] == algorithm)["settings"]
                }
                make(algorithm, game, defaults)


# ------------------------------------------------------------------ to take away
def test_export_holds_the_whole_answer(desk):
    desk.do("open", game="tic_tac_toe", moves=["5"])
    desk.do("start", sides=[{"using": "engine"}], limits={"depth": 3}, lines=2)
    said = ended(desk)
    report = desk.report()
    assert report["moves"] == ["5"] and report["state"] == "....x...."
    result = report["analysis"][0]["result"]
    assert result["action"] == said["best"] and len(result["lines"]) == 2
    assert desk.do("export")["address"].startswith("/made/")


def test_comparing_gives_each_algorithm_the_same_clock(desk):
    desk.do("open", game="tic_tac_toe", state="xo..x....")
    said = desk.do("compare", seconds=0.1, using=["engine", "alpha_beta", "uct"])
    assert said["algorithms"] == ["engine", "uct", "alpha_beta"]
    wait_for(lambda: any(n["done"] for n in news(desk, "compared", None)))
    rows = news(desk, "compared", None)[-1]["rows"]
    assert [row["using"] for row in rows] == said["algorithms"]
    assert all("error" not in row and row["value"]["numbers"] for row in rows)
    desk.do("compare", seconds=30)
    desk.do("stop")
    wait_for(lambda: not desk.thinking)


# ------------------------------------------------------------------ values for people
def test_values_in_words_and_shares():
    game = pf.load("tic_tac_toe")
    assert everyone(game, 0.5) == [0.5, -0.5] and everyone(game, 0.5, 1) == [-0.5, 0.5]
    assert (share(game, 1.0), share(game, -1.0), share(game, 0.0)) == (1.0, 0.0, 0.5)
    assert value_text(game, [0.354, -0.354]) == "+0.35" and value_text(game, [-0.001, 0.001]) == "0.00"
    assert in_words(game, [1.0, -1.0], True, 7) == "X wins in 7 plies, proven"
    assert in_words(game, [0.0, 0.0], True) == "a draw, proven"
    kalah = pf.load("kalah")
    assert in_words(kalah, [-6.0, 6.0], True) == "MIN wins by 6, proven"
    assert 0.5 < share(kalah, 2.0) < share(kalah, 12.0) < 1.0
    chess = pf.load("chess")
    assert value_text(chess, [0.0035, -0.0035]) == "+0.35" and 0.55 < share(chess, 0.01) < 0.65
    three = pf.load("three_nim")
    assert worth(three, (0.5, 0.5, 0.5), None)["text"] == "0.50 / 0.50 / 0.50"
    assert everyone(three, 1.0, 2) == [None, None, 1.0]


def test_a_teller_writes_lines_once():
    game = pf.load("tic_tac_toe")
    written = []

    class CountingNotation(type(game.notation)):
        def format_action(self, game, s, action):
            written.append(action)
            return super().format_action(game, s, action)

    class Counting(type(game)):
        notation = CountingNotation()

    teller = Teller(Counting(), game.start())
    found = pf.search(game, using="minimax", depth=2, native=False)
    teller.tell(found)
    once = len(written)
    teller.tell(found)
    assert len(written) == once


# ------------------------------------------------------------------ by hand
def test_a_position_is_set_up_by_hand(desk):
    desk.do("open", game="othello")
    desk.do("editable")
    wait_for(lambda: ("editable", {"game": "othello", "editable": True}) in desk.room.told)
    layout = desk.do("edit")
    words = {each["name"]: each["word"] for each in layout["words"]}
    assert set(words) == {"empty", "X disc", "O disc"}
    tokens = list(layout["tokens"])
    tokens[layout["places"]["a1"]] = words["X disc"]
    tokens[layout["turn"]["token"]] = {name: word for word, name in layout["turn"]["words"]}["O"]
    made = desk.do("assemble", tokens=tokens)
    assert made["wrong"] == ""
    position = desk.do("set", text=made["text"])["position"]
    assert position["player"] == 1
    assert ("a1", 0) in [(piece["place"], piece["owner"]) for piece in position["board"]["pieces"]]


def test_what_the_rules_refuse_is_no_position(desk):
    desk.do("open", game="tic_tac_toe")
    layout = desk.do("edit")
    tokens = ["x"] * len(layout["tokens"])
    assert desk.do("assemble", tokens=tokens)["wrong"]


@pytest.mark.parametrize("name", ["chess", "go", "hex", "kalah", "slider", "dots_and_boxes"])
def test_layouts_say_what_the_board_says(name):
    """Every place's token, read by the layout, is what the board shows there: in positions that it was not made
    from."""
    game = pf.load(name)
    layout = Layout.of(game)
    assert layout is not None
    state, chooser = game.start(), random.Random(99)
    for _ in range(30):
        tokens = layout.cut.apart(pf.format_state(game, state))
        assert pf.format_state(game, pf.parse_state(game, layout.text(tokens))) == pf.format_state(game, state)
        there = standing(board_of(game, state))
        for place, token in layout.places.items():
            means = layout.meanings[layout.kinds[place]]
            if tokens[token] in means:
                assert means[tokens[token]] == there[place], (name, place)
        if game.terminal(state):
            break
        state = game.result(state, chooser.choice(pf.legal_moves(game, state)))


@pytest.mark.parametrize("name", ["backgammon", "checkers"])
def test_where_the_text_shows_no_board_the_rules_say_what_pieces_make(name):
    """Tokens of random positions, put together again, are these positions, before the dice are thrown."""
    game = pf.load(name)
    placing = Placing.of(game)
    assert placing is not None
    state, chooser = game.start(), random.Random(99)
    for ply in range(120):
        if game.terminal(state):
            break
        if game.player(state) >= 0 or (name == "backgammon" and ply > 0):
            layout = placing.to_json(game, state)
            tokens = layout["tokens"]
            if game.player(state) < 0:
                tokens[-1] = str(state.player)
            made = pf.parse_state(game, placing.text(tokens))
            assert standing(board_of(game, made)) == standing(board_of(game, before_the_roll(name, state)))
            assert made.player == state.player
        state = game.result(state, chooser.choice(pf.legal_moves(game, state)))
    assert ply > 20


def before_the_roll(name, state):
    return state._replace(dice=TO_ROLL) if name == "backgammon" else state


def test_checkers_are_piled_up_by_hand(desk):
    desk.do("open", game="backgammon")
    layout = desk.do("edit")
    assert [each["name"] for each in layout["words"]] == ["empty", "X disc", "O disc"]
    one = layout["words"][1]["word"]
    pile = layout["piles"][one]
    assert len(pile) == 15 and pile[0] == one
    tokens = [layout["words"][0]["word"]] * len(layout["tokens"])
    tokens[layout["places"]["6"]] = pile[4]
    tokens[layout["places"]["bar O"]] = layout["piles"][layout["words"][2]["word"]][1]
    tokens[-1] = "1"
    made = desk.do("assemble", tokens=tokens)
    assert made["wrong"] == "" and made["text"].endswith(" O")
    board = desk.do("set", text=made["text"])["position"]["board"]
    where = {piece["place"]: piece["count"] for piece in board["pieces"]}
    assert where == {"6": 5, "bar O": 2, "off X": 10, "off O": 13}
    tokens[layout["places"]["5"]] = pile[14]
    assert "20 checkers" in desk.do("assemble", tokens=tokens)["wrong"]


def test_a_man_on_the_last_rank_is_no_position(desk):
    desk.do("open", game="checkers")
    layout = desk.do("edit")
    words = {each["name"]: each["word"] for each in layout["words"]}
    tokens = [words["empty"]] * len(layout["tokens"])
    tokens[-1] = "0"
    tokens[layout["places"]["1"]] = words["White crown"]
    tokens[layout["places"]["14"]] = words["Black disc"]
    assert desk.do("assemble", tokens=tokens) == {"text": "B:WK1:B14", "wrong": ""}
    tokens[layout["places"]["2"]] = words["White disc"]
    refused = desk.do("assemble", tokens=tokens)
    assert refused["text"] == "" and "impossible" in refused["wrong"]
    for nonsense in (["nonsense"] * 3, [*tokens[:-1], "9" * 5000], []):
        assert desk.do("assemble", tokens=nonsense)["wrong"]


def test_texts_that_show_no_board_are_not_edited(desk):
    desk.do("open", game="connect4")
    desk.do("editable")
    wait_for(lambda: ("editable", {"game": "connect4", "editable": False}) in desk.room.told)
    with pytest.raises(Unsuitable, match="text"):
        desk.do("edit")


def test_each_start_has_a_number_of_its_own(desk):
    desk.do("open", game="connect4")
    first = desk.do("start", sides=[{"using": "engine"}])["number"]
    second = desk.do("start", sides=[{"using": "uct"}])["number"]
    assert second > first
    desk.do("stop")
    wait_for(lambda: not desk.thinking)
    numbers = [n["number"] for n in news(desk)]
    assert numbers == sorted(numbers), "the end of what was given up is told before what came after it"


def test_a_limit_is_for_those_who_know_it(desk):
    desk.do("open", game="tic_tac_toe", state="xo..x....")
    desk.do("start", sides=[{"using": "uct"}, {"using": "engine"}], limits={"simulations": 20})
    assert ended(desk, "a")["reason"] in ("the simulations are made", "proven")
    assert ended(desk, "b")["value"]["proven"], "the engine makes no simulations: it went on until the proof"


def test_leaving_lets_go_of_what_was_learned(desk):
    desk.do("open", game="tic_tac_toe", moves=["5"])
    desk.do("start", sides=[{"using": "engine"}], limits={"depth": 2})
    ended(desk)
    desk.do("leave", number=desk.number - 1)
    assert desk.analysts, "that was said before something new began"
    desk.do("leave", number=desk.number)
    assert desk.analysts == {} and desk.here()["moves"] == ["5"]
    desk.do("start", sides=[{"using": "engine"}], limits={"depth": 2})
    assert ended(desk)["best"]


def test_before_the_first_depth_nothing_is_best(desk):
    desk.do("open", game="chess")
    for using in ("engine", "alpha_beta"):
        desk.do("start", sides=[{"using": using}], limits={"nodes": 3})
        said = ended(desk)
        assert (said["depth"], said["best"], said["lines"], said["moves"]) == (0, None, [], []), using
        assert said["value"] and not said["value"]["proven"]


# ------------------------------------------------------------------ what comes late
def test_whether_a_game_can_be_edited_is_told_of_that_game_however_late(desk, monkeypatch):
    begun, go_on, of = threading.Event(), threading.Event(), Placing.of

    def slow(game):
        begun.set()
        assert go_on.wait(SOON)
        return of(game)

    desk.do("open", game="othello")
    monkeypatch.setattr(Placing, "of", slow)
    desk.do("editable")
    assert begun.wait(SOON)
    desk.do("open", game="connect4")
    go_on.set()
    wait_for(lambda: news(desk, "editable", None))
    assert news(desk, "editable", None) == [{"game": "othello", "editable": True}]


def test_a_comparison_that_was_given_up_is_told_apart_from_the_next(desk):
    desk.do("open", game="connect4")
    first = desk.do("compare", seconds=30, using=["engine"])
    second = desk.do("compare", seconds=0.1, using=["alpha_beta"])
    assert first["comparison"] != second["comparison"]

    def rows(said):
        return [n["rows"] for n in news(desk, "compared", None) if n["done"] and n["comparison"] == said["comparison"]]

    wait_for(lambda: rows(first) and rows(second))
    assert [row["using"] for row in rows(second)[-1]] == ["alpha_beta"]
    assert not any(row["using"] == "alpha_beta" for row in rows(first)[-1])


def test_a_comparison_that_is_stopped_as_an_algorithm_begins_leaves_nothing_running(desk, monkeypatch):
    made = []

    class Late(Engine):
        def start(self, *given, **more):
            made.append(self)
            comparison = desk.comparison
            comparison._engine = None  # as whoever stops it sees it
            comparison.stop()
            comparison._engine = self
            super().start(*given, **more)

    monkeypatch.setattr("plyforge.studio.analyse.comparison.Engine", Late)
    desk.do("open", game="connect4")
    desk.do("compare", seconds=60, using=["engine"])
    wait_for(lambda: made and not desk.comparison.running)
    assert not made[0].running
