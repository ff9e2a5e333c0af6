"""What a person may type besides actions. A command is a function of the table and of the rest of the line."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple

from plyforge.contract import CHANCE, SIMULTANEOUS, Game, format_choice
from plyforge.errors import BadLimits
from plyforge.play.formats import own_view, record, registry
from plyforge.play.match.draw_offers import answer, can_agree
from plyforge.play.players.player import Human
from plyforge.play.players.search_player import SearchPlayer
from plyforge.play.session import player_name
from plyforge.play.terminal.words import plies
from plyforge.play.words import explain
from plyforge.search import MixedResult

if TYPE_CHECKING:
    from plyforge.play.terminal.game import TerminalGame

HINT_SECONDS = 1.0
"""For a program's hint where nobody says."""
MOST_SECONDS = 1e6
"""Twelve days."""


class Leave(Exception):
    """The person wants to stop; the text says why."""


class Command(NamedTuple):
    meaning: str
    """As `help` tells it."""
    do: Callable[[TerminalGame, str], None]


def name_of(line: str) -> str:
    """The command that a line would be, by its full name, whether there is one or not."""
    word = line.partition(" ")[0].removeprefix("/").lower()
    return OTHER_NAMES.get(word, word)


def is_command(line: str) -> bool:
    """True if a line begins with the name of a command."""
    return name_of(line) in COMMANDS


def commands_of(game: Game) -> list[str]:
    """The commands that there are in a game."""
    missing = {"draw": not can_agree(game), "seen": not game.hidden_information}
    return [name for name in COMMANDS if not missing.get(name, False)]


# ------------------------------------------------------------------ looking
def show_help(table: TerminalGame, rest: str) -> None:
    table.screen.say(
        "An action is written as moves shows it, or chosen by its number there: #3. Commands (/ before a command, where"
        " an action has the same name):"
    )
    for name in commands_of(table.game):
        table.screen.say(f"  {name:<8}", COMMANDS[name].meaning.replace("`", "'"))


def show_moves(table: TerminalGame, rest: str) -> None:
    game, session, say = table.game, table.session, table.screen.say
    if session.over:
        return say("There are none: the game is over.")
    if session.player == SIMULTANEOUS:
        for player in table.persons or range(game.players):
            texts = [
                format_choice(game, session.observation(player), player, choice)
                for choice in game.legal_actions(session.observation(player), player)
            ]
            say(f"{player_name(game, player)} has {len(texts)}: ", "  ".join(texts))
        return None
    legal = table.legal_texts()
    if has_numbers(legal):  # numbers before them would only confuse
        return say(f"{len(legal)} legal: ", "  ".join(legal))
    return say(f"{len(legal)} legal: ", "  ".join(f"#{n} {text}" for n, text in enumerate(legal, 1)))


def has_numbers(texts: Iterable[str]) -> bool:
    """True if an action is written as a number alone."""
    return any(text.isdecimal() for text in texts)


def show_board(table: TerminalGame, rest: str) -> None:
    table.screen.show_board(table.session, table.eyes)


def give_hint(table: TerminalGame, rest: str) -> None:
    game, session, say = table.game, table.session, table.screen.say
    if session.over:
        return say("There is nothing to choose: the game is over.")
    name, rest = _adviser_named(table, rest)
    if name:
        return _hint_of_program(table, name, rest)
    adviser = table.adviser if not rest else _with_seconds(game, table.adviser, rest)
    try:
        with table.thinking("The adviser") as on_progress:
            choice = table.at_speed(adviser).choose(
                game, session.seen, on_progress=on_progress, history=session.observations(table.eyes)
            )
    except KeyboardInterrupt:
        if not table.keyboard.interactive:
            raise
        return say("\nStopped thinking, no hint.")
    found = choice.result
    assert found is not None
    if isinstance(found, MixedResult):
        for player in table.persons or range(game.players):
            mix = "  ".join(f"{text} {share:.2f}" for text, share in found.policy_text()[player].items())
            say(f"Hint for {player_name(game, player)}: ", mix)
        return say("", f"  {found.using}: {explain(found)}")
    others = [found.text(action) for action in found.best[1:]]
    as_good = f" (as good: {', '.join(others[:10])}{' ...' if len(others) > 10 else ''})" if others else ""
    say(f"Hint: {found.text(found.action)}{as_good}")
    return say("", f"  {found.using}: {explain(found)}")


