"""Pacman as text: states in one line, and a picture.

    @1,1 A9,5 B7,3 food=..-* power=0 caught=- catches=0 round=12 turn=@

Column and row of Pacman and of each ghost, counted from 0 at the top left; the dots and pellets of the maze in their
order, `-` for what is eaten; rounds of power left; the ghosts that sit in their dens; how often ghosts were caught;
rounds completed; who moves.

Claim: what is read is a state that the rules allow as far as it can be seen without playing: pieces on floor, caught
ghosts in their dens and under power only, no ghost on Pacman's square unless the game is over, nothing after the end.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from plyforge.contract import Notation
from plyforge.errors import BadText
from plyforge.games.pacman.chase import Chase
from plyforge.games.pacman.maze import DOT, FLOOR, GHOSTS, MOVES, PACMAN, PELLET, WALL

if TYPE_CHECKING:
    from plyforge.games.pacman.rules import Pacman

EATEN = "-"
_PLACE = re.compile(r"(\d{1,3}),(\d{1,3})", re.ASCII)


def format_state(game: Any, s: Any) -> str:
    """The state in one line."""
    places = [f"@{_place(game, s.pacman)}"]
    places += [f"{GHOSTS[g]}{_place(game, game.ghost_square(s, g))}" for g in range(game.ghosts)]
    food = "".join(_sign(game, bit) if s.food >> bit & 1 else EATEN for bit in range(len(game.plan.food)))
    caught = "".join(GHOSTS[g] for g in range(game.ghosts) if s.caught >> g & 1) or EATEN
    return (
        f"{' '.join(places)} food={food} power={s.power} caught={caught} catches={s.catches} "
        f"round={s.round} turn={game.agent_name(s)}"
    )


def parse_state(game: Any, line: str) -> tuple[int, ...]:
    """The fields of the state that a line describes. Raises BadText."""
    example = format_state(game, game.start())
    words = line.split()
    names = [PACMAN, *GHOSTS[: game.ghosts]]
    titles = ("food", "power", "caught", "catches", "round", "turn")
    if len(words) != len(names) + len(titles):
        raise BadText(f"{_short(line)} is not a state of this maze: write it like {example!r}")
    squares = [_read_place(game, name, word, line) for name, word in zip(names, words[: len(names)], strict=True)]
    said = {}
    for title, word in zip(titles, words[len(names) :], strict=True):
        head, equals, value = word.partition("=")
        if head != title or not equals:
            raise BadText(f"{_short(line)}: expected {title}=..., found {_short(word)}; write it like {example!r}")
        said[title] = value
    numbers = {}
    for title in ("power", "catches", "round"):
        if not re.fullmatch(r"\d{1,6}", said[title], re.ASCII):
            raise BadText(f"{_short(line)}: {title} must be a whole number, not {_short(said[title])}")
        numbers[title] = int(said[title])
    if said["turn"] not in names:
        raise BadText(f"{_short(line)}: turn must be one of {', '.join(names)}, not {_short(said['turn'])}")
    food = _read_food(game, said["food"], line)
    caught = _read_caught(game, said["caught"], line)
    ghosts = sum(square << 8 * ghost for ghost, square in enumerate(squares[1:]))
    fields = (
        food, squares[0], ghosts, numbers["power"], caught, numbers["catches"], numbers["round"],
        names.index(said["turn"]),
    )  # fmt: skip
    _check(game, type(game.start())(*fields), line)
    return fields


def _read_place(game: Any, name: str, word: str, line: str) -> int:
    found = _PLACE.fullmatch(word[1:])
    if word[:1] != name or found is None:
        raise BadText(f"{_short(line)}: expected {name}COLUMN,ROW, found {_short(word)}")
    place = (int(found[2]), int(found[1]))
    if place not in game.plan.places:
        raise BadText(f"{_short(line)}: there is no floor at column {found[1]}, row {found[2]}")
    return int(game.plan.places.index(place))


def _read_food(game: Any, signs: str, line: str) -> int:
    whole = "".join(_sign(game, bit) for bit in range(len(game.plan.food)))
    fits = len(signs) == len(whole) and all(sign in (EATEN, there) for sign, there in zip(signs, whole, strict=True))
    if not fits:
        raise BadText(f"{_short(line)}: food of this maze is {whole}, with - for what is eaten; found {_short(signs)}")
    return sum(1 << bit for bit, sign in enumerate(signs) if sign != EATEN)


def _read_caught(game: Any, letters: str, line: str) -> int:
    known = GHOSTS[: game.ghosts]
    caught = 0 if letters == EATEN else sum(1 << known.find(letter) for letter in letters if letter in known)
    if "".join(known[g] for g in range(game.ghosts) if caught >> g & 1) != letters.replace(EATEN, ""):
        raise BadText(f"{_short(line)}: caught is - or letters of {known} in their order, not {_short(letters)}")
    return caught


def _check(game: Any, s: Any, line: str) -> None:
    """Raise BadText for what can't arise."""
    from plyforge.games.pacman.rules import POWER

    def refuse(why: str) -> BadText:
        return BadText(f"{_short(line)} can't arise: {why}")

    pellets = (game.pellets & ~s.food).bit_count()
    full = s.mover > 0 or s.power == POWER
    if s.power > POWER or (s.power == POWER and s.mover == 0):
        raise refuse(f"a pellet gives {POWER} rounds of power, and the round in which it is eaten is one")
    if s.power and not pellets:
        raise refuse("there is power, but no pellet was eaten")
    if s.caught and not s.power:
        raise refuse("caught ghosts come out when the power has gone")
    if s.catches > pellets * game.ghosts or s.catches < s.caught.bit_count():
        raise refuse(f"{s.catches} ghosts can't have been caught with {pellets} pellets")
    for ghost in range(game.ghosts):
        if s.caught >> ghost & 1 and game.ghost_square(s, ghost) != game.plan.dens[ghost]:
            raise refuse(f"ghost {GHOSTS[ghost]} is caught, but not in its den")
    if s.power and full and game.met(s, s.pacman):
        raise refuse("a ghost on Pacman's square is caught while he has power")
    if s.round > game.rounds or (s.round == game.rounds and s.mover != 0):
        raise refuse(f"the game ends after {game.rounds} rounds")
    if s.food == 0 and (s.mover != 1 or game.got_him(s)):
        raise refuse("the game ends when Pacman eats the last dot")
    eaten = len(game.plan.food) - s.food.bit_count()
    if eaten > game.steps_taken(s):
        raise refuse(f"nobody eats {eaten} in {game.steps_taken(s)} moves")
    here = int(game.food_bits[s.pacman])
    if s.food & here and not game.got_him(s):
        raise refuse("Pacman has eaten what is on his square")


