"""Hidden games in play: nobody but the session has the true state until the game is over. By types and by a canary."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import plyforge as pf
from paths import HIDDEN_RULES
from plyforge.cli import plyforge_command
from plyforge.contract import CHANCE, MAX, MIN, PUBLIC
from plyforge.errors import BadText, IllegalAction, WrongMoment
from plyforge.games.hidden.kuhn_poker import HIDDEN
from plyforge.play import GameSession
from plyforge.play.formats import own_view, record
from plyforge.play.formats.sealed import seal
from plyforge.play.players.player import Choice, Human, RandomPlayer
from plyforge.play.players.search_player import SearchPlayer
from plyforge.play.terminal import play_in_terminal
from plyforge.search import HIDDEN as HIDDEN_SEARCHES
from plyforge.search.core.searcher import Searcher
from plyforge.solve.hidden.advice import advise

CANARY = str(HIDDEN_RULES / "canary.py")
CANARIES = ("7340912856", "9182736450")


def dealt(seed: int = 3) -> GameSession:
    """Kuhn poker after the deal: with this seed MAX has a jack, MIN the king."""
    session = GameSession("kuhn_poker", seed=seed)
    while session.player == CHANCE:
        event = session.draw()
        assert (event.outcome, event.text) == (None, ""), "chance may have dealt something hidden"
    return session


# ------------------------------------------------------------ the session
@pytest.mark.parametrize("asked", ["state", "states", "history"])
def test_the_true_state_is_nobodys(asked: str) -> None:
    with pytest.raises(WrongMoment, match="hidden until the game is over"):
        getattr(dealt(), asked)


@pytest.mark.parametrize("asked", ["to_json", "actions_text"])
def test_so_is_what_was_played(asked: str, tmp_path: Path) -> None:
    session = dealt()
    with pytest.raises(WrongMoment, match="hidden until the game is over"):
        getattr(session, asked)()


# ------------------------------------------------------------ games that are kept
def kept_canary(path: Path, seed: int = 3) -> GameSession:
    session = GameSession(CANARY, seed=seed)
    session.draw()
    session.play_text("guess 0")
    record.save(session, path)
    return session


def test_an_unfinished_game_goes_on_from_its_file_and_the_file_tells_nothing(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    session = kept_canary(path)
    text = path.read_text()
    assert not any(canary in text for canary in CANARIES) and "guess" not in text and '"seed"' not in text
    other = record.restore(path, session.game)
    assert other.sealed and other.seen == session.seen and other.view(MIN) == session.view(MIN)
    for each in (session, other):
        for _ in range(3):
            each.play_text("guess 1")
    assert other.actions_text() == session.actions_text() and other.outcome == session.outcome
    record.save(other, path)
    assert '"seed": 3' in path.read_text(), "the game is over: nothing is hidden any more"


def test_a_damaged_envelope_is_refused_and_tells_nothing(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    game = kept_canary(path).game
    good = json.loads(path.read_text())
    for change in ({"sealed": 3}, {"sealed": "x"}, {"sealed": good["sealed"][:-8]}, {"sealed": "eJyrrgUAAXUA+Q=="}):
        path.write_text(json.dumps(good | change))
        with pytest.raises(BadText, match="sealed"):
            record.restore(path, game)
    path.write_text(json.dumps(good | {"actions": []}))
    with pytest.raises(BadText, match="not beside it"):
        record.restore(path, game)
    path.write_text(json.dumps(good | {"sealed": seal(3, [f"secret {CANARIES[0]}", "secret"])}))
    with pytest.raises(BadText, match="turn 2 can't be played") as refused:
        record.restore(path, game)
    assert CANARIES[0] not in str(refused.value)


def test_a_player_keeps_the_own_view(tmp_path: Path) -> None:
    session = dealt()
    session.play_text("check")
    session.play_text("bet")
    assert own_view.lines(session, MAX) == ["- -", "J -", "J ?", "> check", "J ? check", "J ? check bet"]
    assert own_view.lines(session, PUBLIC) == ["- -", "? -", "? ?", "? ? check", "? ? check bet"]
    session.play_text("fold")
    told = own_view.to_json(session, MIN)
    assert told["player"] == MIN and {"observation": "? K check", "action": "bet"} in told["seen"]
    assert not any("J" in each["observation"] for each in told["seen"][:-1]), "what was seen while it went on"
    path = own_view.save(session, MIN, tmp_path / "view.json")
    own_view.save(session, MIN, path)
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(pf.PlyforgeError, match="is no view of a game"):
        own_view.save(session, MIN, tmp_path / "mine.txt")


def test_in_the_terminal_one_looks_back_at_the_own_view_and_goes_on_later(tmp_path: Path) -> None:
    path = tmp_path / "kuhn.json"
    shown, _ = play("kuhn_poker", [Human(), RandomPlayer(1)], f"seen\nsave {path}\nquit\n")
    assert "J ?" in shown and f"Saved to {path}" in shown and "K" not in shown.replace("Kuhn", "").split("Saved")[0]
    shown, _ = play("kuhn_poker", [Human(), RandomPlayer(1)], f"load {path}\nbet\n", seed=9)
    assert "Loaded: 2 turns played" in shown and "The game is over" in shown and "MIN  │ K" in shown


def test_players_see_their_own_part() -> None:
    session = dealt()
    assert pf.format_state(session.game, session.observation(MAX)) == "J ?"
    assert pf.format_state(session.game, session.observation(MIN)) == "? K"
    assert pf.format_state(session.game, session.observation(PUBLIC)) == "? ?"
    assert session.seen == session.observation(MAX), "who is to move"
    assert [pf.format_state(session.game, s) for s in session.observations(MIN)] == ["- -", "? -"]
    assert "J" not in session._repr_html_() and "K" not in session._repr_html_().replace("KuhnPoker", "")


def test_when_the_game_is_over_everything_is_open(tmp_path: Path) -> None:
    session = dealt()
    session.play_text("bet")
    session.play_text("fold")
    assert session.over and pf.format_state(session.game, session.state) == "J K bet fold"
    assert session.observation(MAX) == session.state
    kept = record.restore(record.save(session, tmp_path / "game.json"))
    assert kept.actions_text() == ["J", "K", "bet", "fold"]


def test_what_was_seen_stays_seen() -> None:
    session = dealt()
    session.play_text("bet")
    with pytest.raises(IllegalAction, match="what was seen stays seen"):
        session.undo()


def test_where_nothing_is_hidden_observations_are_the_states() -> None:
    session = GameSession("tic_tac_toe")
    session.play(session.legal[0])
    assert session.observation(MIN) is session.state and session.observations(MAX) == session.states
    assert not session.sealed and session.ply == 1


# ------------------------------------------------------------ players
class Spy:
    """A player that keeps what it is given."""

    description = "spy"

    def __init__(self) -> None:
        self.given: list[Any] = []
        self.random = RandomPlayer(1)

    def choose(self, game: pf.Game, state: Any, *, on_progress: Any = None, history: Any = ()) -> Choice:
        self.given += [state, *history]
        return self.random.choose(game, state, history=history)


def guard(monkeypatch: pytest.MonkeyPatch, session: GameSession) -> None:
    """Have the rules raise where the true state is written or drawn while the game goes on."""
    game = session.game

    def watch(cls: type, name: str) -> None:
        own = getattr(cls, name)

        def ask(self: Any, *given: Any) -> Any:
            for s in given:
                dealt = type(s).__name__ == "Whole" and s.secret != 0
                assert not dealt or not session.sealed, f"{name} was given the true state"
            return own(self, *given)

        monkeypatch.setattr(cls, name, ask)

    for name in ("show", "evaluate"):
        watch(type(game), name)
    for name in ("format_state", "format_action", "parse_action"):
        watch(type(game.notation), name)


def play(
    game: str, players: list[Any], typed: str = "", seed: int = 3, patch: pytest.MonkeyPatch | None = None
) -> tuple[str, GameSession]:
    """A game in the terminal: all that was shown, and the session."""
    shown, session = io.StringIO(), GameSession(game, seed=seed)
    if patch is not None:
        guard(patch, session)
    play_in_terminal(session, players, source=io.StringIO(typed), output=shown)
    return shown.getvalue(), session


def test_a_player_never_gets_the_true_state() -> None:
    spies = [Spy(), Spy()]
    play("kuhn_poker", spies)
    for player, spy in enumerate(spies):
        for s in spy.given:
            assert (s.second if player == MAX else s.first) < 0, "the other's card"
    assert all(spy.given for spy in spies)


@pytest.mark.parametrize("seed", range(6))
def test_no_true_state_reaches_players_by_type(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rules raise where the true state is written, and what players get is of another class."""
    spies = [Spy(), Spy()]
    shown, session = play(CANARY, spies, seed=seed, patch=monkeypatch)
    kinds = {type(s).__name__ for spy in spies for s in spy.given}
    assert kinds == {"Seen"} and session.over
    before_the_end = shown.rpartition("secret ")[0]
    assert not any(canary in before_the_end for canary in CANARIES)
    assert any(canary in shown for canary in CANARIES), "and in the end everything is shown"


