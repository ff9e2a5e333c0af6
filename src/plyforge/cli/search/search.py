"""`plyforge search`: what to play, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from plyforge.cli import options
from plyforge.contract import format_action, parse_action, parse_state

if TYPE_CHECKING:
    from plyforge.contract import Game
    from plyforge.search import Clock, Result

LARGEST_FILE = 16 << 20
"""Bytes of a file of positions."""
SECONDS = 5.0
"""How long to search where nothing else limits it."""
NO_ANSWER = (
    "stopped before there was an answer: a search to one depth has none until its end. "
    "With --seconds, --nodes or --clock it goes depth after depth, and Ctrl-C shows the best so far"
)


@click.command("search", cls=options.SearchCommand)
@options.GAME
@options.STATE
@click.option(
    "--states",
    "many",
    type=click.Path(dir_okay=False, allow_dash=True),
    metavar="FILE",
    help="Search every position in FILE, one a line (- for standard input), on all processors.",
)
@options.USING
@options.DEPTH
@options.NODES
@options.SECONDS
@click.option(
    "--clock",
    metavar="CLOCK",
    help="What a clock allows for one move: seconds left [+ increment] [/ moves to go], as in 300, 60+1 or 300/40.",
)
@click.option("--only", metavar="ACTION", multiple=True, help="For engine: search only this action. May be repeated.")
@click.option(
    "--against",
    metavar="MODEL",
    help=(
        "For expectimax and safe_response, what opponents do: uniform, epsilon:0.1,depth=4, softmax:0.5,depth=4 or"
        " learned:FILE."
    ),
)
@options.EXPLAIN_TIME
@click.option("--to-the-end", is_flag=True, help="No limit: search to the end of the game, however long it takes.")
@options.speed
@options.JSON
def command(
    game: str,
    state: str | None,
    many: str | None,
    using: str | None,
    depth: int | None,
    nodes: int | None,
    seconds: float | None,
    clock: str | None,
    only: tuple[str, ...],
    against: str | None,
    explain_time: bool,
    to_the_end: bool,
    native: str | None,
    as_json: bool,
    parameters: dict[str, Any],
) -> None:
    """Search a position of GAME: the best action, its value, the line it rests on.

    \b
    plyforge search connect4 --using alpha_beta --depth 12
    plyforge search connect4 --state 4455 --seconds 3
    plyforge search connect4 --using engine --lines 3 --threads 2
    plyforge search connect4 --using uct --simulations 100000 --seed 7
    plyforge search "nim(heaps=(3, 4, 5))" --using minimax --all-best
    plyforge search "goofspiel(cards=5)" --state "1,2,3,4,5 1,2,3,4,5 3 1,2,4,5 +0" --simulations 100000
    plyforge search tic_tac_toe --using expectimax --against epsilon:0.2,depth=3 --to-the-end
    plyforge search "slider(width=4, height=4)" --using ida_star --to-the-end
    plyforge search my_rules.py --nodes 100000 --json
    plyforge search chess --clock 60+1 --explain-time
    plyforge search connect4 --states positions.txt --using engine --depth 12 --json

    With --depth alone, one search to that depth (the engine always goes depth after depth). With --nodes, --seconds or
    --clock, depth after depth until the limit, and the answer of the last finished depth. With --to-the-end, one search
    to the end of the game. With nothing, 5 seconds. Values are MAX's, the first player's. Where players choose at once,
    the answer is a mix for each of them.

    Without --using, best: the strongest search for the game; with --depth, --nodes, --simulations or --to-the-end
    alone, the textbook's.

    With --states, limits are those of each position, --threads is how many are searched at once, and --json writes one
    line for each.

    Where a search stops, the rules' own `evaluate` estimates, and in Connect Four that says 0 everywhere. The engine
    goes by what was learned, where a game comes with it.

    Ctrl-C stops it and shows the best found so far; the exit code is then 130.
    """
    import plyforge as pf
    from plyforge.play.players.opponent_model import parse_model
    from plyforge.play.players.programs.analyst import analysts
    from plyforge.search import AT_ONCE, BEST, HIDDEN, MONTE_CARLO, Clock, choose, suitable

    simulations, risk = parameters.get("simulations"), parameters.get("risk")
    all_best = bool(parameters.pop("all_best", False))
    given = (depth, nodes, seconds, clock, simulations)
    if to_the_end and any(limit is not None for limit in given):
        raise click.UsageError("--to-the-end goes with no other limit", click.get_current_context())
    rules = pf.load(game)
    if using is None and (against is not None or risk is not None):
        using = "expectimax" if risk is None else "safe_response"
    untimed = depth is not None or nodes is not None or simulations is not None or to_the_end or all_best
    if using is None and (seconds is not None or clock is not None or not untimed) and not all_best:
        using = BEST
    if using is not None and using in analysts(rules):
        _ask_program(rules, state, using, depth, nodes, seconds, parameters.get("lines") or 1, as_json)
        return
    name = suitable(rules) if using is None else options.search_name(using)
    real = choose(rules).search.name if name == BEST else name
    stops = (
        given[1:] if real in MONTE_CARLO | AT_ONCE | HIDDEN else given
    )  # depth alone does not end a search that samples
    if all(limit is None for limit in stops) and not to_the_end:
        seconds = SECONDS
    if only:
        parameters["only"] = _actions(rules, state, only)
    if against is not None:
        parameters["policy"] = parse_model(against, rules)
    if many is not None:
        if state is not None or clock is not None:
            raise click.UsageError("--states goes with neither --state nor --clock", click.get_current_context())
        threads = parameters.pop("threads", None)
        _search_many(
            rules, many, name, {"depth": depth, "nodes": nodes, "seconds": seconds, "threads": threads},
            parameters | {"all_best": all_best},
            options.as_native(native), as_json,
        )  # fmt: skip
        return
    found, stopped = _search(
        rules,
        state,
        name,
        {"depth": depth, "nodes": nodes, "seconds": seconds, "clock": None if clock is None else Clock.parse(clock)},
        parameters,
        options.as_native(native),
        all_best,
        None if as_json else options.ProgressLine(rules, state),
    )
    if as_json:
        more = {"timing": None if found.timing is None else found.timing.to_json()} if explain_time else {}
        options.print_json(found.to_json() | more)
    else:
        from plyforge.cli.report import print_result

        print_result(found)
        if explain_time:
            click.echo("\n".join(["", *time_lines(found)]))
    if stopped:
        raise click.exceptions.Exit(130)


def _ask_program(
    rules: Game,
    state: str | None,
    name: str,
    depth: int | None,
    nodes: int | None,
    seconds: float | None,
    lines: int,
    as_json: bool,
) -> None:
    """The opinion of a program of the user's."""
    from plyforge.cli.report import print_result
    from plyforge.errors import WrongMoment
    from plyforge.play.players.programs.analyst import ProgramAnalyst

    root = rules.start() if state is None else parse_state(rules, state)
    if rules.terminal(root):
        raise WrongMoment("the game is over: there is nothing to ask about")
    if depth is None and nodes is None and seconds is None:
        seconds = SECONDS
    analyst = ProgramAnalyst(rules, name)
    progress = None if as_json else options.ProgressLine(rules, root)
    if progress is not None:
        analyst.on_progress(progress)
    try:
        analyst.start(root, lines=lines, depth=depth, nodes=nodes, seconds=seconds)
        found = analyst.wait()
    except KeyboardInterrupt:
        click.echo(f"\n{NO_ANSWER}", err=True)
        raise click.exceptions.Exit(130) from None
    finally:
        if progress is not None:
            progress.clear()
        analyst.close()
    if as_json:
        options.print_json(found.to_json())
    else:
        print_result(found)


