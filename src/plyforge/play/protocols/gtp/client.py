"""GTP, the Go Text Protocol (version 2), from the side of whoever gives the commands: an outside program as a player.

    program = GtpProgram("gtp-rhino --level=3")
    program.ask("clear_board")
    program.ask("genmove black")          "D3"
    program.close()

A command is one line. The answer begins with `=` or `?` and ends with an empty line. The protocol was made for Go;
programs for Othello, Hex and others speak it with the same commands. Reference: Farnebäck, "Specification of the Go
Text Protocol, version 2, draft 2" (2002).

How the program is kept in check is in `process.py`; the other side of the protocol is in `server.py`.
"""

from __future__ import annotations

import time

from plyforge.play.protocols.process import COMMAND_SECONDS, SHOWN, Program, ProgramFailed

LONGEST_ANSWER = 1 << 20
"""Bytes. A program that writes more than this in one answer is not answering."""


class GtpProgram(Program):
    """A running program that speaks GTP; see the module's text."""

    def ask(self, command: str, seconds: float = COMMAND_SECONDS) -> str:
        """The answer to a command, without its `=`. Raises ProgramFailed."""
        end = time.monotonic() + seconds
        self.send(command)
        good, text = self._answer(command, end, seconds)
        if not good:
            raise ProgramFailed("refused", f"{self.name} refuses {command!r}: {text[:SHOWN] or 'no reason given'}")
        return text

    def offers(self, command: str) -> bool:
        """True if the program says that it knows a command."""
        try:
            return self.ask(f"known_command {command}").strip().lower() == "true"
        except ProgramFailed as failure:
            if failure.kind == "refused":
                return False
            raise

    def _answer(self, command: str, end: float, seconds: float) -> tuple[bool, str]:
        """The next answer: whether it is one of success, and its text."""
        lines: list[str] = []
        size = 0
        while True:
            line, bytes_read = self.hear(command, end, seconds)
            size += bytes_read
            if size > LONGEST_ANSWER:
                raise self._fail("protocol", f"{self.name} answers {command!r} without end, and was stopped")
            if not lines and not line:
                continue
            if not lines and line[0] not in "=?":
                raise self._fail(
                    "protocol",
                    f"{self.name} answers {command!r} with {line[:SHOWN]!r}, which is not GTP: an answer begins with ="
                    " or ?",
                )
            if not line:
                break
            lines.append(line)
        good = lines[0][0] == "="
        first = lines[0][1:].lstrip("0123456789").strip()
        return good, "\n".join([first, *lines[1:]]).strip()


__all__ = ["GtpProgram"]
