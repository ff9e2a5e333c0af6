"""`plyforge learn`: what a game's positions are worth, learned by playing against oneself."""

from __future__ import annotations

import math
import time
from pathlib import Path
from typing import Any

import click

from plyforge.cli import options


class LearningLine(options.ProgressLine):
    """How far a run is, on one line."""

    def text(self, progress: Any) -> str:
        said = [f"{progress.games:,} games"]
        if not math.isnan(progress.loss):
            said.append(f"loss {progress.loss:.3f}, held back {progress.held_back:.3f}")
        if not math.isnan(progress.games_a_second):
            said.append(f"{progress.games_a_second:,.0f} games a second")
        said += [f"{100 * each['score']:.0f} % against {name}" for name, each in progress.against.items()]
        if progress.keeps:
            said.append(f"{100 * progress.keeps['share']:.1f} % of its moves keep the value")
        if progress.doing != "learning":
            said.append(progress.doing)
        if progress.seconds_left is not None:
            said.append(f"{max(0.0, progress.seconds_left) / 60:.0f} min left")
        return f"{', '.join(said)} (Ctrl-C stops)"


def only_files(*names: str) -> str:
    return f"[with --output: {', '.join(names)}]"


@click.command("learn", short_help="Learn what positions are worth, from games against itself.")
@options.GAME
@click.option("--hours", type=float, metavar="H", help="Stop after so long. Default: Ctrl-C stops.")
@click.option("--games", type=int, metavar="N", help="Or after so many games in all, earlier runs counted.")
@click.option("--folder", metavar="DIR", help="Where the run is kept. Default: GAME.learn, here.")
@click.option("--method", metavar="NAME", help="td, tree or puct. Default: what the network needs, or td.")
@click.option("--net", metavar="KIND", help="tuples (td), units:N or units:N,M (tree), policy:N or conv:LxC (puct).")
@click.option(
    "--think", type=int, metavar="N", help="tree, puct: nodes or simulations of a search in the games. Default: 200."
)
@click.option("--outcome", type=float, metavar="W", help="tree, puct: the outcome's part of a target. Default: 0.3.")
@click.option(
    "--completed", type=float, metavar="W", help="puct: the part of values, beside visits, in a policy. Default: 0."
)
@click.option("--walks", type=int, metavar="N", help="Random walks of up to eight cells among the inputs. Default: 64.")
@click.option("--rate", type=float, metavar="R", help="Of the first steps. Default: 1.")
@click.option("--trace", type=float, metavar="L", help="Lambda, from 0 to 1. Default: 0.6.")
@click.option("--explore", type=float, metavar="P", help="The part of random actions. Default: 0.1.")
@click.option("--opening", type=int, metavar="N", help="Random plies that games begin with, at most. Default: 4.")
@click.option("--nodes", type=int, metavar="N", help="Of a move in the matches of the gate. Default: 300.")
@click.option("--batch", type=int, metavar="N", help="Games of a generation. Default: those of five seconds.")
@click.option("--seed", type=int, metavar="N", help="Of games and inputs. Default: 1.")
@click.option("--shards", type=int, metavar="N", help="Learn from N games side by side. Default: one a core.")
@click.option("--show-inputs", is_flag=True, help="Only say what the states consist of, and what is learned from.")
@click.option("--plot", metavar="FILE", help="Only draw the curves of a run, as SVG.")
@click.option("--card", metavar="FILE", help="Only write a page about a run's best network, as Markdown.")
@click.option("--install", is_flag=True, help="Only have the game play by the folder's best network, everywhere.")
@click.option("--uninstall", is_flag=True, help="Only have it play without, again.")
@click.option("--output", "-o", metavar="FILE", help="Instead of a folder: a network over the game's own encoding.")
@click.option("--units", type=int, metavar="N", help="With --output: of the hidden layer. Default: 48.")
@click.option("--last-rate", type=float, metavar="R", help="With --output: of the last games' steps. Default: 0.01.")
@click.option(
    "--until-late",
    is_flag=True,
    help="With --output: leave late states, in backgammon races, to the game's evaluation.",
)
@click.option("--from", "start", metavar="FILE", help="With --output: begin with the weights of this network.")
@click.option(
    "--judge", type=int, default=0, metavar="N", help="With --output: then play N games against the game's own."
)
@options.crew
@options.speed
@options.JSON
@options.stopped_like_ctrl_c
def command(game: str, output: str | None, native: str | None, as_json: bool, **given: Any) -> None:
    """Learn what the positions of GAME are worth, from nothing but its rules: a name, or your own rules file.

    Any game of two players, dice too. What the states consist of is found by itself. Everything is kept in a folder,
    GAME.learn; stopped by Ctrl-C, or killed, the same command goes on where it was. Now and then the network plays a
    match against the best one so far, and takes its place if it wins.

    \b
    plyforge learn connect4 --hours 1
    plyforge learn connect4 --net units:64 --folder units.learn
    plyforge learn my_game.py --show-inputs
    plyforge match connect4 engine:network=connect4.learn engine
    plyforge learn connect4 --plot curves.svg
    plyforge learn connect4 --install              and it plays so everywhere

    With --output it is a neural network over the inputs that the game's own encoding has, in one file:

    \b
    plyforge learn backgammon --games 200000 --output network.npz --workers 2
    plyforge match backgammon star2:depth=1,network=network.npz star2:depth=1 --games 100
    """
    if output is not None:
        _one_file(game, output, native, as_json, given)
        return
    for name, flag in ONLY_WITH_OUTPUT.items():
        if given.pop(name):
            raise click.UsageError(f"{flag} goes with --output alone", click.get_current_context())
    for name, do in ONLY.items():
        if given.pop(name, None) not in (None, False):
            do(game, click.get_current_context().params, as_json)
            return
    _learn(game, native, as_json, given)


