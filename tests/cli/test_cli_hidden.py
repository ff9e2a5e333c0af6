"""`plyforge solve`, `strategy` and `advise` where something is hidden."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import plyforge as pf
from paths import HIDDEN_RULES
from plyforge.cli import plyforge_command
from plyforge.solve.hidden.regret import Learner


def call(*words: str) -> str:
    found = CliRunner().invoke(plyforge_command, list(words), catch_exceptions=False)
    assert found.exit_code == 0, found.output
    return found.stdout


def refusal(*words: str) -> str:
    found = CliRunner().invoke(plyforge_command, list(words))
    assert isinstance(found.exception, (pf.PlyforgeError, SystemExit)) and found.exit_code != 0, found.output
    return f"{found.output} {found.exception}"


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("kept") / "kuhn.json"
    call("solve", "kuhn_poker", "--using", "dcfr", "--iterations", "500", "--strategy", str(file), "--interpreted")
    return file


def test_solve_by_every_algorithm() -> None:
    for using in ("cfr", "linear_cfr", "dcfr", "lp", "external", "outcome"):
        more = [] if using == "lp" else ["--iterations", "200"]
        told = json.loads(call("solve", "kuhn_poker", "--using", using, "--json", "--interpreted", *more))
        assert told["using"] == using and told["information_sets"] == 12 and told["histories"] == 58
        assert told["lower"] - 1e-9 <= -1 / 18 <= told["upper"] + 1e-9 and told["seconds"] > 0
        assert told["exploitability"] == pytest.approx((told["upper"] - told["lower"]) / 2)


def test_a_strategy_is_looked_at(kept: Path) -> None:
    table = call("strategy", str(kept), "--player", "1")
    assert "? K bet" in table and "call 1.0000" in table and "fold 3.0000" in table and "J ?" not in table
    told = json.loads(call("strategy", str(kept), "--observation", "Q ? check bet", "--json"))
    assert [each["player"] for each in told["information_sets"]] == [0]
    assert told["exploitability"] < 0.001
    assert "nobody moves seeing" in refusal("strategy", str(kept), "--observation", "Q ?  bet")
    assert "player is 5" in refusal("strategy", str(kept), "--player", "5")
    assert "not for Leduc" in refusal("strategy", str(kept), "--of", str(HIDDEN_RULES / "leduc.py"))
    assert "for a kept strategy" in refusal("strategy", "tic_tac_toe", "--of", "nim")
    assert "there is no file of that name" in refusal("strategy", "missing.json")


def test_a_file_never_says_which_rules_to_run(kept: Path, tmp_path: Path) -> None:
    rules = tmp_path / "bad.py"
    rules.write_text("raise SystemExit('run')\n")
    file = tmp_path / "bad.json"
    file.write_text(json.dumps({**json.loads(kept.read_text()), "catalog": str(rules)}))
    assert "say whose strategy it is" in refusal("strategy", str(file))


@pytest.mark.parametrize("by_file", [True, False])
def test_advice(kept: Path, by_file: bool) -> None:
    more = ["--strategy", str(kept)] if by_file else ["--iterations", "300"]
    words = ["advise", "kuhn_poker", "--observation", "Q ? check bet", "--interpreted", *more]
    (advice,) = json.loads(call(*words, "--json"))["advice"]
    assert advice["values"]["fold"] == pytest.approx(-1.0) and advice["values"]["call"] == pytest.approx(-1.0, abs=0.05)
    assert {each["state"] for each in advice["worlds"]} == {"Q K check bet", "Q J check bet"}
    assert advice["worlds"][0]["weight"] == pytest.approx(0.75, abs=0.02), "three kings to each bluff"
    assert "worth -1.0000" in call(*words)


def test_advice_that_can_not_be_given() -> None:
    assert "can't see" in refusal("advise", "kuhn_poker", "--observation", "Q K bet")
    assert "is not a state" in refusal("advise", "kuhn_poker", "--observation", "nonsense")
    assert "no player moves there" in refusal("advise", "kuhn_poker", "--observation", "- -")
    assert "player is 7" in refusal("advise", "kuhn_poker", "--observation", "Q ?", "--player", "7")
    assert "hides nothing" in refusal("advise", "tic_tac_toe", "--observation", "x")


def test_locks_and_observations(tmp_path: Path) -> None:
    file = tmp_path / "lock.json"
    file.write_text('{"locks": [{"player": 1, "observation": "? Q bet", "mix": {"fold": 1}}]}')
    told = json.loads(call("solve", "kuhn_poker", "--using", "lp", "--lock", str(file), "--json"))
    assert told["locked"] == 1 and told["value"] > -1 / 18 + 0.01
    file.write_text('{"locks": [{"player": 1, "observation": "? Q bet", "mix": {"fold": 0.5}}]}')
    assert "add up to 0.5" in refusal("solve", "kuhn_poker", "--using", "lp", "--lock", str(file))
    told = json.loads(call("solve", "kuhn_poker", "--using", "lp", "--observation", "? ? check bet", "--json"))
    assert told["information_sets"] == 3
    assert "never comes" in refusal("solve", "kuhn_poker", "--observation", "? ? bet call")
    assert "is for games of hidden information" in refusal("solve", "tic_tac_toe", "--using", "lp")
    assert "iterations is -1" in refusal("solve", "kuhn_poker", "--iterations", "-1")


def test_ctrl_c_keeps_what_there_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, learn = tmp_path / "kuhn.regrets", Learner.learn

    def interrupted(self: Learner, rule: object, iterations: int) -> None:
        if self.iterations >= 20:
            raise KeyboardInterrupt
        learn(self, rule, 5)  # type: ignore[arg-type]

    monkeypatch.setattr(Learner, "learn", interrupted)
    words = ["solve", "kuhn_poker", "--using", "cfr", "--table", str(file), "--json", "--interpreted"]
    found = CliRunner().invoke(plyforge_command, words)
    told = json.loads(found.stdout)
    assert found.exit_code == 130 and told["stopped"] and told["iterations"] == 20
    monkeypatch.setattr(Learner, "learn", learn)
    gone_on = json.loads(call(*words, "--iterations", "100"))
    assert gone_on["iterations"] == 100
    assert gone_on["value"] == pf.solve.hidden_equilibrium("kuhn_poker", using="cfr", iterations=100).value
