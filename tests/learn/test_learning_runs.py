"""Runs of `plyforge learn`: what is learned, and that nothing is lost: killed at any moment, a run that goes on is the
same run, bit for bit.

The truth that nobody here wrote: which first replies of tic-tac-toe draw, by minimax.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import paths
import plyforge as pf
from conftest import compiles, thinned
from plyforge.cli import main
from plyforge.errors import BadLimits, BadText, PlyforgeError, Unsuitable
from plyforge.evaluate.learned import learned_from
from plyforge.evaluate.ntuples.finding import find_tuples
from plyforge.evaluate.opinion import opinion
from plyforge.learn import Run
from plyforge.learn.folder import BEST, LOG, RUN, STATE
from plyforge.learn.gate import Side, match, plain_search
from plyforge.learn.methods.td import Pupil
from plyforge.play import parse_player
from plyforge.search import choose

SMALL: dict[str, Any] = {"batch": 20, "walks": 4, "nodes": 20, "native": False}
FLAGS = ["--interpreted", "--batch", "20", "--walks", "4", "--nodes", "20", "--shards", "2"]


@pytest.fixture(autouse=True)
def own_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PLYFORGE_CONFIG_DIR", str(tmp_path / "settings"))
    monkeypatch.chdir(tmp_path)


def small(folder: str | Path, **more: Any) -> Run:
    return Run("tic_tac_toe", folder, **{**SMALL, "shards": 1, "gates": False, **more})


def arrays_of(path: Path) -> dict[str, np.ndarray]:
    with np.load(path) as file:
        return {name: file[name] for name in ("weights", "drift", "travel") if name in file}


def log_of(folder: Path) -> list[dict[str, Any]]:
    lines = [json.loads(line) for line in (folder / LOG).read_text().splitlines()]
    return [{name: value for name, value in line.items() if name != "seconds"} for line in lines]


# ------------------------------------------------------------ what is learned
@compiles
def test_tic_tac_toe_is_learned_to_its_value_keeping_replies(tmp_path: Path) -> None:
    """In positions after one and two plies where the choice matters, the network keeps the value one ply deep."""
    run = small(tmp_path / "t", native=True, batch=4000, walks=64)
    run.go_on(games=12_000)
    game, network = run.game, run.network()
    states = [game.result(game.start(), a) for a in pf.legal_moves(game, game.start())]
    states += [game.result(s, a) for s in states for a in pf.legal_moves(game, s)]
    right = asked = 0
    for s in states:
        sign = 1 if game.player(s) == 0 else -1
        truth = {a: sign * pf.search(game, game.result(s, a), using="engine").value for a in pf.legal_moves(game, s)}
        if min(truth.values()) == max(truth.values()):
            continue
        judged = max(truth, key=lambda a: sign * network.estimate(game, game.result(s, a)))
        asked += 1
        right += truth[judged] == max(truth.values())
    assert asked > 20 and right >= 0.95 * asked, (right, asked)


@compiles
@pytest.mark.parametrize("name", thinned(["pig", str(paths.NATURAL_GAMES / "clobber.py"), "connect4"], ["pig"]))
def test_both_speeds_learn_the_same(name: str) -> None:
    game = pf.load(name)
    inputs = find_tuples(game, 4)
    settings = {"rate": 1.0, "opening": 2, "explore": 0.1, "trace": 0.6}
    pupils = [Pupil(game, inputs, 2 + bool(game.has_chance), native) for native in (True, False)]
    tallies = [pupil.play(5, 3, settings) for pupil in pupils]
    assert np.array_equal(pupils[0].weights, pupils[1].weights) and np.any(pupils[0].weights)
    assert np.array_equal(*tallies)


def test_temporal_coherence_slows_weights_that_go_to_and_fro(tmp_path: Path) -> None:
    run = small(tmp_path / "t", batch=200)
    run.go_on(games=200)
    moved = run.learner.arrays["travel"] > 0
    share = np.abs(run.learner.arrays["drift"][moved]) / run.learner.arrays["travel"][moved]
    assert moved.any() and (share <= 1.0 + 1e-6).all() and share.min() < 0.5


def test_weights_are_merged_by_those_who_have_met_them(tmp_path: Path) -> None:
    run = small(tmp_path / "t", shards=2)
    for pupil, (travel, weight) in zip(run.learner.pupils, ((1.0, 0.5), (0.0, 0.0)), strict=True):
        pupil.take(run.learner.arrays)
        pupil.travel[0], pupil.weights[0] = travel, weight
        pupil.travel[1], pupil.weights[1] = 1.0, 1.0 + travel
    merged = run.learner.merged()
    assert merged["weights"][0] == 0.5 and merged["weights"][1] == 1.5 and merged["travel"][1] == 2.0


# ------------------------------------------------------------ nothing is lost
def test_a_run_that_goes_on_is_the_run_that_never_stopped(tmp_path: Path) -> None:
    small(tmp_path / "whole").go_on(games=80)
    for games in (20, 40, 80):
        small(tmp_path / "parts").go_on(games=games)
    whole, parts = (arrays_of(tmp_path / name / STATE) for name in ("whole", "parts"))
    assert all(np.array_equal(whole[name], parts[name]) for name in whole) and np.any(whole["weights"])
    assert log_of(tmp_path / "whole") == log_of(tmp_path / "parts")
    small(tmp_path / "other", seed=2).go_on(games=80)
    assert not np.array_equal(whole["weights"], arrays_of(tmp_path / "other" / STATE)["weights"])


def command(folder: Path, games: int) -> list[str]:
    return [sys.executable, "-m", "plyforge", "learn", "tic_tac_toe", "--folder", str(folder), "--games", str(games),
            *FLAGS]  # fmt: skip


@pytest.mark.full
@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_killed_at_random_moments_it_is_the_same_run_bit_for_bit(tmp_path: Path) -> None:
    games, chooser = 140, random.Random(4)
    subprocess.run(command(tmp_path / "whole", games), check=True, capture_output=True)
    again = tmp_path / "again"
    again.mkdir()
    shutil.copy(tmp_path / "whole" / RUN, again / RUN)  # what was measured is kept with a run
    kills = 0
    for _ in range(4):
        child = subprocess.Popen(command(again, games), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        before = (again / LOG).stat().st_size if (again / LOG).exists() else 0
        while child.poll() is None and (not (again / LOG).exists() or (again / LOG).stat().st_size == before):
            time.sleep(0.005)
        time.sleep(chooser.uniform(0.0, 0.15))
        if child.poll() is None:
            os.kill(child.pid, signal.SIGKILL)
            kills += 1
        child.wait()
    subprocess.run(command(again, games), check=True, capture_output=True)
    assert kills >= 2
    whole, parts = arrays_of(tmp_path / "whole" / STATE), arrays_of(again / STATE)
    assert all(np.array_equal(whole[name], parts[name]) for name in whole)
    assert log_of(tmp_path / "whole") == log_of(again)
    assert (tmp_path / "whole" / BEST).exists() == (again / BEST).exists()
    if (again / BEST).exists():
        assert np.array_equal(arrays_of(tmp_path / "whole" / BEST)["weights"], arrays_of(again / BEST)["weights"])


def test_a_torn_line_and_lines_beyond_the_state_are_dropped(tmp_path: Path) -> None:
    small(tmp_path / "t").go_on(games=40)
    before = (tmp_path / "t" / LOG).read_bytes()
    (tmp_path / "t" / LOG).write_bytes(before + b'{"generation": 3, "games": 60}\n{"gener')
    small(tmp_path / "t")
    assert (tmp_path / "t" / LOG).read_bytes() == before


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_ctrl_c_is_clean(tmp_path: Path) -> None:
    child = subprocess.Popen(command(tmp_path / "t", 10**9), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while not (tmp_path / "t" / STATE).exists() and child.poll() is None:
        time.sleep(0.01)
    child.send_signal(signal.SIGINT)
    said, noise = child.communicate(timeout=120)
    assert child.returncode == 130 and "games learned from" in said
    assert "the same command goes on" in noise and "Traceback" not in noise


# ------------------------------------------------------------ what is refused
@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("kuhn_poker", "hidden information"),
        ("goofspiel", "at the same time"),
        ("three_nim", "two players, not 3"),
        ("slider", "two players, not 1"),
        (str(paths.RULES_CORPUS / "growing_tuple.py"), "whose length varies"),
    ],
)
def test_what_can_t_be_learned_is_refused_in_words(tmp_path: Path, name: str, words: str) -> None:
    with pytest.raises(Unsuitable, match=words):
        Run(name, tmp_path / "t", native=False)
    assert not (tmp_path / "t" / RUN).exists()


def test_another_game_s_folder_and_other_settings_are_refused(tmp_path: Path) -> None:
    small(tmp_path / "t").go_on(games=20)
    state = (tmp_path / "t" / STATE).read_bytes()
    with pytest.raises(PlyforgeError, match="another game: tic_tac_toe"):
        Run("hexapawn", tmp_path / "t", **SMALL)
    with pytest.raises(PlyforgeError, match="settings"):
        small(tmp_path / "t", rate=0.5)
    with pytest.raises(PlyforgeError, match="generations of 20 games"):
        small(tmp_path / "t", batch=30)
    with pytest.raises(BadLimits, match="rate is 50"):
        small(tmp_path / "u", rate=50.0)
    assert (tmp_path / "t" / STATE).read_bytes() == state


@pytest.mark.parametrize("damage", ["empty", "short", "byte", "nan", "shape", "run"])
def test_a_damaged_folder_is_refused_in_a_sentence(tmp_path: Path, damage: str) -> None:
    small(tmp_path / "t").go_on(games=20)
    path = tmp_path / "t" / (RUN if damage == "run" else STATE)
    content = path.read_bytes()
    if damage in ("nan", "shape"):
        with np.load(path) as file:
            parts = {name: file[name] for name in file.files}
        parts["weights"] = parts["weights"][1:] if damage == "shape" else np.full_like(parts["weights"], np.nan)
        np.savez(path, **parts)
    else:
        middle = len(content) // 2
        flipped = content[:middle] + bytes([content[middle] ^ 255]) + content[middle + 1 :]
        path.write_bytes({"empty": b"", "short": content[:-40], "byte": flipped, "run": b"[1"}[damage])
    with pytest.raises(BadText):
        small(tmp_path / "t")


def test_bad_places_are_told_before_the_work(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("x")
    for folder, words in ((tmp_path / "no" / "t", "no folder"), (tmp_path / "file", "is a file")):
        with pytest.raises(PlyforgeError, match=words):
            small(folder)
    with pytest.raises(SystemExit) as ended:
        main(["learn", "tic_tac_toe", "--interpreted", "--folder", str(tmp_path / "no" / "t")])
    assert ended.value.code == 2 and "Traceback" not in capsys.readouterr().err


def test_a_full_disk_keeps_the_generations_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = small(tmp_path / "t")
    run.go_on(games=20)
    state = (tmp_path / "t" / STATE).read_bytes()

    def no_room(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", no_room)
    with pytest.raises(PlyforgeError, match="No space left"):
        run.go_on(games=60)
    monkeypatch.undo()
    assert (tmp_path / "t" / STATE).read_bytes() == state
    monkeypatch.chdir(tmp_path)
    small(tmp_path / "t").go_on(games=60)
    small(tmp_path / "u").go_on(games=60)
    assert np.array_equal(arrays_of(tmp_path / "t" / STATE)["weights"], arrays_of(tmp_path / "u" / STATE)["weights"])


# ------------------------------------------------------------ the gate, and what is used
@pytest.fixture
def learned(tmp_path: Path) -> Path:
    """A folder whose best network has won its place."""
    run = small(tmp_path / "t", gates=True, batch=300, walks=16)
    run.go_on(games=600)
    if run.progress.best == 0:  # whatever the match said, a best network for what follows
        from plyforge.evaluate.ntuples.files import FORMAT, plain_name, write_network

        about = {"format": FORMAT, "game": plain_name(run.game), "inputs": run.learner.inputs.digest, "walks": 16}
        write_network(tmp_path / "t" / BEST, {"weights": run.learner.arrays["weights"]}, about)
    return tmp_path / "t"


def test_a_candidate_takes_the_place_only_when_it_wins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plyforge.learn.run.choices_of", lambda game: None)  # whose solution would decide
    for verdict in ("H0", None, "H1"):
        monkeypatch.setattr("plyforge.learn.run.match", lambda *_, v=verdict, **__: ([[1.0, 0.5]], v))
        monkeypatch.setattr("plyforge.learn.run.nodes_for_equal_time", lambda *_: 1.5)
        run = small(tmp_path / str(verdict), gates=True)
        run.go_on(games=40)
        assert (tmp_path / str(verdict) / BEST).exists() == (verdict == "H1")
        assert run.progress.best == (2 if verdict == "H1" else 0)
        gate = [line for line in log_of(tmp_path / str(verdict)) if "gate" in line]
        assert len(gate) == 1 and gate[0]["gate"] == (verdict or "open")


def test_a_folder_is_what_a_player_judges_by(learned: Path) -> None:
    game = pf.load("tic_tac_toe")
    player = parse_player(f"engine:network={learned},depth=2", game, native=False)
    assert player.evaluate == learned_from(learned, game)
    for search in ("uct:simulations=20", "alpha_beta:depth=2"):
        text = f"{search},network={learned}"
        assert parse_player(text, game, native=False).choose(game, game.start()).action in range(9)
    with pytest.raises(BadText, match="network of 'tic_tac_toe'"):
        parse_player(f"engine:network={learned},depth=2", "hexapawn", native=False)


def test_a_folder_without_a_best_network_says_so(tmp_path: Path) -> None:
    small(tmp_path / "t").go_on(games=20)
    with pytest.raises(BadText, match="has no best"):
        learned_from(tmp_path / "t", pf.load("tic_tac_toe"))


def test_installed_it_plays_everywhere_and_proves_nothing(learned: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = pf.load("hexapawn") if learned is None else pf.load("tic_tac_toe")
    before = choose(game).text
    main_ok(["learn", "tic_tac_toe", "--folder", str(learned), "--install"])
    assert opinion(game) == learned_from(learned, game) and "network=learned" in choose(game).text
    found = pf.search(game, using="engine", native=False)
    assert found.value == 0.0 and found.proven  # a draw, by the rules alone
    main_ok(["learn", "tic_tac_toe", "--uninstall"])
    assert opinion(game) is None and choose(game).text == before
    capsys.readouterr()


def main_ok(arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 0


def test_show_inputs_says_what_was_found(capsys: pytest.CaptureFixture[str]) -> None:
    main_ok(["learn", "tic_tac_toe", "--show-inputs", "--json"])
    said = json.loads(capsys.readouterr().out)
    assert [(field["kind"], field["inputs"]) for field in said["fields"]] == [("mover", 0), ("board", 27)]
    main_ok(["learn", "tic_tac_toe", "--show-inputs"])
    assert "9 cells, 3 values each" in capsys.readouterr().out


def test_curves_are_drawn_from_the_log(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    small(tmp_path / "t").go_on(games=60)
    main_ok(["learn", "tic_tac_toe", "--folder", str(tmp_path / "t"), "--plot", str(tmp_path / "c.svg")])
    drawn = (tmp_path / "c.svg").read_text()
    assert drawn.count("<polyline") == 2 and "held back" in drawn and "3 generations" in drawn
    with pytest.raises(SystemExit):
        main(["learn", "tic_tac_toe", "--folder", str(tmp_path / "none"), "--plot", str(tmp_path / "c.svg")])
    assert "nothing to draw" in capsys.readouterr().err


def test_a_card_says_how_to_make_the_network_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its command gives the weights of the best network, bit for bit."""
    first, rate = tmp_path / "t", 0.5
    run = small(first, rate=rate)
    run.go_on(games=40)
    run.learner.write_network(first / BEST, {"game": "tic_tac_toe", "method": "td"})
    match = {"score": 0.8, "low": 0.7, "high": 0.9, "games": 40}
    run.folder.add_line({"generation": 2, "gate": "H1", "best": 2, "against": {"plain search": match}})
    run.go_on(games=60)
    main_ok(["learn", "tic_tac_toe", "--folder", str(first), "--card", str(tmp_path / "card.md")])
    card = (tmp_path / "card.md").read_text()
    assert (
        "80.0 % (70.0 to 90.0) of 40 games, equal time" in card and "40 games against itself in 2 generations" in card
    )
    words = card.partition("`plyforge learn ")[2].partition("`")[0].split()
    told: dict[str, Any] = {name[2:]: json.loads(value) if value[0].isdigit() else value
                            for name, value in zip(words[1::2], words[2::2], strict=True)}  # fmt: skip
    assert words[0] == "tic_tac_toe" and told["rate"] == rate
    again = Run(
        words[0], tmp_path / "again", gates=False, native=False, **{k: v for k, v in told.items() if k != "games"}
    )
    again.go_on(games=told["games"])
    with np.load(first / BEST) as best, np.load(tmp_path / "again" / STATE) as state:
        assert np.array_equal(best["weights"], state["weights"])
    with pytest.raises(SystemExit):
        main(["learn", "hexapawn", "--folder", str(tmp_path / "none"), "--card", str(tmp_path / "c.md")])
    assert "no best.npz yet" in capsys.readouterr().err


def test_games_of_a_match_are_kept_and_can_be_replayed() -> None:
    """Both games of the first pair, from the start: the same opening, and the points that they say."""
    game, kept = pf.load("tic_tac_toe"), []
    side = Side(plain_search(game), 20)
    scores, _ = match(game, side, side, seed=3, pairs=2, test=None, native=False, replays=kept)
    assert [each["points"] for each in kept] == scores[0] and [each["seat"] for each in kept] == [0, 1]
    assert kept[0]["moves"][:4] == kept[1]["moves"][:4]
    for each in kept:
        end = pf.state_after(game, *each["moves"])
        assert game.terminal(end)
        won = game.utility(end) if each["seat"] == 0 else -game.utility(end)
        assert each["points"] == 0.5 + 0.5 * won