ONLY_WITH_OUTPUT = {
    "units": "--units", "last_rate": "--last-rate", "until_late": "--until-late", "start": "--from",
    "judge": "--judge", "workers": "--workers", "where": "--on",
}  # fmt: skip
RUN_ALONE = {
    "hours", "folder", "method", "net", "think", "outcome", "completed", "walks", "opening", "nodes", "batch",
    "show_inputs", "plot", "card", "install", "uninstall",
}  # fmt: skip


def _one_file(game: str, output: str, native: str | None, as_json: bool, given: dict[str, Any]) -> None:
    from plyforge.cli.learn.network import learn_network

    for name in sorted(RUN_ALONE):
        if given.pop(name):
            flag = name.replace("_", "-")
            raise click.UsageError(f"--{flag} does not go with --output", click.get_current_context())
    learn_network(game, output, native=native, as_json=as_json, **given)


def _learn(game: str, native: str | None, as_json: bool, given: dict[str, Any]) -> None:
    """Go on with a run, or begin one."""
    from plyforge.learn import Run

    hours, games = given.pop("hours"), given.pop("games")
    click.echo("finding out what the states consist of, and compiling the rules", err=True)
    run = Run(game, given.pop("folder"), native=options.as_native(native), **given)
    click.echo(f"learning {run.why}", err=True)
    if not run.learner.native and native is None:
        click.echo("note: these rules do not compile, so learning is a hundred times slower", err=True)
    line, interrupted, began = LearningLine(), False, time.perf_counter()
    try:
        run.go_on(hours=hours, games=games, on_progress=line)
    except KeyboardInterrupt:
        interrupted = True
    finally:
        line.clear()
    progress = run.progress
    if as_json:
        options.print_json(
            {
                "game": game, "folder": str(run.folder.path), "games": progress.games, "method": run.method,
                "generation": progress.generation, "loss": number(progress.loss), "best": progress.best,
                "held_back": number(progress.held_back), "against": progress.against,
                "keeps": progress.keeps, "native": run.learner.native,
                "interrupted": interrupted, "seconds": time.perf_counter() - began,
            }
        )  # fmt: skip
    else:
        click.echo(f"{progress.games:,} games learned from, {progress.generation} generations: {run.folder.path}")
        for name, each in progress.against.items():
            scale = f"{100 * each['score']:.1f} % ({100 * each['low']:.1f} to {100 * each['high']:.1f} %)"
            click.echo(f"the best, of generation {progress.best}, against {name}: {scale}, {each['games']} games")
        if progress.keeps:
            share, asked = 100 * progress.keeps["share"], progress.keeps["positions"]
            click.echo(
                f"the game is solved: {share:.1f} % of its moves keep the value, one ply deep, in {asked} positions"
            )
        if not progress.best:
            click.echo("no match was won yet, so there is no best.npz: let it go on")
    if interrupted:
        click.echo("stopped: the same command goes on", err=True)
        raise click.exceptions.Exit(130)


