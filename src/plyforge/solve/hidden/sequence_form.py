"""A game as its sequences: what everybody gets is a sum over ends, each weighed by everybody's sequence.

A player's sequence is all that the player did on the way, which the last own slot says (`history_tree.py`). How likely
a player is to do that, if nothing else stops it, is the sequence's reach: the product of the player's own shares. The
payoff of a profile is, for each player,

    the sum over ends of   chance * payoff * reach of each player's sequence

so that no history has to be walked but its end, and everything else is a walk over a player's own information sets.

A player who is locked in some information sets (always does the same there, and everybody knows) is no longer asked
there: what is done is chance's. `locked` gives that game, in which everything else is as before. So an equilibrium
of it is one against the lock, and each algorithm that solves games finds it.

Koller, Megiddo and von Stengel, "Fast algorithms for finding randomized strategies in game trees", STOC 1994.

Invariant: an information set comes after all before it on its player's way, so numbers upwards are a walk down.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from plyforge.kernel import inline, kernel
from plyforge.solve.hidden.history_tree import HistoryTree


@dataclass(frozen=True)
class SequenceForm:
    """See the module's text."""

    players: int
    offset: np.ndarray
    """Of each information set its first slot; the next one's is the end of its slots."""
    before: np.ndarray
    """The sequence with which its player comes there; `slots` for none."""
    order: np.ndarray
    """The information sets, the first player's first, each player's as they come."""
    begin: np.ndarray
    """Where each player's begin in `order`."""
    weight: np.ndarray
    """How likely chance makes each end, if everybody goes there."""
    payoff: np.ndarray
    sequence: np.ndarray
    """Of each end and player."""
    fixed: np.ndarray
    """Of each slot: the share of a locked information set; -1 where its player is free."""

    @property
    def slots(self) -> int:
        return int(self.offset[-1])

    @property
    def arrays(self) -> tuple[np.ndarray, ...]:
        """What kernels are given."""
        return self.offset, self.before, self.order, self.begin, self.weight, self.payoff, self.sequence


def sequence_form(tree: HistoryTree) -> SequenceForm:
    """The sequence form of a grown tree."""
    order = np.argsort(tree.owner, kind="stable")
    begin = np.searchsorted(tree.owner[order], np.arange(tree.game.players + 1))
    return SequenceForm(
        tree.game.players, tree.offset, tree.before, order.astype(np.int32), begin.astype(np.int32), tree.chance,
        tree.payoff, tree.sequence, np.full(tree.slots, -1.0),
    )  # fmt: skip


def locked(form: SequenceForm, locks: dict[int, np.ndarray]) -> SequenceForm:
    """The game in which the information sets of `locks` do what their shares say."""
    fixed = form.fixed.copy()
    for number, shares in locks.items():
        fixed[form.offset[number] : form.offset[number + 1]] = shares
    # What is before a sequence has a lower number: `free` is the sequence without its locked actions after the last
    # free one, `share` how likely all locked actions on its way are.
    free, share = np.arange(form.slots + 1), np.ones(form.slots + 1)
    for number, before in enumerate(form.before):
        for slot in range(form.offset[number], form.offset[number + 1]):
            share[slot] = share[before]
            if fixed[slot] >= 0.0:
                free[slot] = free[before]
                share[slot] *= fixed[slot]
    weight = form.weight * share[form.sequence].prod(axis=1)
    keep = np.array([number not in locks for number in form.order.tolist()], bool)
    owners = np.repeat(np.arange(form.players), np.diff(form.begin))[keep]
    return replace(
        form,
        before=free[form.before].astype(np.int32),
        order=form.order[keep],
        begin=np.searchsorted(owners, np.arange(form.players + 1)).astype(np.int32),
        weight=weight,
        sequence=free[form.sequence].astype(np.int32),
        fixed=fixed,
    )


# ------------------------------------------------------------------ kernels
@inline
def reach_of(player, offset, before, order, begin, policy, reach):
    """How likely each sequence of `player` is, by the player's own shares."""
    reach[len(reach) - 1] = 1.0
    for place in range(begin[player], begin[player + 1]):
        i = order[place]
        above = reach[before[i]]
        for slot in range(offset[i], offset[i + 1]):
            reach[slot] = above * policy[slot]


@inline
def worth_of_sequences(player, players, offset, order, begin, weight, payoff, sequence, reach, worth):
    """What ends bring to each sequence of `player`, as likely as chance and the others make them."""
    worth[len(worth) - 1] = 0.0
    for place in range(begin[player], begin[player + 1]):
        i = order[place]
        for slot in range(offset[i], offset[i + 1]):
            worth[slot] = 0.0
    for number in range(len(weight)):
        likely = weight[number]
        for other in range(players):
            if other != player:
                likely *= reach[sequence[number, other]]
        worth[sequence[number, player]] += likely * payoff[number, player]


@kernel
def worth_to(player, players, offset, before, order, begin, weight, payoff, sequence, best, policy, reach, worth):
    """What `player` gets, who plays `policy`, or with `best` answers the others' as well as can be.

    `worth` then holds for each of the player's slots what it brings, times how likely chance and the others come there;
    the player goes on by the policy, or at best.
    """
    for other in range(players):
        reach_of(other, offset, before, order, begin, policy, reach)
    worth_of_sequences(player, players, offset, order, begin, weight, payoff, sequence, reach, worth)
    for back in range(begin[player + 1] - begin[player]):
        i = order[begin[player + 1] - 1 - back]
        value, most = 0.0, -np.inf
        for slot in range(offset[i], offset[i + 1]):
            value += policy[slot] * worth[slot]
            most = max(most, worth[slot])
        worth[before[i]] += most if best else value
    return worth[len(worth) - 1]


__all__ = ["SequenceForm", "locked", "reach_of", "sequence_form", "worth_of_sequences", "worth_to"]
