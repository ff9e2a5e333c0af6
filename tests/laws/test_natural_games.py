"""Ten games written as newcomers write them, run as plain Python: are their rules right?

Each game that moves or takes pieces has a second move generator here, written differently: on a dict from complex
numbers (row + column * 1j) to letters. Both have to agree on what follows each position of random games.
"""

import random
import re
import sys
from collections import Counter
from itertools import combinations

import pytest

import paths
import plyforge as pf

FOLDER = paths.NATURAL_GAMES
NAMES = sorted(path.stem for path in FOLDER.glob("*.py"))
ROOK = (1, -1, 1j, -1j)
QUEEN = (*ROOK, 1 + 1j, 1 - 1j, -1 + 1j, -1 - 1j)


def load(name, arguments=""):
    return pf.load(f"{FOLDER / name}.py{arguments}")


def module(game):
    return sys.modules[type(game).__module__]


def play(game, seed):
    """The states of a random game, its end last."""
    chooser = random.Random(seed)
    s = game.start()
    states = [s]
    while not game.terminal(s):
        if game.player(s) == pf.CHANCE:
            outcomes, weights = zip(*game.chance(s), strict=True)
            action = chooser.choices(outcomes, weights)[0]
        else:
            action = chooser.choice(list(game.actions(s)))
        s = game.result(s, action)
        states.append(s)
        assert len(states) < 2000
    return states


def count(game, s, depth):
    """How many lines of play there are: the plain way."""
    if depth == 0:
        return 1
    if game.terminal(s):
        return 0
    return sum(count(game, game.result(s, action), depth - 1) for action in game.actions(s))


def text(game, s):
    return game.show(s).replace(" ", "").split("\ncaptured")[0]


def cells(picture):
    return {complex(r, c): letter for r, line in enumerate(picture.split()) for c, letter in enumerate(line)}


def picture(at):
    size = int(max(z.real for z in at)) + 1, int(max(z.imag for z in at)) + 1
    return "\n".join("".join(at[complex(r, c)] for c in range(size[1])) for r in range(size[0]))


def slide(at, z, directions):
    """Every cell that a rook or a queen gets to."""
    for d in directions:
        to = z + d
        while at.get(to) == ".":
            yield to
            to += d


# ---------------------------------------------------------------- the second move generators: what may follow
def breakthrough_next(at, player):
    mine, theirs, ahead = (("W", "B", -1), ("B", "W", 1))[player]
    for z in at:
        for d, allowed in ((ahead, "."), (ahead + 1j, "." + theirs), (ahead - 1j, "." + theirs)):
            if at[z] == mine and at.get(z + d, "#") in allowed:
                yield {**at, z: ".", z + d: mine}


def gomoku_captures_next(at, player):
    mine, theirs = ("XO", "OX")[player]
    for z in at:
        if at[z] == ".":
            new = {**at, z: mine}
            for d in QUEEN:
                if "".join(at.get(z + i * d, "#") for i in (1, 2, 3)) == theirs + theirs + mine:
                    new |= {z + d: ".", z + 2 * d: "."}
            yield new


def ataxx_next(at, player):
    mine, theirs = ("RB", "BR")[player]
    followed = False
    for z in at:
        for to in at:
            d = max(abs((to - z).real), abs((to - z).imag))
            if at[z] == mine and at[to] == "." and d <= 2:
                followed = True
                new = {**at, to: mine} if d == 1 else {**at, z: ".", to: mine}
                yield new | {to + q: mine for q in QUEEN if new.get(to + q) == theirs}
    if not followed:
        yield at


def clobber_next(at, player):
    mine, theirs = ("xo", "ox")[player]
    for z, d in ((z, d) for z in at for d in ROOK):
        if at[z] == mine and at.get(z + d) == theirs:
            yield {**at, z: ".", z + d: mine}


