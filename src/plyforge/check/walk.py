"""Walk through a game and examine what is met: first its states in order, then random games, then what was seen, again.

Breadth-first, so that the state that shows a broken law is one of the nearest. Random playouts reach the late states
that breadth does not, and where a puzzle has a heuristic, that leads to its end. Known states are reached by other
orders of the same actions, asked again at the end in random order, and asked of a fresh copy of the game: an answer
that depends on anything but the state gives itself away.

The walk is the same for the same game, seed, number and number of states, unless the time runs out.
Walk 0 looks at states in order from the start; others, by which more is seen of a large game, from a state somewhere in
a random game.
"""

from __future__ import annotations

import contextlib
import copy
import heapq
import itertools
import random
import time
from collections import deque
from typing import Any

from plyforge.check import laws
from plyforge.check.examiners.endings import Endings
from plyforge.check.examiners.examine import Examiner
from plyforge.check.examiners.information_sets import InformationSets
from plyforge.check.ledger import Abort, Broken, Ledger, Node
from plyforge.check.rules import overrides
from plyforge.check.trial.trial import compare_in_child
from plyforge.contract import CHANCE, Game, defines

PLAYOUTS = 48
LONGEST_PLAYOUT = 400
MOST_REVISITS = 3
"""A known state that is reached again is compared this often."""
ANOTHER_WAY = "for an equal state that was reached in another way"
ASKED_AGAIN = 300
"""So many states are asked again at the end."""
DAMAGED = 40
"""So many states lend their text to be damaged."""
COMPILED_STATES = 200
"""So many states are compared between the two speeds."""
COMPARING = 5.0
"""For at least so many seconds, however short the check, compiling not counted."""
MOST_BEHIND = 10_000
"""So many states are looked at to find out whether play can come back to an end."""
PATHS = 40
"""So many states of a small puzzle have the best path from them found, to be compared with what the rules say."""
MORE_PLAYOUTS = 1500
"""So many more games are played at random where one player seems never to win."""


