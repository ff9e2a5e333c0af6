"""The command line: one file a verb, each a thin face of the library, in folders by what they are for.

A verb's module is imported only when it is used, so that `plyforge --help` answers at once. An error of ours is one
line on standard error and exit code 2, and so is any error while somebody's own rules are used; a verb stopped by
Ctrl-C exits with 130; anything else is a bug and shows its traceback. `--debug` shows every traceback.
"""

from __future__ import annotations

import importlib
import os
import sys
from typing import Any

import click

import plyforge
from plyforge.errors import PlyforgeError
from plyforge.writing import FULL

VERBS_BY_FOLDER = {
    "play": {
        "studio": "Play, analyse and see the search, in a browser.",
        "demo": "A guided tour of under a minute.",
        "play": "Play against an algorithm, in the terminal.",
        "engines": "Outside programs by names of your own, to play against.",
        "convert": "Games from one format into another: PGN, PDN, SGF, MAT, JSON.",
        "review": "Games looked at afterwards: what every turn cost, and what was better.",
    },
    "contests": {
        "match": "Many games between two players: score and Elo, with errors.",
        "versus": "Assumptions about an opponent against real ones: a table with errors.",
        "table": "Many games of three or more players, everybody in every seat.",
        "tournament": "A tournament of several players: crosstable, ratings with errors.",
        "tune": "Tune the parameters of a search by games against itself.",
        "dilemma": "A tournament of the repeated prisoner's dilemma.",
    },
    "search": {
        "search": "Search a position: best action, value, line.",
        "tree": "Draw the tree that a search walks, with its cuts.",
        "rollout": "Play a position out many times: values with errors.",
        "bench": "Fixed searches: their node counts (the signature) and speed.",
    },
    "solve": {
        "solve": "Solve a position: its exact value, every best action, proofs.",
        "strategy": "A move for every eventuality: the full plan of a solved game.",
        "advise": "What to do in a situation at a real table, typed in.",
        "matrix": "A payoff table: dominance, pure and mixed equilibria.",
        "exploit": "What a risk buys against an opponent who is not perfect.",
    },
    "rules": {
        "games": "What games there are, each with its traits.",
        "new": "A rules file to begin with: a small game that runs, to be made your own.",
        "check": "Are these rules a lawful game? If not, what is wrong?",
        "perft": "Count the positions after so many plies.",
    },
    "learn": {
        "learn": "Learn a network for a game, from games against itself.",
        "opponent": "Learn a model of an opponent from recorded games.",
    },
    "teach": {
        "quiz": "Questions about game trees: answers checked and explained.",
        "sheet": "A sheet of exercises about game trees, with solutions, to print.",
    },
    "poker": {
        "equity": "Hands and ranges of hold'em against each other: who has how much of the pot.",
        "push-fold": "Heads-up hold'em with few chips: what to push, and what to call with.",
        "river": "The river of hold'em solved: what to bet with each hand.",
    },
    "protocols": {
        "uci": "Chess over UCI: an engine for chess programs and servers.",
        "gtp": "Go and other games over GTP: an engine for Go programs and servers.",
        "talk": "Any game for any program: requests and answers as lines of JSON.",
    },
}
"""The folders of this package, and the verbs in each: a verb is a module of its name (`push_fold` for `push-fold`)."""
VERBS = {verb: (folder, text) for folder, verbs in VERBS_BY_FOLDER.items() for verb, text in verbs.items()}
"""Each verb's folder, and what it does."""