# ------------------------------------------------------------------ a picture
def picture(game: Any, s: Any) -> str:
    """The maze with everybody in it; ghosts that can be caught in small letters. Below, the points, the rounds and
    the power."""
    rows = [list("".join(WALL if sign == WALL else FLOOR for sign in row)) for row in game.plan.rows]

    def put(square: int, sign: str) -> None:
        row, column = game.plan.places[square]
        rows[row][column] = sign

    for bit, square in enumerate(game.plan.food):
        if s.food >> bit & 1:
            put(square, _sign(game, bit))
    put(s.pacman, PACMAN)
    for ghost in reversed(range(game.ghosts)):
        name = GHOSTS[ghost]
        asleep = s.caught >> ghost & 1
        if not asleep or game.ghost_square(s, ghost) != s.pacman:
            put(game.ghost_square(s, ghost), name.lower() if s.power else name)
    below = f"points {game.points(s)}, round {s.round} of {game.rounds}"
    if s.power:
        below += f", power for {s.power}"
    return "\n".join(["".join(row) for row in rows] + [below])


def _sign(game: Any, bit: int) -> str:
    return PELLET if game.pellets >> bit & 1 else DOT


def _place(game: Any, square: int) -> str:
    row, column = game.plan.places[square]
    return f"{column},{row}"


def _short(line: str) -> str:
    return repr(line if len(line) <= 60 else line[:57] + "...")


class PacmanNotation(Notation):
    """States and actions as text."""

    player_names = ("Pacman", "ghosts")

    def agents(self, game: Pacman) -> int:
        return 1 + game.ghosts

    def format_state(self, game: Pacman, s: Chase) -> str:
        return format_state(game, s)

    def parse_state(self, game: Pacman, line: str) -> Chase:
        return Chase(*parse_state(game, line))

    def format_action(self, game: Pacman, s: Chase, move: int) -> str:
        return MOVES[move]
