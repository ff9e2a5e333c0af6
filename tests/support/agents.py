"""Agents of somebody's own, good and bad: files that a test writes, or `python:` this one."""

from __future__ import annotations

import contextlib
import os
import sys
import time


class First:
    """The first legal action."""

    def choose(self, game, state):
        return next(iter(game.actions(state)))


class Lucky:
    """Any legal action, by its seed."""

    def __init__(self, seed):
        import random

        self.random = random.Random(seed)

    def choose(self, game, state):
        return self.random.choice(list(game.actions(state)))


class Chatty(First):
    """Prints nonsense, to where it should and where it should not."""

    def choose(self, game, state):
        print("I am thinking {]")
        os.write(1, b"\x00nonsense\n")
        sys.__stdout__.write("more\n")
        return super().choose(game, state)


class Mute:
    """Never answers."""

    def choose(self, game, state):
        time.sleep(1000)


class Hungry:
    """Eats memory."""

    def choose(self, game, state):
        return [bytearray(1 << 26) for _ in range(1 << 20)]


class Forking(First):
    """Both copies go on, and one of its children leaves its session."""

    def choose(self, game, state):
        os.fork()
        if os.fork() == 0:
            os.setsid()
            time.sleep(1000)
        return super().choose(game, state)


class Writing(First):
    """Writes to every file that is open: to our pipes, too."""

    def choose(self, game, state):
        for number in range(3, 30):
            with contextlib.suppress(OSError):
                os.write(number, b'{"id": 1, "ok": true}\n')
        return super().choose(game, state)


class Changing(First):
    """Changes what it is given."""

    def choose(self, game, state, history):
        history.clear()
        chosen = super().choose(game, state)
        try:
            object.__setattr__(game, "players", 7)
            state.x = 0
        except (AttributeError, TypeError):
            pass
        return chosen


class Cheating:
    """Plays what is not allowed."""

    def choose(self, game, state):
        return 99


class Raising:
    """Makes a mistake."""

    def choose(self, game, state):
        return {}["no such thing"]


class Leaving:
    """Ends its process."""

    def choose(self, game, state):
        os._exit(7)


class Quitting:
    """The polite way."""

    def choose(self, game, state):
        raise SystemExit


class Broken:
    """Can't be made."""

    def __init__(self):
        raise ValueError("not today")

    def choose(self, game, state):
        return None


class Seeing:
    """Remembers what it saw, and fails if it ever saw more than it should."""

    def __init__(self):
        self.seen = []

    def observe(self, game, state):
        self.seen.append(game.notation.format_state(game, state))

    def choose(self, game, state, player):
        text = game.notation.format_state(game, state)
        assert self.seen[-1] == text
        assert text.split()[1 - player] == "?", text
        return next(iter(game.actions(state)))


class Cooperative:
    """Where all choose at once."""

    def choose(self, game, state, player):
        return next(iter(game.legal_actions(state, player)))