def konane_next(at, player):
    mine, theirs = ("xo", "ox")[player]
    empty = [z for z in at if at[z] == "."]
    if not empty:
        for z in (0, 5 + 5j, 2 + 2j, 3 + 3j):
            yield {**at, z: "."}
    elif len(empty) == 1:
        for z in at:
            if at[z] == mine and abs(z - empty[0]) == 1:
                yield {**at, z: "."}
    else:
        for z, d in ((z, d) for z in at if at[z] == mine for d in ROOK):
            way = "".join(at.get(z + i * d, "#") for i in range(1, 6))
            for jumps in (1, 2):
                if way.startswith((theirs + ".") * jumps):
                    taken = {z + i * d: "." for i in range(2 * jumps)}
                    yield {**at, **taken, z + 2 * jumps * d: mine}


def amazons_next(at, player):
    for z in [z for z in at if at[z] == "WB"[player]]:
        for to in slide(at, z, QUEEN):
            moved = {**at, z: ".", to: at[z]}
            for arrow in slide(moved, to, QUEEN):
                yield {**moved, arrow: "*"}


def tablut_next(at, player):
    throne, mine = 4 + 4j, ("a", "dk")[player]
    for z in [z for z in at if at[z] in mine]:
        for to in slide(at, z, ROOK):
            if to == throne and at[z] != "k":
                continue
            new = {**at, z: ".", to: at[z]}
            helps = {c for c in new if new[c] in mine or (c == throne and new[c] == ".")}
            for d in ROOK:
                victim = new.get(to + d, ".")
                if victim == "k" and player == 0:
                    if helps.issuperset(to + d + e for e in ROOK):
                        new[to + d] = "."
                elif victim not in "." + mine and to + 2 * d in helps:
                    new[to + d] = "."
            yield new


SECOND = {name.removesuffix("_next"): f for name, f in globals().items() if name.endswith("_next")}


@pytest.mark.parametrize("name", SECOND)
def test_two_move_generators_agree(name):
    game = load(name)
    positions = [s for seed in range(6) for s in play(game, seed) if not game.terminal(s)]
    for s in [game.start(), *random.Random(7).sample(positions, 10 if name == "amazons" else 60)]:
        followers = Counter(text(game, game.result(s, action)) for action in game.actions(s))
        assert followers == Counter(map(picture, SECOND[name](cells(text(game, s)), game.player(s))))


@pytest.mark.parametrize(
    ("name", "depth"),
    [
        ("breakthrough", 3),
        ("ataxx", 3),
        ("clobber", 3),
        ("konane", 5),
        ("amazons", 2),
        ("tablut", 2),
        ("gomoku_captures", 2),
    ],
)
def test_lines_of_play_are_counted_twice(name, depth):
    def second(at, player, depth):
        if depth == 0:
            return 1
        return sum(second(new, 1 - player, depth - 1) for new in SECOND[name](at, player))

    game = load(name)
    s = game.start()
    assert count(game, s, depth) == second(cells(text(game, s)), pf.MAX, depth)


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("breakthrough", [16, 16 * 16]),  # 6 straight, 10 diagonally; the two sides are still apart
        ("gomoku_captures", [81, 81 * 80]),
        ("ataxx", [16]),  # from each of two corners 3 cells near and 5 farther off
        ("clobber", [5 * 5 + 4 * 6]),  # every pair of neighbours is a move for either
        ("konane", [4, 2 * 4 + 2 * 2]),  # two stones in the centre, two corners
        ("y", [28, 28 * 27]),
        ("tablut", [4 * (6 + 0 + 6 + 8)]),
        ("quarto", [16, 16 * 16, 16 * 16 * 15]),
        ("amazons", [360]),
    ],
)
def test_first_moves(name, counts):
    game = load(name)
    for depth, expected in enumerate(counts, 1):
        assert count(game, game.start(), depth) == expected
        assert pf.perft(game, depth=depth, native=False).nodes == expected