class Verbs(click.Group):
    """A group that knows its commands without importing them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in VERBS:
            return None
        folder, _ = VERBS[cmd_name]
        module = importlib.import_module(f"plyforge.cli.{folder}.{cmd_name.replace('-', '_')}")
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        width = max(map(len, VERBS))
        for folder, verbs in VERBS_BY_FOLDER.items():
            with formatter.section(folder.capitalize()):
                formatter.write_dl([(verb.ljust(width), text) for verb, text in verbs.items()])

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        if args and args[0] not in VERBS and not args[0].startswith("-"):
            import difflib

            near = difflib.get_close_matches(args[0], VERBS, n=1)
            hint = f" Did you mean {near[0]}?" if near else f" There are {', '.join(VERBS)}."
            ctx.fail(f"there is no verb {args[0]!r}.{hint}")
        return super().resolve_command(ctx, args)


@click.group(cls=Verbs, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(plyforge.__version__, prog_name="plyforge")
@click.option("--debug", is_flag=True, help="Show the traceback of an error.")
def plyforge_command(debug: bool) -> None:
    """Game-tree search: write the rules of a game in plain Python, get a player, a solver and an analyst for it.

    \b
    plyforge studio                                  play and analyse in a browser
    plyforge demo                                    a guided tour
    plyforge play connect4                           play against the engine
    plyforge search connect4 --state 4455 --depth 8  the best action, and why
    plyforge solve "hex(size=4)"                     the exact value, and every best action
    plyforge tree tic_tac_toe --depth 2 -o t.svg     the search as a picture
    plyforge new my_game                             a rules file to begin with
    plyforge check my_game.py                        is my game lawful?

    GAME is a name (`plyforge games` lists them), a name with arguments, as in "connect4(width=6, height=5)", or
    the path of your own rules file.
    """


def main(arguments: list[str] | None = None) -> None:
    """The program: runs a verb, and exits with 0, 2 (our error, one line) or 130 (Ctrl-C)."""
    given = sys.argv[1:] if arguments is None else arguments
    debug = "--debug" in given
    given = [argument for argument in given if argument != "--debug"] or ["--help"]
    try:
        _run(given, debug)
    except Exception:
        if not debug:
            raise
        import traceback

        traceback.print_exc()
        sys.exit(2)


def main_uci() -> None:
    """The program `plyforge-uci`: `plyforge uci`, for programs that want the name of a file and no words after it."""
    main(["uci", *sys.argv[1:]])


def main_gtp() -> None:
    """The program `plyforge-gtp`: `plyforge gtp`, for the same."""
    main(["gtp", *sys.argv[1:]])


def _run(given: list[str], debug: bool) -> None:
    try:
        code = plyforge_command.main(given, prog_name="plyforge", standalone_mode=False)
        sys.stdout.flush()  # here, where a full disk is told in words
        sys.exit(code if isinstance(code, int) else 0)
    except (SystemExit, GeneratorExit) as end:
        place = _line_of_rules(end)
        if place is None or debug:
            raise
        click.echo(
            f"plyforge: the rules raised {type(end).__name__} ({place}): rules can not end the program", err=True
        )
        sys.exit(2)
    except click.exceptions.Exit as stop:
        sys.exit(stop.exit_code)
    except click.exceptions.Abort:
        click.echo("stopped", err=True)
        sys.exit(130)
    except KeyboardInterrupt:
        click.echo("\nstopped", err=True)
        sys.exit(130)
    except click.ClickException as error:
        if debug:
            raise
        context = getattr(error, "ctx", None)
        hint = f" (try: {context.command_path} --help)" if context is not None else ""
        click.echo(f"plyforge: {error.format_message()}{hint}", err=True)
        sys.exit(2)
    except PlyforgeError as error:
        if debug:
            raise
        lacking = None if error.__cause__ is None else _missing(given, error.__cause__)
        click.echo(f"plyforge: {lacking or error}", err=True)
        sys.exit(2)
    except BrokenPipeError:  # whoever read our output has gone: nothing to say, and nobody to say it to
        _output_is_gone()
        sys.exit(0)
    except Exception as error:
        if isinstance(error, OSError) and error.errno in FULL and not debug:
            click.echo(
                f"plyforge: {error.strerror}: what was to be written is not whole. Make room and try again",
                err=True,
            )
            _output_is_gone()
            sys.exit(2)
        said = _blamed_on_rules(given, error)
        if debug or said is None:
            raise
        click.echo(f"plyforge: {said}", err=True)
        sys.exit(2)


def _output_is_gone() -> None:
    """Nothing more is written to standard output: not when Python ends, either."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _blamed_on_rules(given: list[str], error: Exception) -> str | None:
    """An unexpected error in words; None where no rules file has to do with it, so that it is a bug of ours."""
    place = _line_of_rules(error)
    if place is not None:
        return f"the rules raised {type(error).__name__} ({place}): {error}"
    lacking = _missing(given, error)
    rules = _rules_file(given)
    if lacking is not None or rules is None:
        return lacking
    import shlex

    message = str(error).partition("\n")[0]
    return (
        f"{type(error).__name__} while the rules of {rules} were used: {message}; "
        f"`plyforge check {shlex.quote(rules)}` says more"
    )


def _rules_file(given: list[str]) -> str | None:
    """The rules file that a command names, with the class if it says which; None if there is none."""
    from pathlib import Path

    for argument in given:
        name = argument.partition("(")[0].strip()
        file, suffix, _ = name.partition(".py")
        if suffix and Path(file + suffix).is_file():
            return name
    return None


def _missing(given: list[str], error: BaseException) -> str | None:
    """A function of the contract that the rules lack, in words, if that is what is wrong."""
    rules = _rules_file(given)
    if rules is None or not isinstance(error, NotImplementedError):
        return None
    from plyforge.check.missing import missing_function
    from plyforge.games.catalog import class_in_file

    return missing_function(class_in_file(rules), error)


def _line_of_rules(error: BaseException) -> str | None:
    """Where in a rules file an exception came from; None if it came from somewhere else."""
    if "plyforge.kernel.constant" not in sys.modules:  # no rules were loaded: an end like any other
        return None
    import traceback

    from plyforge.kernel.constant import is_local_file

    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if is_local_file(frame.filename)]
    return f"{frames[-1].filename}, line {frames[-1].lineno}" if frames else None
