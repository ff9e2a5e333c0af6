"""`python -m plyforge` and the programs `plyforge`, `plyforge-uci` and `plyforge-gtp`: the command line, with Ctrl-C
heard from here to the end of the process.

This file imports nothing that takes time: whatever is imported, run or cleaned up after it, Ctrl-C ends with exit code
130 and one line.
"""

import _thread
import signal
import sys
import time

INTERRUPTED = 130
SHORTLY = 0.01
"""Seconds in which a finaliser should have ended."""


def main(*first: str) -> None:
    """The program: runs a verb, and exits with 0, 2 (our error, one line) or 130 (Ctrl-C). `first` come before the
    words that were given."""
    code: object = INTERRUPTED
    sys.unraisablehook = _told_again
    try:
        try:
            from plyforge.cli import main as run_verb

            run_verb([*first, *sys.argv[1:]])
            code = 0
        except SystemExit as end:
            code = end.code
        except KeyboardInterrupt:  # where no verb was there yet, or none any more, to hear it
            print("\nstopped", file=sys.stderr)
    except KeyboardInterrupt:  # again, and again it is one word to stop
        pass
    _hear_no_more()
    sys.exit(code)  # type: ignore[arg-type]


def main_uci() -> None:
    """`plyforge uci`, for programs that want the name of a file and no words after it."""
    main("uci")


def main_gtp() -> None:
    """`plyforge gtp`, for the same."""
    main("gtp")


def _hear_no_more() -> None:
    """All is done, and what is left is the interpreter's end, which would show a traceback, or die by the signal."""
    try:
        if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
            signal.signal(signal.SIGINT, signal.SIG_IGN)
    except KeyboardInterrupt:
        _hear_no_more()


_usual_hook = sys.unraisablehook


def _told_again(lost: "sys.UnraisableHookArgs") -> None:
    """Ctrl-C that came while a finaliser ran, where nothing can be raised, is raised as soon as it can be."""
    if isinstance(lost.exc_value, KeyboardInterrupt):
        _thread.start_new_thread(_press_again, ())
    else:
        _usual_hook(lost)


def _press_again() -> None:
    time.sleep(SHORTLY)
    _thread.interrupt_main()


if __name__ == "__main__":
    main()
