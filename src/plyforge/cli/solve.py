"""`plyforge solve`: the exact value of a position, every best action, and proofs of it."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from plyforge.cli import options

if TYPE_CHECKING:
    from plyforge.game import Game
    from plyforge.solve import Proof, Solved, Solver

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
    help="Keep the table there, and go on from it if it is there. With --strongly: the solution. A folder: a database of endings.",
)
@click.option("--strongly", is_flag=True, help="Solve every state that can arise, backwards from the ends.")
@click.option(
    "--pieces", type=int, metavar="N", help="Build all endings of up to N pieces in the folder --table."
)
@click.option(
    "--verify", is_flag=True, help="Check that every value in the folder --table follows from the next."
)
@click.option("--memory-mib", type=float, metavar="MIB", help="What building may use. Default: 4096.")
@click.option(
    "--checkpoint",
    type=float,
    metavar="S",
    default=60.0,
    show_default=True,
    help="Write FILE every S seconds.",
)
@click.option(
    "--prove", is_flag=True, help="Ask proof-number search who wins, too: a second, independent prover."
)
@click.option("--certificate", metavar="FILE", help="Write a proof that can be checked by the rules alone.")
@options.speed
@options.JSON
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
    plyforge solve checkers --pieces 4 --table checkers-4
    plyforge solve checkers --state "W:WK3:B2" --table checkers-4
    plyforge solve checkers --table checkers-4 --verify

    Searches to the end of the game where two players play for a constant sum without chance; other games are solved backwards from
    their ends, or by value iteration if chance brings states back, which needs memory for all their states. Ctrl-C stops, and says what is proven so far. With --table a solve that was stopped, or
    killed, goes on where it was.

    --strongly looks back from all ends of the game at once: the value and the distance of every state that can arise, also where states come back.

    A game that numbers its endings (checkers) can have a database of them in a folder: --pieces builds it, kind of ending after kind of ending, on all processors; stopped or killed, the same
    command goes on with the first that is not finished. With the folder alone, a position in it is looked up: win, draw or loss, the plies to the end, and the line.
    """
    import plyforge as pf
    from plyforge.search.needs import TWO_PLAYERS_NO_CHANCE

    if position is not None and state is not None:
        raise click.UsageError("give the state once: as STATE or as --state", click.get_current_context())
    rules = pf.load(game)
    text = position if state is None else state
    root = rules.start() if text is None else rules.parse_state(text)
    endings = pieces is not None or verify or (rules.has_index and table is not None and Path(table).is_dir())
    if rules.has_index and table is not None and not endings and not Path(table).exists():
        raise pf.BadText(
            f"there is no folder {table}: build the database first, as in `plyforge solve {game} --pieces 4 --table {table}`"
        )
    # A search of a game that can come back to a state never ends.
    strongly = strongly or (rules.repeats and not endings and TWO_PLAYERS_NO_CHANCE.missing(rules) is None)
    if strongly or endings:
        given = {
            "--prove": prove, "--certificate": certificate, "--table-mib": table_mib, "--no-distance": no_distance,
            "--threads": threads if pieces is None else None, "--memory-mib": memory_mib if pieces is None else None,
            "--strongly": strongly and endings,
        }  # fmt: skip
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
        _strongly(rules, root, table, options.as_native(native), as_json)
        return
    if certificate is not None:
        _require_folder(certificate)
    if TWO_PLAYERS_NO_CHANCE.missing(rules) is None:
        call = Call(rules, root, options.as_native(native), as_json, certificate, table)
        try:
            call.solve(threads or 1, table_mib, not no_distance, checkpoint, prove)
            return
        except pf.TooDeep:
            if table or prove or certificate:
                raise
            click.echo(
                "note: too long for a search, or states can come back: solved backwards from all its ends",
                err=True,
            )
        _strongly(rules, root, None, options.as_native(native), as_json)
        return
    given = {
        "--table": table, "--threads": threads, "--table-mib": table_mib, "--prove": prove, "--certificate": certificate,
    }  # fmt: skip
    for option, value in given.items():
        if value:
            raise pf.Unsuitable(
                f"{option} is for games with {FOR_SEARCH}; {type(rules).__name__} is solved backwards"
            )
    _backwards(rules, root, options.as_native(native), as_json)


