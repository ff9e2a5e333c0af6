"""The default player, `best`: what it stands for, that every face means the same, that it is no fool, and that its
contest is kept."""

import json
import random
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

import pytest

import paths
import plyforge as pf
from conftest import compiles
from plyforge.contract import Game, payoffs
from plyforge.errors import Unsuitable
from plyforge.games.tic_tac_toe import TicTacToe
from plyforge.games.two_players.connect4 import Connect4
from plyforge.kernel import new_stream
from plyforge.play import Engine, GameSession, SearchPlayer, parse_player
from plyforge.play.formats import record
from plyforge.play.match.match import Match
from plyforge.play.players.spec import explicit
from plyforge.search import BEST, Control, GuardedUct, Limits, choose, contest, make_search
from plyforge.search.mcts.rollouts.mast import MastRollout
from plyforge.search.mcts.selection.ucb1 import Ucb
from plyforge.search.mcts.tree.arena import MAST_ACTIONS, MAST_SLOTS

FOLDER = paths.NATURAL_GAMES
TACTICAL = ("breakthrough", "quarto", "gomoku_captures", "clobber")


@dataclass(frozen=True)
class Plain(TicTacToe):
    """Tic-tac-toe by somebody who wrote no estimate."""

    evaluate = Game.evaluate


@dataclass(frozen=True)
class Four(Connect4):
    """Connect Four by somebody who wrote the six functions only."""

    width: int = 5
    height: int = 4
    encoding = Game.encoding
    heuristics = Game.heuristics


@pytest.fixture
def own_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("PLYFORGE_CACHE_DIR", str(tmp_path))
    return tmp_path


# ------------------------------------------------------------ what it stands for
@pytest.mark.parametrize(
    ("game", "name"),
    [
        ("connect4", "engine"),  # weights come with it
        ("kalah", "engine"),  # it has an evaluate
        ("pig", "dice_engine"),
        ("three_nim", "guarded_uct"),
        ("three_mens_morris", "guarded_uct"),
        ("go(size=5)", "uct"),
        ("slider", "real_time_a_star"),
        ("goofspiel", "regret_matching"),
        *((f"{FOLDER / name}.py", "guarded_uct") for name in (*TACTICAL, "dice_race")),
    ],
)
def test_what_best_stands_for_is_decided_by_what_the_game_is(game: str, name: str, own_cache: Path) -> None:
    chosen = choose(pf.load(game))
    assert chosen.search.name == name
    assert chosen.text.partition(":")[0] == name and chosen.why


def test_whoever_brings_an_estimate_along_gets_the_engine() -> None:
    found = make_search(BEST, Plain(), evaluate=lambda s: 0.25)
    assert found.name == "engine" and found.evaluation.estimate(Plain(), None) == 0.25


# ------------------------------------------------------------ one meaning in every face
def _python(game: Game) -> str:
    return pf.search(game, seconds=0.02, native=False).using


def _engine(game: Game) -> str:
    return Engine(game, native=False).search.name


def _player(game: Game) -> str:
    return SearchPlayer(seconds=0.02, native=False).engine(game).search.name


def _text(game: Game) -> str:
    player = parse_player("best:seconds=0.02", game, native=False)
    return player.engine(game).search.name


def _match(game: Game) -> str:
    return Match(game, "best", "random", games=2, native=False).players[0].partition(":")[0]


def _studio(game: Game) -> str:
    from plyforge.studio.play.seats import seat_of

    return seat_of(game, "best:seconds=1", False).text.partition(":")[0]


def _analysis(game: Game) -> str:
    from plyforge.studio.analyse.algorithms import algorithms_for

    return algorithms_for(game)["strongest"]


@pytest.mark.parametrize("face", [_python, _engine, _player, _text, _match, _studio, _analysis])
@pytest.mark.parametrize("game", ["tic_tac_toe", "three_mens_morris", f"{FOLDER / 'clobber'}.py"])
def test_best_is_the_same_search_in_every_face(face, game: str) -> None:
    rules = pf.load(game)
    assert face(rules) == choose(rules).search.name


