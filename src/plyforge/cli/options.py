"""Options that several verbs share, and what they mean for a search."""

from __future__ import annotations

import functools
import json
import shutil
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from typing import Any

import click

PATIENCE = 2.0
"""Seconds before a progress line shows."""
LOG_EVERY = 60.0
"""Seconds between lines of progress where standard error is a file or a pipe, not a terminal."""


GAME = click.argument("game", metavar="GAME")
STATE = click.option("--state", metavar="TEXT", help="The position, in the game's own text. Default: the start.")
DEPTH = click.option("--depth", type=int, metavar="PLIES", help="Look this many plies ahead.")
NODES = click.option("--nodes", type=int, metavar="N", help="Visit at most N states, depth after depth.")
SECONDS = click.option("--seconds", type=float, metavar="S", help="Search at most S seconds, depth after depth.")

EXPLAIN_TIME = click.option("--explain-time", is_flag=True, help="Say what became of the time, and why.")


class UsingOption(click.Option):
    """--using, whose help names the searches that there are when it is asked for."""

    def __init__(self, *names: Any, drawn: bool = False, **more: Any) -> None:
        super().__init__(*names, **more)
        self.drawn = drawn

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        from plyforge.search.registry import KINDS, of_kind

        parts = []
        for kind, heading in KINDS.items():
            names = [name for name, cls in of_kind(kind).items() if cls.drawn or not self.drawn]
            if names:
                parts.append(f"{heading}: {', '.join(names)}.")
        self.help = f"{' '.join(parts)} {self.default_words}"
        return super().get_help_record(ctx)

    @property
    def default_words(self) -> str:
        """What is used where none is named."""
        if self.drawn:
            return "Default: the textbook's for the game."
        return "Or best, the strongest. Default: best where time is the limit, else the textbook's for the game."


USING = click.option("--using", cls=UsingOption, metavar="SEARCH")
DRAWN = click.option("--using", cls=UsingOption, metavar="SEARCH", drawn=True)


class SearchCommand(click.Command):
    """A command that takes the parameters of all searches, each as an option, made from their declarations.

    They come as one dictionary, `parameters`, of those that were given. An option that the command has itself stays as
    it is.
    """

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        given = super().get_params(ctx)
        known = {name for parameter in given for name in parameter.opts}
        return [*given, *(option for option in search_options() if not known & set(option.opts))]

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:
        context = super().make_context(*args, **kwargs)
        ours = {option.name for option in search_options()} - {option.name for option in self.params}
        found = {str(name): context.params.pop(name) for name in ours if name in context.params}
        context.params["parameters"] = {name: value for name, value in found.items() if value is not None}
        return context

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Grouped: what is the command's, then the parameters, kind of search after kind."""
        groups: dict[str, list[tuple[str, str]]] = {"Options": []}
        for parameter in self.get_params(ctx):
            record = None if isinstance(parameter, click.Argument) else parameter.get_help_record(ctx)
            if record is not None:
                groups.setdefault(getattr(parameter, "group", "Options"), []).append(record)
        for heading, records in groups.items():
            with formatter.section(heading):
                formatter.write_dl(records)


class SearchOption(click.Option):
    """A parameter of searches."""

    group: str = "Options"


def search_options() -> list[SearchOption]:
    """An option for each parameter that any search has and text can give, with its range, unit and takers."""
    from plyforge.search.registry import KINDS, all_parameters, searches

    types: dict[str, Any] = {"whole": int, "number": float, "text": str, "object": str}
    metavars = {"whole": "N", "number": "X", "text": "TEXT", "object": "DIR"}
    options = []
    for name, declared in all_parameters().items():
        parameter, takers = declared[0][1], [taker for taker, _ in declared]
        flag = name.replace("_", "-")
        range_ = f"{parameter.range} {parameter.unit}".strip()
        defaults = dict.fromkeys(each.default_text for _, each in declared)
        notes = [", ".join(takers), *([range_] if range_ else []), f"default {' or '.join(defaults)}"]
        more: dict[str, Any] = {"help": f"{parameter.help} [{'; '.join(notes)}]", "default": None}
        if parameter.kind == "yes":
            option = SearchOption([f"--{flag}/--no-{flag}", name], **more)
        elif parameter.kind == "choice":
            option = SearchOption([f"--{flag}", name], type=click.Choice(parameter.choices), **more)
        else:
            metavar = "MIB" if parameter.unit == "MiB" else metavars[parameter.kind]
            option = SearchOption([f"--{flag}", name], type=types[parameter.kind], metavar=metavar, **more)
        option.group = KINDS[searches()[takers[0]].kind]
        options.append(option)
    return options