def test_amazons_first_moves_by_hand():
    """Like a queen, each of the two amazons gets to twelve cells."""
    game = load("amazons")
    moves = Counter(move.source for move in game.actions(game.start()))
    assert len(moves) == 2 and len(set(moves.values())) == 1  # the two are each other's mirror image
    targets = {(move.source, move.target) for move in game.actions(game.start())}
    assert len(targets) == 2 * (1 + 2 + 4 + 1 + 4)  # left, right, ahead (5 is the other's) and both diagonals


@pytest.mark.parametrize("name", NAMES)
def test_random_games_end_lawfully(name):
    game = load(name)
    draws = {"ataxx", "gomoku_captures", "quarto", "tablut"}
    for seed in range(5):
        states = play(game, seed)
        assert len(set(map(hash, states))) > 1
        for s in states[:-1]:
            if game.player(s) == pf.CHANCE:
                assert sum(p for _, p in game.chance(s)) == pytest.approx(1.0)
            else:
                actions = list(game.actions(s))
                assert actions and len(set(actions)) == len(actions)
        value = game.utility(states[-1])
        if game.players == 3:
            assert sorted(value) == [0.0, 0.0, 1.0]
        else:
            assert value in ((-1.0, 0.0, 1.0) if name in draws else (-1.0, 1.0))


@pytest.mark.parametrize("name", NAMES)
def test_no_law_is_broken(name):
    report = pf.check(load(name), seconds=0.5, states=100, native=False)
    assert report.ok and not report.violations, report


# ---------------------------------------------------------------- who has won, on boards made for it
def test_breakthrough_ends():
    game = load("breakthrough")
    State = module(game).State
    empty = (0,) * 36
    assert game.utility(State((1, *empty[:20], 2, *empty[:14]), pf.MIN)) == 1.0
    assert game.utility(State((*empty[:30], 2, *empty[:4], 1), pf.MAX)) == -1.0
    assert game.utility(State((*empty[:20], 1, *empty[21:]), pf.MIN)) == 1.0  # everything is taken
    race = State((*empty[:6], 1, *empty[:22], 2, *empty[:6]), pf.MAX)
    assert not game.terminal(race)
    assert pf.search(game, race, depth=1, native=False).value == 1.0
    assert pf.search(game, race._replace(player=pf.MIN), depth=1, native=False).value == -1.0


def test_gomoku_captures_and_fives():
    game = load("gomoku_captures")
    s = game.start()
    for action in [(4, 4), (4, 5), (0, 0), (4, 6), (4, 7)]:
        s = game.result(s, action)
    assert s.pairs == (1, 0) and s.board[4][5] == s.board[4][6] == 0
    for action in [(8, 8), (4, 5), (8, 6), (4, 6), (8, 0)]:
        s = game.result(s, action)
    assert [s.board[4][c] for c in range(4, 8)] == [1, 1, 1, 1] and not game.terminal(s)
    assert game.terminal(game.result(s, (4, 3))) and game.utility(game.result(s, (4, 8))) == 1.0
    # Moving in between two is safe.
    s = game.start()
    for action in [(4, 3), (4, 4), (4, 6), (4, 5)]:
        s = game.result(s, action)
    assert s.pairs == (0, 0) and s.board[4][3:7] == (1, 2, 2, 1)


def test_gomoku_fives_by_pattern():
    """Every end of a random game has a five that a regular expression finds, five pairs, or no empty cell."""
    game = load("gomoku_captures")
    for seed in range(10):
        *before, end = play(game, seed)
        for s in (*before[-3:], end):
            rows = text(game, s)  # ten characters a row, with its end: down is 10 further, aslant 9 or 11
            fives = [re.search(rf"X(.{{{gap}}}X){{4}}|O(.{{{gap}}}O){{4}}", rows, re.S) for gap in (0, 8, 9, 10)]
            assert game.terminal(s) == (any(fives) or max(s.pairs) >= 5 or "." not in rows)


