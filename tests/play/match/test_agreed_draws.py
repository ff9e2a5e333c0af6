"""Draws by agreement and resigning between players of every kind, and the referee's own rule for those who can't."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

import plyforge as pf
from plyforge.contract import Game
from plyforge.errors import BadLimits, BadText, Unsuitable
from plyforge.play import Match, Tournament
from plyforge.play.match.adjudication import Adjudication, Adjudicator
from plyforge.play.match.openings import Opening
from plyforge.play.match.played import AGREED, AGREED_BY_RULE, RESIGNED, RESIGNED_BY_RULE, PlayedGame
from plyforge.play.match.referee import Referee, TimeRules
from plyforge.play.players.given import contestant, given_player
from plyforge.play.players.player import Budget, Choice, Player
from plyforge.play.players.search_player import EVEN_MOVES

GAME = pf.load("tic_tac_toe")


class Scripted(Player):
    """Plays the first action, and says what a test wants of each move: its value to the first player, whether it
    offers."""

    def __init__(self, values: dict[int, float] | None = None, offers: tuple[int, ...] = ()) -> None:
        self.values, self.offers = values or {}, offers
        self.heard: list[bool] = []

    def choose(self, game: Game, state: Any, *, budget: Budget | None = None, **more: Any) -> Choice:
        assert budget is not None
        number = len(self.heard)
        self.heard.append(budget.draw_offered)
        said = {"value": self.values[number]} if number in self.values else {}
        return Choice(next(iter(game.actions(state))), said=said, draw=number in self.offers)


def play(a: Any, b: Any, game: Game | str = GAME, rule: Adjudication | None = None) -> PlayedGame:
    rules = pf.load(game) if isinstance(game, str) else game
    seated = [each if isinstance(each, Player) else given_player(each, rules) for each in (a, b)]
    players = [each if isinstance(each, Player) else contestant(each, rules, native=False) for each in seated]
    try:
        for player in players:
            player.prepare(rules)
        return Referee(rules, players, TimeRules(adjudication=rule)).play(0, "A", Opening(), 5)
    finally:
        for player in players:
            player.close()


def test_an_offer_that_is_accepted_ends_the_game_before_the_move() -> None:
    played = play(Scripted(offers=(1,)), Scripted(offers=(1,)))
    assert (played.winner, played.reason, played.points()) == ("draw", AGREED, 0.5)
    assert len(played.actions) == 3 and played.moves == (2, 2), "whoever accepts makes no move"


def test_an_offer_holds_for_one_answer() -> None:
    a, b = Scripted(offers=(0,)), Scripted()
    played = play(a, b)
    assert b.heard == [True, False, False] and not any(a.heard)
    assert played.reason == "by the rules" and played.winner == "A"
    late = play(Scripted(offers=(0,)), Scripted(offers=(1,)))
    assert late.reason == "by the rules", "an offer that was declined is not accepted later"


def test_nobody_agrees_on_a_draw_where_there_is_none() -> None:
    always = tuple(range(99))
    played = play(Scripted(offers=always), Scripted(offers=always), "nim")
    assert played.winner in ("A", "B") and played.reason == "by the rules"


# ------------------------------------------------------------------ every kind of player
class Peaceful:
    """As an object and, by its source, in a file."""

    def choose(self, game: Any, state: Any) -> Any:
        return next(iter(game.actions(state)))

    def agrees_to_draw(self, game: Any, state: Any) -> bool:
        return True


class Hopeless:
    def choose(self, game: Any, state: Any, draw_offered: bool) -> Any:
        return next(iter(game.actions(state)))

    def resigns(self, game: Any, state: Any) -> bool:
        return True


SOURCE = """
class Peaceful:
    def choose(self, game, state):
        return next(iter(game.actions(state)))
    def agrees_to_draw(self, game, state):
        return True

class Hopeless:
    def choose(self, game, state):
        return next(iter(game.actions(state)))
    def resigns(self, game, state):
        return True