def search_name(using: str) -> str:
    """A search by its name, "-" for "_" and capitals allowed. Raises Unsuitable, with the name that was perhaps
    meant."""
    from plyforge.search import BEST, searches

    name, every = using.replace("-", "_").lower(), [BEST, *searches()]
    if name not in every:
        from plyforge.errors import Unsuitable
        from plyforge.search.names import no_such_search

        raise Unsuitable(no_such_search(using, every))
    return name


def json_option(words: str) -> Callable[..., Any]:
    """--json, as the parameter `as_json`. With it nothing but that object gets to standard output: what rules print
    goes to standard error."""

    def divert(context: click.Context, parameter: click.Parameter, chosen: bool) -> bool:
        if chosen:
            context.meta[_OUTPUT] = sys.stdout
            context.with_resource(redirect_stdout(sys.stderr))
        return chosen

    return click.option("--json", "as_json", is_flag=True, callback=divert, help=words)


_OUTPUT = "plyforge.cli.output"
"""Where a verb's context keeps standard output while it is diverted."""
ADJUDICATE = click.option(
    "--adjudicate",
    metavar="RULE",
    help="End games by what both expect: draw=0.1,moves=8,after=20 (within so much of a draw), resign=8,times=3.",
)
JSON = json_option("Print one JSON object and nothing else.")


def speed(function: Callable[..., Any]) -> Callable[..., Any]:
    """--native and --interpreted, as the parameter `native`: "yes", "no" or None. Not both."""

    def choose(context: click.Context, parameter: click.Parameter, chosen: str | None) -> None:
        before = context.params.setdefault("native", None)
        if chosen is not None and before is not None:
            raise click.UsageError("--native and --interpreted can't go together", context)
        context.params["native"] = chosen or before

    function = click.option(
        "--interpreted",
        "decline",
        flag_value="no",
        expose_value=False,
        callback=choose,
        help="Run as plain Python: slow, but any rules run.",
    )(function)
    return click.option(
        "--native",
        "insist",
        flag_value="yes",
        expose_value=False,
        callback=choose,
        help="Insist on compiled code: an error if the rules can't be.",
    )(function)


def crew(function: Callable[..., Any]) -> Callable[..., Any]:
    """--workers and --on, as the parameters `workers` and `where`: who does the work."""
    return _crew(function, "Share the work out among N processes. With --on and without it: all cores there.")


def crew_for_games(function: Callable[..., Any]) -> Callable[..., Any]:
    """The same for games that are always played by workers."""
    return _crew(function, "Games at a time. Default: cores / threads of a player; with --on all cores there.")


def _crew(function: Callable[..., Any], number: str) -> Callable[..., Any]:
    function = click.option(
        "--on",
        "where",
        multiple=True,
        metavar="WHERE",
        help=(
            "Where the workers are: local, command:PROGRAM (as in 'command*8:ssh lab1 {worker}'), ray or ray:ADDRESS."
            " May be repeated."
        ),
    )(_with_notes(function))
    return click.option("--workers", type=int, metavar="N", help=number)(function)


def _with_notes(function: Callable[..., Any]) -> Callable[..., Any]:
    """What is noted of workers is a line on standard error."""

    @functools.wraps(function)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        usual = warnings.showwarning

        def show(message: Any, category: Any, filename: str, lineno: int, file: Any = None, line: Any = None) -> None:
            if category.__name__ == "Noted":  # not imported before it is needed
                click.echo(f"note: {message}", err=True)
            else:
                usual(message, category, filename, lineno, file, line)

        warnings.showwarning = show
        try:
            return function(*args, **kwargs)
        finally:
            warnings.showwarning = usual

    return wrapped


