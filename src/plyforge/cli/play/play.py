"""`plyforge play`: a game in the terminal."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import click

from plyforge.cli import options

if TYPE_CHECKING:
    from collections.abc import Sequence

    from plyforge.contract import Game
    from plyforge.play import GameSession, Human, Player
    from plyforge.play.terminal import TerminalGame
    from plyforge.play.terminal.animation import LiveGame


@click.command("play", short_help="Play a game: against an algorithm, against each other, or watch two algorithms.")
@click.argument("game", required=False)
@click.option("--as", "seat", metavar="WHO", help="Who you are: first (default), second, a player's number, or none.")
@click.option("--against", metavar="PLAYER", help="Who plays everybody else. Default: best.")
@click.option("--player", "given", metavar="N=PLAYER", multiple=True, help="Who plays player N. May be repeated.")
@click.option("--state", metavar="TEXT", help="Begin in this state instead of the start.")
@click.option("--seconds", type=float, metavar="S", help="Time for a move, for algorithms with no limit of their own.")
@click.option("--depth", type=int, metavar="D", help="Plies to look ahead, likewise.")
@click.option("--hints", metavar="NAME", help="Who answers hint: a program that plyforge engines has named.")
@options.EXPLAIN_TIME
@options.speed
@click.option("--seed", type=int, metavar="N", help="Makes dice, random players and simulations repeat themselves.")
@click.option(
    "--load", "saved", metavar="FILE", help="Go on with a saved game (.json, .pgn, .sgf ...). GAME may be left out."
)
@click.option("--save", "keep", metavar="FILE", help="Save the game when it ends or you leave.")
@click.option("--replay", is_flag=True, help="With --load: show the saved game from its start on, as a moving picture.")
@click.option(
    "--delay",
    type=float,
    default=0.25,
    show_default=True,
    metavar="S",
    help="Of moving pictures: seconds a round.",
)
@options.json_option("At the end print the saved form; the game shows on standard error.")
def command(
    game: str | None,
    seat: str | None,
    against: str | None,
    given: tuple[str, ...],
    state: str | None,
    seconds: float | None,
    depth: int | None,
    hints: str | None,
    explain_time: bool,
    native: str | None,
    seed: int | None,
    saved: str | None,
    keep: str | None,
    replay: bool,
    delay: float,
    as_json: bool,
) -> None:
    """Play GAME in the terminal.

    GAME is a name (plyforge games lists them), a name with arguments as in "connect4(width=6, height=5)", or the
    path of a rules file. You move first against the engine, unless you say otherwise.

    A PLAYER is one of

    \b
      human                     a person at this keyboard
      engine                    the strongest search for the game, 1 second a move
      engine:seconds=5,threads=2
      random, random:seed=3     any legal action
      mixed:share=0.8,depth=4   a search in 4 of 5 moves, any action in the others
      minimax, uct, ...         that search, 1 second a move
      uct:simulations=10000     so many simulations a move
      alpha_beta:depth=6        6 plies ahead; also nodes=100000, seconds=0.5
                                and several: alpha_beta:depth=20,seconds=2
      uct:exploration=0.5,rave=300
                                any parameter that plyforge search --help names for it
      ladder:casual             a rung of the ladder of chess, othello or connect4, from
                                beginner to full_strength (plyforge games --ladder)
      strategy:plan.json        a plan that plyforge strategy saved
      fish                      a program that plyforge engines has named
      python:agent.py:Agent     a class of your own with choose(game, state)

    Players are numbered as in the rules: 0 is MAX, the first; 1 is MIN; then 2, 3 ...

    While you play, type an action as the board names it (moves lists them), or a command: hint, undo, redo, resign,
    draw, save FILE, load FILE, moves, board, help, quit. Ctrl-C stops an algorithm that thinks for too long.

    Examples:

    \b
      plyforge play tic_tac_toe
      plyforge play connect4 --as second --against alpha_beta:depth=8
      plyforge play connect4 --state 4455 --seconds 5
      plyforge play tic_tac_toe --against human
      plyforge play tic_tac_toe --as none --against alpha_beta
      plyforge play connect4 --player 0=minimax:depth=4 --player 1=random:seed=1
      plyforge play --load game.json
      plyforge play --load game.json --replay
      plyforge play --load game.pgn
      plyforge play "pacman(maze='arena')" --against mixed:share=0.7,depth=8

    Games that are steered (pacman) are a moving picture: use the arrow keys or w, a, s, d; space waits, q leaves.
    """
    from plyforge.errors import BadText, PlyforgeError
    from plyforge.play import Human, SearchPlayer
    from plyforge.play.formats import registry
    from plyforge.play.players.programs.analyst import analysts
    from plyforge.play.players.spec import ENGINE_SECONDS, parse_player
    from plyforge.play.terminal import play_in_terminal
    from plyforge.play.terminal.animation import can_steer, play_live

    if keep is not None:
        registry.require_savable(keep)
    session = _session(game, saved, state, seed)
    if replay:
        if saved is None:
            raise BadText("--replay shows a saved game: name it, as in plyforge play --load game.json --replay")
        _replay(session, delay, as_json)
        return

    if hints is not None and hints not in analysts(session.game):
        known = ", ".join(analysts(session.game)) or "none for this game"
        raise BadText(f"--hints {hints}: no program has that name; there are {known} (plyforge engines adds them)")

    def make(text: str, index: int) -> Player | Human:
        own_seed = None if seed is None else seed + 1 + index
        return parse_player(
            text, session.game, depth=depth, seconds=seconds, native=options.as_native(native), seed=own_seed
        )

    texts = _seats(session.game, seat, against, given)
    try:
        kept = seat is None and against is None and not given
        players = [make(text, index) for index, text in enumerate(_seats_again(session, texts) if kept else texts)]
    except PlyforgeError:
        if not kept:
            raise  # else played by somebody whom no text describes: a person with a name, say
        players = [make(text, index) for index, text in enumerate(texts)]
    thinking = seconds if seconds is not None or depth is not None else ENGINE_SECONDS
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    output = sys.stderr if as_json else None
    persons = any(isinstance(player, Human) for player in players)
    shown = output or sys.stdout
    played: LiveGame | TerminalGame
    steered = session.game.view.steering and not session.game.hidden_information
    if steered and (not persons or (can_steer(sys.stdin) and shown.isatty())):
        played = play_live(session, players, output=output, delay=delay)
    else:
        adviser = SearchPlayer(depth=depth, seconds=thinking, native=options.as_native(native))
        played = play_in_terminal(
            session, players, output=output, adviser=adviser, hints=hints or "", explain_time=explain_time
        )
    if keep is not None:
        click.echo(f"Saved to {registry.save(played.session, keep)}", err=as_json)
    if as_json:
        options.print_json_text(json.dumps(played.session.to_json()))
    if played.interrupted:
        raise click.exceptions.Exit(130)


def _session(game: str | None, saved: str | None, state: str | None, seed: int | None) -> GameSession:
    """The game that begins, or goes on."""
    from plyforge.errors import BadText
    from plyforge.games import load
    from plyforge.play import GameSession
    from plyforge.play.formats import registry

    rules = None if game is None else load(game)
    if saved is not None:
        if state is not None:
            raise BadText("--load and --state can't go together: a saved game has its own state")
        return registry.restore(saved, rules)
    if rules is None:
        raise BadText("name a game, as in: plyforge play connect4 (plyforge games lists them)")
    return GameSession(rules, state, seed)


def _seats_again(session: GameSession, texts: list[str]) -> Sequence[str]:
    """Who played when the game was kept. A file starts no program, unless it is one that the user has named."""
    from plyforge.play.players.engines import engines
    from plyforge.play.players.spec import is_program
    from plyforge.search import BEST

    known = {named.text for named in engines().values()}
    strange = [text for text in session.seats if is_program(text) and text.strip() not in known]
    if strange:
        click.echo(
            f"note: the file names a program, {strange[0][:80]!r}, and a file starts none: seat it with --against or"
            " --player, or name it once with plyforge engines add",
            err=True,
        )
    return [BEST if text in strange else text for text in session.seats] or texts


def _replay(session: GameSession, delay: float, as_json: bool) -> None:
    from plyforge.play.terminal.animation import replay

    if not replay(session, output=sys.stderr if as_json else None, delay=delay):
        raise click.exceptions.Exit(130)
    if as_json:
        options.print_json(session.to_json())


def _seats(game: Game, seat: str | None, against: str | None, given: tuple[str, ...]) -> list[str]:
    """A description for each player: `--player` first, then `--as`, then `--against` for the rest."""
    from plyforge.contract import defines
    from plyforge.errors import BadText
    from plyforge.search import BEST

    named: dict[int, str] = {}
    for text in given:
        number, equals, description = text.partition("=")
        if not equals or not description.strip():
            raise BadText(f"--player {text!r} can't be read: write it like --player 1=alpha_beta:depth=6")
        index = _player_number(game, number.strip(), "--player")
        if index in named:
            raise BadText(f"--player names player {index} twice")
        named[index] = description
    person = None
    if seat is not None and seat.strip().lower() != "none":
        person = _player_number(game, seat.strip().lower(), "--as")
        if person in named:
            raise BadText(f"--as and --player both say who player {person} is")
    elif seat is None:
        free = [index for index in range(game.players) if index not in named]
        person = free[0] if free and not any(text.strip() == "human" for text in named.values()) else None
    at_once = game.hidden_information and defines(game, "legal_actions")  # no search plays such games yet
    rest = against or ("random" if at_once else BEST)
    if against is not None and all(index in named or index == person for index in range(game.players)):
        raise BadText(f"--against {against}: there is nobody left to play against, every player is taken")
    return [named.get(index, "human" if index == person else rest) for index in range(game.players)]


def _player_number(game: Game, text: str, option: str) -> int:
    from plyforge.errors import BadText

    words = {"first": 0, "second": 1, "third": 2, "fourth": 3}
    number = words.get(text, int(text) if text.isascii() and text.isdigit() and len(text) < 4 else -1)
    if not 0 <= number < game.players:
        players = "player 0 alone" if game.players == 1 else f"players 0 to {game.players - 1}"
        raise BadText(f"{option} {text}: {type(game).__name__} has {players} (0 is the first)")
    return number