def test_ataxx_ends_and_passes():
    game = load("ataxx")
    rules = module(game)
    empty, red, blue = rules.Cell
    start = game.start()
    s = rules.State((red,) * 12 + (blue,) * 12 + (empty,), pf.MAX, 0)
    assert not game.terminal(s)
    full = game.result(s, rules.Move(23, 24))._replace(player=pf.MIN)
    assert game.terminal(full)
    shut = rules.State((red, *(blue,) * 14, *(empty,) * 10), pf.MAX, 0)
    assert list(game.actions(shut)) == [rules.PASS]
    assert game.player(game.result(shut, rules.PASS)) == pf.MIN
    assert game.utility(start._replace(quiet=20)) == 0.0 and game.terminal(start._replace(quiet=20))
    assert game.utility(rules.State((red, *(empty,) * 24), pf.MIN, 0)) == 1.0
    clone = game.result(start, rules.Move(0, 1))
    jump = game.result(start, rules.Move(0, 2))
    assert (clone.board.count(red), clone.quiet) == (3, 0) and (jump.board.count(red), jump.quiet) == (2, 1)


def test_small_clobber_by_hand():
    assert pf.search(load("clobber", "(height=1, width=2)"), native=False).value == 1.0
    assert pf.search(load("clobber", "(height=1, width=4)"), native=False).value == 1.0
    assert pf.search(load("clobber", "(height=2, width=2)"), native=False).value == 1.0
    assert pf.search(load("clobber", "(height=1, width=1)"), native=False).value == -1.0  # nothing to take


def test_konane_jumps_twice_and_takes_both():
    game = load("konane")
    State = module(game).State
    s = State(((1, 2, 0, 2, 0, 2), *((0,) * 6,) * 5), pf.MAX, 2)
    assert list(game.actions(s)) == [((0, 0), (0, 2)), ((0, 0), (0, 4))]
    far = game.result(s, ((0, 0), (0, 4)))
    assert far.board[0] == (0, 0, 0, 0, 1, 2)
    assert list(game.actions(far)) == [((0, 5), (0, 3))]
    end = game.result(far, ((0, 5), (0, 3)))
    assert end.board[0] == (0, 0, 0, 2, 0, 0)
    assert game.terminal(end) and game.utility(end) == -1.0  # Black has nothing left to move


def test_amazons_shut_in():
    game = load("amazons", "(size=4)")
    State = module(game).State
    s = State(tuple("W*..**........BB"), pf.MAX)
    assert game.terminal(s) and game.utility(s) == -1.0
    assert not game.terminal(s._replace(turn=pf.MIN))


def test_y_has_one_winner_on_every_full_board():
    """Schensted and Titus: let each small triangle vote, and the board of one cell that remains names the winner."""
    game = load("y")
    rules = module(game)
    for seed in range(50):
        stones = [1, 2] * 14
        random.Random(seed).shuffle(stones)
        rows = [[stones[rules.NUMBER[r, c]] for c in range(r + 1)] for r in range(7)]
        while len(rows) > 1:
            rows = [
                [sorted((rows[r][c], rows[r + 1][c], rows[r + 1][c + 1]))[1] for c in range(r + 1)]
                for r in range(len(rows) - 1)
            ]
        assert rules.has_y(stones, rows[0][0]) and not rules.has_y(stones, 3 - rows[0][0])


def test_y_along_one_side():
    game = load("y")
    rules = module(game)
    board = tuple(1 if column == 0 else 0 for row, column in rules.CELLS)
    assert game.utility(rules.State(board, pf.MIN)) == 1.0  # both of its corners lie on two sides
    assert not game.terminal(rules.State((0, *board[1:]), pf.MIN))


def tablut(picture, player, plies=10):
    game = load("tablut")
    board = tuple(tuple(".adk".index(letter) for letter in row) for row in picture.split())
    return game, module(game).State(board, player, plies)


