"""`plyforge talk`: any game over JSON lines. Searches are interpreted and short here; nothing waits for ever."""

from __future__ import annotations

import contextlib
import io
import json
import random
import re
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import paths
import plyforge as pf
from conversation import Conversation
from patience import FOR_A_PROCESS, PATIENCE
from plyforge.errors import BadText, Unsuitable
from plyforge.games.tic_tac_toe import TicTacToe
from plyforge.play import Engine
from plyforge.play.protocols import in_turn
from plyforge.play.protocols.json_lines.server import DEEPEST, Talk, read_request

GUIDE = paths.DOCS / "guides" / "talk.md"
SOON = PATIENCE


class JsonTalk:
    """Asks, and hears the answer with its events."""

    def __init__(self, conversation):
        self.lines = conversation
        self.number = 0

    def say(self, **request):
        self.number += 1
        self.lines.say(json.dumps({"id": self.number} | request))
        return self.number

    def hear(self, number, seconds=30.0):
        """All that is said about a request, its answer last."""
        said = self.lines.hear(lambda line: "ok" in (s := json.loads(line)) and s["id"] == number, seconds)
        return [one for one in map(json.loads, said) if one["id"] == number]

    def ask(self, within=30.0, **request):
        return self.hear(self.say(**request), within)[-1]


def start(game):
    return Conversation.with_object(lambda requests, answers: Talk(requests, answers, game, native=False).run())


@pytest.fixture
def connect4():
    conversation = start("connect4")
    yield JsonTalk(conversation)
    conversation.close()


def test_the_session_of_the_guide_is_what_it_says():
    session = GUIDE.read_text().split("```text\n")[1].split("```")[0].splitlines()[1:]
    conversation = start("tic_tac_toe")
    compared = 0
    for line in session:
        sign, text = line[0], line[2:]
        if sign == ">":
            conversation.say(text)
            continue
        said, expected = json.loads(conversation.hear(lambda line: '"ok"' in line)[-1]), json.loads(text)
        for one in (said, expected):
            one.get("found", {}).pop("seconds", None)
        assert said == expected
        compared += 1
    assert compared == 8
    conversation.close()


def test_it_says_what_it_is(connect4):
    said = connect4.ask(do="hello")
    assert said["game"] == "connect4" and said["players"] == 2 and said["strongest"] == "engine"
    assert {"go", "position", "legal", "play", "undo", "stop", "quit"} <= set(said["verbs"])


@pytest.mark.parametrize("game", ["tic_tac_toe", "three_nim", "pig", "slider"])
def test_the_searches_that_it_names_are_those_that_are_sound_for_the_game(game):
    answers = io.StringIO()
    talk = Talk(io.StringIO(), answers, game, native=False)
    talk.obey('{"id": 1, "do": "hello"}')
    named = json.loads(answers.getvalue())["searches"]
    assert named
    for using in [*pf.search.SEARCHES, *pf.search.MONTE_CARLO, *pf.search.PATHS]:
        if using in named:
            Engine(talk.game, using, native=False)
        else:
            with pytest.raises(Unsuitable):
                Engine(talk.game, using, native=False)


def test_a_position_is_that_of_the_rules(connect4):
    game = pf.load("connect4")
    said = connect4.ask(do="position", actions=["4", "4", "3"])
    state = pf.state_after(game, "4", "4", "3")
    assert said["state"] == pf.format_state(game, state) and said["player"] == 1 and said["ply"] == 3
    assert connect4.ask(do="position", state=said["state"])["state"] == said["state"]
    legal = connect4.ask(do="legal")["actions"]
    assert legal == [pf.format_action(game, state, action) for action in pf.legal_moves(game, state)]
    assert connect4.ask(do="show")["picture"] == game.show(state)
    assert connect4.ask(do="position")["ply"] == 0


def test_a_search_finds_what_the_library_finds(connect4):
    connect4.ask(do="position", actions=["4", "4"])
    said = connect4.ask(do="go", using="alpha_beta", depth=4)["found"]
    state = pf.state_after(pf.load("connect4"), "4", "4")
    found = pf.search("connect4", state, using="alpha_beta", depth=4, native=False).to_json()
    for effort in ("seconds", "nodes"):  # it goes depth by depth, so that it can be stopped at any time
        del said[effort], found[effort]
    assert said == found


