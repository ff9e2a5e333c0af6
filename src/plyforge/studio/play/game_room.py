"""A table in the studio: a game in progress, who sits at it, the clock, and whoever thinks. What a page may ask for is
in `handler.py`.

Invariants:
- Whatever changes the game holds the lock. `version` grows with every change, so that what was thought or sent about an
  earlier standing is known by it.
- An algorithm thinks in a thread of its own; where the game has changed meanwhile, what it found is thrown away.
"""

from __future__ import annotations

import contextlib
import threading
import time
import traceback
from dataclasses import replace
from typing import Any

from plyforge.contract import CHANCE, PUBLIC, SIMULTANEOUS, Game, defines, format_action
from plyforge.errors import BadText, IllegalAction, PlyforgeError
from plyforge.play.formats.record import Record
from plyforge.play.match.draw_offers import Thought, thought_of
from plyforge.play.players.player import Choice, Resigned
from plyforge.play.players.search_player import SearchPlayer
from plyforge.play.review import judging as review
from plyforge.play.session import GameSession, Turn
from plyforge.play.words import explain
from plyforge.search import Progress
from plyforge.studio.library.user_rules import raised
from plyforge.studio.play import seats
from plyforge.studio.play.clocks import Clocks
from plyforge.studio.play.jobs import searching_job
from plyforge.studio.present import game_message
from plyforge.studio.server.handler import Desk, Room

WATCHED = 0.6
"""Seconds between two moves where nobody but algorithms plays: people want to see them."""
AUTO, BY_HAND = "auto", "hand"