@pytest.mark.parametrize("game", ["connect4", "tic_tac_toe"])
def test_engine_is_alpha_beta_with_what_the_game_knows_in_python_and_in_play(game: str) -> None:
    rules = pf.load(game)
    evaluations = [
        make_search("engine", rules).evaluation,
        Engine(rules, "engine").search.evaluation,
        SearchPlayer("engine").engine(rules).search.evaluation,
        parse_player("engine", rules).engine(rules).search.evaluation,
    ]
    assert all(evaluation == evaluations[0] for evaluation in evaluations)
    assert (type(evaluations[0]).__name__ == "Linear") == (game == "connect4")


def test_engine_does_not_stand_for_another_search_where_it_is_not_sound() -> None:
    for game in ("pig", "three_nim"):
        with pytest.raises(Unsuitable, match="engine is not sound"):
            parse_player("engine", pf.load(game))


def test_without_time_pf_search_keeps_to_the_textbook() -> None:
    assert pf.search(Plain(), depth=2, native=False).using == "alpha_beta"
    assert pf.search("nim(heaps=(1, 2))", native=False).using == "alpha_beta"
    assert pf.search("nim(heaps=(1, 2))", seconds=5, native=False).using == "engine"


def test_an_option_that_the_chosen_search_does_not_take_is_refused_with_its_name() -> None:
    with pytest.raises(Unsuitable, match="best is guarded_uct here, which takes no table_mib"):
        pf.search(Plain(), using="best", table_mib=1)


# ------------------------------------------------------------ what is written down
def test_a_player_called_best_describes_the_search_that_it_stands_for() -> None:
    player = parse_player("best:simulations=30", Plain(), native=False, seed=7)
    assert player.description == "guarded_uct:seed=7,simulations=30"
    assert parse_player(player.description, Plain()).description == player.description
    assert explicit("best:seconds=2", pf.load("connect4"), 5) == "engine:seed=5,seconds=2"
    assert explicit("uct:simulations=3", Plain()) == "uct:simulations=3"


def test_without_a_seed_one_is_drawn_and_written_down() -> None:
    texts = {explicit("best", Plain()) for _ in range(5)}
    assert len(texts) == 5 and all(text.startswith("guarded_uct:seed=") for text in texts)


def test_a_match_records_the_explicit_description(tmp_path: Path) -> None:
    kept = tmp_path / "match.jsonl"
    match = Match(
        "tic_tac_toe", "best:nodes=50", "random", games=2, native=False, record=kept, workers=1, opening_plies=0
    )
    match.run()
    header = json.loads(kept.read_text().splitlines()[0])
    assert header["players"] == ["engine:seed=1,nodes=50", "random"]


def test_a_saved_game_holds_the_explicit_description(tmp_path: Path) -> None:
    game = pf.load("tic_tac_toe")
    session = GameSession(game, None, 1)
    session.seats = tuple(parse_player(text, game, seed=3).description for text in ("human", "best"))
    restored = record.restore(record.save(session, tmp_path / "game.json"), game)
    assert restored.seats == ("human", "engine:seconds=1,seed=3")


# ------------------------------------------------------------ no fool
def _positions(game: Game, seed: int):
    """States of random games, without end."""
    chooser = random.Random(seed)
    while True:
        s = game.start()
        while not game.terminal(s):
            yield s
            s = game.result(s, chooser.choice(pf.legal_moves(game, s)))


def _worth(game: Game, s, action, player: int) -> float | None:
    after = game.result(s, action)
    return payoffs(game, game.utility(after))[player] if game.terminal(after) else None


def _wins(game: Game, s, player: int) -> list:
    return [action for action in pf.legal_moves(game, s) if _worth(game, s, action, player) == 1.0]


def _safe(game: Game, s) -> list:
    """The actions after which the other side has no win in one."""
    mover = game.player(s)
    safe = []
    for action in pf.legal_moves(game, s):
        after = game.result(s, action)
        over = game.terminal(after)
        if over and payoffs(game, game.utility(after))[mover] == -1.0:
            continue
        if over or game.player(after) == mover or not _wins(game, after, 1 - mover):
            safe.append(action)
    return safe


@pytest.mark.parametrize("name", TACTICAL)
def test_every_win_in_one_is_taken(name: str) -> None:
    game = pf.load(f"{FOLDER / name}.py")
    found = 0
    for s in _positions(game, 1):
        wins = _wins(game, s, game.player(s))
        if wins and len(wins) < len(pf.legal_moves(game, s)):
            found += 1
            answer = pf.search(game, s, "best", simulations=1, native=False)
            assert answer.action in wins and answer.exact
        if found == 10:
            break


