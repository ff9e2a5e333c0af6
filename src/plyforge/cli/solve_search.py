"""`plyforge solve` by search: progress, Ctrl-C, the second prover, the certificate."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from plyforge.cli import options
from plyforge.cli.solve_words import even, in_words, print_rows, state_text

if TYPE_CHECKING:
    from plyforge.contract import Game
    from plyforge.solve import Proof, Solved, Solver


class Call:
    """One call of the verb, for a game that is solved by search."""

    def __init__(
        self, game: Game, root: Any, native: bool | None, as_json: bool, certificate: str | None, table: str | None
    ) -> None:
        self.game, self.root, self.native = game, root, native
        self.as_json, self.certificate, self.table = as_json, certificate, table
        self.solver: Solver | None = None
        self.told = ""
        """The trouble with the table file that was last told."""

    def solve(self, threads: int, table_mib: float | None, distance: bool, checkpoint: float, prove: bool) -> None:
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
        from plyforge.search.core.runner import coerce
        from plyforge.solve.table_file import describe_table, is_there

        if self.table is None or not is_there(self.table):
            return 64.0 if wanted is None else wanted

        kept = describe_table(self.table, self.game, coerce(self.root)).mebibytes
        if wanted is not None and not kept <= wanted < 2 * kept:  # a table's size is a power of two
            raise PlyforgeError(
                f"the table in {self.table} has {kept:g} MiB: leave --table-mib out to go on with it, or name another"
                " file"
            )
        return kept

    # ------------------------------------------------------------ the second prover, and the certificate
    def _prove(self, solved: Solved, table_mib: float) -> list[Proof]:
        """Does MAX win? If not, does MIN? The answers of df-pn, which have to agree with the value."""
        from plyforge.errors import PlyforgeError
        from plyforge.solve import prove
        from plyforge.solve.proof_number import win

        drawn = even(self.game)
        proofs = []
        for at_least in (win(self.game), drawn):
            progress = options.ProgressLine()
            try:
                proof = prove(self.game, self.root, at_least, table_mib, native=self.native, on_progress=progress)
            finally:
                progress.clear()
            proofs.append(proof)
            if proof.proven is not (solved.value >= at_least):
                raise PlyforgeError(
                    f"the two provers disagree: the value is {solved.value:g}, but proof-number search says: {proof}."
                    " Two states may have equal keys, or there is a bug: please report it"
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
        at_least = win(self.game) if solved.value > even(self.game) else even(self.game)
        if self.game.players < 2:
            at_least = solved.value
        progress = options.ProgressLine()
        try:
            made = make_certificate(self.game, self.root, at_least, table_mib, native=self.native, on_progress=progress)
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
            else (
                f"nothing is proven yet: the value is from {standing.low:g} to {standing.high:g}"
                if (standing.low, standing.high) == (self.game.min_utility, self.game.max_utility)
                else f"proven so far: the value is from {standing.low:g} to {standing.high:g}"
            )
        )
        later = f" Kept in {self.table}: the same command goes on from there." if kept else ""
        click.echo(f"\n{what}; {standing.nodes:,} nodes, {standing.seconds:.0f} s.{later}", err=True)

    def _print(self, solved: Solved, proofs: list[Proof], certified: dict[str, Any] | None) -> None:
        assert self.solver is not None
        standing = self.solver.standing
        rate = solved.nodes / max(solved.seconds, 1e-9)
        text = state_text(self.game, self.root)
        if self.as_json:
            found: dict[str, Any] = {"game": str(self.game), "state": text, "words": in_words(self.game, solved.value)}
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
            rows.append(("distance", f"{solved.distance} plies to the end, if the winner hurries and the loser delays"))
        rows.append(("solved", f"{solved.nodes:,} nodes, {solved.seconds:.2f} s, {rate:,.0f} nodes a second, {speed}"))
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
                ("certificate", f"{certified['claim']}: {moves}, in {certified['file']}, checked against the rules")
            )
        print_rows(self.game, self.root, rows)


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