class Call:
    """One call of the verb, for a game that is solved by search."""

    def __init__(
        self,
        game: Game,
        root: Any,
        native: bool | None,
        as_json: bool,
        certificate: str | None,
        table: str | None,
    ) -> None:
        self.game, self.root, self.native = game, root, native
        self.as_json, self.certificate, self.table = as_json, certificate, table
        self.solver: Solver | None = None
        self.told = ""
        """The trouble with the table file that was last told."""

    def solve(
        self, threads: int, table_mib: float | None, distance: bool, checkpoint: float, prove: bool
    ) -> None:
        from plyforge.solve import Solver

        table_mib = self._table_size(table_mib)
        with options.quiet_fallback():
            self.solver = solver = Solver(self.game, table_mib=table_mib, threads=threads, native=self.native)
        self.native = solver.is_native  # for the other provers: what fell back once need not be tried again
        progress = SolverLine(self)
        try:
            solved = solver.solve(
                self.root, distance=distance, keep=self.table, checkpoint=checkpoint, on_progress=progress
            )
        except KeyboardInterrupt:
            progress.clear()
            self._tell_trouble()
            self._interrupted()
            raise click.exceptions.Exit(130) from None
        finally:
            progress.clear()
        self._tell_trouble()
        proofs: list[Proof] = []
        certified = None
        try:
            if prove:
                proofs = self._prove(solved, table_mib)
            if self.certificate is not None:
                certified = self._certify(solved, table_mib)
        except KeyboardInterrupt:
            click.echo("\nstopped: the value is proven, what was asked for beside it is not there", err=True)
            self._print(solved, proofs, None)
            raise click.exceptions.Exit(130) from None
        self._print(solved, proofs, certified)

    def _table_size(self, wanted: float | None) -> float:
        """How big the table is: as asked for, or as that of the file."""
        from plyforge.errors import PlyforgeError
        from plyforge.search.run import coerce
        from plyforge.solve.table_file import describe_table, is_there

        if self.table is None or not is_there(self.table):
            return 64.0 if wanted is None else wanted

        kept = describe_table(self.table, self.game, coerce(self.root)).mebibytes
        if wanted is not None and not kept <= wanted < 2 * kept:  # a table's size is a power of two
            raise PlyforgeError(
                f"the table in {self.table} has {kept:g} MiB: leave --table-mib out to go on with it, or name another file"
            )
        return kept

    # ------------------------------------------------------------ the second prover, and the certificate
    def _prove(self, solved: Solved, table_mib: float) -> list[Proof]:
        """Does MAX win? If not, does MIN? The answers of df-pn, which have to agree with the value."""
        from plyforge.errors import PlyforgeError
        from plyforge.solve import prove
        from plyforge.solve.proof_number import win

        even = _even(self.game)
        proofs = []
        for at_least in (win(self.game), even):
            progress = options.ProgressLine()
            try:
                proof = prove(
                    self.game, self.root, at_least, table_mib, native=self.native, on_progress=progress
                )
            finally:
                progress.clear()
            proofs.append(proof)
            if proof.proven is not (solved.value >= at_least):
                raise PlyforgeError(
                    f"the two provers disagree: the value is {solved.value:g}, but proof-number search says: {proof}. Two states may have "
                    "equal keys, or there is a bug: please report it"
                )
            if proof.proven or self.game.players < 2:
                break
        return proofs

    def _certify(self, solved: Solved, table_mib: float) -> dict[str, Any]:
        """Write the winner's moves, read them back and have them checked by the rules alone."""
        from plyforge.solve import make_certificate, read_certificate
        from plyforge.solve.proof_number import win
        from plyforge.solve.verify_certificate import verify_certificate

        assert self.certificate is not None
        at_least = win(self.game) if solved.value > _even(self.game) else _even(self.game)
        if self.game.players < 2:
            at_least = solved.value
        progress = options.ProgressLine()
        try:
            made = make_certificate(
                self.game, self.root, at_least, table_mib, native=self.native, on_progress=progress
            )
        finally:
            progress.clear()
        made.save(self.certificate)
        states = verify_certificate(read_certificate(self.certificate), self.game, self.root)
        return {"file": self.certificate, "claim": made.claim, "moves": len(made.moves), "states": states}

    # ------------------------------------------------------------ what is said
    def _tell_trouble(self) -> None:
        assert self.solver is not None
        trouble = "" if self.solver.not_kept is None else str(self.solver.not_kept)
        if trouble and trouble != self.told:
            click.echo(f"note: {trouble}", err=True)
        self.told = trouble

    def _interrupted(self) -> None:
        """What is known when somebody presses Ctrl-C."""
        assert self.solver is not None
        standing = self.solver.standing
        kept = self.table is not None and self.solver.not_kept is None
        if self.as_json:
            options.print_json(
                {
                    "interrupted": True, "low": standing.low, "high": standing.high, "proven": standing.proven,
                    "nodes": standing.nodes, "seconds": standing.seconds, "table": self.table if kept else None,
                }
            )  # fmt: skip
        what = (
            f"the value is {standing.low:g}, proven"
            if standing.proven
            else f"nothing is proven yet: the value is from {standing.low:g} to {standing.high:g}"
            if (standing.low, standing.high) == (self.game.lowest, self.game.highest)
            else f"proven so far: the value is from {standing.low:g} to {standing.high:g}"
        )
        later = f" Kept in {self.table}: the same command goes on from there." if kept else ""
        click.echo(f"\n{what}; {standing.nodes:,} nodes, {standing.seconds:.0f} s.{later}", err=True)

    def _print(self, solved: Solved, proofs: list[Proof], certified: dict[str, Any] | None) -> None:
        assert self.solver is not None
        standing = self.solver.standing
        rate = solved.nodes / max(solved.seconds, 1e-9)
        text = _state_text(self.game, self.root)
        if self.as_json:
            found: dict[str, Any] = {
                "game": str(self.game),
                "state": text,
                "words": in_words(self.game, solved.value),
            }
            found |= solved.to_json() | {"rate": rate, "using": "search"}
            found |= {"nodes_in_all": standing.nodes, "seconds_in_all": standing.seconds}
            found["table"] = self.table if self.solver.not_kept is None else None
            found["proofs"] = [proof.to_json() for proof in proofs]
            found["certificate"] = certified
            options.print_json(found)
            return
        from plyforge.cli.report import value_text
        from plyforge.solve.proof_number import words

        speed = "compiled" if solved.native else "interpreted"
        rows = [
            ("value", f"{value_text(solved.value)}  {in_words(self.game, solved.value)}"),
            ("best", ", ".join(solved.best_text()) or "none: the game is over"),
        ]
        if solved.distance is not None:
            rows.append(
                (
                    "distance",
                    f"{solved.distance} plies to the end, if the winner hurries and the loser delays",
                )
            )
        rows.append(
            ("solved", f"{solved.nodes:,} nodes, {solved.seconds:.2f} s, {rate:,.0f} nodes a second, {speed}")
        )
        if standing.nodes > solved.nodes:
            rows.append(("in all runs", f"{standing.nodes:,} nodes, {standing.seconds:.0f} s"))
        if self.table is not None and self.solver.not_kept is None:
            rows.append(("table", f"kept in {self.table}, {self.solver.table.mebibytes:g} MiB"))
        for proof in proofs:
            said = words(self.game, proof.at_least, bool(proof.proven))
            rows.append(("proof-number", f"agrees: {said}; {proof.nodes:,} nodes, {proof.seconds:.2f} s"))
        if certified is not None:
            moves = f"{certified['moves']:,} moves, {certified['states']:,} states"
            rows.append(
                (
                    "certificate",
                    f"{certified['claim']}: {moves}, in {certified['file']}, checked against the rules",
                )
            )
        _print_rows(self.game, self.root, rows)