def test_tablut_takes_the_king_on_his_throne():
    rows = ["........."] * 3 + ["....a....", "...aka...", "........a", "........."] + ["........."] * 2
    game, s = tablut(" ".join(rows), pf.MAX)
    assert not game.terminal(s)
    end = game.result(s, ((5, 8), (5, 4)))
    assert game.terminal(end) and game.utility(end) == 1.0
    rows[4] = "....ka..."  # three are too few
    game, s = tablut(" ".join(rows), pf.MAX)
    assert not game.terminal(game.result(s, ((5, 8), (5, 4))))


def test_tablut_takes_the_king_beside_the_throne():
    rows = ["........."] * 2 + ["....a....", "...aka...", "........."] + ["........."] * 4
    game, s = tablut(" ".join(rows), pf.MAX)
    before = s._replace(board=(*s.board[:2], s.board[1], *s.board[3:]))
    before = before._replace(board=((0, 0, 0, 0, 1, 0, 0, 0, 0), *before.board[1:]))
    end = game.result(before, ((0, 4), (2, 4)))
    assert game.terminal(end) and game.utility(end) == 1.0


def test_tablut_escape_throne_and_limit():
    rows = ["........."] * 3 + ["k...a....", "........."] + ["........."] * 4
    game, s = tablut(" ".join(rows), pf.MAX)
    assert game.terminal(s) and game.utility(s) == -1.0
    rows[3] = ".k..a...."
    game, s = tablut(" ".join(rows), pf.MAX)
    assert ((3, 4), (4, 4)) not in game.actions(s) and ((3, 4), (5, 4)) in game.actions(s)
    assert not game.terminal(s) and game.utility(s._replace(plies=100)) == 0.0
    assert game.terminal(s._replace(plies=100))
    rows[3] = ".k......."  # no attackers are left
    game, s = tablut(" ".join(rows), pf.MAX)
    assert game.terminal(s) and game.utility(s) == -1.0
    assert sum(1 for _ in load("tablut").actions(load("tablut").start()._replace(player=pf.MIN))) == 4 * (8 + 6)


def test_quarto_lines():
    game = load("quarto")
    rules = module(game)
    assert len(rules.LINES) == 10 and all(len(a & b) <= 1 for a, b in combinations(map(set, rules.LINES), 2))
    for four in combinations(range(16), 4):
        a, b, c, d = four
        assert rules.alike(four) == bool(a & b & c & d or ~(a | b | c | d) & 15)
    s = rules.State((0, 1, 2, *(-1,) * 13), 4, pf.MIN)  # all of them have a 0 in front
    won = game.result(s, 3)
    assert not won.hand >= 0 and game.terminal(won) and game.utility(won) == -1.0
    assert not game.terminal(game.result(s, 4)) and game.player(game.result(s, 4)) == pf.MIN


def test_dice_race():
    game = load("dice_race")
    State = module(game).State
    s = game.start()
    assert game.player(s) == pf.CHANCE and len(list(game.chance(s))) == 6
    s = game.result(s, 3)
    assert game.player(s) == 0 and list(game.actions(s)) == [0, 1]
    s = game.result(s, 1)
    assert s == State(((0, 3), (0, 0), (0, 0)), 0, 1)
    # The first player's step 7 is the second's step 1, and the third's step 13.
    meeting = State(((5, 7), (1, 1), (13, 2)), 2, 0)
    assert game.result(meeting, 0) == State(((7, 7), (0, 0), (0, 2)), 0, 1)
    meeting = State(((9, 7), (3, 1), (12, 2)), 1, 2)
    assert game.result(meeting, 0) == State(((9, 0), (3, 0), (13, 2)), 0, 0)
    assert list(game.actions(State(((19, 4), (0, 0), (0, 0)), 1, 0))) == [1]
    end = game.result(State(((3, 4), (19, 18), (0, 0)), 6, 1), 1)
    assert game.terminal(end) and game.utility(end) == (0.0, 1.0, 0.0)
