"""Playing games in which all choose at once, in the terminal, and the verbs about them."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from click.testing import CliRunner

import plyforge as pf
from plyforge.cli import plyforge_command
from plyforge.errors import BadLimits, PlyforgeError, Unsuitable
from plyforge.play import GameSession, Record, SearchPlayer, parse_player
from plyforge.play.match.match import Match
from plyforge.play.protocols.json_lines.server import Talk
from plyforge.play.terminal import TerminalGame, play_in_terminal


def drive(spec: str, players: list[str], *lines: str, seed: int = 1) -> tuple[TerminalGame, str]:
    """Play with these lines as input; how it ended, and all that was shown."""
    rules, output = pf.load(spec), io.StringIO()
    played = play_in_terminal(
        GameSession(rules, None, seed),
        [parse_player(player, rules, native=False) for player in players],
        source=io.StringIO("".join(f"{line}\n" for line in lines)),
        output=output,
        adviser=SearchPlayer(native=False, options={"simulations": 200}),
    )
    return played, output.getvalue()


def run(*arguments: str) -> Any:
    return CliRunner().invoke(plyforge_command, list(arguments), catch_exceptions=False)


# ------------------------------------------------------------ in the terminal
def test_two_persons_choose_and_see_it_only_when_both_have() -> None:
    played, text = drive("matrix", ["human", "human"], "rock", "paper")
    assert played.session.outcome is not None and played.session.outcome.winners == (1,)
    assert "MAX chooses rock" in text and "MIN chooses paper" in text
    before = text[: text.index("MAX chooses rock")]
    assert before.count("...") == 2 and "rock\n" not in before.partition("your choice")[2], (
        "what was typed is not echoed"
    )


def test_against_an_algorithm_with_rewards_on_the_way() -> None:
    played, text = drive(
        "repeated_prisoners_dilemma(rounds=2)",
        ["human", "regret_matching:simulations=300"],
        "cooperate",
        "defect",
        "",
    )
    outcome = played.session.outcome
    assert outcome is not None and outcome.utilities == played.session.paid
    assert "so far: " in text and "mix: defect" in text
    assert sum(outcome.utilities) <= 7


def test_chance_and_choices_in_turn() -> None:
    played, text = drive("goofspiel(cards=2)", ["random:seed=1", "random:seed=2"])
    assert played.session.over and text.count("Chance: ") == 2 and text.count("chooses") == 4


def test_commands_work_in_between() -> None:
    played, text = drive(
        "repeated_prisoners_dilemma(rounds=3)", ["human", "random:seed=1"],
        "moves", "talk", "cooperate", "hint", "undo", "defect", "resign", "",
    )  # fmt: skip
    assert "has 2: cooperate  defect" in text and "'talk' is not a legal action here" in text
    assert "Hint for first (MAX): " in text and "Taken back." in text
    assert len(played.session.history) == 1 and played.session.resigned == 0
    assert played.session.history[0].action[0] == 1


def test_the_end_of_input_leaves_the_game() -> None:
    played, text = drive("matrix", ["human", "random:seed=1"])
    assert not played.session.over and "End of input" in text


def test_a_game_is_saved_and_comes_back() -> None:
    session = GameSession(pf.load("repeated_prisoners_dilemma(rounds=3)"), seed=1)
    session.play((0, 1))
    session.play_text("defect, defect")
    again = Record.from_json(json.loads(json.dumps(session.to_json()))).session()
    assert again.state == session.state and again.paid == (1.0, 5.0)


def test_protocols_and_openings_refuse_it() -> None:
    with pytest.raises(Unsuitable, match="begin at its start"):
        Match("goofspiel", "random", "random", opening_plies=2)
    with pytest.raises(Unsuitable, match="same time"):
        Talk(io.StringIO(), io.StringIO(), "goofspiel")


# ------------------------------------------------------------ verbs
def test_matrix_shows_everything_about_a_table() -> None:
    text = run("matrix", "prisoners_dilemma").output
    assert "cooperate of row is strictly dominated by defect" in text
    assert "this is the only equilibrium" in text and "defect, defect   worth 1, 1" in text
    text = run("matrix", "[[3, -1], [-2, 1]]").output
    assert "1 3/7, 2 4/7" in text and "value of the game: 1/7" in text
    assert "if third heads:" in run("matrix", "odd_one_out").output
    assert "dominated by the mix 1 1/2, 2 1/2" in run("matrix", "[[[3,0],[0,0]],[[0,0],[3,0]],[[1,0],[1,0]]]").output


def test_matrix_in_json(tmp_path) -> None:
    file = tmp_path / "pennies.json"
    file.write_text('{"payoffs": [[1, -1], [-1, 1]], "actions": [["h", "t"], ["h", "t"]], "name": "pennies"}')
    facts = json.loads(run("matrix", str(file), "--json").output)
    assert facts["name"] == "pennies" and facts["value"] == 0.0 and facts["complete"] and facts["pure"] == []
    assert facts["mixed"][0]["mixes"] == [{"h": 0.5, "t": 0.5}] * 2 and facts["mixed"][0]["regret"] < 1e-9
    assert "chicken" in json.loads(run("matrix", "--list", "--json").output)["tables"]
    with pytest.raises(PlyforgeError, match="there is no matrix game called"):
        run("matrix", "nonsense")


def test_solve_and_search_show_mixes() -> None:
    text = run("solve", "goofspiel(cards=3, scoring='win')", "--state", "1,3 2,3 2 3 +1").output
    assert "-0.3333333333" in text and "mix of MAX  1 0.333333  3 0.666667" in text
    found = json.loads(run("solve", "matrix(name='chicken')", "--json").output)
    assert found["policies"][0]["straight"] in (0.0, 1.0) and found["using"] == "stage_equilibrium"
    text = run("search", "matrix", "--simulations", "200", "--interpreted").output
    assert "mix of MAX" in text and "rock" in text and "regret_matching, interpreted" in text
    found = json.loads(run("search", "pursuit(steps=2)", "--simulations", "50", "--interpreted", "--json").output)
    assert len(found["policies"]) == 2
    with pytest.raises(BadLimits, match="solved by an equilibrium at every stage"):
        run("solve", "matrix", "--table", "x")


def test_games_says_who_chooses_at_once() -> None:
    listed = {row["name"]: row for row in json.loads(run("games", "--json").output)["games"]}
    assert {name for name, row in listed.items() if row["simultaneous"]} >= {"goofspiel", "matrix", "pursuit"}
    assert not listed["connect4"]["simultaneous"] and listed["goofspiel"]["search"] == "regret_matching"


def test_dilemma_prints_a_standing() -> None:
    text = run("dilemma", "tit_for_tat", "always_defect", "grim", "--rounds", "10").output
    assert text.splitlines()[1].split()[1] in ("tit_for_tat", "grim") and "Points a round of each row" in text
    played = json.loads(run("dilemma", "pavlov", "always_defect", "--rounds", "10", "--json").output)
    assert played["table"]["pavlov"]["always_defect"] == 0.5
    assert "Toss a coin." in run("dilemma", "--list").output
    with pytest.raises(PlyforgeError, match="did you mean tit_for_tat"):
        run("dilemma", "titfortat")