def number(value: float) -> float | None:
    """For JSON, which has no NaN."""
    return None if math.isnan(value) else value


# ------------------------------------------------------------ without learning
def _show_inputs(game: str, given: dict[str, Any], as_json: bool) -> None:
    """What was found in the states."""
    from plyforge.evaluate.ntuples.cells import describe
    from plyforge.evaluate.ntuples.finding import find_tuples
    from plyforge.evaluate.ntuples.tuples import banks_of
    from plyforge.games import load
    from plyforge.learn.lesson_plan import SETTINGS, require_learnable

    rules = load(game)
    require_learnable(rules)
    found = describe(rules)
    walks = int(SETTINGS["walks"][0]) if given["walks"] is None else given["walks"]
    tuples = None if found is None else find_tuples(rules, walks, found)
    if found is None or tuples is None:
        from plyforge.learn.lesson_plan import no_inputs

        raise no_inputs(rules)
    said = {
        "game": game,
        "fields": [{"name": f.name, "kind": f.what, "inputs": f.inputs, "says": f.says} for f in found.fields],
        "cells": len(found.cells),
        "symmetries": len(found.images),
        "banks": banks_of(rules),
        "tuples": len(tuples.tuples),
        "weights": tuples.weights,
    }
    if as_json:
        options.print_json(said)
        return
    for part in found.fields:
        click.echo(f"{part.name:<24} {part.what:<12} {part.inputs:>5} inputs   {part.says}")
    click.echo(f"{said['cells']} cells, {said['symmetries']} symmetries that the rules declare")
    click.echo(
        f"{said['tuples']} n-tuples of them, {said['weights']:,} weights for each of {said['banks']} who may move"
    )


def _folder(game: str, given: dict[str, Any]) -> Path:
    from plyforge.games import load
    from plyforge.learn.folder import folder_of

    return Path(given["folder"]).expanduser() if given["folder"] else folder_of(load(game))


def _plot(game: str, given: dict[str, Any], as_json: bool) -> None:
    from plyforge.learn.curves import plot

    path = plot(_folder(game, given), given["plot"])
    options.print_json({"plot": str(path)}) if as_json else click.echo(f"drawn: {path}")


def _card(game: str, given: dict[str, Any], as_json: bool) -> None:
    from plyforge.learn.card import write_card

    path = write_card(_folder(game, given), given["card"])
    options.print_json({"card": str(path)}) if as_json else click.echo(f"written: {path}")


def _install(game: str, given: dict[str, Any], as_json: bool) -> None:
    from plyforge.evaluate.installed import install
    from plyforge.games import load

    path = install(load(game), _folder(game, given))
    if as_json:
        options.print_json({"game": game, "installed": str(path)})
    else:
        click.echo(f"{game} plays by {_folder(game, given)} now, everywhere: {path}")


def _uninstall(game: str, given: dict[str, Any], as_json: bool) -> None:
    from plyforge.evaluate.installed import uninstall
    from plyforge.games import load

    there = uninstall(load(game))
    if as_json:
        options.print_json({"game": game, "uninstalled": there})
    else:
        click.echo(f"{game} plays as it did before" if there else f"nothing that was learned of {game} was installed")


ONLY = {"show_inputs": _show_inputs, "plot": _plot, "card": _card, "install": _install, "uninstall": _uninstall}