class SolverLine(options.ProgressLine):
    """The progress line of a solver: what is proven so far."""

    def __init__(self, call: Call) -> None:
        super().__init__()
        self.call = call

    def __call__(self, progress: Any) -> None:
        super().__call__(progress)
        if self.call.solver is not None and self.call.solver.not_kept is not None:
            self.clear()
            self.call._tell_trouble()

    def text(self, progress: Any) -> str:
        assert self.call.solver is not None
        standing = self.call.solver.standing
        value = f"from {standing.low:g} to {standing.high:g}"
        if standing.proven:
            value = f"{standing.low:g}, proven"
        return f"value {value}; {super().text(replace(progress, value=None, line=()))}"


# ------------------------------------------------------------ every state
def _strongly(game: Game, root: Any, table: str | None, native: bool | None, as_json: bool) -> None:
    """Solve all states, or read the file in which they are."""
    from plyforge.cli.report import value_text
    from plyforge.solve import load_solution, strongly
    from plyforge.solve.table_file import is_there

    if table is not None and not is_there(table):
        _require_folder(table)
    read = table is not None and is_there(table)
    progress = options.ProgressLine()
    try:
        if read:
            assert table is not None
            solved = load_solution(table, game, root)
        else:
            with options.quiet_fallback():
                solved = strongly(game, root, native=native, on_progress=progress)
    finally:
        progress.clear()
    if table is not None and not read:
        solved.save(table)
    words = in_words(game, solved.value())
    if as_json:
        found = {"game": str(game), "state": _state_text(game, root), "words": words, **solved.to_json()}
        options.print_json({**found, "using": "retrograde analysis", "table": table, "read": read})
        return
    line = " ".join(solved.line_text())
    distance = solved.distance()
    counts = ", ".join(f"{count:,} worth {value_text(value)}" for value, count in solved.counts.items())
    best = ", ".join(game.format_action(root, action) for action in solved.best())
    rows = [
        ("value", f"{value_text(solved.value())}  {words}"),
        ("best", best or "none: the game is over"),
    ]
    if distance is not None:
        rows.append(("distance", f"{distance} plies to the end, if the winner hurries and the loser delays"))
    rows += [
        ("line", line or "-"),
        ("states", f"{solved.states:,}: {counts}"),
        ("farthest end", f"{solved.longest} plies away"),
        ("solved", f"in {solved.seconds:.2f} s, {'compiled' if solved.native else 'interpreted'}"),
    ]
    if table is not None:
        rows.append(("table", f"{'read from' if read else 'kept in'} {table}"))
    _print_rows(game, root, rows)


