"""Every face plays with every kind of participant: in the terminal, on the command line, in the studio, in a match, in
a tournament, round a table and from Python, and with the same first move wherever that is not drawn.
"""

from __future__ import annotations

import io
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from click.testing import CliRunner

import paths
import plyforge as pf
from patience import PATIENCE
from plyforge.cli import plyforge_command
from plyforge.play import GameSession, Human, Match, Player, TableMatch, Tournament
from plyforge.play.players import engines
from plyforge.play.players.given import as_player, contestant
from plyforge.play.players.player import Choice
from plyforge.play.terminal import play_in_terminal
from plyforge.solve.strategy import make_strategy
from plyforge.studio.play.handler import PlayDesk
from plyforge.studio.server.handler import Room
from programs import fake

AGENTS = paths.SUPPORT / "agents.py"


A_PERSON = "1\nquit\n"
"""What is typed: an action in some games, a complaint in others."""


class Last:
    """Anybody's object with `choose(game, state)`."""

    def choose(self, game: Any, state: Any) -> Any:
        return pf.legal_moves(game, state)[-1]


class Inheriting(Player):
    """Whoever wants to hear of more."""

    description = "inheriting"

    def choose(self, game: Any, state: Any, **more: Any) -> Choice:
        return Choice(pf.legal_moves(game, state)[-1])


def second(state: Any) -> Any:
    """A plain function."""
    return pf.legal_moves(pf.load("tic_tac_toe"), state)[1]


class Kind(NamedTuple):
    """A kind of participant, in a game in which it costs little."""

    player: Any
    game: str = "tic_tac_toe"
    first: str = ""
    """Its first move; empty where it draws one, or where the dice come first."""


KINDS: dict[str, Kind] = {
    "a search": Kind("alpha_beta:depth=2", first="5"),
    "simulations": Kind("uct:simulations=20,seed=1"),
    "any action": Kind("random:seed=1"),
    "one that errs": Kind("mixed:share=1,depth=2"),
    "a rung": Kind("ladder:beginner", "connect4"),
    "a plan": Kind("strategy:PLAN", "nim(heaps=(1, 2))", "b1"),
    "a model": Kind("model:epsilon:0.2,depth=1"),
    "a Python file": Kind(f"python:{AGENTS}:First", first="1"),
    "lines of JSON": Kind(f"talk:{sys.executable} -m plyforge talk tic_tac_toe --interpreted;depth=2"),
    "GTP": Kind(f"gtp:{fake()}"),
    "UCI": Kind(f"uci:{sys.executable} {paths.SUPPORT / 'fake_uci.py'}", "chess"),
    "dice": Kind("expectiminimax:depth=1", "pig(goal=4)", "roll"),
    "hidden": Kind("is_mcts:simulations=10,seed=1", "kuhn_poker"),
    "all at once": Kind("regret_matching:simulations=10,seed=1", "goofspiel(cards=2)"),
    "an object": Kind(Last(), first="9"),
    "a Player": Kind(Inheriting(), first="9"),
    "a function": Kind(second, first="2"),
}
TEXTS = [name for name, kind in KINDS.items() if isinstance(kind.player, str)]
PROGRAMS = ("a Python file", "lines of JSON", "GTP", "UCI")