def time_lines(found: Result) -> list[str]:
    """What became of the time of a search, a line each."""
    return ["there was no limit of time"] if found.timing is None else found.timing.lines()


def _actions(rules: Game, state: str | None, texts: tuple[str, ...]) -> tuple[Any, ...]:
    """The root actions that texts name."""
    root = rules.start() if state is None else parse_state(rules, state)
    return tuple(parse_action(rules, root, text) for text in texts)


def _search(
    rules: Game,
    state: str | None,
    using: str,
    limits: dict[str, int | float | Clock | None],
    parameters: dict[str, Any],
    native: bool | None,
    all_best: bool,
    progress: options.ProgressLine | None,
) -> tuple[Result, bool]:
    """What was found, and whether Ctrl-C ended it."""
    from plyforge.errors import PlyforgeError
    from plyforge.play import Engine
    from plyforge.search import Limits

    engine = Engine(rules, using, native=native, all_best=all_best, **parameters)
    with options.quiet_fallback():
        try:
            if not Limits(**limits).deepening and not engine.anytime:  # type: ignore[arg-type]
                return _in_one_go(engine, state, limits["depth"], progress), False
            try:
                if limits["clock"] is not None:
                    # An engine's clock runs while it compiles. Here nobody waits on the other side of a board: compile
                    # first.
                    engine.start(state, nodes=1)
                    engine.wait()
                    engine.new_game()
                if progress is not None:
                    engine.on_progress(progress)
                engine.start(state, **limits)  # type: ignore[arg-type]
                return engine.wait(), False
            except KeyboardInterrupt:
                try:
                    return engine.wait(), True
                except PlyforgeError as error:  # there is none: the rules never came back, say
                    click.echo(f"\n{NO_ANSWER}: {error}", err=True)
                    raise click.exceptions.Exit(130) from None
        finally:
            if progress is not None:
                progress.clear()


def _search_many(
    rules: Game,
    file: str,
    using: str,
    limits: dict[str, Any],
    parameters: dict[str, Any],
    native: bool | None,
    as_json: bool,
) -> None:
    """Every position of a file, in its order."""
    import plyforge as pf
    from plyforge.play import Engine
    from plyforge.reading import read_text

    lines = read_text(file, LARGEST_FILE, "positions", pipes=True).splitlines()
    texts = [line.strip() for line in lines if line.strip()]
    states = [parse_state(rules, text) for text in texts]
    chosen = Engine(rules, using, native=native, **parameters).search
    with options.quiet_fallback():
        try:
            found = pf.search_many(rules, states, chosen, native=native, **limits)
        except KeyboardInterrupt:
            raise click.exceptions.Exit(130) from None
    for text, state, result in zip(texts, states, found, strict=True):
        if as_json:
            options.print_json({"state": text, **result.to_json()})
        else:
            action = "-" if result.action is None else format_action(rules, state, result.action)
            click.echo(f"{text}  {action}  {result.value}")


def _in_one_go(engine: Any, state: Any, depth: Any, progress: Any) -> Result:
    """A textbook search to one depth: not depth after depth, as that would be another search with other nodes."""
    import plyforge as pf

    try:
        return pf.search(engine.game, state, engine.search, depth=depth, native=engine.native, on_progress=progress)
    except KeyboardInterrupt:
        click.echo(f"\n{NO_ANSWER}", err=True)
        raise click.exceptions.Exit(130) from None
