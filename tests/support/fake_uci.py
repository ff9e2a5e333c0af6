"""A small UCI program that plays chess at random, and can be told to misbehave: an opponent for tests, run as a
program.

python fake_uci.py --mode crash --after 2
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import sys
import time

from plyforge.contract import legal_moves, parse_state


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def misbehave(mode: str) -> bool:
    """What to do instead of an answer to go; False: the true answer follows."""
    if mode == "crash":
        print("out of luck", file=sys.stderr, flush=True)
        os._exit(3)
    if mode == "killed":
        os.kill(os.getpid(), signal.SIGSEGV)
    if mode == "stall":
        time.sleep(600)
    if mode == "slow":
        time.sleep(0.4)
        return False
    if mode == "spew":
        while True:
            say("nonsense")
    said = {"illegal": "bestmove e1e8", "none": "bestmove (none)", "empty": "bestmove"}
    if mode in said:
        say(said[mode])
        return True
    return False


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--mode", default="well")
    parser.add_argument("--after", type=int, default=0, help="moves before it misbehaves")
    parser.add_argument("--log")
    given = parser.parse_args()
    from plyforge.games.chess import Chess
    from plyforge.games.chess.notation import parse_uci, uci_text

    game = Chess()
    state, moves, choose, waiting = game.start(), 0, random.Random(5), False
    for line in sys.stdin:
        if given.log:
            with open(given.log, "a") as log:  # noqa: PTH123
                log.write(line)
        words = line.split()
        if words[:1] == ["uci"]:
            say("id name fake\noption name Hash type spin default 16 min 1 max 64")
            say("option name MultiPV type spin default 1 min 1 max 5\noption name Clear Hash type button\nuciok")
        elif words[:1] == ["isready"]:
            say("readyok")
        elif words[:1] == ["position"]:
            cut = words.index("moves") if "moves" in words else len(words)
            state = game.start() if words[1] == "startpos" else parse_state(game, " ".join(words[2:cut]))
            for text in words[cut + 1 :]:
                state = game.result(state, parse_uci(game, state, text))
        elif words[:1] == ["go"]:
            moves += 1
            if moves > given.after and misbehave(given.mode):
                continue
            if "infinite" in words:  # two lines, and no answer before it is told to stop
                say("info depth 3 multipv 1 score cp 31 lowerbound nodes 7 pv e2e4")
                say("info depth 9 multipv 1 score cp 31 nodes 70 time 5 pv e2e4 e7e5 a1h8")
                say("info depth 9 multipv 2 score mate -3 nodes 71 pv d2d4 d7d5")
                say("info string nothing to say")
                waiting = True
                continue
            say("info depth 1 score cp 0")
            say(f"bestmove {uci_text(state, choose.choice(legal_moves(game, state)))}")
            if given.mode == "twice":
                say("bestmove a1a1")
        elif words[:1] == ["stop"] and waiting and given.mode != "deaf":
            waiting = False
            say("bestmove e2e4")
        elif words[:1] == ["quit"]:
            return


if __name__ == "__main__":
    main()