class Table(Desk):
    """See the module's text."""

    def __init__(self, room: Room) -> None:
        super().__init__(room)
        self.lock = threading.RLock()
        self.name = ""
        self.session: GameSession | None = None
        self.seats: list[seats.Seat] = []
        self.roll_how = AUTO
        self.clocks: Clocks | None = None
        self.paused = False
        self.note = ""
        """What an algorithm thought."""
        self.thought: Thought | None = None
        """What the algorithm that moved last thought, for its answer to an offer of a draw."""
        self.trouble = ""
        """What went wrong where no request could be told of it."""
        self.chosen: dict[int, Any] = {}
        """Where all choose at once: what was chosen so far."""
        self.record: Record | None = None
        """The game without its turns, as it is saved; None where the rules have no name to be found by again."""
        self.texts: list[tuple[Turn, str]] = []
        self.version = 0
        self.sitting = 0
        """How often somebody has sat down here: who leaves late does not send away who has come meanwhile."""
        self.thinker = searching_job("studio player")
        self.adviser = searching_job("studio adviser")
        self.hint_of: tuple[Any, Any] | None = None
        """The state that a hint was asked for, and what the search found there."""
        self.judged: list[review.Judged] = []
        self.holds: int | None = None
        """Of several people in a game with hidden information: who has the screen; None: nobody."""
        self.closed = False

    # ------------------------------------------------------------ sitting down and leaving
    def sit_down(
        self,
        name: str,
        session: GameSession,
        players: list[str],
        clock: list[float] | None,
        roll: str,
        paused: bool,
        left: list[float] | None = None,
    ) -> dict[str, Any]:
        """Begin to play at this table: a session, who plays, the clock and what is left on it, who rolls, and
        whether algorithms wait."""
        rules = session.game
        if len(players) != rules.players or not all(isinstance(text, str) for text in players):
            raise BadText(f"{name} has {rules.players} players, and this setting names {len(players)}")
        if roll not in (AUTO, BY_HAND):
            raise BadText(f"dice roll by {AUTO} or by {BY_HAND}, not {roll[:20]!r}")
        seated = [seats.seat_of(rules, text, False) for text in players]
        if rules.hidden_information and defines(rules, "legal_actions") and sum(seat.human for seat in seated) > 1:
            raise BadText(f"{name} hides something, and all choose at once: one person alone can play it at a screen")
        clocks = None
        if clock is not None:
            if len(clock) != 2 or not all(isinstance(each, (int, float)) for each in clock):
                raise BadText("a clock is two numbers: seconds for the game, and seconds more for each move")
            clocks = Clocks(rules.players, float(clock[0]), float(clock[1]), self._ran_out)
            if left is not None:
                clocks.set(left)
        with self.lock:
            self.give_up()
            if self.clocks is not None:
                self.clocks.stop()
            self.sitting += 1
            self.name, self.session, self.seats = name, session, seated
            session.seats = tuple(seat.text for seat in seated)
            self.record = None
            with contextlib.suppress(PlyforgeError):
                self.record = Record.of(GameSession(rules, session.start, session.seed))
            self.roll_how, self.clocks = roll, clocks
            self.paused = paused and not self.waits_for_person()
            self.note, self.trouble = "", ""
            self.chosen, self.judged, self.hint_of, self.holds = {}, [], None, None
            return self.go_on()

    def count_from(self, first: int) -> None:
        self.sitting = self.version = first

    def close(self) -> None:
        """The page has gone."""
        self.closed = True
        self.thinker.give_up()
        self.adviser.give_up()
        if self.clocks is not None:
            self.clocks.stop()

    # ------------------------------------------------------------ parts
    def playing(self, version: int | None = None) -> GameSession:
        """The game in progress; raises IllegalAction if there is none, or if it is not as whoever asks has seen it."""
        if self.session is None:
            raise IllegalAction("there is no game yet: begin one")
        if version is not None and version != self.version:
            raise IllegalAction("the game has gone on meanwhile")
        return self.session

    def give_up(self) -> None:
        """Stop whoever thinks, without a result."""
        self.thinker.give_up()
        self.adviser.give_up()

    def changed(self) -> dict[str, Any]:
        """Turns were taken or taken back, or somebody else sits here: how the game stands then."""
        self.adviser.give_up()
        self.chosen, self.hint_of, self.judged = {}, None, []
        self.note = self.trouble = ""
        return self.go_on()

    def pause_unless_person(self) -> None:
        """Whoever takes back to an algorithm's turn wants to look, not to see it played again at once."""
        assert self.session is not None
        player = self.session.player
        self.paused = player is not None and not self.waits_for_person()

    def turns_to_person(self) -> int:
        """How many turns to take back for a person's last turn to come again."""
        assert self.session is not None
        turns = int(self.session.settled)
        for turn in reversed(self.session.history):
            turns += 1
            if turn.player == SIMULTANEOUS or (turn.player >= 0 and self.seats[turn.player].human):
                return turns
        return turns if self.session.settled else 0

    def still_to_choose(self) -> list[int]:
        """The people who have not chosen yet, where all choose at once."""
        return [n for n, seat in enumerate(self.seats) if seat.human and n not in self.chosen]

    def _rolls_by_itself(self) -> bool:
        """True unless a person wants to roll, and it is a person's roll as far as the state tells."""
        assert self.session is not None
        if self.roll_how == AUTO or self.session.game.hidden_information:
            return True
        whose = getattr(self.session.state, "player", None)
        return isinstance(whose, int) and 0 <= whose < len(self.seats) and not self.seats[whose].human

    def waits_for_person(self) -> bool:
        """True if nothing happens until a person does something."""
        assert self.session is not None
        player = self.session.player
        if player == CHANCE:
            return not self._rolls_by_itself()
        if player == SIMULTANEOUS:
            return bool(self.still_to_choose())
        return player is not None and self.seats[player].human

    # ------------------------------------------------------------ who looks, where something is hidden
    def eyes(self, session: GameSession) -> int:
        """Whose observation the page gets: that of the one person, of several that of who is to move and has the
        screen; else what everybody sees."""
        people = [number for number, seat in enumerate(self.seats) if seat.human]
        if len(people) == 1:
            return people[0]
        player = session.player
        return player if player is not None and player in people and player == self.holds else PUBLIC

    def pass_to(self, session: GameSession) -> int | None:
        """The person whom the screen has to be passed to before anything is shown; None if it is shown already."""
        player, people = session.player, sum(seat.human for seat in self.seats)
        if not session.sealed or people < 2 or player is None or player < 0 or player == self.holds:
            return None
        return player if self.seats[player].human else None

    def go_on(self) -> dict[str, Any]:
        """Let chance and algorithms have their turns; how the game stands."""
        session = self.session
        assert session is not None
        while session.player == CHANCE and not self.paused and self._rolls_by_itself():
            session.draw()
        self.version += 1
        player = session.player
        if player != self.holds:
            self.holds = None
        if self.clocks is not None:
            self.clocks.run_for(player if player is not None and player >= 0 and not self.paused else None)
        if player is not None and not self.paused and not self.closed and not self.waits_for_person():
            self._let_think(session, player)
        return self.stands()

    def _let_think(self, session: GameSession, player: int) -> None:
        game, version = session.game, self.version
        movers = [n for n, seat in enumerate(self.seats) if not seat.human] if player == SIMULTANEOUS else [player]
        thinking = [self._at_speed(game, number) for number in movers]
        seen = {number: session.observation(number) for number in movers}
        history = session.observations(movers[0]) if movers else []
        watched = self.clocks is None and not any(seat.human for seat in self.seats)

        def think(wanted: Any) -> Any:
            began = time.monotonic()
            if player == SIMULTANEOUS:
                found: Any = {
                    number: seat.player.choose(game, seen[number], history=session.observations(number), seat=number)  # type: ignore[union-attr]
                    for number, seat in zip(movers, thinking, strict=True)
                }
            else:
                found = self._choice(game, seen[player], thinking[0], player, history, wanted)
            while watched and wanted() and time.monotonic() < began + WATCHED:
                time.sleep(0.02)
            return found

        def done(found: Any) -> None:
            with self.lock:
                if self.version != version or self.closed:
                    return
                try:
                    self._take(session, found)
                except BaseException as error:  # the rules, of the state that it leads to
                    traceback.print_exc()
                    self._tell_trouble(raised(error))

        def failed(why: str) -> None:
            with self.lock:
                if self.version == version:
                    self._tell_trouble(why)

        def stop() -> None:
            for seat in thinking:
                seats.stop(seat)

        self.thinker.start(think, done, failed, stop)

    def _at_speed(self, game: Game, number: int) -> seats.Seat:
        """A seat, made anew where compiled code has come meanwhile."""
        seat = self.seats[number]
        native = self.native(game, seats.using(seat))
        if native != seat.native:
            seat = self.seats[number] = seats.seat_of(game, seat.text, native)
        return seat

    def _choice(
        self, game: Game, state: Any, seat: seats.Seat, player: int, history: list[Any], wanted: Any
    ) -> Choice | None:
        mind: Any = seat.player
        if isinstance(mind, SearchPlayer):
            mind.engine(game).on_lost = self.thinker.abandon
        if self.clocks is not None and isinstance(mind, SearchPlayer):
            mind.engine(game)  # made here, it is kept from move to move
            mind = mind.on_clock(self.clocks.clock(player))
        seat.mind = mind

        def progress(now: Progress) -> None:
            if not wanted() or self.thinker.hurried:
                seats.stop(seat)  # it was asked to before there was anything to stop
            self.tell("thinking", {"player": player, "depth": now.depth, "nodes": now.nodes})

        try:
            chosen: Choice = mind.choose(game, state, on_progress=progress, history=history)
        except Resigned:
            return None
        return chosen

    def _take(self, session: GameSession, found: Any) -> None:
        """Play what algorithms have chosen, and tell the page; None: whoever was to move gives up."""
        if found is None:
            assert session.player is not None
            session.resign(session.player)
            self.changed()
        elif isinstance(found, Choice):
            session.play(found.action)
            self.thought = thought_of(session, found.result)
            self.changed()
            if not session.game.hidden_information:
                self.note = explain(found.result) if found.result is not None else found.note
        else:
            joint = {number: choice.action for number, choice in found.items()} | self.chosen
            session.play(tuple(joint[number] for number in range(session.game.players)))
            self.changed()
        self._tell_standing()

    def _ran_out(self, player: int) -> None:
        with self.lock, contextlib.suppress(PlyforgeError):
            if self.session is not None and self.clocks is not None and self.clocks.ran_out(player):
                self.give_up()
                self.session.resign(player, late=True)
                self.clocks.stop()
                self.version += 1
                self._tell_standing()

    def _tell_trouble(self, why: str) -> None:
        """Something has gone wrong that no request could be told of: all wait."""
        self.trouble, self.paused = why, True
        self.version += 1
        self._tell_standing()

    def _tell_standing(self) -> None:
        try:
            self.tell("play", self.stands())
        except BaseException as error:  # the rules can't even say how it stands
            self.tell("trouble", {"views": ["play"], "why": self.trouble or raised(error)})

    def stands(self) -> dict[str, Any]:
        """How the game stands, in full."""
        session = self.session
        assert session is not None
        game, player, outcome = session.game, session.player, session.outcome
        eyes = self.eyes(session)
        answer: dict[str, Any] = {
            "game": self.name,
            "version": self.version,
            "sitting": self.sitting,
            "ply": session.ply,
            "player": player,
            "players": game_message.names(game),
            "seats": [{"text": seat.text, "label": seat.label, "human": seat.human} for seat in self.seats],
            "moves": [{"player": turn.player, "text": text} for turn, text in self._written(session)],
            "future": session.undone,
            "last": game_message.last_way(session),
            "waits": self.waits_for_person(),
            "paused": self.paused,
            "thinking": self.thinker.busy,
            "note": self.note,
            "trouble": self.trouble,
            "over": None if outcome is None else self._ending(session),
            "actions": [],
            "choosers": [],
            "clock": None if self.clocks is None else self.clocks.to_json(),
            "paid": list(session.paid) if game.has_rewards and not session.sealed else None,
            "pass_to": self.pass_to(session),
            **game_message.state_json(game, session.observation(eyes)),
        }
        if player == SIMULTANEOUS:
            answer["choosers"] = [
                {"player": number, "choices": game_message.choices_json(game, session.observation(number), number)}
                for number in self.still_to_choose()
            ]
        elif player is not None and player >= 0 and self.seats[player].human and answer["pass_to"] is None:
            answer["actions"] = game_message.actions_json(session)
        if self.record is not None:
            actions = tuple(move["text"] for move in answer["moves"])
            record = replace(
                self.record,
                players=session.seats,
                actions=actions,
                resigned=session.resigned,
                late=session.late,
                agreed=session.agreed,
                drawn_from=min(session.drawn_from, len(session.history) + 1),
            )
            answer["record"] = record.to_json()
        return answer

    def _written(self, session: GameSession) -> list[tuple[Turn, str]]:
        """The turns with their texts; only those that were not there before are written anew."""
        if session.sealed:
            return []
        history = session.history
        known = 0
        while known < min(len(history), len(self.texts)) and self.texts[known][0] is history[known]:
            known += 1
        del self.texts[known:]
        self.texts += [(turn, format_action(session.game, turn.state, turn.action)) for turn in history[known:]]
        return self.texts

    def _ending(self, session: GameSession) -> dict[str, Any]:
        outcome, game = session.outcome, session.game
        assert outcome is not None
        return {
            "text": outcome.text(game),
            "reason": outcome.reason,
            "winners": list(outcome.winners),
            "utilities": None if outcome.utilities is None else list(outcome.utilities),
        }


__all__ = ["AUTO", "BY_HAND", "Table"]
