"""A round in which all choose at once: the algorithms first; what was chosen shows when everybody has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from plyforge.contract import format_choice, parse_choice
from plyforge.contract.value_words import each_in_words
from plyforge.errors import PlyforgeError
from plyforge.play.players.player import Human
from plyforge.play.session import player_name
from plyforge.play.terminal.commands import Leave, is_command

if TYPE_CHECKING:
    from plyforge.play.terminal.game import TerminalGame


def choose_at_once(table: TerminalGame) -> None:
    """Play such a round. A command in between begins it anew."""
    session, screen = table.session, table.screen
    game, state, ply = session.game, session.seen, session.ply
    chosen: dict[int, Any] = {}
    notes: dict[int, str] = {}
    for player, seat in enumerate(table.players):
        if not isinstance(seat, Human):
            with table.thinking(player_name(game, player)) as on_progress:
                seen, before = session.observation(player), session.observations(player)
                choice = seat.choose(game, seen, on_progress=on_progress, history=before, seat=player)
            chosen[player], notes[player] = choice.action, choice.note
    for player in table.persons:
        while player not in chosen:
            prompt = f"{player_name(game, player)}, your choice> "
            line = table.keyboard.read(prompt, hidden=len(table.persons) > 1)
            if line is None:
                raise Leave("End of input")
            try:
                if not _choose(table, player, line.strip(), chosen):
                    table.obey(line.strip())
            except PlyforgeError as error:
                screen.complain(str(error))
            session = table.session  # another one, if a game was loaded
            if session.over or session.ply != ply or session.seen != state:
                return
    session.play(tuple(chosen[player] for player in range(game.players)))
    if game.hidden_information:
        return screen.say("Everybody has chosen") if session.over else screen.show_board(session, table.eyes)
    for player in range(game.players):
        text = format_choice(game, state, player, chosen[player])
        screen.say(f"{player_name(game, player)} chooses {text}", player=player)
        if notes.get(player):
            screen.say("", f"  {notes[player]}")
    if game.has_rewards:
        screen.say("", f"  so far: {each_in_words(game, session.paid)}")
    return screen.show_board(session, table.eyes)


def _choose(table: TerminalGame, player: int, line: str, chosen: dict[int, Any]) -> bool:
    """Take a line as a person's choice; False if it is a command, or nothing."""
    game, state = table.game, table.session.observation(player)
    own = {format_choice(game, state, player, choice): choice for choice in game.legal_actions(state, player)}
    if line in own:
        chosen[player] = own[line]
        return True
    if not line or line.startswith("/") or is_command(line):
        return False
    chosen[player] = parse_choice(game, state, player, line)
    return True


__all__ = ["choose_at_once"]
