"""`plyforge solve`: the exact value of a position, every best action, and proofs of it.

A face of `pf.solve`, which chooses the method (`solve/choose.py`). What stands here: options, progress, Ctrl-C, rows.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from plyforge.cli import options

if TYPE_CHECKING:
    from plyforge.contract import Game
    from plyforge.solve import Solution, Solved, Solver

HELP = """Solve a position of GAME: its exact value to MAX, every best action, how long a decided game takes.

    \b
    plyforge solve tic_tac_toe
    plyforge solve "connect4(graded=True)" 444444 --threads 2
    plyforge solve "connect4(width=6, height=6, graded=True)" --table c4.table --table-mib 1024
    plyforge solve "hex(size=4)" --prove --certificate hex4.json
    plyforge solve three_mens_morris --strongly
    plyforge solve "pig(goal=20)" --using value_iteration
    plyforge solve checkers --pieces 4 --table checkers-4
    plyforge solve checkers --state "W:WK3:B2" --table checkers-4
    plyforge solve checkers --table checkers-4 --verify

    The method is the one that suits the game, unless --using names another: a search to the end where two play for a
    constant sum without chance; from the ends backwards where states can come back (--strongly asks for that, and so
    for the value of every state), for puzzles, for chance and for more players; value iteration where chance brings
    states back; an equilibrium of every stage where players choose at once, as in plyforge solve "goofspiel(cards=4)".
    The answer says which it was. `pf.solve` does the same in Python.

    Ctrl-C stops, and says what is proven so far. With --table a solve that was stopped, or killed, goes on where it
    was.

    Where something is hidden, an equilibrium of a small game is found by regret minimization (cfr, cfr_plus,
    linear_cfr, dcfr), by sampling (external, outcome) or by a linear program (lp), with what it guarantees. --table
    keeps what was learned, and the same command goes on from it; --strategy keeps the mixes.

    \b
    plyforge solve kuhn_poker
    plyforge solve leduc_poker --using dcfr --iterations 1000 --table leduc.regrets --strategy leduc.json
    plyforge solve kuhn_poker --observation "? ? check bet"

    A game that numbers its endings (checkers, chess) can have a database of them in a folder: --pieces builds it, kind
    of ending after kind of ending, on all processors; stopped or killed, the same command goes on with the first that
    is not finished. With the folder alone, a position in it is looked up: win, draw or loss, the plies to the end, and
    the line.
    """


@click.command("solve", help=HELP)
@options.GAME
@click.argument("position", metavar="[STATE]", required=False)
@options.STATE
@click.option("--using", metavar="METHOD", help="The method. Default: what suits the game. An unknown name lists all.")
@click.option("--strongly", is_flag=True, help="Solve every state that can arise, backwards from the ends.")
@click.option("--limit", type=int, metavar="N", help="Refuse a game of more states, where all are held in memory.")
@click.option("--threads", type=int, metavar="N", help="How many threads search. Default: 1.")
@click.option("--table-mib", type=float, metavar="MIB", help="Memory for the table of a search. Default: 64.")
@click.option("--no-distance", is_flag=True, help="Don't count the plies of a decided game.")
@click.option(
    "--table",
    metavar="FILE",
    help="Keep what is found there, and go on from it if it is there. A folder: a database of endings.",
)
@click.option("--checkpoint", type=float, metavar="S", help="Write FILE every S seconds. Default: 60.")
@click.option("--prove", is_flag=True, help="Ask proof-number search who wins, too: a second, independent prover.")
@click.option("--certificate", metavar="FILE", help="Write a proof that can be checked by the rules alone.")
@click.option("--iterations", type=int, metavar="N", help="Hidden information: so many. Default: 1000; sampling: more.")
@click.option("--seed", type=int, metavar="N", help="Hidden information: of what is sampled. Default: 0.")
@click.option(
    "--observation", metavar="TEXT", help="Hidden information: begin where --player (or everybody) sees this."
)
@click.option("--player", type=int, metavar="N", help="Hidden information: who sees --observation. Default: everybody.")
@click.option("--lock", metavar="FILE", help="Hidden information: what is done in some information sets is given.")
@click.option("--strategy", metavar="FILE", help="Hidden information: keep everybody's mixes there.")
@click.option("--pieces", type=int, metavar="N", help="Build all endings of up to N pieces in the folder --table.")
@options.crew
@click.option("--verify", is_flag=True, help="Check that every value in the folder --table follows from the next.")
@click.option("--memory-mib", type=float, metavar="MIB", help="What building may use. Default: 4096.")
@options.speed
@options.JSON
@options.stopped_like_ctrl_c
def command(game: str, position: str | None, state: str | None, native: str | None, **given: Any) -> None:
    """Solve a position."""
    import plyforge as pf
    from plyforge.cli.solve.endings import solve_endings
    from plyforge.writing import require_writable

    if position is not None and state is not None:
        raise click.UsageError("give the state once: as STATE or as --state", click.get_current_context())
    as_json = bool(given.pop("as_json"))
    rules, text = pf.load(game), position if state is None else state
    root = rules.start() if text is None else pf.parse_state(rules, text)
    asked = {name: value for name, value in given.items() if value is not None and value is not False and value != ()}
    if solve_endings(rules, text, asked, options.as_native(native), as_json):
        return
    for file in ("certificate", "strategy"):
        if file in asked:
            require_writable(asked[file])
    SolveCall(rules, root, options.as_native(native), as_json, asked).run()


class SolveCall:
    """One call of the verb."""

    def __init__(self, game: Game, root: Any, native: bool | None, as_json: bool, asked: dict[str, Any]) -> None:
        self.game, self.root, self.native, self.as_json = game, root, native, as_json
        self.prove, self.certificate = bool(asked.pop("prove", False)), asked.pop("certificate", None)
        self.strategy: str | None = asked.pop("strategy", None)
        if asked.pop("no_distance", False):
            asked["distance"] = False
        if self.prove or self.certificate is not None:
            if "strongly" in asked:
                text = "--prove and --certificate are for what a search has proven, --strongly values all states"
                raise click.UsageError(f"{text}: give one of both", click.get_current_context())
            asked.setdefault("using", "search")  # what is proven a second time is what a search has proven
        self.asked = asked
        self.progress = SolveLine()

    def run(self) -> None:
        """Solve, and show what was found."""
        import plyforge as pf
        from plyforge.errors import Interrupted
        from plyforge.solve import HiddenSolution, Solution
        from plyforge.solve.hidden import SampledSolution
        from plyforge.solve.hidden.strategy_file import MixedStrategy

        if self.strategy is not None and not self.game.hidden_information:
            raise click.UsageError("--strategy is for games of hidden information", click.get_current_context())
        try:
            with options.quiet_fallback():
                found = pf.solve(self.game, self.root, native=self.native, on_progress=self.progress, **self.asked)
            stopped = False
        except Interrupted as interrupted:
            self.progress.clear()
            if not isinstance(interrupted.found, Solution):
                self._stopped_search(interrupted.found)
                raise click.exceptions.Exit(130) from None
            found, stopped = interrupted.found, True
        finally:
            self.progress.clear()
        self._tell_of_another_method(found)
        if self.strategy is not None and isinstance(found, (HiddenSolution, SampledSolution)):
            MixedStrategy.of(found).save(self.strategy)
        stopped = self._print_with_proofs(found) if found.using == "search" else self._print(found, stopped)
        if stopped:
            raise click.exceptions.Exit(130)

    def _tell_of_another_method(self, found: Solution) -> None:
        """Say so where the method that was chosen first could not do it."""
        from plyforge.solve.choose import INSTEAD

        for _, instead, words in INSTEAD.values():
            if found.using == instead and "using" not in self.asked and self._chosen() != instead:
                click.echo(f"note: {words}", err=True)

    def _chosen(self) -> str:
        from plyforge.solve import choose

        return choose(self.game, bool(self.asked.get("strongly")), self.asked.get("table")).method.name

    # ------------------------------------------------------------ what a search has beside its value
    def _print_with_proofs(self, found: Any) -> bool:
        """With the second opinion and the certificate, if they were asked for. True if Ctrl-C stopped them."""
        from plyforge.solve.proof.proof_number import words
        from plyforge.solve.proof.second_opinion import certify, second_opinion

        self.progress.tell_trouble(found.solver.not_kept)
        solved: Solved = found
        proofs, certified, stopped = [], None, False
        progress = options.ProgressLine()
        try:
            proofs = second_opinion(solved, progress) if self.prove else []
            certified = certify(solved, self.certificate, progress) if self.certificate is not None else None
        except KeyboardInterrupt:
            click.echo("\nstopped: the value is proven, what was asked for beside it is not there", err=True)
            stopped = True
        finally:
            progress.clear()
        rows = []
        for proof in proofs:
            said = words(self.game, proof.at_least, bool(proof.proven))
            rows.append(("proof-number", f"agrees: {said}; {proof.nodes:,} nodes, {proof.seconds:.2f} s"))
        if certified is not None:
            counts = f"{certified.moves:,} moves, {certified.states:,} states"
            rows.append(("certificate", f"{certified.claim}: {counts}, in {certified.file}, checked against the rules"))
        more = {
            "proofs": [proof.to_json() for proof in proofs],
            "certificate": None if certified is None else certified._asdict(),
        }
        return self._print(found, stopped, rows, more)

    def _stopped_search(self, solver: Solver) -> None:
        """What is known when somebody presses Ctrl-C."""
        self.progress.tell_trouble(solver.not_kept)
        standing, table = solver.standing, None if solver.not_kept is not None else self.asked.get("table")
        if self.as_json:
            spent = asdict(standing)
            del spent["question"]
            options.print_json({"interrupted": True, **spent, "proven": standing.proven, "table": table})
        later = "" if table is None else f" Kept in {table}: the same command goes on from there."
        nodes = f"{standing.nodes:,} nodes, {standing.seconds:.0f} s"
        click.echo(f"\n{standing.words(self.game)}; {nodes}.{later}", err=True)

    # ------------------------------------------------------------ the answer
    def _print(
        self, found: Solution, stopped: bool, rows: list[tuple[str, str]] | None = None, more: Any = None
    ) -> bool:
        if self.as_json:
            options.print_json({**found.to_json(), **(more or {}), "stopped": stopped})
            return stopped
        from plyforge.cli.report import print_rows

        said = [*found.rows(), *(rows or [])]
        if "observation" in self.asked:
            seen = f"{self.asked['observation']}: the states that look so, as likely as chance makes them"
            said.insert(1, ("from", seen))
        if self.strategy is not None:
            said.append(("strategy", f"kept in {self.strategy}"))
        if self.game.hidden_information and "table" in self.asked and found.using != "lp":
            kept = f"kept in {self.asked['table']}: the same command with more iterations goes on"
            said.append(("checkpoint", kept))
        if stopped:
            said.append(("stopped", "by Ctrl-C: this is how far it came"))
        print_rows(self.game, self.root, said)
        return stopped


class SolveLine(options.ProgressLine):
    """The progress line of a solve: what is proven so far, or how good mixes are, where the method says so."""

    told = ""
    """The trouble with the table's file that was last told."""

    def __call__(self, progress: Any) -> None:
        super().__call__(progress)
        self.tell_trouble(getattr(progress, "not_kept", None))

    def tell_trouble(self, trouble: Any) -> None:
        """Once for each trouble."""
        text = "" if trouble is None else str(trouble)
        if text and text != self.told:
            self.clear()
            click.echo(f"note: {text}", err=True)
        self.told = text

    def text(self, progress: Any) -> str:
        if hasattr(progress, "iterations"):
            return str(progress.words())
        standing = getattr(progress, "standing", None)
        if standing is None:
            return super().text(progress)
        value = f"{standing.low:g}, proven" if standing.proven else f"from {standing.low:g} to {standing.high:g}"
        return f"value {value}; {super().text(progress)}"