@pytest.mark.parametrize("name", ["breakthrough", "quarto", "clobber", "konane"])
def test_no_action_is_chosen_that_loses_at_once_if_there_is_another(name: str) -> None:
    game = pf.load(f"{FOLDER / name}.py")
    found = 0
    for s in _positions(game, 2):
        mover = game.player(s)
        if _wins(game, s, mover):
            continue
        safe = _safe(game, s)
        if safe and len(safe) < len(pf.legal_moves(game, s)):
            found += 1
            assert pf.search(game, s, "best", simulations=20, native=False).action in safe
        if found == 10:
            break


@pytest.mark.full
def test_compiled_it_is_no_fool_either() -> None:
    game = Four()
    looked_at = 0
    for s in _positions(game, 3):
        mover = game.player(s)
        wins, safe = _wins(game, s, mover), _safe(game, s)
        wanted = wins or safe
        if wanted and len(wanted) < len(pf.legal_moves(game, s)):
            looked_at += 1
            assert pf.search(game, s, "best", simulations=200).action in wanted
        if looked_at == 20:
            break


def test_where_chance_moves_a_win_in_one_is_taken_too() -> None:
    game = pf.load("pig(goal=6)")
    hold = 1
    found = pf.search(game, "3 0 4 max", "guarded_uct", simulations=1, native=False)
    assert found.action == hold and found.exact and found.value == 1.0
    found = pf.search(game, "0 2 4 min", "guarded_uct", simulations=1, native=False)
    assert found.action == hold and found.exact and found.value == game.min_utility


def test_where_everything_loses_there_is_still_an_action() -> None:
    game = Plain()
    s = pf.parse_state(game, "x.x.o.x.o")  # o to move; x wins at 1 and at 3
    assert not _safe(game, s)
    assert pf.search(game, s, "best", simulations=30, native=False).action in pf.legal_moves(game, s)


# ------------------------------------------------------------ ties
def test_among_equals_the_seed_decides_and_the_same_seed_decides_the_same() -> None:
    game = pf.load("nim(heaps=(1, 1, 1, 1, 1))")  # whatever is taken, it comes to the same
    for using in ("guarded_uct", "engine"):
        chosen = [
            make_search(using, game, seed=seed).search(game, None, Limits(nodes=40), native=False).action
            for seed in (*range(12), *range(12))
        ]
        assert len(set(chosen)) > 1, using
        assert chosen[:12] == chosen[12:], using


def test_a_textbook_search_and_an_engine_without_a_seed_keep_the_first_best() -> None:
    game = pf.load("nim(heaps=(1, 1, 1, 1, 1))")
    first = pf.legal_moves(game, game.start())[0]
    for using in ("alpha_beta", "engine"):
        assert pf.search(game, using=using, depth=2, native=False).action == first


# ------------------------------------------------------------ the contest
def test_the_winner_is_kept_and_read_back(own_cache: Path) -> None:
    game = Plain()
    assert contest.undecided(game) and contest.verdict(game) is None
    contest.keep(game, contest.SIMULATIONS, {})
    assert contest.verdict(game) == GuardedUct() and not contest.undecided(game)
    assert choose(game).text == contest.SIMULATIONS and "contest" in choose(game).why
    assert choose(Four()).search == GuardedUct()  # other rules, other verdict


@pytest.mark.parametrize(
    "content",
    [
        "",
        "{",
        "[]",
        "null",
        '{"format": 1}',
        '{"format": 1, "winner": ["x"]}',
        '{"format": 1, "winner": "minimax"}',
        '{"format": 99, "winner": "guarded_uct"}',
        "\udce4",
    ],
)
def test_a_damaged_file_is_ignored(own_cache: Path, content: str) -> None:
    game = Plain()
    path = contest.file_of(game)
    assert path is not None
    path.write_bytes(content.encode(errors="surrogateescape"))
    assert contest.verdict(game) is None
    assert choose(game).search == GuardedUct()


@compiles
@pytest.mark.full
def test_a_contest_is_held_once_and_the_same_rules_need_no_other() -> None:
    game = Four()
    path = contest.file_of(game)
    assert path is not None
    path.unlink(missing_ok=True)
    try:
        assert contest.undecided(game)
        winner = contest.hold(game, seconds=0.3)
        assert winner in contest.candidates(game) and not contest.undecided(game)
        assert json.loads(path.read_text())["winner"] == winner
    finally:
        path.unlink(missing_ok=True)