class Walk:
    """One check of one game."""

    def __init__(
        self, game: Game, seconds: float, states: int, seed: int, native: bool | None, number: int = 0
    ) -> None:
        self.game = game
        self.most_states = states
        self.seed, self.number = seed, number
        self.luck = f"{seed} {number}." if number else f"{seed}"
        """What chance comes from."""
        self.native = native
        self.ledger = Ledger(game)
        self.examiner = Examiner(game, self.ledger)
        self.utilities = self.examiner.utilities
        self.seen: dict[Any, Node] = {}
        self.order: list[Node] = []
        """The states that were examined, in that order."""
        self.complete = False
        self.steps_behind = 0
        self.phase = "starting"
        self.began = time.perf_counter()
        self.seconds = seconds
        try:
            self.fresh: Game | None = copy.deepcopy(game)
        except Exception as error:
            self.fresh = None
            self.ledger.note(
                f"the game can't be copied ({type(error).__name__}): it was not compared with a fresh copy"
            )

    def run(self) -> None:
        """All phases; what is found stands in the ledger."""
        try:
            self.examiner.claims()
            root = self.examiner.start()
            self.seen[self.examiner.identity(root.state)] = self.root = root
            for phase, work in (
                ("visiting states in order", lambda: self.breadth_first(root if self.number == 0 else self.far(root))),
                ("following the heuristic", lambda: self.follow_the_heuristic(root)),
                ("playing at random", lambda: self.playouts(root)),
                ("reaching states by other orders", self.other_orders),
                ("asking again", self.ask_again),
                ("damaging text", self.damage_text),
                ("looking at the ends", lambda: self.look_at_ends(root)),
                ("walking information sets", lambda: self.look_at_information(root)),
                ("solving endings", self.solve_endings),
                ("comparing with compiled code", self.compare_speeds),
            ):
                self.phase = phase
                work()  # type: ignore[no-untyped-call]
            self.say_what_would_help()
        except Abort:
            pass

    def say_what_would_help(self) -> None:
        """What would make an opponent stronger. Not where all states were visited: so small a game is searched to
        its end; and not where something is hidden: what plays there asks no estimate."""
        game = self.game
        if self.complete or self.ledger.violations or game.players < 2 or game.hidden_information:
            return
        if not (overrides(game, "evaluate") or defines(game.heuristics, "rollout")):
            self.ledger.note(
                "no evaluate(s): the default player samples games to their end; "
                f"an estimate of a state, from {game.min_utility:g} to {game.max_utility:g}, would make it stronger"
            )

    def late(self, share: float) -> bool:
        """True if more than this share of the time is gone."""
        return time.perf_counter() - self.began > share * self.seconds

    # ------------------------------------------------------------ meeting states
    def examine(self, node: Node) -> list[tuple[Any, Any]]:
        index = len(self.order)
        self.order.append(node)
        node.examined = True
        successors = self.examiner.examine(node, with_text=index < 200 or index % 16 == 0)
        for state in node.others:
            self.examiner.revisit(node, state, ANOTHER_WAY)
        node.others.clear()
        return successors

    def meet(self, parent: Node, action: Any, state: Any, most: int) -> Node | None:
        """The node of a state just reached, if it is new; None if it is known, or there are too many."""
        identity = self.examiner.identity(state)
        known = self.seen.get(identity)
        if known is not None:
            self.meet_again(known, state)
            return None
        if len(self.seen) >= most:
            return None
        node = Node(state, parent, action, ply=parent.ply + 1)
        self.seen[identity] = node
        return node

    def meet_again(self, known: Node, state: Any) -> None:
        if known.revisits + len(known.others) >= MOST_REVISITS:
            return
        if known.examined:
            self.examiner.revisit(known, state, ANOTHER_WAY)
        else:
            known.others.append(state)

    def breadth_first(self, root: Node) -> None:
        queue = deque([root])
        whole, most = True, len(self.seen) - 1 + self.most_states
        while queue:
            if self.late(0.5):
                return
            node = queue.popleft()
            successors = self.examine(node)
            if node.answers is None or len(successors) < len(node.answers.actions):
                whole = False
            for action, state in successors:
                new = self.meet(node, action, state, most)
                if new is not None:
                    queue.append(new)
                elif self.examiner.identity(state) not in self.seen:
                    whole = False
        self.complete = whole and root.parent is None

    def far(self, root: Node) -> Node:
        """A state on the way of a random game."""
        rng = random.Random(f"{self.luck} far")
        way = [root]
        with contextlib.suppress(Broken):  # what is broken will be met again, and examined
            while len(way) < LONGEST_PLAYOUT and not self.examiner.terminal(way[-1].state):
                action = rng.choice(self.examiner.legal_moves(way[-1].state))
                state = self.examiner.ask("result", way[-1].state, action)
                known = self.seen.get(self.examiner.identity(state))
                way.append(known or self.meet(way[-1], action, state, len(self.seen) + 1) or root)
        return rng.choice(way)

    def playouts(self, root: Node) -> None:
        most = len(self.seen) + self.most_states // 2
        for number in range(PLAYOUTS):
            if self.late(0.75):
                return
            self.playout(root, random.Random(f"{self.luck} {number}"), most)

    def playout(self, node: Node, rng: random.Random, most: int) -> None:
        actions: list[Any] = []
        paid: list[Any] = []
        mover = None
        for _ in range(LONGEST_PLAYOUT):
            if not node.examined:
                self.examine(node)
            answers = node.answers
            if answers is None or self.late(0.75):
                return
            if answers.terminal:
                self.utilities.played(actions, mover, answers.utility)
                if self.game.has_rewards:
                    self.examiner.together.played(node, paid, answers.utility)
                return
            mover = answers.player
            action = rng.choice(answers.actions)
            actions.append(action)
            try:
                if self.game.has_rewards:
                    paid.append(self.examiner.ask("rewards", node.state, action))
                state = self.examiner.ask("result", node.state, action)
            except Broken as broken:
                self.ledger.broken(broken.law, broken.sentence, node)
                return
            known = self.seen.get(self.examiner.identity(state))
            if known is not None:
                self.meet_again(known, state)
                node = known
                continue
            new = self.meet(node, action, state, most)
            if new is None:
                return
            node = new

    def follow_the_heuristic(self, root: Node) -> None:
        """The least to go first, until there is an end: that of a puzzle is seldom met otherwise."""
        paths = self.examiner.hooks.paths
        if not (paths.alone and paths.has_heuristic) or any(
            node.answers is not None and node.answers.terminal for node in self.order
        ):
            return
        most = len(self.seen) + self.most_states // 2
        waiting, queued, number = [(0.0, 0, root)], {self.examiner.identity(root.state)}, 0
        while waiting and not self.late(0.65):
            _, _, node = heapq.heappop(waiting)
            if not node.examined:
                self.examine(node)
            if node.answers is None or node.answers.terminal:
                return
            for action in node.answers.actions:
                try:
                    state = self.examiner.ask("result", node.state, action)
                    identity, left = self.examiner.identity(state), paths.left(state)
                except Broken as broken:
                    self.ledger.broken(broken.law, broken.sentence, node)
                    return
                after = self.seen.get(identity) or self.meet(node, action, state, most)
                if after is not None and identity not in queued:
                    queued.add(identity)
                    number += 1
                    heapq.heappush(waiting, (left, number, after))

    # ------------------------------------------------------------ once more
    def other_orders(self) -> None:
        """Exchange two actions on the way to a state: often that leads to an equal state."""
        rng = random.Random(f"{self.luck} orders")
        ways = [node for node in self.order if 3 <= node.ply <= 30]
        for node in rng.sample(ways, min(ASKED_AGAIN, len(ways))):
            if self.late(0.8):
                return
            actions = node.actions()
            i = rng.randrange(len(actions) - 2)
            j = rng.randrange(i + 2, len(actions))
            actions[i], actions[j] = actions[j], actions[i]
            self.replay(actions)

    def replay(self, actions: list[Any]) -> None:
        """Follow actions from the start as long as they are legal; compare the last state if it is known."""
        node = self.root
        state = node.state
        for action in actions:
            if node.answers is None or action not in node.answers.actions:
                return
            try:
                state = self.examiner.ask("result", state, action)
            except Broken:
                return
            known = self.seen.get(self.examiner.identity(state))
            if known is None:
                return
            node = known
        self.examiner.revisit(node, state, "for an equal state that was reached in another order")

    def ask_again(self) -> None:
        rng = random.Random(f"{self.luck} again")
        nodes = [node for node in self.order if node.answers is not None]
        for node in rng.sample(nodes, min(ASKED_AGAIN, len(nodes))):
            if self.late(0.9):
                return
            self.examiner.revisit(node, node.state, "when asked later")
            if self.fresh is not None and node.answers is not None:
                self.examiner.revisit(node, node.state, "on a fresh copy of the game", self.fresh)
                self.compare_results(node, rng)

    def compare_results(self, node: Node, rng: random.Random) -> None:
        """`result` on the game that was asked all along, and on a fresh one."""
        answers = node.answers
        if answers is None or answers.terminal:
            return
        action = rng.choice(answers.actions)
        try:
            here = self.examiner.ask("result", node.state, action)
            there = self.examiner.ask("result", node.state, action, on=self.fresh)
        except Broken as broken:
            self.ledger.broken(broken.law, broken.sentence, node)
            return
        self.ledger.tested[laws.PURE] += 1
        if not self.examiner.same(here, there):
            self.ledger.broken(
                laws.PURE,
                f"result(s, {action!r}) is {here!r}, but on a fresh copy of the game {there!r}: it depends on the"
                " game's past",
                node,
            )

    def damage_text(self) -> None:
        """Feed the readers of text with nonsense, and with text in which something is wrong."""
        rng = random.Random(f"{self.luck} text")
        nodes = [node for node in self.order if node.answers is not None]
        for node in rng.sample(nodes, min(DAMAGED, len(nodes))):
            if self.late(1.0):
                return
            self.examiner.texts.damage(node, rng)

    # ------------------------------------------------------------ what only the whole shows
    def look_at_ends(self, root: Node) -> None:
        """Is there an end? Does it stay one? Can everybody win?"""
        if self.ledger.violations:
            return
        ends = [node for node in self.order if node.answers is not None and node.answers.terminal]
        if not ends:
            where = "the game has no end" if self.complete else "no end was found, in order or at random"
            self.ledger.warn(laws.TERMINAL, f"{where}: searches need a depth")
        if self.game.has_chance and not self.examiner.chance_met and self.complete:
            self.ledger.warn(laws.CHANCE_DECLARED, "the game has chance, but player(s) is CHANCE in no state")
        if defines(self.game, "legal_actions") and not self.examiner.together.met and self.complete:
            self.ledger.warn(
                laws.TOGETHER_DECLARED,
                "the game has legal_actions(s, player), but player(s) is SIMULTANEOUS in no state",
            )
        rng = random.Random(f"{self.luck} ends")
        for node in rng.sample(ends, min(ASKED_AGAIN, len(ends))):
            self.look_behind(node)
        for number in range(MORE_PLAYOUTS):
            if not self.utilities.asks_for_more(self.complete) or self.late(1.0):
                break
            self.quick_playout(root, random.Random(f"{self.luck} quick {number}"))
        self.utilities.both_sides(self.complete)
        if self.complete and len(ends) > 1:
            self.utilities.same_for_all()

    def look_at_information(self, root: Node) -> None:
        """What the information sets of a game with hidden information hold."""
        if self.game.hidden_information and not self.ledger.violations:
            InformationSets(self.examiner.hidden, self.late, self.seed).look(root.state)

    def solve_endings(self) -> None:
        """What the rules know about values, held against values."""
        endings, paths = Endings(self.examiner.hooks), self.examiner.hooks.paths
        if self.ledger.violations or not (endings.useful or paths.useful):
            return
        ends = [node for node in self.order if node.answers is not None and node.answers.terminal]
        random.Random(f"{self.luck} endings").shuffle(ends)
        try:
            for node in ends:
                if self.ledger.violations or self.late(1.0):
                    return
                if endings.useful and endings.visited < self.most_states:
                    endings.climb(node)
                if paths.useful and paths.looked < self.most_states:
                    paths.climb(node)
            if paths.useful and self.complete:  # a small game: not only what lies before the ends that were met
                nodes = [node for node in self.order if node.answers is not None and not node.answers.terminal]
                for node in random.Random(f"{self.luck} paths").sample(nodes, min(PATHS, len(nodes))):
                    if not self.ledger.violations and not self.late(1.0):
                        paths.compare(node)
        except Broken as broken:
            self.ledger.broken(broken.law, broken.sentence, self.examiner.node)

    def look_behind(self, node: Node) -> None:
        """No search asks for the actions of a terminal state. But if they lead on into the game, something is odd.

        Where the same end can come about again from there, pieces just go to and fro, as from the goal of a race: that
        is not odd.
        """
        if laws.TERMINAL in self.ledger.warnings:
            return
        try:
            for action in itertools.islice(self.game.actions(node.state), 20):
                after = self.seen.get(self.examiner.identity(self.game.result(node.state, action)))
                if after is None or after.answers is None or after.answers.terminal:
                    continue
                if self.may_lead_to(after.state, node.state):
                    return
                self.ledger.warn(
                    laws.TERMINAL,
                    f"the state is terminal, but it has actions, and after {action!r} the game would be alive again"
                    f" ({self.ledger.text(after.state)}), with no way back to this end. If the game is to end here, all"
                    " is well: no search goes on from an end",
                    node,
                )
                return
        except Exception:  # the contract does not ask for an answer here
            return

    def may_lead_to(self, state: Any, end: Any) -> bool:
        """False if it is certain that play can't get from a state to an end: all that lies between was looked at."""
        wanted = self.examiner.identity(end)
        seen = {self.examiner.identity(state)}
        queue = deque([state])
        while queue:
            if self.steps_behind >= MOST_BEHIND or self.late(1.0):
                return True
            self.steps_behind += 1
            here = queue.popleft()
            if self.game.terminal(here):
                continue
            chance = self.game.player(here) == CHANCE
            for action in [o for o, _ in self.game.chance(here)] if chance else self.game.actions(here):
                after = self.game.result(here, action)
                identity = self.examiner.identity(after)
                if identity == wanted:
                    return True
                if identity not in seen:
                    seen.add(identity)
                    queue.append(after)
        return False

    def quick_playout(self, root: Node, rng: random.Random) -> None:
        """A random game without examination, just to see who wins."""
        state, mover = root.state, None
        actions: list[Any] = []
        try:
            for _ in range(LONGEST_PLAYOUT):
                if self.examiner.terminal(state):
                    self.utilities.played(actions, mover, self.examiner.ask("utility", state))
                    return
                mover = self.examiner.player(state)
                legal = self.examiner.legal_moves(state)
                actions.append(rng.choice(legal))
                state = self.examiner.ask("result", state, actions[-1])
        except Broken as broken:
            self.ledger.broken(broken.law, broken.sentence)

    def compare_speeds(self) -> None:
        """The same questions to compiled code; only rules that keep all other laws are let near it."""
        if self.native is False:
            return
        if self.ledger.violations:
            self.ledger.note("compiled code was not compared, because of the broken laws")
            return
        if self.native is None and not self.game.worth_compiling:
            self.ledger.note("compiled code was not compared: the game says that it is not worth compiling")
            return
        rng = random.Random(f"{self.luck} compiled")
        nodes = rng.sample(self.order, min(COMPILED_STATES, len(self.order)))
        verdict = compare_in_child(self.game, [node.state for node in nodes], seconds=max(self.seconds, COMPARING))
        self.ledger.tested[laws.COMPILED] += verdict.states + (not verdict.ok)
        if verdict.left_out:
            self.ledger.note(f"some hooks run interpreted only, and were not compared: {verdict.left_out}")
        node = None if verdict.index is None else nodes[verdict.index]
        if verdict.kind == "refused" and self.native:
            self.ledger.broken(laws.COMPILED, f"the rules can't be compiled: {verdict.sentence}")
        elif verdict.kind == "refused":
            self.ledger.note(f"the rules run interpreted only: {verdict.sentence}")
        elif verdict.kind == "untold":
            self.ledger.note(verdict.sentence)
        elif verdict.kind == "stumbled":
            self.ledger.broken(laws.RULES_RUN, verdict.sentence, node)
        elif not verdict.ok:
            self.ledger.broken(laws.COMPILED, verdict.sentence, node)
