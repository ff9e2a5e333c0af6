"""The desk of the play view: what a page may ask for at a table.

Every answer and every piece of news is the whole standing of the game, numbered, so that a page that missed something
has missed nothing. The record in it is all that a page needs to go on elsewhere: with another socket, or another
studio.
"""

from __future__ import annotations

from typing import Any

from plyforge.contract import CHANCE, MAX, MIN, SIMULTANEOUS, defines, format_action, parse_choice
from plyforge.errors import BadText, IllegalAction
from plyforge.grids.hooks import board_of, ways_of
from plyforge.play.formats.record import Record
from plyforge.play.formats.registry import formats_of, media, write
from plyforge.play.match.draw_offers import answer, can_agree
from plyforge.play.players.search_player import SearchPlayer
from plyforge.play.review import judging as review
from plyforge.play.session import GameSession
from plyforge.search import Control, Limits
from plyforge.search.core.requirements import ANY_GAME
from plyforge.studio.library.cards import title
from plyforge.studio.play import files, seats
from plyforge.studio.play.game_room import AUTO, Table
from plyforge.studio.play.hints import hint_json
from plyforge.studio.present import game_message
from plyforge.studio.server.handler import does


class PlayDesk(Table):
    """See the module's text."""

    # ------------------------------------------------------------ beginning
    @does
    def options(self, game: str) -> dict[str, Any]:
        """Who could play this game, and what it can be saved as."""
        rules = self.game(game)
        ratings = {rung.player: rung.rating for rung in seats.rungs_of(rules)}
        return {
            "title": title(game.partition("(")[0]),
            "players": game_message.names(rules),
            "steps": [
                {"name": name, "text": text, "rating": ratings.get(text, "")} for name, text in seats.steps(rules)
            ],
            "algorithms": seats.algorithms(rules),
            "formats": formats_of(rules),
            "chance": bool(rules.has_chance),
            "together": bool(defines(rules, "legal_actions")),
            "hidden": bool(rules.hidden_information),
            "steering": [list(pair) for pair in rules.view.steering],
            "draws": can_agree(rules),
            "judges": review.can_judge(rules),
            "turns": bool((board := board_of(rules, rules.start())) and board.turns),
        }

    @does
    def new(
        self,
        game: str,
        players: list[str],
        state: str | None = None,
        clock: list[float] | None = None,
        roll: str = AUTO,
        paused: bool = False,
    ) -> dict[str, Any]:
        """Begin a game: who plays, from where, with which clock (seconds, and seconds more a move), and who rolls
        the dice."""
        rules = self.game(game)
        session = GameSession(rules, state.strip() if state and state.strip() else None)
        return self.sit_down(game, session, players, clock, roll, paused)

    @does
    def resume(
        self,
        game: str,
        record: dict[str, Any],
        players: list[str],
        clock: list[float] | None = None,
        roll: str = AUTO,
        paused: bool = False,
        left: list[float] | None = None,
    ) -> dict[str, Any]:
        """Go on with a game that a page has kept; `left` is what each player's clock showed."""
        session = files.resumed(record, self.game(game), self.room.shelf)
        return self.sit_down(game, session, players, clock, roll, paused, left)

    # ------------------------------------------------------------ moving
    @does
    def move(self, text: str, version: int | None = None) -> dict[str, Any]:
        """A person's action, as text."""
        with self.lock:
            session = self.playing(version)
            player = session.player
            if player is None or player in (CHANCE, SIMULTANEOUS) or not self.seats[player].human:
                raise IllegalAction("it is not a person's turn")
            session.play_text(text)
            self.paused = False
            return self.changed()

    @does
    def choose(self, player: int, text: str, version: int | None = None) -> dict[str, Any]:
        """What a person chooses where all choose at once; played when everybody has chosen."""
        with self.lock:
            session = self.playing(version)
            if session.player != SIMULTANEOUS or player not in self.still_to_choose():
                raise IllegalAction("there is nothing to choose for that player now")
            self.chosen[player] = parse_choice(session.game, session.observation(player), player, text)
            return self.go_on()

    @does
    def take_screen(self, player: int, version: int | None = None) -> dict[str, Any]:
        """Of several people in a game with hidden information: who is to move says that nobody else looks."""
        with self.lock:
            if player != self.pass_to(self.playing(version)):
                raise IllegalAction("the screen is not to be passed to that player now")
            self.holds = player
            return self.stands()

    @does
    def roll(self) -> dict[str, Any]:
        """Let chance decide."""
        with self.lock:
            session = self.playing()
            session.draw()
            return self.changed()

    @does
    def undo(self, turns: int = 1) -> dict[str, Any]:
        """Take back turns, everybody's."""
        with self.lock:
            session = self.playing()
            self.give_up()
            session.undo(turns)
            self.pause_unless_person()
            return self.changed()

    @does
    def redo(self, turns: int = 1) -> dict[str, Any]:
        """Play again what was taken back."""
        with self.lock:
            session = self.playing()
            self.give_up()
            session.redo(turns)
            self.pause_unless_person()
            return self.changed()

    @does
    def take_back(self) -> dict[str, Any]:
        """Back to the person's last turn."""
        with self.lock:
            session = self.playing()
            self.give_up()
            if session.game.hidden_information:
                session.undo()  # which refuses, and says why
            turns = self.turns_to_person()
            if not turns:
                raise IllegalAction("there is no earlier turn of a person")
            session.undo(turns)
            self.paused = False
            return self.changed()

    @does
    def resign(self, player: int | None = None) -> dict[str, Any]:
        """A person gives up; whoever moves, if nobody is named."""
        with self.lock:
            session = self.playing()
            people = [number for number, seat in enumerate(self.seats) if seat.human]
            mover = session.player
            who = player if player is not None else mover if mover in people else next(iter(people), 0)
            assert who is not None
            self.give_up()
            session.resign(who)
            return self.changed()

    @does
    def offer_draw(self, version: int | None = None) -> dict[str, Any]:
        """A person whose turn it is offers a draw. Two people sit at the same board: the page has asked both. An
        algorithm goes by what it thought of its last move."""
        with self.lock:
            session = self.playing(version)
            if not can_agree(session.game):
                raise IllegalAction("no draw can be agreed on in this game")
            player = session.player
            if player not in (MAX, MIN) or not self.seats[player].human:
                raise IllegalAction("a draw is offered by a person, when it is their turn")
            words = "A draw was agreed"
            if not self.seats[1 - player].human:
                said = answer(session, 1 - player, self.thought)
                words = said.words
                if not said.accepted:
                    return {**self.stands(), "words": words}
            self.give_up()
            session.agree()
            return {**self.changed(), "words": words}

    @staticmethod
    def keep_cards(session: GameSession, person: bool) -> None:
        """A person who takes a seat in the middle of a game sees what it has in hand."""
        if person and session.sealed:
            raise IllegalAction("seats are not changed while something is hidden: each has seen the own part")

    @does
    def swap(self) -> dict[str, Any]:
        """Everybody moves on by one seat: with two players, they change sides."""
        with self.lock:
            session = self.playing()
            self.keep_cards(session, True)
            self.give_up()
            self.seats, self.thought = [*self.seats[1:], self.seats[0]], None
            session.seats = tuple(seat.text for seat in self.seats)
            self.paused = False
            return self.changed()

    @does
    def seat(self, player: int, text: str) -> dict[str, Any]:
        """Somebody else sits down at a seat."""
        with self.lock:
            session = self.playing()
            if not 0 <= player < len(self.seats):
                raise BadText(f"there is no player {player}")
            newcomer = seats.seat_of(session.game, text, False)
            self.keep_cards(session, newcomer.human)
            self.give_up()
            self.seats[player], self.thought = newcomer, None
            session.seats = tuple(seat.text for seat in self.seats)
            return self.changed()

    @does(at_once=True)
    def stop(self) -> None:
        """Whoever thinks plays the best found so far."""
        self.thinker.hurry()

    @does(at_once=True)
    def pause(self, on: bool) -> dict[str, Any]:
        """Algorithms and clocks wait, or go on."""
        with self.lock:
            self.playing()
            self.paused = on
            if on:
                self.give_up()
                if self.clocks is not None:
                    self.clocks.stop()
                self.version += 1
                return self.stands()
            return self.go_on()

    # ------------------------------------------------------------ files and positions
    @does
    def save(self, kind: str) -> dict[str, Any]:
        """The game as a file to fetch."""
        with self.lock:
            content = write([self.playing()], kind)
        stem = self.name.partition("(")[0] or "game"
        return {"address": self.make(f"{stem}.{kind}", content, media(kind))}

    @does
    def load(self, content: str) -> dict[str, Any]:
        """A game from the content of a file, a letter for each byte: with the people and algorithms that sit here
        already."""
        try:
            data = content.encode("latin-1")
        except UnicodeEncodeError:
            raise BadText("the content of a file is one letter for each byte") from None
        with self.lock:
            now = self.playing()
            session = files.read(data, now.game, self.room.shelf)
            name = self.name
            if session.game != now.game:
                name = Record.of(session).game
            texts = [seat.text for seat in self.seats]
            if session.game.players != len(texts):
                texts = ["human"] * session.game.players
            return self.sit_down(name, session, texts, None, self.roll_how, True)

    @does
    def look(self, ply: int) -> dict[str, Any]:
        """The game as it stood after so many turns; nothing changes."""
        with self.lock:
            session = self.playing()
            states = [*session.states, session.state]
            if not 0 <= ply < len(states):
                raise BadText(f"there is no ply {ply}")
            there = GameSession(session.game, states[ply])
            player = there.player
            actions = [] if player in (None, CHANCE, SIMULTANEOUS) else game_message.actions_json(there)
            return {
                "ply": ply,
                "player": player,
                "actions": actions,
                "last": game_message.last_way(session, ply),
                **game_message.state_json(session.game, states[ply]),
            }

    # ------------------------------------------------------------ advice
    @does
    def hint(self, step: int) -> dict[str, Any]:
        """A hint of a step from 1 to 3; it comes as news of kind "hint"."""
        with self.lock:
            session = self.playing()
            player = session.player
            if player is None or player in (CHANCE, SIMULTANEOUS) or not self.seats[player].human:
                raise IllegalAction("hints are for people, when it is their turn")
            state, version = session.observation(player), self.version
            if self.hint_of is not None and self.hint_of[0] == state:
                self.tell("hint", {"version": version, **hint_json(session, self.hint_of[1], step)})
                return {}
            past = session.copy()
            player_of = SearchPlayer(native=self.native(session.game), seconds=seats.HINT_SECONDS)
            engine = player_of.engine(session.game)
            engine.on_lost = self.adviser.abandon

        def think(wanted: Any) -> Any:
            return player_of.choose(session.game, state, history=past.observations(player)).result

        def done(found: Any) -> None:
            self.hint_of = (state, found)
            self.tell("hint", {"version": version, **hint_json(past, found, step)})

        self.adviser.start(
            think,
            done,
            lambda why: self.tell("hint", {"version": version, "words": why, "places": []}),
            engine.stop,
        )
        return {"thinking": True}

    @does
    def review(self) -> dict[str, Any]:
        """Look back at the whole game; how far it has come is told as news of kind "review"."""
        with self.lock:
            session = self.playing()
            if session.game.hidden_information:
                ANY_GAME.check(session.game, "looking back")
            if not review.can_judge(session.game):
                raise IllegalAction("where all choose at once there is no best choice, only a mix: see Analyse")
            past = session.copy()
            version, native = self.version, self.native(session.game)
            control = Control()

        def told(rows: list[dict[str, Any]]) -> None:
            self.tell("review", {"rows": rows, "version": version, "done": False})

        def think(wanted: Any) -> Any:
            return review.look_back(past, native, control, wanted, told)

        def done(judged: list[review.Judged]) -> None:
            self.judged = judged
            rows = review.rows(past, list(judged))
            self.tell("review", {"rows": rows, "version": version, "done": True, "unit": review.unit_of(past.game)})

        self.adviser.start(
            think, done, lambda why: self.tell("review", {"rows": [], "why": why, "done": True}), control.stop
        )
        return {"plies": len(past.history)}

    @does
    def attempt(self, ply: int, text: str | None = None) -> dict[str, Any]:
        """Another try at a turn that was a mistake: what it costs. Without an action: the answer."""
        with self.lock:
            session = self.playing()
            if not 0 <= ply < len(session.history) or ply >= len(self.judged):
                raise IllegalAction("look back at the game first")
            turn, before = session.history[ply], self.judged[ply]
        game = session.game
        if text is None:
            if not before.best:
                raise IllegalAction("there was nothing to choose there")
            way = next(iter(ways_of(game, turn.state, before.best[0])), ())
            return {"answer": format_action(game, turn.state, before.best[0]), "way": list(way)}
        action = GameSession(game, turn.state).read_action(text)
        if action in before.best:
            return {"cost": 0.0, "grade": "", "good": True}
        after = review.judge(
            game, game.result(turn.state, action), Limits(seconds=review.SECONDS), self.native(game), Control()
        )
        cost = max(0.0, before.values[turn.player] - after.values[turn.player])
        if defines(game.costs, "cost"):
            cost = max(0.0, cost + game.costs.cost(game, turn.state, action))
        called = review.grade(game, cost, after.exact and before.exact)
        return {"cost": cost, "grade": called, "good": not called}

    # ------------------------------------------------------------ leaving
    @does(at_once=True)
    def leave(self, sitting: int | None = None) -> None:
        """The view is left: nothing thinks any more, no clock runs, and what was learned is let go. Whoever has sat
        down here meanwhile is not disturbed."""
        with self.lock:
            if sitting is not None and sitting < self.sitting:
                return
            self.version += 1
            self.give_up()
            if self.clocks is not None:
                self.clocks.stop()
            if self.session is not None:
                game = self.session.game
                self.seats = [seats.seat_of(game, seat.text, seat.native) for seat in self.seats]


__all__ = ["PlayDesk"]