@pytest.mark.parametrize(
    ("points", "games", "over"),
    [
        (0, 4, False),
        (6, 6, True),
        (0, 6, True),
        (3, 6, False),
        (5.5, 6, True),
        (5, 6, False),
        (12, 22, False),
        (13, 23, True),
    ],
)
def test_a_contest_ends_when_one_side_is_clearly_ahead_or_can_t_be_caught(points, games, over) -> None:
    assert contest.decided(points, games) is over
    assert contest.decided(games - points, games) is over  # whoever it is


@compiles
@pytest.mark.parametrize(("points", "winner"), [(13.0, contest.SIMULATIONS), (12.0, contest.LEARNED)])
def test_who_has_more_points_has_won(points: float, winner: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Equal points leave the champion its place."""
    players = {contest.LEARNED: make_search("engine", Four()), contest.SIMULATIONS: GuardedUct()}
    monkeypatch.setattr(contest, "candidates", lambda game: players)
    monkeypatch.setattr(contest, "learned_network", lambda game, stopped: None)
    monkeypatch.setattr(contest, "can_play", lambda *given: True)
    monkeypatch.setattr(contest, "challenge", lambda *given: (points, 24))
    monkeypatch.setattr(contest, "keep", lambda *given: None)
    assert contest.hold(Four()) == winner


def test_a_contest_that_is_stopped_ends_soon_and_is_not_kept(own_cache: Path) -> None:
    control = Control()
    threading.Timer(0.2, control.stop).start()
    contest.hold(Plain(), seconds=600, native=False, control=control)
    assert contest.verdict(Plain()) is None


def test_interpreted_nothing_is_decided(own_cache: Path) -> None:
    """A few interpreted games say nothing about compiled ones."""
    contest.hold(Plain(), seconds=0.2, native=False)
    assert contest.verdict(Plain()) is None


# ------------------------------------------------------------ stopping
def test_a_stop_ends_it_with_a_legal_action() -> None:
    game = pf.load(f"{FOLDER / 'gomoku_captures'}.py")
    engine = Engine(game, native=False)
    engine.start(seconds=600)
    time.sleep(0.3)
    engine.stop()
    found = engine.wait(60)
    assert found.reason == "stopped" and found.action in pf.legal_moves(game, game.start())


# ------------------------------------------------------------ the candidates' rollouts
@pytest.mark.parametrize("options", [{"mast": 3}, pytest.param({"decisive": True}, marks=pytest.mark.full)])
def test_rollouts_of_the_candidates_are_the_same_at_both_speeds(options: dict) -> None:
    game = Four()
    slow, fast = (
        pf.search.Uct(simulations=150, seed=5, **options).search(game, native=native) for native in (False, None)
    )
    assert slow.visits == fast.visits and slow.values == fast.values


def test_in_decisive_rollouts_whoever_can_win_does() -> None:
    game = Plain()
    s = pf.parse_state(game, "xx.oo....")  # x to move wins; after anything but the block, o does
    for action in pf.legal_moves(game, s):
        if action not in (2, 5):
            found = pf.search.Uct(simulations=1, decisive=True).search(game, game.result(s, action), native=False)
            assert found.value == -1.0


def test_mast_shifts_rollouts_to_what_has_gone_well() -> None:
    game, rollout = Plain(), MastRollout()
    memory = SimpleNamespace(
        mast_candidates=4, mast_taken=0, stop=0, outcome=[1.0, -1.0],
        mast_takers=[0] * MAST_ACTIONS, mast_places=[0] * MAST_ACTIONS,
        mast_values=[0.0] * MAST_SLOTS, mast_visits=[0] * MAST_SLOTS,
    )  # fmt: skip
    rollout.begin(memory)
    rollout.note(memory, 0, 4)
    rollout.learn(memory)
    stream, centre = new_stream(1), 0
    for _ in range(400):
        after = rollout.step(game, Ucb(), memory, stream, game.start())
        centre += after == game.result(game.start(), 4)
    assert (
        110 < centre < 190
    )  # one of four draws out of nine is the centre with probability 0.376; at random, with 0.111