def test_progress_is_told_depth_by_depth_unless_nobody_wants_it(connect4):
    said = connect4.hear(connect4.say(do="go", using="engine", depth=4))
    events = [one for one in said if one.get("event") == "progress"]
    depths = [event["depth"] for event in events]
    assert depths == sorted(depths) and set(depths) == {1, 2, 3, 4}
    assert len(events[-1]["line"]) >= 3 and events[-1]["nodes"] > 0
    assert said[-1]["found"]["line"][: len(events[-1]["line"])] == events[-1]["line"]
    quiet = connect4.hear(connect4.say(do="go", using="engine", depth=3, progress=False))
    assert len(quiet) == 1


def test_everything_else_is_answered_during_a_search_and_stop_ends_it(connect4):
    number = connect4.say(do="go")
    assert connect4.ask(SOON, do="status")["ok"]
    assert connect4.ask(SOON, do="play", action="4")["ply"] == 1
    refused = connect4.ask(SOON, do="go", depth=1)
    assert refused["error"]["kind"] == "WrongMoment"
    assert connect4.ask(SOON, do="forget")["error"]["kind"] == "WrongMoment"
    stop = connect4.say(do="stop")
    ended = []
    while len(ended) < 2:
        one = json.loads(connect4.lines.hear('{"id"', SOON)[-1])
        ended += [one] if "ok" in one else []
    by_id = {one["id"]: one for one in ended}
    assert by_id[stop] == {"id": stop, "ok": True, "stopped": True}
    assert by_id[number]["found"]["action"] in "1234567"
    assert connect4.ask(do="stop")["stopped"] is False
    assert connect4.ask(do="forget")["ok"]


def test_limits_and_parameters_reach_the_search(connect4):
    found = connect4.ask(do="go", using="uct", simulations=40, seed=7)["found"]
    assert found["simulations"] == 40 and sum(found["visits"].values()) <= 40
    assert found["action"] == connect4.ask(do="go", using="uct", simulations=40, seed=7, rollouts=1)["found"]["action"]
    assert connect4.ask(do="go", nodes=300)["found"]["reason"] == "nodes"
    assert connect4.ask(do="go", seconds=0.1)["found"]["seconds"] < SOON
    assert connect4.ask(do="go", clock="0.5")["found"]["seconds"] < SOON
    assert connect4.ask(do="go", clock={"remaining": 0.5, "moves_to_go": 3})["found"]["seconds"] < SOON
    for clock in ({"remaining": 1e12}, "99999999999999999+0"):  # longer than a thread can wait in one piece
        assert connect4.ask(do="go", clock=clock, depth=2)["found"]["depth"] == 2
    found = connect4.ask(do="go", using="engine", depth=2, only=["7"], lines=1)["found"]
    assert found["action"] == "7"
    assert len(connect4.ask(do="go", using="engine", depth=2, lines=3)["found"]["lines"]) == 3


