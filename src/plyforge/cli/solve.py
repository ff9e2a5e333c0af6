"""`plyforge solve`: the exact value of a position, every best action, and proofs of it."""

from __future__ import annotations

from pathlib import Path

import click

from plyforge.cli import options
from plyforge.cli.solve_hidden import HiddenCall, print_hidden
from plyforge.cli.solve_search import Call
from plyforge.cli.solve_stages import print_stages
from plyforge.cli.solve_states import print_backwards, print_distances, print_every_state
from plyforge.contract import defines, parse_state

FOR_SEARCH = "no chance, one or two players, and a constant sum"


@click.command("solve")
@options.GAME
@click.argument("position", metavar="[STATE]", required=False)
@options.STATE
@click.option("--threads", type=int, metavar="N", help="How many threads solve. Default: 1.")
@click.option("--table-mib", type=float, metavar="MIB", help="Memory for the table. Default: 64.")
@click.option("--no-distance", is_flag=True, help="Don't count the plies of a decided game.")
@click.option(
    "--table",
    metavar="FILE",
    help=(
        "Keep the table there, and go on from it if it is there. With --strongly: the solution. A folder: a database of"
        " endings."
    ),
)
@click.option("--strongly", is_flag=True, help="Solve every state that can arise, backwards from the ends.")
@click.option("--pieces", type=int, metavar="N", help="Build all endings of up to N pieces in the folder --table.")
@click.option("--verify", is_flag=True, help="Check that every value in the folder --table follows from the next.")
@click.option("--memory-mib", type=float, metavar="MIB", help="What building may use. Default: 4096.")
@click.option(
    "--checkpoint", type=float, metavar="S", default=60.0, show_default=True, help="Write FILE every S seconds."
)
@click.option("--prove", is_flag=True, help="Ask proof-number search who wins, too: a second, independent prover.")
@click.option("--certificate", metavar="FILE", help="Write a proof that can be checked by the rules alone.")
@click.option(
    "--using",
    type=click.Choice(["cfr", "cfr_plus", "linear_cfr", "dcfr", "lp", "external", "outcome"]),
    help="Hidden information: the algorithm. Default: cfr_plus.",
)
@click.option("--iterations", type=int, metavar="N", help="Hidden information: so many. Default: 1000; sampling: more.")
@click.option("--seed", type=int, metavar="N", help="Hidden information: of what is sampled. Default: 0.")
@click.option(
    "--observation", metavar="TEXT", help="Hidden information: begin where --player (or everybody) sees this."
)
@click.option("--player", type=int, metavar="N", help="Hidden information: who sees --observation. Default: everybody.")
@click.option("--lock", metavar="FILE", help="Hidden information: what is done in some information sets is given.")
@click.option("--strategy", metavar="FILE", help="Hidden information: keep everybody's mixes there.")
@options.speed
@options.JSON
@options.stopped_like_ctrl_c
def command(
    game: str,
    position: str | None,
    state: str | None,
    threads: int | None,
    table_mib: float | None,
    no_distance: bool,
    table: str | None,
    strongly: bool,
    pieces: int | None,
    verify: bool,
    memory_mib: float | None,
    checkpoint: float,
    prove: bool,
    certificate: str | None,
    using: str | None,
    iterations: int | None,
    seed: int | None,
    observation: str | None,
    player: int | None,
    lock: str | None,
    strategy: str | None,
    native: str | None,
    as_json: bool,
) -> None:
    """Solve a position of GAME: its exact value to MAX, every best action, how long a decided game takes.

    \b
    plyforge solve tic_tac_toe
    plyforge solve "connect4(graded=True)" 444444 --threads 2
    plyforge solve "connect4(width=6, height=6, graded=True)" --table c4.table --table-mib 1024
    plyforge solve "hex(size=4)" --prove --certificate hex4.json
    plyforge solve three_mens_morris --strongly
    plyforge solve slider
    plyforge solve checkers --pieces 4 --table checkers-4
    plyforge solve checkers --state "W:WK3:B2" --table checkers-4
    plyforge solve checkers --table checkers-4 --verify

    Searches to the end of the game where two players play for a constant sum without chance; other games are solved
    backwards from their ends, or by value iteration if chance brings states back, which needs memory for all their
    states. Ctrl-C stops, and says what is proven so far. With --table a solve that was stopped, or killed, goes on
    where it was.

    Where players choose at once, each stage has an equilibrium, and the answer is a mix for each player: plyforge solve
    "goofspiel(cards=4)"

    Where something is hidden, an equilibrium of a small game is found by regret minimization (cfr, cfr_plus,
    linear_cfr, dcfr), by sampling (external, outcome) or by a linear program (lp), with what it guarantees. --table
    keeps what was learned, and the same command goes on from it; --strategy keeps the mixes.

    \b
    plyforge solve kuhn_poker
    plyforge solve leduc_poker --using dcfr --iterations 1000 --table leduc.regrets --strategy leduc.json
    plyforge solve kuhn_poker --observation "? ? check bet"

    --strongly looks back from all ends of the game at once: the value and the distance of every state that can arise, also where states come back.

    A puzzle of one player is solved from all ends backwards, too: what the best path costs from every state, and how
    many states are how far.

    A game that numbers its endings (checkers, chess) can have a database of them in a folder: --pieces builds it, kind
    of ending after kind of ending, on all processors; stopped or killed, the same command goes on with the first that
    is not finished. With the folder alone, a position in it is looked up: win, draw or loss, the plies to the end, and
    the line.
    """  # noqa: E501
    import plyforge as pf
    from plyforge.search.core.requirements import ANY_GAME, ONE_PLAYER_NO_CHANCE, TWO_PLAYERS_NO_CHANCE

    if position is not None and state is not None:
        raise click.UsageError("give the state once: as STATE or as --state", click.get_current_context())
    rules = pf.load(game)
    text = position if state is None else state
    root = rules.start() if text is None else parse_state(rules, text)
    if rules.hidden_information:
        given = {
            "--threads": threads,
            "--table-mib": table_mib,
            "--prove": prove,
            "--strongly": strongly,
            "--certificate": certificate,
            "--pieces": pieces,
            "--verify": verify,
            "--memory-mib": memory_mib,
        }
        for option, value in given.items():
            if value:
                raise click.UsageError(f"{option} means nothing where something is hidden", click.get_current_context())
        if player is not None and observation is None:
            raise click.UsageError("--player is who sees --observation: give both", click.get_current_context())
        if player is not None and not 0 <= player < rules.players:
            raise pf.BadLimits(f"player is {player}; it must be from 0 to {rules.players - 1}")
        print_hidden(
            rules,
            root,
            HiddenCall(
                using or "cfr_plus",
                iterations,
                seed or 0,
                observation,
                player,
                lock,
                strategy,
                table,
                options.as_native(native),
                as_json,
            ),
        )
        return
    of_hidden = {
        "--using": using,
        "--iterations": iterations,
        "--seed": seed,
        "--observation": observation,
        "--player": player,
        "--lock": lock,
        "--strategy": strategy,
    }
    for option, value in of_hidden.items():
        if value is not None:
            raise click.UsageError(f"{option} is for games of hidden information", click.get_current_context())
    endings = (
        pieces is not None
        or verify
        or (defines(rules.tablebase, "index") and table is not None and Path(table).is_dir())
    )
    if defines(rules.tablebase, "index") and table is not None and not endings and not Path(table).exists():
        raise pf.BadText(
            f"there is no folder {table}: build the database first, as in `plyforge solve {game} --pieces 4 --table"
            f" {table}`"
        )
    if defines(rules.costs, "cost") and not strongly and ONE_PLAYER_NO_CHANCE.missing(rules) is None:
        given = {
            "--table": table,
            "--threads": threads,
            "--table-mib": table_mib,
            "--prove": prove,
            "--certificate": certificate,
            "--no-distance": no_distance,
            "--memory-mib": memory_mib,
            "--pieces": pieces,
            "--verify": verify,
        }
        for option, value in given.items():
            if value:
                raise click.UsageError(f"{option} means nothing for one player", click.get_current_context())
        print_distances(rules, root, options.as_native(native), as_json)
        return
    # A search of a game that can come back to a state never ends.
    strongly = strongly or (rules.history.repetition and not endings and TWO_PLAYERS_NO_CHANCE.missing(rules) is None)
    strongly = (
        strongly and not rules.has_chance
    )  # through chance nothing can be looked back: what follows solves every state anyway
    if strongly or endings:
        given = {
            "--prove": prove,
            "--certificate": certificate,
            "--table-mib": table_mib,
            "--no-distance": no_distance,
            "--threads": threads if pieces is None else None,
            "--memory-mib": memory_mib if pieces is None else None,
            "--strongly": strongly and endings,
        }
        for option, value in given.items():
            if value:
                way = "for a database of endings" if endings else "where every state is solved"
                raise click.UsageError(f"{option} means nothing {way}", click.get_current_context())
    if endings:
        from plyforge.cli import endings as face

        call_of_endings = face.Endings(rules, table, options.as_native(native), as_json)
        if verify and pieces is not None:
            raise click.UsageError("build first (--pieces), then --verify", click.get_current_context())
        if verify:
            call_of_endings.verify()
        elif pieces is not None:
            call_of_endings.build(pieces, threads, memory_mib)
        elif text is None:
            call_of_endings.describe()
        else:
            call_of_endings.ask(root)
        return
    if memory_mib is not None:
        raise click.UsageError("--memory-mib is for --pieces", click.get_current_context())
    if strongly:
        print_every_state(rules, root, table, options.as_native(native), as_json)
        return
    if certificate is not None:
        from plyforge.writing import require_writable

        require_writable(certificate)
    if TWO_PLAYERS_NO_CHANCE.missing(rules) is None:
        call = Call(rules, root, options.as_native(native), as_json, certificate, table)
        try:
            call.solve(threads or 1, table_mib, not no_distance, checkpoint, prove)
            return
        except pf.TooDeep:
            if table or prove or certificate:
                raise
            click.echo(
                "note: too long for a search, or states can come back: solved backwards from all its ends", err=True
            )
        print_every_state(rules, root, None, options.as_native(native), as_json)
        return
    at_once = ANY_GAME.missing(rules) is not None
    given = {
        "--table": table,
        "--threads": threads,
        "--table-mib": table_mib,
        "--prove": prove,
        "--certificate": certificate,
    }
    for option, value in given.items():
        if value:
            raise pf.Unsuitable(f"{option} is for games with {FOR_SEARCH}; {type(rules).__name__} is solved backwards")
    if at_once:
        print_stages(rules, root, as_json)
    else:
        print_backwards(rules, root, options.as_native(native), as_json)
