"""Hidden games in the studio: a page gets one observation, and the canary is never in what is sent."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

import plyforge as pf
from paths import HIDDEN_RULES
from plyforge.errors import IllegalAction, PlyforgeError, WrongMoment
from plyforge.play.session import GameSession
from plyforge.studio.analyse.handler import AnalyseDesk
from plyforge.studio.library.cards import card
from plyforge.studio.library.library import Shelf
from plyforge.studio.play.handler import PlayDesk
from plyforge.studio.server.handler import Room
from plyforge.studio.tree.handler import TreeDesk

CANARY = str(HIDDEN_RULES / "canary.py")
CANARIES = ("7340912856", "9182736450")
PATIENCE = 60.0


def desk_of(*files: str) -> PlayDesk:
    return PlayDesk(Room(Shelf(files)))


def settled(desk: PlayDesk) -> dict[str, Any]:
    """How the game stands when a person is waited for, or it is over."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        with desk.lock:
            stands = desk.stands()
            if stands["over"] or stands["waits"]:
                return stands
        time.sleep(0.01)
    raise AssertionError("nobody moved in time")


def deal(desk: PlayDesk, players: list[str]) -> dict[str, Any]:
    return desk.new("kuhn_poker", players)


def test_a_person_gets_the_own_card_alone() -> None:
    desk = desk_of()
    stands = deal(desk, ["human", "random"])
    own, other = stands["position"].split()
    assert own in "JQK" and other == "?"
    assert [action["text"] for action in stands["actions"]] == ["check", "bet"]
    assert "record" not in stands and stands["moves"] == [] and stands["last"] == []
    faces = {place["name"]: place["text"] for place in stands["board"]["places"]}
    assert faces == {"MAX": own, "MIN": "?"}
    desk.move("bet")
    stands = settled(desk)
    assert stands["over"] and "?" not in stands["position"], "in the end everything is open"
    assert len(stands["moves"]) == 4


def test_a_person_who_plays_second_gets_the_second_card() -> None:
    desk = desk_of()
    deal(desk, ["random", "human"])
    first, second, *_ = settled(desk)["position"].split()
    assert first == "?" and second in "JQK"


def test_of_two_people_nobody_sees_a_card_before_the_screen_is_passed() -> None:
    desk = desk_of()
    stands = deal(desk, ["human", "human"])
    assert stands["pass_to"] == 0 and stands["position"] == "? ?" and stands["actions"] == []
    with pytest.raises(IllegalAction, match="not to be passed"):
        desk.take_screen(1)
    stands = desk.take_screen(0, stands["version"])
    assert stands["pass_to"] is None and stands["position"].endswith("?") and stands["actions"]
    stands = desk.move("check")
    assert stands["pass_to"] == 1 and stands["position"] == "? ? check"
    stands = desk.take_screen(1)
    assert stands["position"].startswith("?") and stands["position"].split()[1] in "JQK"


def test_what_would_tell_is_refused_in_words() -> None:
    desk = desk_of()
    deal(desk, ["human", "random"])
    with pytest.raises(WrongMoment, match="hidden until the game is over"):
        desk.save("json")
    with pytest.raises(WrongMoment, match="hidden until the game is over"):
        desk.look(0)
    with pytest.raises(pf.Unsuitable, match="hidden information"):
        desk.review()
    for back in (desk.undo, desk.take_back):
        with pytest.raises(IllegalAction, match="what was seen stays seen"):
            back()
    with pytest.raises(PlyforgeError):
        desk.seat(1, "uct:simulations=10")


def test_analysis_refuses() -> None:
    with pytest.raises(pf.Unsuitable, match=r"analysis is not sound.*hidden information"):
        AnalyseDesk(Room(Shelf(()))).open("kuhn_poker")


def test_the_tree_is_the_solved_game_with_its_information_sets() -> None:
    """All of Kuhn poker from a deal on, or from the start: twelve sets of two histories, and beliefs that Bayes
    gives: who bets after a check has a king three times as often as a jack."""
    desk = TreeDesk(Room(Shelf(())))
    answer = desk.record({"game": "kuhn_poker"})
    assert answer["using"] == "lp" and [each["name"] for each in answer["searches"]] == ["lp", "cfr_plus"]
    paper = json.loads(desk.room.made.get(answer["document"].split("/")[2]).content.decode())
    assert len(paper["sets"]) == 12 and all(len(members) == 2 for members in paper["sets"]) and paper["names"]
    assert paper["steps"] == [] and answer["summary"]["value"] == "-0.056"
    beliefs = [paper["labels"][number] for number in paper["items"]["belief"]]
    assert beliefs.count("0.75") == 1 and beliefs.count("0.25") == 1
    node = desk.node(next(number for number, text in enumerate(beliefs) if text == "0.75"))
    assert node["seen"] == "Q ? check bet" and node["state"] == "Q K check bet" and node["belief"] == "0.75"
    assert desk.step(0)["counts"] == {"nodes": 58, "leaves": 30, "cuts": 0}
    assert desk.step(0)["sentence"] == "The whole tree, by the sequence-form linear program."
    exported = desk.export("svg")["address"]
    assert "stroke-dasharray" in desk.room.made.get(exported.split("/")[2]).content.decode()
    assert desk.record({"game": "tic_tac_toe"}, using="lp", depth=1)["switched"].endswith("is shown instead.")
    assert desk.record({"game": "kuhn_poker"}, using="alpha_beta")["using"] == "lp"