@pytest.mark.parametrize(
    ("request_", "kind", "words"),
    [
        ({"do": "dance"}, "BadText", "nothing is called 'dance'"),
        ({"do": "lega"}, "BadText", "did you mean 'legal'"),
        ({}, "BadText", "says what to do"),
        ({"do": 3}, "BadText", "says what to do"),
        ({"do": "position", "state": "99"}, "BadText", ""),
        ({"do": "position", "state": 5}, "BadText", "state must be a text, not 5"),
        ({"do": "position", "actions": ["4", "9"]}, "IllegalAction", "action 2: '9'"),
        ({"do": "position", "actions": [4]}, "BadText", "list of at most"),
        ({"do": "play"}, "BadText", "play needs an action"),
        ({"do": "play", "action": "0"}, "IllegalAction", "'0' is not a legal action"),
        ({"do": "undo"}, "WrongMoment", "0 were played"),
        ({"do": "undo", "plies": True}, "BadText", "whole number"),
        ({"do": "roll"}, "WrongMoment", "not for chance"),
        ({"do": "legal", "colour": 1}, "BadText", "no argument 'colour'"),
        ({"do": "go", "dept": 3}, "BadText", "did you mean 'depth'"),
        ({"do": "go", "depth": -1}, "BadLimits", "depth is -1"),
        ({"do": "go", "depth": "deep"}, "BadText", "depth must be a whole number"),
        ({"do": "go", "seconds": 0}, "BadLimits", "seconds"),
        ({"do": "go", "clock": "soon"}, "BadLimits", "not a clock"),
        ({"do": "go", "clock": {"increment": 1}}, "BadLimits", "what remains"),
        ({"do": "go", "using": "magic"}, "BadText", "no search 'magic'"),
        ({"do": "go", "using": "expectimax", "only": ["1"], "depth": 1}, None, ""),
        ({"do": "go", "using": "engine", "threads": 0}, "BadLimits", "threads is 0"),
        ({"do": "go", "using": "engine", "only": ["9"]}, "IllegalAction", "'9'"),
    ],
)
def test_what_makes_no_sense_is_refused_in_words_and_changes_nothing(connect4, request_, kind, words):
    before = connect4.ask(do="status")
    said = connect4.ask(SOON, **request_)
    assert said["ok"] is False
    assert kind is None or said["error"]["kind"] == kind, said
    assert words in said["error"]["message"], said
    after = connect4.ask(do="status")
    assert {**before, "id": 0} == {**after, "id": 0}


@pytest.mark.parametrize(
    "line",
    [
        "hello",
        "[]",
        "3",
        "null",
        '{"id": 1, "do": "legal"',
        '{"id": 1, "id": 2, "do": "legal"}',
        '{"id": NaN, "do": "legal"}',
        '{"id": 1.5, "do": "legal"}',
        '{"id": [1], "do": "legal"}',
        "[" * 60_000,
        '{"id": 1, "do": ' + "[" * (DEEPEST + 1) + "]" * (DEEPEST + 1) + "}",
        '{"id": 1, "do": "go", "depth": ' + "9" * 5000 + "}",
        "x" * 100_000,
        b"\xff\xfe{}",
        b"\x00",
    ],
)
def test_what_is_no_request_is_answered_and_survived(connect4, line):
    connect4.lines.say(line)
    said = json.loads(connect4.lines.hear('{"id"', SOON)[-1])
    assert said["ok"] is False and said["error"]["kind"] in ("BadText", "BadLimits"), said
    assert connect4.ask(SOON, do="status")["ok"]


def test_brackets_in_texts_are_no_brackets():
    request = read_request(json.dumps({"do": "x", "text": '[[[["' * 40 + "\\"}))
    assert request["text"].count("[") == 160
    with pytest.raises(BadText, match="deep at most"):
        read_request("[" * (DEEPEST + 1))


def test_random_requests_never_end_it(connect4):
    source = random.Random(11)
    values = [None, True, -1, 0, 3, 1e308, "", "4", "x", [], ["4"], {}, {"a": 1}, [[["4"]]]]
    names = ["state", "actions", "action", "plies", "seed", "using", "depth", "nodes", "only", "clock", "id"]
    for _ in range(200):
        verb = source.choice(["position", "legal", "play", "undo", "status", "show", "roll", "go", "stop", "hello"])
        request = {source.choice(names): source.choice(values) for _ in range(source.randint(0, 3))}
        connect4.lines.say(json.dumps({"do": verb, "depth": 1} | request if verb == "go" else {"do": verb} | request))
        connect4.lines.say('{"do": "stop"}')
    said = connect4.ask(60.0, do="status")
    assert said["ok"]


def test_dice_and_their_probabilities():
    conversation = start("pig")
    talk = JsonTalk(conversation)
    game = pf.load("pig")
    state = talk.ask(do="status")
    while state["player"] != -1:
        state = talk.ask(do="play", action=talk.ask(do="legal")["actions"][0])
    legal = talk.ask(do="legal")
    assert sum(one["probability"] for one in legal["chance"]) == pytest.approx(1.0)
    assert talk.ask(do="go", depth=1)["error"]["kind"] == "WrongMoment"
    rolled = talk.ask(do="roll")
    assert rolled["action"] in legal["actions"]
    assert pf.parse_state(game, rolled["state"]) is not None
    conversation.close()


