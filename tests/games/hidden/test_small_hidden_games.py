"""Dark hex, phantom tic-tac-toe, Oh Hell and Kuhn poker for three: sizes that OpenSpiel counts, and what is seen."""

from __future__ import annotations

import random
from typing import Any

import pytest

import plyforge as pf
from plyforge.contract import MAX, MIN, PUBLIC
from plyforge.errors import BadRules, BadText
from plyforge.kernel import new_stream
from plyforge.solve.hidden import history_tree

SIZES = [
    ("kuhn_poker(players=3)", 617, 312, 48),
    ("dark_hex(size=2)", 441, 216, 70),
    ("oh_hell(players=3, suits=2, ranks=2, tricks=1)", 2068, 360, 1152),
    ("oh_hell(players=3, suits=1, ranks=5, tricks=1)", 9979, 1800, 3420),
]
"""Histories, ends, information sets by OpenSpiel 2.0.2, but for this: in its Oh Hell chance first draws the number of
tricks, one history more; its dark hex tells both players how long the game has lasted, and so of the other's attempts:
without that line of its text, which OpenSpiel means to hide ("reveal-nothing"), 134 sets are 70."""
EVERY = ["kuhn_poker(players=3)", "dark_hex(size=2)", "dark_hex", "phantom_tic_tac_toe", "blackjack", "oh_hell"]
EVERY += ["oh_hell(players=3, suits=3, ranks=4, tricks=3)", "blackjack(decks=0)"]


@pytest.mark.parametrize(("game", "histories", "ends", "sets"), SIZES)
def test_sizes_of_small_games(game: str, histories: int, ends: int, sets: int) -> None:
    tree = history_tree(pf.load(game), native=False)
    assert (tree.histories, tree.ends, tree.sets) == (histories, ends, sets)


@pytest.mark.parametrize("name", EVERY)
def test_texts_read_back_and_drawn_states_look_so(name: str) -> None:
    game: Any = pf.load(name)
    stream = new_stream(1)
    for seed in range(20):
        rng, s = random.Random(seed), game.start()
        while not game.terminal(s):
            mover = game.player(s)
            for eyes in (*range(game.players), PUBLIC):
                seen = game.observe(s, eyes)
                assert pf.parse_state(game, pf.format_state(game, seen)) == seen
                assert game.show(seen) is not None and game.view.board(game, seen) is not None
                if eyes != PUBLIC and mover != pf.CHANCE:
                    drawn = game.determinize(seen, eyes, stream)
                    assert game.observe(drawn, eyes) == seen and game.player(drawn) == mover
            choices = [each for each, _ in game.chance(s)] if mover == pf.CHANCE else list(game.actions(s))
            s = game.result(s, rng.choice(choices))
            assert pf.parse_state(game, pf.format_state(game, s)) == s
        worth = game.utility(s)
        amounts = worth if isinstance(worth, tuple) else (worth,)
        assert all(game.min_utility <= each <= game.max_utility for each in amounts)
        assert not isinstance(worth, tuple) or sum(worth) == pytest.approx(0.0)


# ------------------------------------------------------------------ beside OpenSpiel
SAME_RULES = [
    ("oh_hell(players=3, suits=3, ranks=4, tricks=3)", "oh_hell(num_suits=3,num_cards_per_suit=4,num_tricks_fixed=3)"),
    ("kuhn_poker(players=3)", "kuhn_poker(players=3)"),
    ("phantom_tic_tac_toe", "phantom_ttt"),
    ("dark_hex", "dark_hex"),
]