def test_nobody_sits_down_at_cards_that_are_not_theirs() -> None:
    desk = desk_of()
    stands = deal(desk, ["human", "is_mcts:simulations=10"])
    for change in (desk.swap, lambda: desk.seat(1, "human")):
        with pytest.raises(IllegalAction, match="seats are not changed while something is hidden"):
            change()
    assert desk.stands()["position"] == stands["position"]
    assert [seat["human"] for seat in desk.seat(1, "random")["seats"]] == [True, False]
    desk.move("bet")
    assert settled(desk)["over"]


def test_who_can_play_is_offered() -> None:
    options = desk_of().options("kuhn_poker")
    assert options["steps"][0] == {"name": "Beginner", "text": "is_mcts:simulations=10", "rating": ""}
    offered = {each["name"] for each in options["algorithms"]}
    assert {"best", "random", "is_mcts", "mo_is_mcts"} <= offered and not {"uct", "engine"} & offered
    assert options["hidden"] and not options["judges"]
    assert "hidden information" in card("kuhn_poker", pf.load("kuhn_poker"))["traits"]


@pytest.mark.parametrize("players", [["human", "random"], ["random", "human"], ["human", "human"]])
def test_the_canary_is_in_nothing_that_is_sent(players: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Every answer and every piece of news of a whole game, and every refusal, as the page would get them."""
    sent: list[str] = []
    desk = desk_of(CANARY)
    name = next(iter(desk.room.shelf.own))

    def note(answer: Any) -> None:
        session = desk.session
        if session is None or session.sealed:
            sent.append(json.dumps(answer, default=str))

    whole_stands, whole_tell = desk.stands, desk.room.tell
    monkeypatch.setattr(desk, "stands", lambda: noted(whole_stands()))
    monkeypatch.setattr(desk.room, "tell", lambda kind, news, *more: (note(news), whole_tell(kind, news, *more)))

    def noted(answer: Any) -> Any:
        note(answer)
        return answer

    note(desk.options(name))
    note(card(name, desk.game(name), own=True))
    desk.new(name, players)
    for _ in range(4):
        stands = settled(desk)
        if stands["over"]:
            break
        for attempt in (
            desk.undo,
            desk.take_back,
            desk.redo,
            desk.review,
            lambda: desk.look(1),
        ):
            with pytest.raises(PlyforgeError) as refused:
                attempt()
            note(str(refused.value))
        note(desk.hint(3))
        for text in ("secret", "guess 7", ""):
            with pytest.raises(PlyforgeError) as refused:
                desk.move(text)
            note(str(refused.value))
        if stands["pass_to"] is not None:
            note(desk.take_screen(stands["pass_to"]))
        desk.move("guess 1")
    assert settled(desk)["over"] and len(sent) > 8
    told = "\n".join(sent)
    assert "guess" in told and not any(canary in told for canary in CANARIES)
    assert any(canary in json.dumps(desk.stands()) for canary in CANARIES), "in the end it is shown"


def test_the_session_of_a_page_is_the_only_one_with_the_state() -> None:
    """What a thinking player is handed is an observation: by class."""
    desk = desk_of(CANARY)
    name = next(iter(desk.room.shelf.own))
    given: list[Any] = []
    session = GameSession(desk.game(name), seed=1)
    session.draw()
    for player in range(2):
        given += [session.observation(player), *session.observations(player)]
    assert {type(s).__name__ for s in given} == {"Seen"}


# ------------------------------------------------------------ in a browser
def test_two_people_pass_the_screen_in_the_browser(page: Any) -> None:
    page.goto_view("#/play/kuhn_poker?players=human|human")
    places = page.locator(".play-board svg").first.locator("text")

    def cards() -> int:
        """How many cards lie open."""
        return sum(text.strip() in ("J", "Q", "K") for text in places.all_text_contents())

    page.get_by_role("button", name="I am MAX").wait_for()
    assert cards() == 0
    page.get_by_role("button", name="I am MAX").click()
    page.get_by_role("button", name="bet").click()
    page.get_by_role("button", name="I am MIN").wait_for()
    assert cards() == 0
    page.get_by_role("button", name="I am MIN").click()
    page.get_by_role("button", name="fold").wait_for()
    assert cards() == 1
    page.get_by_role("button", name="call").click()
    page.locator(".play-board[data-stage='over']").wait_for()
    assert cards() == 2
    assert page.get_by_role("button", name="Undo").is_hidden() and page.locator("#to-analyse").is_hidden()