def test_three_players_have_a_value_each():
    conversation = start("three_nim")
    found = JsonTalk(conversation).ask(do="go", using="max_n", depth=3)["found"]
    assert isinstance(found["value"], list) and len(found["value"]) == 3
    conversation.close()


def test_the_end_of_the_input_ends_a_search_with_its_answer():
    conversation = start("connect4")
    conversation.say('{"id": 1, "do": "go"}')
    conversation.hear('{"id": 1, "event": "progress"', SOON)
    assert json.loads(conversation.close(SOON)[-1])["found"]["reason"] == "stopped"


def test_a_search_with_a_limit_is_answered_after_the_end_of_the_input():
    conversation = start("connect4")
    conversation.say('{"id": 1, "do": "go", "using": "uct", "simulations": 300}')
    found = json.loads(conversation.close(30.0)[-1])["found"]
    assert found["reason"] == "simulations" and found["simulations"] == 300


class RulesNotation(type(TicTacToe.notation)):
    def format_state(self, game, s):
        return np.int64(s.x)


class Rules(TicTacToe):
    """What rules of others may do."""

    notation = RulesNotation()

    def evaluate(self, s):
        raise SystemExit("out of here")


def test_an_answer_that_json_can_not_hold_is_refused_and_the_next_is_heard():
    conversation = start(Rules())
    talk = JsonTalk(conversation)
    assert talk.ask(do="status")["error"]["kind"] == "InternalError"
    assert len(talk.ask(do="legal")["actions"]) == 9
    conversation.close()


def test_rules_that_want_to_end_the_program_end_the_search_only():
    conversation = start(Rules())
    talk = JsonTalk(conversation)
    for _ in range(2):
        answer = talk.ask(do="go", using="alpha_beta", depth=2)
        assert not answer["ok"] and "out of here" in answer["error"]["message"]
    assert len(talk.ask(do="legal")["actions"]) == 9
    conversation.close()


def test_a_search_ends_when_nobody_reads_of_it():
    class Gone(io.StringIO):
        gone = False

        def write(self, text):
            if self.gone:
                raise BrokenPipeError
            return super().write(text)

    answers = Gone()
    talk = Talk(io.StringIO(), answers, "connect4", native=False)
    talk.obey('{"id": 1, "do": "go", "using": "engine"}')
    answers.gone = True
    assert talk.wait(30.0)


@pytest.mark.parametrize(
    "given",
    [
        '"seconds": 1' + 400 * "0",
        '"using": "uct", "exploration": 1e999',
        '"using": "uct", "rave": 1' + 400 * "0",
        '"clock": {"remaining": 1' + 400 * "0" + "}",
        '"only": []',
    ],
)
def test_numbers_too_large_and_lists_of_nothing_are_refused(connect4, given):
    connect4.lines.say(f'{{"id": 7, "do": "go", "simulations": 10, {given}}}')
    (said,) = connect4.lines.hear(lambda line: "ok" in json.loads(line), SOON)
    assert json.loads(said)["error"]["kind"] == "BadText"


def test_the_verb_talks(tmp_path):
    rules = tmp_path / "sticks.py"
    rules.write_text(re.search(r"```python\n(.*?)```", (GUIDE.parent / "write-a-game.md").read_text(), re.S)[1])
    for game in ("nim", str(rules)):
        conversation = Conversation.with_verb("talk", game, "--interpreted")
        talk = JsonTalk(conversation)
        assert talk.ask(do="legal")["actions"]
        assert talk.ask(do="quit")["ok"]
        conversation.close(SOON)