@pytest.mark.parametrize("using", HIDDEN_SEARCHES)
def test_every_search_that_plays_is_handed_observations_alone(using: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever is registered as a search of what a player sees: what it thinks about, and all that was before."""
    given: list[Any] = []
    own = Searcher.think

    def think(self: Any, state: Any = None, limits: Any = None, **more: Any) -> Any:
        if type(self.search).name == using:  # the solvers of PIMC's worlds are handed worlds
            given.extend([state, *more.get("history", ())])
        return own(self, state, limits, **more)

    monkeypatch.setattr(Searcher, "think", think)
    players = [SearchPlayer(using, native=False, options={"simulations": 5}) for _ in range(2)]
    shown, session = play(CANARY, players, patch=monkeypatch)
    assert session.over and {type(s).__name__ for s in given} == {"Seen"} and len(given) > 4
    assert not any(canary in shown.rpartition("secret ")[0] for canary in CANARIES)


def test_advice_has_the_same_worlds_whatever_the_truth_is() -> None:
    """Both secrets, as likely as each other, for whoever asks while either is the true one."""
    solved = pf.solve.hidden_equilibrium(CANARY, iterations=5, native=False)
    told = {}
    for seed in range(6):
        session = GameSession(solved.game, seed=seed)
        session.draw()
        (advice,) = advise(solved, session.seen, MAX)
        told[session._state.secret] = (advice.mix, advice.values, advice.worlds)
    first, second = told.values()
    assert first == second and [weight for _, weight in first[2]] == [0.5, 0.5]


# ------------------------------------------------------------ the terminal
def test_a_person_sees_the_own_card_alone() -> None:
    shown, _ = play("kuhn_poker", [Human(), RandomPlayer(1)], "moves\nboard\nhint 0.2\nundo\nbet\n")
    before_the_end = shown[: shown.index("MIN has moved")]
    assert "MAX  │ J" in before_the_end and "MIN  │▒" in before_the_end
    assert "MIN  │ K" not in before_the_end and "MIN  │ K" in shown
    assert "Hint: check" in shown and "simulations" in shown, "the hint"
    assert "what was seen stays seen" in shown, "undo"


def test_two_people_pass_the_screen() -> None:
    shown, _ = play("kuhn_poker", [Human(), Human()], "\ncheck\n\nbet\n\nfold\n")
    parts = shown.split("Pass the screen to ")[1:]
    assert [part[:3] for part in parts] == ["MAX", "MIN", "MAX"]
    assert "J" in parts[0] and "MIN  │ K" not in parts[0]
    assert "MIN  │ K" in parts[1] and "MAX  │ J" not in parts[1]
    assert "MAX  │ J" in parts[2] and "MIN  │ K" in parts[2], "the end shows both"
    assert "MIN  │ K" not in parts[2][: parts[2].index("MAX has moved")]


def test_a_canary_is_never_in_what_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [
        "moves",
        "board",
        "help",
        "hint",
        "undo",
        "redo",
        "draw",
        "save /nowhere/x",
        "secret",
        "#9",
        "guess 0",
    ]
    shown, session = play(
        CANARY, [Human(), RandomPlayer(1)], "\n".join([*lines, "go", "moves", "board", ""]), patch=monkeypatch
    )
    assert not session.over and "guess 1" in shown
    assert not any(canary in shown for canary in CANARIES), shown


def test_the_command_line_seats_somebody_who_can_play() -> None:
    found = CliRunner().invoke(plyforge_command, ["play", "kuhn_poker", "--seed", "3"], input="bet\n")
    assert found.exit_code == 0 and "is_mcts" in found.output, found.output
    refused = CliRunner().invoke(plyforge_command, ["play", "kuhn_poker", "--against", "uct"]).exception
    assert isinstance(refused, pf.Unsuitable) and "hidden information" in str(refused)


def test_json_is_written_when_the_game_is_over() -> None:
    arguments = ["play", CANARY, "--as", "none", "--against", "random", "--seed", "3", "--json"]
    found = CliRunner().invoke(plyforge_command, arguments)
    told = json.loads(found.stdout)
    assert told["actions"][0].removeprefix("secret ") in CANARIES and told["result"] is not None


def test_a_public_observation_has_no_own_card() -> None:
    seen = dealt().observation(PUBLIC)
    assert (seen.first, seen.second) == (HIDDEN, HIDDEN)