def _adviser_named(table: TerminalGame, rest: str) -> tuple[str, str]:
    """A program of the user's that is to give the hint ("" for our own search), and what else was typed."""
    first, _, more = rest.partition(" ")
    if first in table.programs:
        return first, more.strip()
    return table.hints, rest


def _hint_of_program(table: TerminalGame, name: str, rest: str) -> None:
    session, say = table.session, table.screen.say
    seconds = HINT_SECONDS if not rest else _seconds(rest)
    program = table.program(name)
    try:
        with table.thinking(name) as on_progress:
            program.on_progress(on_progress)
            try:
                program.start(session.seen, history=session.observations(table.eyes), seconds=seconds)
            finally:
                program.off_progress(on_progress)
    except KeyboardInterrupt:
        program.close()
        if not table.keyboard.interactive:
            raise
        return say("\nStopped thinking, no hint.")
    found = program.wait()
    say(f"Hint: {'nothing' if found.action is None else found.text(found.action)}")
    return say("", f"  {name}: {explain(found)}")


# ------------------------------------------------------------------ back and forth
def undo(table: TerminalGame, rest: str) -> None:
    for done in range(_count(rest)):
        back = _turns_back(table)
        if back == 0:
            if done == 0:
                return table.screen.say("There is nothing of yours to take back.")
            break
        table.session.undo(back)
    table.paused = False
    table.screen.say("Taken back.")
    return table.screen.show_board(table.session, table.eyes)


def redo(table: TerminalGame, rest: str) -> None:
    session = table.session
    if not session.can_redo:
        return table.screen.say("Nothing was taken back.")
    while session.can_redo:
        session.redo()
        if not table.persons or session.player in table.persons:
            break
    return table.screen.show_board(session, table.eyes)


def _turns_back(table: TerminalGame) -> int:
    """How many turns to take back to a state in which a person moves (or, without persons, an algorithm)."""
    if table.session.settled or table.game.hidden_information:
        return 1
    for back, turn in enumerate(reversed(table.session.history), 1):
        if turn.player in (*table.persons, SIMULTANEOUS) or (not table.persons and turn.player != CHANCE):
            return back
    return 0


# ------------------------------------------------------------------ ending the game
def resign(table: TerminalGame, rest: str) -> None:
    player = table.session.player
    if not table.persons:
        return table.screen.say("No person plays here; quit leaves the game.")
    table.session.resign(player if player in table.persons else table.persons[0])
    return None


def offer_draw(table: TerminalGame, rest: str) -> None:
    game, session, screen = table.game, table.session, table.screen
    if not can_agree(game):
        return screen.complain("no draw can be agreed on in this game")
    if session.over:
        return screen.say("There is nothing to agree on: the game is over.")
    if not table.persons:
        return screen.say("No person plays here; quit leaves the game.")
    if len(table.persons) == 1:
        said = answer(session, 1 - table.persons[0], table.thought)
        screen.say(f"{said.words}.")
        if said.accepted:
            session.agree()
        return None
    offers = 1 if session.player == 1 else 0
    name, other = player_name(game, offers), player_name(game, 1 - offers)
    line = table.keyboard.read(f"{name} offers a draw. {other}, do you accept? (yes or no)> ")
    if line is None:
        raise Leave("End of input")
    if line.strip().lower() not in ("y", "yes"):
        return screen.say(f"{other} declines the draw.")
    screen.say(f"{other} accepts the draw.")
    return session.agree()