@pytest.fixture
def kind(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Kind:
    monkeypatch.setenv("PLYFORGE_CONFIG_DIR", str(tmp_path / "settings"))
    found = KINDS[request.param]
    if found.player != "strategy:PLAN":
        return found
    make_strategy(pf.load(found.game), player=0).save(tmp_path / "plan.json")
    return found._replace(player=f"strategy:{tmp_path / 'plan.json'}")


def seated(kind: Kind) -> Player:
    return (
        contestant(kind.player, pf.load(kind.game), native=False)
        if isinstance(kind.player, str)
        else as_player(kind.player)  # type: ignore[return-value]
    )


def first_of(session: GameSession) -> str:
    """What the player in the first seat did first, as far as anybody may know; empty if nothing yet."""
    if session.sealed:
        return "its own secret" if session.ply > 2 else ""
    actions = session.actions_text()
    own = [text for turn, text in zip(session.history, actions, strict=True) if turn.player in (0, pf.SIMULTANEOUS)]
    return own[0] if own else ""


# ------------------------------------------------------------ the faces, each with the first move that it saw
def from_python(kind: Kind) -> str:
    session, player = GameSession(kind.game, seed=3), seated(kind)
    player.prepare(session.game)
    player.new_game(0, None, 3)
    while session.player == pf.CHANCE:
        session.draw()
    seen = session.observation(0) if session.game.hidden_information else session.state
    action = player.choose(session.game, seen).action
    player.close()
    session.play(action)
    return first_of(session)


def in_the_terminal(kind: Kind) -> str:
    player = seated(kind)
    played = play_in_terminal(
        GameSession(kind.game, seed=3), [player, Human()], output=io.StringIO(), source=io.StringIO(A_PERSON)
    )
    player.close()
    return first_of(played.session)


def on_the_command_line(kind: Kind) -> str:
    words = ["play", kind.game, "--player", f"0={kind.player}", "--player", "1=human", "--interpreted", "--json"]
    run = CliRunner().invoke(plyforge_command, [*words, "--seed", "3"], input=A_PERSON, catch_exceptions=False)
    assert run.exit_code == 0, run.output
    kept = json.loads(run.stdout)
    return first_of(pf.play.Record.from_json(kept).session())


def in_the_studio(kind: Kind) -> str:
    text = kind.player
    if text.partition(":")[0] in ("python", "talk", "gtp", "uci"):
        protocol, _, command = text.partition(":")
        text = engines.add("mine", command, protocol).name
    desk = PlayDesk(Room())
    desk.do("new", game=kind.game, players=[text, "human"])
    asked, end = False, time.monotonic() + PATIENCE
    while time.monotonic() < end:
        with desk.lock:
            assert not desk.trouble, desk.trouble
            if first_of(desk.session):
                break
            waits = desk.session.player == pf.SIMULTANEOUS and not asked
        if waits:
            asked = bool(desk.do("choose", player=1, text="1"))
        time.sleep(0.01)
    desk.close()
    return first_of(desk.session)


def in_a_match(kind: Kind) -> str:
    more: dict[str, Any] = {} if kind.game in ("kuhn_poker", "goofspiel(cards=2)") else {"opening_plies": 0}
    match = Match(kind.game, kind.player, "random", games=2, seed=3, native=False, workers=1, plies_limit=4, **more)
    standing = match.run()
    assert standing.forfeited == 0 and standing.finished, [game.message for game in standing.games]
    played = next(game for game in standing.games if game.first == "A")
    return played.actions[0]


def round_a_table(kind: Kind) -> str:
    standing = TableMatch(kind.game, [kind.player, "random:seed=9"], rounds=1, opening_plies=0, native=False).run()
    assert all(game.forfeited is None for game in standing.games), [game.message for game in standing.games]
    played = next(game for game in standing.games if game.seats[0] == 0)
    return played.actions[0]


FACES: list[tuple[Callable[[Kind], str], list[str]]] = [
    (from_python, list(KINDS)),
    (in_the_terminal, list(KINDS)),
    (on_the_command_line, TEXTS),
    (in_the_studio, [name for name in TEXTS if name not in ("a plan", "a model")]),
    (in_a_match, ["a rung", "UCI", "dice", "hidden", "all at once", "an object", "a Player", "a function"]),
    (round_a_table, ["a search", "any action", "a Python file", "dice", "hidden", "all at once"]),
]
"""Each with the kinds that it takes: an object has no text, a page names no files, a plan is for one seat. What plays
tic-tac-toe plays in the tournament below, too, whose pairings are matches."""


@pytest.mark.parametrize(
    ("face", "kind"),
    [pytest.param(face, name, id=f"{name} {face.__name__}") for face, names in FACES for name in names],
    indirect=["kind"],
)
def test_it_plays(face: Callable[[Kind], str], kind: Kind) -> None:
    first = face(kind)
    assert first and (not kind.first or first == kind.first)


def test_a_tournament_of_all_kinds_that_know_the_game() -> None:
    players = [KINDS[name].player for name in KINDS if KINDS[name].game == "tic_tac_toe"]
    tournament = Tournament("tic_tac_toe", players, games=2, gauntlet=True, native=False, opening_plies=0, workers=1)
    standing = tournament.run()
    assert standing.forfeits == [0] * len(players), [game.message for game in standing.games]
    assert len(standing.games) == 2 * (len(players) - 1)


def test_who_can_not_sit_somewhere_is_told_so() -> None:
    for player in (KINDS["GTP"].player, KINDS["UCI"].player):
        with pytest.raises(pf.PlyforgeError, match=r"two colours|UCI is for chess"):
            TableMatch("three_nim", [player, "random", "random"], native=False)
    with pytest.raises(pf.PlyforgeError, match="would read a file"):
        PlayDesk(Room()).do("new", game="tic_tac_toe", players=["model:epsilon:0.2", "human"])