def as_native(choice: str | None) -> bool | None:
    """What `search` wants to know."""
    return {None: None, "yes": True, "no": False}[choice]


def stopped_like_ctrl_c(function: Callable[..., Any]) -> Callable[..., Any]:
    """For verbs that keep what they have when they are stopped: being told to end (SIGTERM) is for them what Ctrl-C is.

    A job that a shell has put into the background can't be reached by Ctrl-C at all.
    """

    @functools.wraps(function)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        if threading.current_thread() is not threading.main_thread():
            return function(*args, **kwargs)
        usual = signal.signal(signal.SIGTERM, _interrupt)
        try:
            return function(*args, **kwargs)
        finally:
            signal.signal(signal.SIGTERM, usual)

    return wrapped


def _interrupt(number: int, frame: Any) -> None:
    if signal.getsignal(signal.SIGINT) in (signal.SIG_IGN, signal.SIG_DFL, None):
        raise KeyboardInterrupt
    signal.raise_signal(signal.SIGINT)


def print_json(value: dict[str, Any]) -> None:
    """One object on standard output."""
    print_json_text(json.dumps(value, ensure_ascii=False, allow_nan=False))


def print_json_text(text: str) -> None:
    """The same, where it is text already."""
    context = click.get_current_context(silent=True)
    click.echo(text, file=None if context is None else context.meta.get(_OUTPUT))


@contextmanager
def quiet_fallback() -> Iterator[None]:
    """Show the note that rules run interpreted as one line on standard error."""
    from plyforge.search import hearing_of_fall_backs

    reasons: list[str] = []
    with hearing_of_fall_backs(reasons.append):
        yield
    for reason in reasons:
        click.echo(f"note: {reason}", err=True)


class ProgressLine:
    """One line on standard error that is written over, after two seconds. Where that is no terminal: a line of its
    own, once a minute."""

    def __init__(self, game: Any = None, state: Any = None) -> None:
        """`game` and `state` (or its text) are those that the actions of the line belong to."""
        self.shown = False
        self.began = self.logged = time.perf_counter()
        self.game, self.state = game, state

    def __call__(self, progress: Any) -> None:
        now = time.perf_counter()
        if not sys.stderr.isatty():
            if now - self.logged >= LOG_EVERY:
                self.logged = now
                click.echo(self.text(progress), err=True)
            return
        if now - self.began < PATIENCE:
            return
        text = self.text(progress)
        room = shutil.get_terminal_size().columns - 1
        text = text if len(text) <= room else f"{text[: max(0, room - 4)]} ..."
        sys.stderr.write(f"\r\x1b[K{text}")
        sys.stderr.flush()
        self.shown = True

    def text(self, progress: Any) -> str:
        """Seconds, depth, nodes, rate, how full the table is, the value and the line: what there is of it."""
        parts = [f"{time.perf_counter() - self.began:.0f} s (Ctrl-C stops)"]
        if hasattr(progress, "wanted"):  # of many workers
            return f"{parts[0]}, {progress.done:,} of {progress.wanted:,} orders{progress.rest()}"
        if progress.depth is not None:
            parts.append(f"depth {progress.depth}")
        parts.append(f"{progress.nodes:,} nodes, {progress.rate:,.0f} a second")
        if progress.table_used is not None:
            parts.append(f"table {100 * progress.table_used:.0f} % full")
        if progress.value is not None:
            from plyforge.contract.value_words import value_text

            parts.append(f"value {value_text(progress.value)}")
        if progress.line and self.game is not None:
            parts.append(" ".join(self.line(progress.line)))
        return ", ".join(parts)

    def line(self, actions: tuple[Any, ...]) -> Iterator[str]:
        """The actions as text, each written in the state where it is taken."""
        from plyforge.contract import format_action, parse_state  # heavy: `--help` needs none of it

        state = parse_state(self.game, self.state) if isinstance(self.state, str) else self.state
        state = self.game.start() if state is None else state
        for action in actions:
            yield format_action(self.game, state, action)
            state = self.game.result(state, action)

    def clear(self) -> None:
        """Remove the line."""
        if self.shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
            self.shown = False
