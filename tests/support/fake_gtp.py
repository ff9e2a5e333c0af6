"""A small GTP program that plays any game of Plyforge at random, and can be told to misbehave: an opponent for tests,
run as a program.

python fake_gtp.py tic_tac_toe --mode crash --after 2
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import sys
import time

from plyforge.contract import format_action, legal_moves, state_after

COMMANDS = [
    "protocol_version",
    "name",
    "known_command",
    "list_commands",
    "boardsize",
    "clear_board",
    "play",
    "genmove",
    "time_settings",
    "time_left",
    "quit",
]


def answer(text: str = "", good: bool = True) -> None:
    sys.stdout.write(f"{'=' if good else '?'} {text}\n\n")
    sys.stdout.flush()


def misbehave(mode: str) -> bool:
    """What to do instead of an answer to genmove; False: the true answer follows."""
    if mode == "crash":
        print("out of luck", file=sys.stderr, flush=True)
        os._exit(3)
    if mode == "killed":
        os.kill(os.getpid(), signal.SIGSEGV)
    if mode == "stall":
        time.sleep(600)
    if mode == "spew":
        while True:
            sys.stdout.write("x" * 100_000)
    if mode == "slow":
        time.sleep(0.4)
        return False
    if mode == "close":
        os.close(1)
        time.sleep(600)
    said = {
        "illegal": "= z99",
        "garbage": "I think you should resign",
        "resign": "= resign",
        "refuse": "? no",
    }
    if mode in said:
        sys.stdout.write(f"{said[mode]}\n\n")
        sys.stdout.flush()
        return True
    return False


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("game")
    parser.add_argument("--mode", default="well")
    parser.add_argument("--after", type=int, default=0, help="moves before it misbehaves")
    parser.add_argument("--log")
    given = parser.parse_args()
    import plyforge as pf

    if given.mode == "deaf":  # neither asking nor ending helps
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    game = pf.load(given.game)
    state, moves, choose = game.start(), 0, random.Random(5)
    for line in sys.stdin:
        if given.log:
            with open(given.log, "a") as log:  # noqa: PTH123
                log.write(line)
        word, *rest = line.split() or [""]
        if word == "quit" and given.mode != "deaf":
            answer()
            return
        if word == "protocol_version":
            answer("2")
        elif word == "known_command":
            answer("true" if rest[0] in COMMANDS else "false")
        elif word == "clear_board":
            state, moves = game.start(), 0
            answer()
        elif word == "play":
            try:
                state = state_after(game, rest[1], state=state)
                answer()
            except pf.PlyforgeError:
                answer("illegal move", good=False)
        elif word == "genmove":
            moves += 1
            if moves > given.after and misbehave(given.mode):
                continue
            action = choose.choice(legal_moves(game, state))
            text = format_action(game, state, action)
            state = game.result(state, action)
            answer(text.upper())
        elif word in COMMANDS:
            answer()
        else:
            answer("unknown command", good=False)
    if given.mode == "deaf":
        time.sleep(600)


if __name__ == "__main__":
    main()