"""


def test_objects_and_files_offer_accept_and_resign(tmp_path: Path) -> None:
    file = tmp_path / "agents.py"
    file.write_text(SOURCE)
    peaceful, hopeless = f"python:{file}:Peaceful", f"python:{file}:Hopeless"
    for a, b in ((Peaceful(), peaceful), (peaceful, Peaceful())):
        played = play(a, b)
        assert (played.reason, len(played.actions)) == (AGREED, 1)
    for given in (Hopeless(), hopeless):
        played = play(given, "random:seed=1")
        assert (played.winner, played.reason, played.actions) == ("B", RESIGNED, ())


def test_a_search_accepts_what_it_could_not_better_and_declines_what_it_could() -> None:
    even = play(Peaceful(), "alpha_beta:depth=9")
    assert even.reason == AGREED, "tic-tac-toe is a draw"
    won = pf.load("connect4(width=4, height=4, connect=2)")  # whoever moves first has won
    played = play("alpha_beta:depth=20", Peaceful(), won)
    assert played.reason == "by the rules" and played.winner == "A"


def test_our_lines_of_json_answer_an_offer() -> None:
    program = f"talk:{sys.executable} -m plyforge talk tic_tac_toe --interpreted;depth=9"
    assert play(Peaceful(), program).reason == AGREED


def test_a_search_offers_after_a_few_moves_at_which_it_expects_a_draw() -> None:
    text = "alpha_beta:depth=1,draw=0"
    player = contestant(text, GAME)
    assert player.description == text, "what is said of it is part of its description"
    played = play("alpha_beta:depth=3,draw=0", "alpha_beta:depth=3", "connect4(width=5, height=5)")
    assert played.reason == AGREED and played.moves == (EVEN_MOVES, EVEN_MOVES)
    with pytest.raises(BadLimits, match=r"draw is 0\.7"):
        contestant("alpha_beta:draw=0.7", GAME)


# ------------------------------------------------------------------ the referee's rule
def test_the_rule_counts_moves_in_a_row_of_both() -> None:
    game, rule = pf.load("chess"), Adjudication(draw=0.1, moves=2, after=3)
    pawn = game.heuristics.margin_unit
    follower = Adjudicator(game, rule)
    for _ in range(3):
        assert follower.hear(0, 0.05 * pawn) is None and follower.hear(1, 0.0) is None
    assert follower.hear(0, 0.3 * pawn) is None and follower.hear(1, 0.0) is None, "one of them sees more"
    assert follower.hear(0, 0.0) is None and follower.hear(1, None) is None, "no value begins anew"
    assert follower.hear(0, -0.1 * pawn) is None and follower.hear(1, 0.0) is None
    assert follower.hear(0, 0.0) is None
    assert follower.hear(1, 0.0) == (AGREED_BY_RULE, None)


def test_a_game_is_ended_by_the_rule_and_written_so() -> None:
    even = dict.fromkeys(range(9), 0.0)
    played = play(Scripted(even), Scripted(even), rule=Adjudication(draw=0.0, moves=1, after=1))
    assert (played.winner, played.reason, played.moves) == ("draw", AGREED_BY_RULE, (2, 2))
    lost = play(Scripted(), Scripted(dict.fromkeys(range(9), 1.0)), rule=Adjudication(resign=0.9, times=2))
    assert (lost.winner, lost.reason, lost.moves) == ("A", RESIGNED_BY_RULE, (2, 2)), "the second expects to lose"
    assert PlayedGame.from_json(lost.to_json()) == lost


def test_what_is_wrong_with_a_rule_is_said() -> None:
    rule = Adjudication.parse("draw=0.1, moves=10,after=40,resign=8")
    assert rule == Adjudication(0.1, 10, 40, 8.0) and Adjudication.parse(rule.text()) == rule
    for text, error in (("draws=1", BadText), ("draw=x", BadText), ("moves=3", BadLimits), ("draw=-1", BadLimits)):
        with pytest.raises(error):
            Adjudication.parse(text)
    for game in ("nim", "three_nim", "slider"):
        with pytest.raises(Unsuitable):
            Adjudication(draw=0.1).require(pf.load(game))


def test_matches_and_tournaments_have_the_rule_and_their_records_say_so(tmp_path: Path) -> None:
    rule = Adjudication.parse("draw=0,moves=2,after=1")
    settings: dict[str, Any] = {"games": 2, "opening_plies": 0, "native": False, "workers": 1, "adjudication": rule}
    players = ("alpha_beta:depth=9", "alpha_beta:depth=8")
    match = Match("tic_tac_toe", *players, record=tmp_path / "m.jsonl", **settings)
    standing = match.run()
    assert {game.reason for game in standing.games} == {AGREED_BY_RULE} and standing.results.draws == 2
    assert match.identity()["adjudication"] == rule.text()
    tournament = Tournament("tic_tac_toe", players, **settings)
    tournament.run()
    assert all(session.agreed for session in tournament.sessions())
    assert "adjudication" not in Match("tic_tac_toe", *players, games=2).identity(), "older records go on"
