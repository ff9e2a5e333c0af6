"""What the checker says of games of hidden information: information sets, secrets in bits, what to keep in the
state."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import pytest

import plyforge as pf
from conftest import compiles, thinned
from paths import BROKEN_RULES, HIDDEN_RULES
from plyforge.check import check
from plyforge.check.examiners import information_sets as sets
from plyforge.games.catalog import find
from plyforge.games.hidden.kuhn_poker import Deal, KuhnNotation, KuhnPoker
from plyforge.kernel import below

HIDDEN_FILES = sorted(HIDDEN_RULES.glob("*.py"))
INTERPRETED = {"canary", "kuhn_of_three"}
"""These can't be compiled, which is said of them."""
HIDDEN_LAWS = {
    "observe gives a state",
    "observing twice changes nothing",
    "who moves sees what can be done",
    "a determinized state looks the same",
    "observe hides something",
    "an observation has one future",
    "what is hidden can't be told",
    "a determinized state can arise",
    "determinize draws as chance does",
}


def notes(game: pf.Game, **more: Any) -> str:
    report = check(game, native=False, **more)
    assert report.ok, str(report)
    return "\n".join(report.notes)


def test_kuhn_poker_keeps_every_law_and_its_information_sets_are_counted() -> None:
    report = check(pf.load("kuhn_poker"), native=False)
    assert report.ok and report.complete and (report.states, report.ends) == (58, 30)
    assert all(report.laws[law] > 0 for law in HIDDEN_LAWS)
    told = "\n".join(report.notes)
    assert "12 information sets (6 of player 0, 6 of player 1) in 58 histories" in told
    assert "what player 0 sees tells 0.58 of the 1.58 bits that player 1 sees" in told, "log2 3 - 1"


def test_leduc_has_936() -> None:
    told = notes(find(str(HIDDEN_RULES / "leduc.py")), seconds=120)
    assert "936 information sets (468 of player 0, 468 of player 1) in 9,457 histories" in told


def test_of_a_large_game_what_random_games_met_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sets, "MOST_HISTORIES", 20)
    told = notes(pf.load("kuhn_poker"))
    assert "12 information sets (6 of player 0, 6 of player 1) met in random games, the game has more" in told


def test_games_that_hide_nothing_are_not_asked() -> None:
    report = check(pf.load("nim((1, 2))"), native=False)
    assert not any(report.laws[law] for law in HIDDEN_LAWS)


@compiles
@pytest.mark.parametrize(
    "path",
    thinned(HIDDEN_FILES, [path for path in HIDDEN_FILES if path.stem not in ("kuhn", "leduc")]),
    ids=[path.stem for path in HIDDEN_FILES],
)
def test_observations_and_what_is_drawn_are_the_same_compiled(path: Path) -> None:
    report = check(find(str(path)), seconds=60)
    assert report.ok, str(report)
    assert path.stem in INTERPRETED or report.laws["compiled equals interpreted"] > 0, str(report)


@compiles
def test_kuhn_poker_is_the_same_compiled() -> None:
    report = check(pf.load("kuhn_poker"), native=True)
    assert report.ok and report.laws["compiled equals interpreted"] > 50, str(report)


def test_what_to_keep_in_the_state_is_said() -> None:
    found = check(find(str(BROKEN_RULES / "peeked_and_forgotten.py")), native=False).violations[0]
    assert "keep in the state what the player has seen" in found.sentence and "`side`" in found.sentence


def test_random_numbers_from_elsewhere_are_noticed() -> None:
    class Elsewhere(KuhnPoker):
        drawn = 0

        def determinize(self, observation: Deal, player: int, stream: Any) -> Deal:
            type(self).drawn += 1
            own = observation.first if player == 0 else observation.second
            other = (own + 1 + type(self).drawn % 2) % 3
            return Deal(own, other, observation.bets) if player == 0 else Deal(other, own, observation.bets)

    found = check(Elsewhere(), native=False).violations[0]
    assert found.law == "a determinized state looks the same" and "must come from the stream" in found.sentence


def test_names_of_actions_do_not_tell() -> None:
    class Loud(KuhnNotation):
        def format_action(self, game: KuhnPoker, s: Deal, action: int) -> str:
            winning = s.first > s.second >= 0
            return f"{super().format_action(game, s, action)}{'!' if winning else ''}"

    class Talkative(KuhnPoker):
        notation = Loud()

    found = check(Talkative(), native=False).violations[0]
    assert found.law == "who moves sees what can be done" and "must not hang on what is hidden" in found.sentence


class Secret(NamedTuple):
    mine: int
    theirs: int
    moves: int


class BothChoose(pf.Game):
    """Each hides one of three numbers, one after the other; then the first guesses. Players hide, chance does not
    move: every state has to be drawn, how often is not said."""

    least = 0

    def start(self) -> Secret:
        return Secret(-1, -1, 0)

    def player(self, s: Secret) -> int:
        return s.moves % 2

    def actions(self, s: Secret) -> Any:
        yield from range(3)

    def result(self, s: Secret, action: int) -> Secret:
        if s.moves == 0:
            return Secret(action, -1, 1)
        return Secret(s.mine, action, 2) if s.moves == 1 else Secret(action, s.theirs, 3)

    def terminal(self, s: Secret) -> bool:
        return s.moves == 3

    def utility(self, s: Secret) -> float:
        return 1.0 if s.mine == s.theirs else -1.0

    def observe(self, s: Secret, player: int) -> Secret:
        if s.moves == 3:
            return s
        mine = s.mine if player == 0 or s.mine < 0 else 9
        return Secret(mine, s.theirs if player == 1 or s.theirs < 0 else 9, s.moves)

    def determinize(self, observation: Secret, player: int, stream: Any) -> Secret:
        drawn = self.least + below(stream, 3 - self.least)
        if player == 0:
            return observation._replace(theirs=drawn if observation.theirs == 9 else observation.theirs)
        return observation._replace(mine=drawn if observation.mine == 9 else observation.mine)


def test_what_players_hide_has_to_be_drawn_however_often() -> None:
    assert "5 information sets (4 of player 0, 1 of player 1) in 40 histories" in notes(BothChoose())

    class Never(BothChoose):
        least = 1

    found = check(Never(), native=False).violations[0]
    assert found.law == "determinize draws as chance does" and "never, though it may be so" in found.sentence
