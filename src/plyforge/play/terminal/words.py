"""What is said of a game as a whole: at its beginning and at its end."""

from __future__ import annotations

from collections.abc import Sequence

from plyforge.contract import CHANCE, PUBLIC, Game, defines
from plyforge.contract.naming import about
from plyforge.contract.value_words import each_in_words
from plyforge.errors import PlyforgeError
from plyforge.games.catalog import catalog_name
from plyforge.play.formats import record
from plyforge.play.players.ladder import rung_of, rungs_of
from plyforge.play.players.player import Human, Player
from plyforge.play.players.search_player import SearchPlayer
from plyforge.play.session import GameSession, player_name
from plyforge.play.terminal.screen import Screen
from plyforge.search.best import STRONGER, informed

LADDERS = "plyforge games --ladder"


def welcome(screen: Screen, session: GameSession, players: Sequence[Player | Human], eyes: int = PUBLIC) -> None:
    """What is played, by whom, and how to begin. `eyes`: who looks, where something is hidden."""
    game = session.game
    persons = sum(isinstance(player, Human) for player in players)
    screen.say(_title(game), f"  {about(game)}")
    for index, player in enumerate(players):
        screen.say(f"  {player_name(game, index)}: {_seat_words(game, player, persons)}", player=index)
    if persons and rungs_of(game) and not any(rung_of(game, player.description) for player in players):
        screen.say("", f"Opponents from beginner to full strength, with ratings: {LADDERS}.")
    if persons and could_be_stronger(game, players):
        screen.say("", f"{STRONGER}.")
    if persons:
        screen.say(
            "",
            "Type an action, or help. Values are how good a position is for the player named beside them.",
        )
    if game.hidden_information:
        screen.say("", "Parts are hidden: each sees only the own part, and all of it when the game is over.")
    if session.ply and not session.sealed:
        screen.say(f"{plies(session)} played: ", " ".join(session.actions_text()))
    screen.show_board(session, eyes)


def show_end(screen: Screen, session: GameSession, persons: Sequence[int]) -> None:
    """Who won, for whom, after how many plies."""
    game, outcome = session.game, session.outcome
    assert outcome is not None
    text = outcome.text(game)
    if outcome.resigned is not None and outcome.winners:
        text = f"{outcome.reason}, {text}"
    if len(persons) == 1 and game.players > 1 and (outcome.winners or outcome.draw):
        mine = persons[0] in outcome.winners
        text += "" if outcome.draw else f", you {'win' if mine else 'lose'}"
    screen.say(f"The game is over after {plies(session)}: {text}.", style="bold")
    if defines(game.costs, "cost"):
        cost = sum(float(game.costs.cost(game, turn.state, turn.action)) for turn in session.history)
        screen.say("", f"  The actions cost {cost:g}.")
    if outcome.utilities is not None:
        screen.say("", f"  Payoffs: {each_in_words(game, outcome.utilities)}.")
    if persons:
        back = "" if game.hidden_information else " undo goes back,"
        screen.say("", f"  save FILE keeps the game,{back} Enter or quit leaves.")


def plies(session: GameSession) -> str:
    """How many there have been: `7 plies and 2 chance events`."""
    if session.sealed:
        return f"{session.ply} turn{'' if session.ply == 1 else 's'}"
    events = sum(turn.player == CHANCE for turn in session.history)
    moves = len(session.history) - events
    words = f"{moves} {'ply' if moves == 1 else 'plies'}"
    return f"{words} and {events} chance event{'' if events == 1 else 's'}" if events else words


def _title(game: Game) -> str:
    try:
        return record.game_text(game).rpartition("/")[2]
    except PlyforgeError:
        return type(game).__name__


def could_be_stronger(game: Game, players: Sequence[Player | Human]) -> bool:
    """True if somebody's own rules leave an algorithm without an estimate that it could go by."""
    own = (
        catalog_name(game) is None
        and game.players <= 2
        and not defines(game.costs, "cost")
        and not defines(game, "legal_actions")
    )
    return own and not informed(game) and any(isinstance(player, SearchPlayer) for player in players)


def _seat_words(game: Game, player: Player | Human, persons: int) -> str:
    if isinstance(player, Human):
        return "you" if persons == 1 else "a person"
    rung = rung_of(game, player.description)
    words = player.words(game) if isinstance(player, SearchPlayer) else player.description
    return words if rung is None else f"{rung.name}, {rung.rating} ({words})"


__all__ = ["plies", "show_end", "welcome"]