def leave(table: TerminalGame, rest: str) -> None:
    raise Leave("" if table.session.over else "You left")


# ------------------------------------------------------------------ files
def save(table: TerminalGame, rest: str) -> None:
    if not rest:
        return table.screen.complain("save needs the name of a file, as in: save game.json")
    path = registry.save(table.session, _unquoted(rest))
    name = record.game_text(table.game)
    rules = f"{shlex.quote(name)} " if record.names_file(name) else ""
    return table.screen.say(
        f"Saved to {path}", f"  (plyforge play {rules}--load {shlex.quote(str(path))} goes on with it)"
    )


def show_view(table: TerminalGame, rest: str) -> None:
    session, screen = table.session, table.screen
    if rest:
        return screen.say(f"Written to {own_view.save(session, table.eyes, _unquoted(rest))}")
    for line in own_view.lines(session, table.eyes):
        screen.say(line)
    return None


def load(table: TerminalGame, rest: str) -> None:
    screen = table.screen
    if not rest:
        return screen.complain("load needs the name of a file, as in: load game.json")
    seats = table.session.seats
    table.session = registry.restore(_unquoted(rest), table.game)
    table.session.seats = seats
    table.paused = False
    screen.picture = ""
    screen.say(f"Loaded: {plies(table.session)} played.")
    return screen.show_board(table.session, table.eyes)


# ------------------------------------------------------------------ algorithms
def go(table: TerminalGame, rest: str) -> None:
    player = table.session.player
    seat = table.players[player] if player is not None and player >= 0 else None
    if player is None or seat is None or isinstance(seat, Human):
        return table.screen.say("It is your move: type an action, or hint.")
    if rest and isinstance(seat, SearchPlayer):
        seat = _with_seconds(table.game, seat, rest)
    table.paused = False
    return table.let_think(player, seat)


def _with_seconds(game: Game, player: SearchPlayer, text: str) -> SearchPlayer:
    player.engine(game)  # so that both learn in the same place
    return player.with_seconds(_seconds(text))


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        raise BadLimits(f"{short(text)} is not a number of seconds") from None
    if not 0.0 < seconds < MOST_SECONDS:
        raise BadLimits(f"{short(text)} seconds can't be: write a positive number")
    return seconds


# ------------------------------------------------------------------ pieces of a line
def _count(text: str) -> int:
    if not text:
        return 1
    if not text.isascii() or not text.isdigit() or len(text) > 6 or int(text) < 1:
        raise BadLimits(f"{short(text)} is not a number of turns")
    return int(text)


def _unquoted(text: str) -> str:
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"" else text


def short(text: str) -> str:
    """What was typed, for a message."""
    return repr(text if len(text) <= 60 else text[:57] + "...")


COMMANDS = {
    "help": Command("show this", show_help),
    "moves": Command("list the legal actions", show_moves),
    "board": Command("show the board again", show_board),
    "hint": Command(
        "ask a search what it would play, and why; `hint 5` lets it think for five seconds, `hint NAME` asks a program"
        " that plyforge engines has named",
        give_hint,
    ),
    "undo": Command("take back to your last turn; `undo 2` goes back two of your turns", undo),
    "redo": Command("play again what was taken back", redo),
    "resign": Command("give up: the game ends", resign),
    "draw": Command("offer a draw: the game ends if the other side accepts", offer_draw),
    "save": Command("`save FILE` keeps the game in a file", save),
    "seen": Command("what you have seen and done so far; `seen FILE` writes it to a file", show_view),
    "load": Command("`load FILE` goes on with a game that was saved", load),
    "go": Command("let a stopped algorithm think again; `go 5` gives it five seconds", go),
    "quit": Command("leave; so do Ctrl-D and Ctrl-C", leave),
}
OTHER_NAMES = {"?": "help", "h": "help", "exit": "quit", "q": "quit", "u": "undo"}


__all__ = ["COMMANDS", "Command", "Leave", "commands_of", "is_command", "name_of", "short"]