@pytest.mark.parametrize(("ours", "theirs"), SAME_RULES)
def test_random_games_are_the_same_in_openspiel(ours: str, theirs: str) -> None:
    """Who moves, what can be done, when it is over and what it is worth, along random games."""
    pyspiel = pytest.importorskip("pyspiel")
    game, other = pf.load(ours), pyspiel.load_game(theirs)
    bidding = "oh_hell" in ours
    for seed in range(30):
        rng, s, state = random.Random(seed), game.start(), other.new_initial_state()
        if bidding:
            state.apply_action(state.legal_actions()[0])
        while not game.terminal(s):
            chance = game.player(s) == pf.CHANCE
            assert not state.is_terminal() and state.is_chance_node() == chance
            assert chance or state.current_player() == game.player(s)
            mine = [each for each, _ in game.chance(s)] if chance else list(game.actions(s))
            if bidding and (game.all_bid(s) or (s.dealer >= 0 and s.trump < 0)):
                named = {action: action % 4 * 3 + action // 4 for action in mine}  # theirs go by ranks first
            elif bidding and s.trump >= 0:
                named = {action: action + 12 for action in mine}
            else:
                named = {action: action for action in mine}
            assert sorted(named.values()) == sorted(state.legal_actions())
            action = rng.choice(mine)
            s = game.result(s, action)
            state.apply_action(named[action])
        assert state.is_terminal()
        worth, returns = game.utility(s), state.returns()
        if bidding:
            returns = [own - (sum(returns) - own) / 2 for own in returns]
        assert (worth if isinstance(worth, tuple) else (worth, -worth)) == pytest.approx(tuple(returns))


# ------------------------------------------------------------------ phantom games
def test_who_meets_a_stone_finds_it_and_the_other_is_not_told() -> None:
    game = pf.load("phantom_tic_tac_toe")
    s = pf.state_after(game, "5", "5", "1")
    assert pf.format_state(game, s) == "o...X.... x"
    assert pf.format_state(game, game.observe(s, MAX)) == "????x???? x x"
    assert pf.format_state(game, game.observe(s, MIN)) == "o???X???? x o"
    assert pf.format_state(game, game.observe(s, PUBLIC)) == "????????? x public"
    before, found = game.observe(pf.state_after(game, "5"), MAX), game.observe(pf.state_after(game, "5", "5"), MAX)
    assert before == found, "X sees nothing of the other's attempt"
    assert game.player(pf.state_after(game, "5", "5")) == MIN


def test_red_connects_two_rows_whatever_is_hidden() -> None:
    """On a board of 2 by 2 whoever begins can't be kept from it: two cells touch each cell of the first row."""
    from plyforge.solve.hidden import hidden_equilibrium

    assert hidden_equilibrium("dark_hex(size=2)", using="lp", native=False).value == pytest.approx(1.0, abs=1e-9)


@pytest.mark.parametrize(
    "text", ["", "x", "xx....... x", "xxx.oo... x", "o???????? x x", "O???????? o x", "?........ x"]
)
def test_bad_phantom_boards_are_refused(text: str) -> None:
    with pytest.raises(BadText, match=r"is not a state|can't arise"):
        pf.parse_state(pf.load("phantom_tic_tac_toe"), text)


# ------------------------------------------------------------------ Oh Hell and Kuhn
@pytest.mark.parametrize(
    ("bids", "tricks", "worth"),
    [("10", "20", 2.0 - 10.0), ("21", "20", 12.0), ("12", "02", -12.0), ("00", "11", 0.0)],
)
def test_a_bid_that_came_true_scores_ten_more(bids: str, tricks: str, worth: float) -> None:
    """Scores are 2 and 0 or 1 and 1 for tricks, and 10 for each bid that came true."""
    game = pf.load("oh_hell")
    s = pf.parse_state(game, f"1 As - - {bids} {tricks} - KsQsAhKh - {0 if tricks != '02' else 1}")
    assert game.terminal(s) and game.utility(s) == worth


def test_the_dealer_s_bid_must_not_add_up() -> None:
    game = pf.load("oh_hell")
    s = pf.parse_state(game, "1 As KsQs AhKh 1. 00 - - - 1")
    assert list(game.actions(s)) == [0, 2]
    with pytest.raises(BadText, match="can't arise"):
        pf.parse_state(game, "1 As KsQs AhKh 11 00 - - - 0")


def test_whoever_can_must_follow_suit_and_trumps_win() -> None:
    game = pf.load("oh_hell(suits=2, ranks=4, tricks=2)")
    s = pf.parse_state(game, "1 Js AhQs KhKs 10 00 - - - 0")
    led = game.result(s, pf.parse_action(game, s, "Ah"))
    assert [pf.format_action(game, led, a) for a in game.actions(led)] == ["Kh"]
    s = pf.parse_state(game, "1 Js AhQh QsKs 10 00 - - - 0")
    s = game.result(s, pf.parse_action(game, s, "Ah"))
    s = game.result(s, pf.parse_action(game, s, "Qs"))
    assert game.player(s) == 1, "the queen of trumps took the ace"
    assert pf.format_state(game, game.observe(s, 0)) == "1 Js Qh ? 10 01 - QsAh 1h 1"


def test_a_player_who_did_not_follow_suit_is_never_dealt_that_suit() -> None:
    game: Any = pf.load("oh_hell(suits=2, ranks=4, tricks=2)")
    seen, stream = pf.parse_state(game, "1 Js Qh ? 10 01 - QsAh 1h 1"), new_stream(5)
    drawn = {pf.format_state(game, game.determinize(seen, 0, stream)).split()[3] for _ in range(100)}
    assert drawn == {"As", "Ks"}


@pytest.mark.parametrize(
    ("text", "worth"),
    [
        ("Q K T check bet call fold", (-1.0, 3.0, -2.0)),
        ("Q K T check bet fold call", (-2.0, 3.0, -1.0)),
        ("Q K T bet fold fold", (2.0, -1.0, -1.0)),
        ("J T Q check check check", (-1.0, -1.0, 2.0)),
    ],
)
def test_what_three_win_at_kuhn_poker(text: str, worth: tuple[float, ...]) -> None:
    game = pf.load("kuhn_poker(players=3)")
    s = pf.parse_state(game, text)
    assert game.terminal(s) and game.utility(s) == worth


def test_bad_numbers_are_refused() -> None:
    for name in ("kuhn_poker(players=4)", "dark_hex(size=1)", "oh_hell(tricks=9)", "oh_hell(suits=4, ranks=6)"):
        with pytest.raises(BadRules, match=r"players|size|cards"):
            pf.load(name)
