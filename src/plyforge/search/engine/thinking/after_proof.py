"""What is looked for once the value is proven: the quickest win, the longest defence, and the line that leads there
(`mate_distance.py`). It has the rest of the time, by a clock of the soft limit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from plyforge.contract import MAX
from plyforge.kernel.storage.block import touch
from plyforge.search.engine.mate_distance import LEAST_NODES, TABLE_MIB, nearest_end, played_out
from plyforge.search.engine.memory import hand_on_engine_memory, take_engine_memory
from plyforge.search.engine.result import EngineResult
from plyforge.search.engine.thinking.answers import Answers
from plyforge.search.engine.thinking.runs import UNLIMITED
from plyforge.search.engine.transposition_table import Table, hand_back, take_table


@dataclass
class AfterProof(Answers):
    """Answers, and what follows a proof."""

    lead: tuple[tuple[Any, ...], int | None] | None = field(default=None, init=False)
    """Of the first proven line: what is played, and after how many plies the end comes."""

    def proven(self, answer: EngineResult) -> EngineResult:
        """A proof: with the quickest win, or the longest defence. What was played before it stays where further
        lines are looked for."""
        if self.lead is not None:
            return answer.led_by(*self.lead)
        answer = self.nearest(self.last_stand(answer))
        self.lead = answer.line, answer.distance
        return answer

    def nearest(self, answer: EngineResult) -> EngineResult:
        """Where depth is no promise: the answer, with the nearest end that is worth looking for."""
        distance, within = answer.distance, self.search.within or 0
        decided = answer.exact and answer.value in (self.game.min_utility, self.game.max_utility)
        if not self.is_selective or (answer.exact and not (decided and distance)):
            return answer
        maximising = self.game.player(self.state) == MAX
        wins = not decided or (answer.value == self.game.max_utility) == maximising
        plies, most = (distance or 1) - 1, self.nodes + max(LEAST_NODES, self.nodes)
        if wins and within and (distance is None or distance > within):
            plies, most = within, UNLIMITED  # that is what was asked for
        if plies < 1 or not self.time.has_extras:
            return answer
        most = min(most, UNLIMITED if self.node_limit is None else self.node_limit)
        thinking = self.looking_at_everything(self.state, self.history, most)
        thinking.on_progress, thinking.found = self.on_progress, answer
        answer = nearest_end(answer, thinking, wins, plies)
        self.nodes = thinking.nodes
        if answer.exact:
            answer = self.played_out(answer, min(most, self.nodes + LEAST_NODES), thinking)
        else:
            thinking.hand_on(own_table=True)
        return replace(answer, nodes=self.nodes, seconds=self.seconds)

    def played_out(self, answer: EngineResult, most: int, last: AfterProof) -> EngineResult:
        """A proven end, with the line that leads there, as far as limits allow. `last` was the last to look at
        everything."""

        def think(state: Any, past: Sequence[Any]) -> AfterProof:
            nonlocal last
            self.nodes = last.nodes
            last.hand_on(own_table=False)
            last = self.looking_at_everything(state, past, most, last.table)
            return last

        answer = played_out(answer, self.history, think)
        self.nodes = last.nodes
        last.hand_on(own_table=True)
        return answer

    def looking_at_everything(
        self, state: Any, history: Sequence[Any], most: int, table: Table | None = None
    ) -> AfterProof:
        """A search that leaves nothing out, up to so many nodes, with the time that there is for this one. Its
        memory is megabytes, and whoever is done with it hands it on: the system takes longer to find others than a
        quick move may last."""
        plain = replace(
            self.search,
            selective=False, quiescence=False, threads=1, lines=1, all_best=False, database=None, table_mib=TABLE_MIB,
            only=self.search.only if state is self.state else (),
        )  # fmt: skip
        thinking = type(self)(plain, self.game, state, self.is_native, None, self.control, table, history)
        thinking.nodes, thinking.node_limit = self.nodes, most
        thinking.began, thinking.deadline = self.began, self.time.end_of_extras
        return thinking

    def last_stand(self, answer: EngineResult) -> EngineResult:
        """Where all is lost, the action that holds out longest: the one that looked best one depth earlier, when it
        was not lost yet; where depth is no promise, by the proofs."""
        before = self.found
        maximising = self.game.player(self.state) == MAX
        lost = answer.value <= self.game.min_utility if maximising else answer.value >= self.game.max_utility
        if lost and self.is_selective and answer.ends_in:
            action = max(answer.ends_in, key=answer.ends_in.__getitem__)
            same = answer.line[:1] == (action,)
            return replace(answer, best=(action,)).led_by(answer.line if same else (action,))
        if lost and self.is_selective and len(answer.lines) > 1:
            ends = [distance or 0 for distance in answer.distances]
            return answer.led_by(answer.lines[ends.index(max(ends))][1])
        if not lost or before is None or before.action is None or before.action == answer.action:
            return answer
        return answer.led_by(before.line)


def make_ready_for_proofs() -> None:
    """Have the memory that looking for the nearest end takes, before a clock runs."""
    memory, table = take_engine_memory(True), take_table(TABLE_MIB)
    touch(memory.block)
    touch(table.block)
    hand_on_engine_memory(memory, 0, False)
    hand_back(table)


__all__ = ["AfterProof", "make_ready_for_proofs"]