# ------------------------------------------------------------ games with chance, of several players, or without a certain end
def _backwards(game: Game, root: Any, native: bool | None, as_json: bool) -> None:
    """Solve by backward induction, or by value iteration where states can come back."""
    import plyforge as pf
    from plyforge.errors import Unsuitable
    from plyforge.search.needs import TWO_PLAYERS

    progress = options.ProgressLine()
    try:
        solution = pf.solve(game, root, on_progress=progress)
    except Unsuitable:
        if TWO_PLAYERS.missing(game) is not None:
            raise
        progress.clear()
        _iterate(game, root, native, as_json)
        return
    finally:
        progress.clear()
    best = [game.format_action(root, action) for action in solution.best_of(root)]
    _print_states(game, root, solution, solution.value, best, "backward induction", as_json)


def _iterate(game: Game, root: Any, native: bool | None, as_json: bool) -> None:
    """Solve by value iteration."""
    from plyforge.solve import value_iteration

    progress = options.ProgressLine()
    try:
        with options.quiet_fallback():
            found = value_iteration(game, root, native=native, on_progress=progress)
    finally:
        progress.clear()
    best = [game.format_action(root, action) for action in found.best]
    _print_states(
        game, root, found, found.value if found.converged else None, best, "value iteration", as_json
    )


def _print_states(
    game: Game, root: Any, found: Any, value: Any, best: list[str], using: str, as_json: bool
) -> None:
    """What a method that looks at every state has found. No value: only bounds, since the game can go on for ever."""
    rate = found.states / max(found.seconds, 1e-9)
    bounds = getattr(found, "bounds", (value, value))
    said = "between these: it can go on for ever, and the rules don't say what that is worth"
    words = said if value is None else in_words(game, value)
    if as_json:
        options.print_json(
            {
                "game": str(game), "state": _state_text(game, root), "words": words,
                "value": list(value) if isinstance(value, tuple) else value,
                "bounds": None if isinstance(value, tuple) else list(bounds), "best": best, "distance": None,
                "states": found.states, "seconds": found.seconds, "rate": rate, "using": using,
            }
        )  # fmt: skip
        return
    from plyforge.cli.report import value_text

    if isinstance(value, float):
        number = f"{value:.10g}"
    else:
        number = f"{bounds[0]:.10g} to {bounds[1]:.10g}" if value is None else value_text(value)
    rows = [
        ("value", f"{number}  {words}"),
        ("best", ", ".join(best) or "none: chance moves, or the game is over"),
        (
            "solved",
            f"{found.states:,} states, {found.seconds:.2f} s, {rate:,.0f} states a second, by {using}",
        ),
    ]
    _print_rows(game, root, rows)


# ------------------------------------------------------------ words
def in_words(game: Game, value: Any) -> str:
    """Who wins, or what the number means."""
    if isinstance(value, tuple):
        return "one number for each player"
    if game.has_chance:
        return "to MAX on average, the first player"
    if game.players < 2 or game.total is None:
        return "to the player"
    first, second = (*game.player_names, "MAX", "MIN")[:2] if len(game.player_names) >= 2 else ("MAX", "MIN")
    if value == _even(game):
        return "a draw"
    return f"{first if value > _even(game) else second} wins"


def _even(game: Game) -> float:
    """MAX's payoff in a draw."""
    return 0.5 * (game.total or 0.0)


def _state_text(game: Game, root: Any) -> str:
    from plyforge.naming import text_of

    return text_of(game, root)


def _print_rows(game: Game, root: Any, rows: list[tuple[str, str]]) -> None:
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    console = Console(highlight=False)
    console.print(game.show(root), markup=False)
    console.print()
    table = Table.grid(padding=(0, 2))
    table.add_column(style="dim")
    table.add_column()
    for name, text in rows:
        table.add_row(name, escape(text))
    console.print(table)


def _require_folder(path: str) -> None:
    """Raise before hours of work, not after, if a file can't be written."""
    from plyforge.errors import PlyforgeError

    folder = Path(path).resolve().parent
    if not folder.is_dir():
        raise PlyforgeError(f"{path} can't be written: there is no folder {folder}. Make it first")
    if not os.access(folder, os.W_OK) or Path(path).is_dir():
        raise PlyforgeError(f"{path} can't be written: name a file in a folder where you may write")