def test_what_rules_print_is_no_answer(tmp_path):
    rules = tmp_path / "toads.py"
    text = re.search(r"```python\n(.*?)```", (GUIDE.parent / "write-a-game.md").read_text(), re.S)[1]
    first = "        animal = 1 << square\n"
    rules.write_text("print('loaded')\n" + text.replace(first, f"        print('leaping', square)\n{first}"))
    requests = '{"id": 1, "do": "show"}\n{"id": 2, "do": "go", "depth": 2, "progress": false}\n'
    command = [sys.executable, "-m", "plyforge", "talk", str(rules), "--interpreted"]
    done = subprocess.run(command, input=requests, capture_output=True, text=True, timeout=FOR_A_PROCESS, check=True)
    assert [json.loads(line)["ok"] for line in done.stdout.splitlines()] == [True, True]
    assert "loaded" in done.stderr and "leaping" in done.stderr


# ------------------------------------------------------------ rules that don't come back
class StuckNotation(type(TicTacToe.notation)):
    def parse_action(self, game, s, text):
        if text == "x":
            time.sleep(10 * PATIENCE)
        return super().parse_action(game, s, text)


class Stuck(TicTacToe):
    """From the second ply on `terminal` does not come back, and the text "x" of an action sleeps."""

    notation = StuckNotation()

    worth_compiling = False

    def terminal(self, s):
        while s.x | s.o:
            with contextlib.suppress(Exception):
                len(repr(s))
        return False


@pytest.fixture
def stuck(monkeypatch):
    monkeypatch.setattr(in_turn, "SOON", 0.2)
    monkeypatch.setattr(in_turn, "LOOK", 0.05)
    conversation = start(Stuck())
    yield JsonTalk(conversation)
    conversation.close()


@pytest.mark.parametrize(
    "request_",
    [
        {"do": "position", "actions": ["5"]},
        {"do": "play", "action": "5"},
        {"do": "play", "action": "x"},  # no Python runs there: nobody can interrupt it
    ],
)
def test_stop_is_answered_whatever_the_rules_do(stuck, request_):
    blocked, stop = stuck.say(**request_), stuck.say(do="stop")
    refused = stuck.hear(blocked, PATIENCE)[-1]["error"]
    assert refused["kind"] == "BadRules" and "after they were told to stop" in refused["message"]
    assert stuck.hear(stop, PATIENCE)[-1] == {"id": stop, "ok": True, "stopped": False}
    assert stuck.ask(do="legal")["actions"], "what was refused changes nothing"


def test_quit_ends_it_whatever_the_rules_do(stuck):
    blocked, last = stuck.say(do="play", action="5"), stuck.say(do="quit")
    assert not stuck.hear(blocked, PATIENCE)[-1]["ok"] and stuck.hear(last, PATIENCE)[-1]["ok"]


def test_rules_have_so_long_for_one_request_and_no_longer(monkeypatch):
    monkeypatch.setattr(in_turn, "MOST_SECONDS", 0.2)
    conversation = start(Stuck())
    refused = JsonTalk(conversation).ask(do="play", action="5")["error"]
    assert refused["kind"] == "BadRules" and "in 0.2 s" in refused["message"] and "test_talk" in refused["message"]
    conversation.close()


def test_a_stop_hurries_nothing_that_comes_after_it(stuck):
    for _ in range(3):
        stuck.say(do="stop")
    assert stuck.ask(do="position", state=None)["ok"] and stuck.ask(do="go", depth=0)["id"]


def test_the_memory_of_own_rules_is_bounded(tmp_path):
    if not Path("/proc/self/statm").exists():
        pytest.skip("nobody limits memory here")
    rules = tmp_path / "greedy.py"
    text = re.search(r"```python\n(.*?)```", (GUIDE.parent / "write-a-game.md").read_text(), re.S)[1]
    much = (  # zeros that nobody looks at: no memory is used
        "    def show(self, s):\n        return str(len(bytes(8 << 30)))\n\n"
    )
    rules.write_text(text.replace("    def start(self)", f"{much}    def start(self)", 1))
    conversation = Conversation.with_verb("talk", str(rules), "--interpreted")
    talk = JsonTalk(conversation)
    assert "MemoryError" in talk.ask(do="show", within=FOR_A_PROCESS)["error"]["message"]
    assert talk.ask(do="legal")["actions"]
    conversation.close()
