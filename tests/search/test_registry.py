"""A search, or a selection rule, in one file is known everywhere: to Python, the command line, descriptions of players,
JSON, UCI, the studio and the documents.

PYTHONPATH=tests:tests/support python tests/search/test_registry.py     writes docs/algorithms/parameters.md
"""

from __future__ import annotations

import io
import json
import re
from dataclasses import dataclass
from typing import Any

import pytest
from click.testing import CliRunner

import paths
import plyforge as pf
from plyforge.errors import BadLimits, BadText, Unsuitable
from plyforge.search.core.base import Search
from plyforge.search.core.parameters import Parameter, parameter, parameters_of
from plyforge.search.registry import forget, parameter_list, reference, register, searches

PAGE = paths.DOCS / "algorithms" / "parameters.md"
TABLE = re.compile(r"(<!-- parameters: .*? -->\n).*?(<!-- end of parameters -->)", re.DOTALL)


@dataclass(frozen=True)
class Toy:
    """What is added, and how to speak of it."""

    search: type[Search]
    name: str
    alias: str
    parameter: str
    elsewhere: str
    """What the parameter is called in other places."""
    value: Any
    """One that is not the default."""
    wrong: Any
    allowed: str
    """What a message says it must be."""
    range: str
    option: str
    """As UCI has it."""


@pytest.fixture(params=["search", "rule"])
def toy(request):
    if request.param == "search":
        from toy_search import Shallow

        found = Toy(
            Shallow, "shallow", "nearsighted", "plies", "horizon", 3, 10, "a whole number from 1 to 9 (plies)",
            "1 to 9 plies", "option name Plies type spin default 2 min 1 max 9",
        )  # fmt: skip
    else:
        from toy_rule import PowerUct

        found = Toy(
            PowerUct, "power_uct", "polynomialuct", "power", "alpha", 0.9, 1.5, "a number above 0 and at most 1",
            "above 0 and at most 1", "option name Power type string default 0.5",
        )  # fmt: skip
    register(found.search)
    yield found
    forget(found.name)


def limits(toy: Toy) -> dict[str, int]:
    return {"simulations": 60} if toy.name == "power_uct" else {"depth": 4}


# ------------------------------------------------------------------ every face
def test_python_searches_with_it(toy):
    found = pf.search("tic_tac_toe", using=toy.name, native=False, **{toy.parameter: toy.value}, **limits(toy))
    assert found.using == toy.name and found.action is not None
    with pytest.raises(Unsuitable, match=f"did you mean '{toy.name}'"):
        pf.search("tic_tac_toe", using=toy.alias)
    with pytest.raises(Unsuitable, match=f"did you mean {toy.parameter}"):
        pf.search("tic_tac_toe", using=toy.name, **{toy.elsewhere: 1})
    with pytest.raises(Unsuitable, match=f"minimax takes no {toy.parameter}: that is for '{toy.name}'"):
        pf.search("tic_tac_toe", using="minimax", **{toy.parameter: toy.value})
    sentence = f"{toy.parameter} is {toy.wrong}; it must be {toy.allowed}"
    with pytest.raises(BadLimits, match=re.escape(sentence)):
        toy.search(**{toy.parameter: toy.wrong})
    assert toy.parameter in (toy.search.__doc__ or "") and f"{toy.name}: " in parameter_list()
    assert toy.name in searches() and (toy.name in pf.search.SEARCHES) == (toy.name == "shallow")


def test_the_command_line_takes_it(toy):
    from plyforge.cli.search.search import command

    said = CliRunner().invoke(command, ["--help"], terminal_width=200).output
    words = " ".join(said.split())
    assert f"--{toy.parameter}" in said and f"{toy.name}; {toy.range}" in words and toy.name in words
    given = ["tic_tac_toe", "--using", toy.name, f"--{toy.parameter}", str(toy.value), "--interpreted", "--json"]
    more = [text for name, value in limits(toy).items() for text in (f"--{name}", str(value))]
    ran = CliRunner().invoke(command, [*given, *more])
    assert ran.exit_code == 0 and json.loads(ran.stdout)["using"] == toy.name
    refused = CliRunner().invoke(command, [*given[:4], str(toy.wrong), *given[5:], *more])
    assert isinstance(refused.exception, BadLimits)


def test_a_description_of_a_player_names_it(toy):
    from plyforge.play import parse_player

    game = pf.load("tic_tac_toe")
    text = f"{toy.name}:nodes=500,{toy.parameter}={toy.value}"
    player = parse_player(text, game, native=False)
    assert player.description == text and player.choose(game, game.start()).action in range(9)
    for given, says in (
        (f"{toy.alias}", f"did you mean {toy.name}"),
        (f"{toy.name}:{toy.elsewhere}=1", f"did you mean {toy.parameter}"),
        (f"{toy.name}:{toy.parameter}={toy.wrong}", toy.allowed),
        (f"{toy.name}:{toy.parameter}=x", f"{toy.parameter} must be a"),
    ):
        with pytest.raises((BadText, BadLimits), match=re.escape(says)):
            parse_player(given, game)


def test_json_lines_ask_for_it(toy):
    from plyforge.play.protocols.json_lines.server import Talk

    asked = [
        {"id": 1, "do": "hello"},
        {"id": 2, "do": "searches"},
        {"id": 3, "do": "go", "using": toy.name, toy.parameter: toy.wrong},
        {"id": 4, "do": "go", "using": toy.name, "nodes": 300, "progress": False, toy.parameter: toy.value},
    ]
    answers = io.StringIO()
    Talk(io.StringIO("".join(json.dumps(each) + "\n" for each in asked)), answers, "tic_tac_toe", native=False).run()
    said = {each["id"]: each for each in map(json.loads, answers.getvalue().splitlines())}
    assert toy.name in said[1]["searches"]
    [told] = [each for each in said[2]["searches"] if each["name"] == toy.name]
    [declared] = [each for each in told["parameters"] if each["name"] == toy.parameter]
    assert declared["at_most"] == (9 if toy.name == "shallow" else 1) and declared["help"]
    assert not said[3]["ok"] and toy.allowed in said[3]["error"]["message"]
    assert said[4]["ok"] and said[4]["found"]["using"] == toy.name


def test_uci_sets_it_and_plays_with_it(toy):
    from plyforge.play.protocols.uci.server import Uci

    spoken = [
        "uci",
        f"setoption name {toy.parameter} value {toy.wrong}",
        f"setoption name {toy.parameter} value {toy.value}",
        "position fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1",
        "go nodes 30",
    ]
    answers = io.StringIO()
    uci = Uci(io.StringIO("\n".join(spoken) + "\n"), answers, native=False, using=toy.name)
    for line in spoken:
        uci.obey(line)
    assert uci.wait(60)
    said = answers.getvalue()
    assert toy.option in said.splitlines()
    assert "is from 1 to 9" in said if toy.name == "shallow" else toy.allowed in said
    assert getattr(uci.engine().search, toy.parameter) == toy.value
    assert re.search(r"^bestmove [a-h][1-8]", said, re.MULTILINE) and "can't begin" not in said


def test_the_studio_offers_it_to_analyse_to_compare_and_to_play(toy):
    from plyforge.studio.analyse.algorithms import algorithms_for, make
    from plyforge.studio.analyse.comparison import Comparison
    from plyforge.studio.play.seats import algorithms, seat_of
    from plyforge.studio.tree.source import described_search, suitable_searches

    game = pf.load("tic_tac_toe")
    [offered] = [each for each in algorithms_for(game)["algorithms"] if each["name"] == toy.name]
    assert offered["missing"] is None and offered["says"] == toy.search.says()
    [setting] = [each for each in offered["settings"] if each["name"] == toy.parameter]
    assert setting["most"] == (9 if toy.name == "shallow" else 1)
    assert getattr(make(toy.name, game, {toy.parameter: toy.value}), toy.parameter) == toy.value
    with pytest.raises(BadLimits):
        make(toy.name, game, {toy.parameter: toy.wrong})
    compared = Comparison(game, game.start(), (), 1.0, None, False, speed=lambda name: False, tell=lambda message: None)
    assert toy.name in compared.names
    shown = next(each for each in map(described_search, suitable_searches(game)) if each["name"] == toy.name)
    assert shown["title"] == toy.search.called() and shown["samples"] == (toy.name == "power_uct")
    [seat] = [each for each in algorithms(game) if each["name"] == toy.name]
    assert [each for each in seat["settings"] if each["name"] == toy.parameter]
    assert seat_of(game, f"{toy.name}:nodes=9,{toy.parameter}={toy.value}", False).label


def test_the_documents_table_has_it(toy):
    row = next(line for line in reference().splitlines() if line.startswith(f"| `{toy.parameter}` |"))
    assert toy.search.__dataclass_fields__ and parameters_of(toy.search)[toy.parameter].help in row


# ------------------------------------------------------------------ what is declared
def test_what_was_saved_under_an_older_name_is_read():
    from plyforge.play import parse_player
    from toy_search import Shallow

    register(Shallow)
    try:
        assert parse_player("shallow:depth=3,sight=3").description == "shallow:depth=3,plies=3"
    finally:
        forget("shallow")
    assert parse_player("uct:simulations=9,habits=3").description == "uct:simulations=9,mast=3"


def test_the_page_has_the_table_that_the_searches_declare():
    text = PAGE.read_text()
    assert text == TABLE.sub(lambda m: m[1] + "\n" + reference() + "\n" + m[2], text), (
        "run PYTHONPATH=tests:tests/support python tests/search/test_registry.py"
    )


@pytest.mark.parametrize("name", list(searches()))
def test_every_parameter_says_what_it_is(name):
    for each in parameters_of(searches()[name]).values():
        if each.name != "evaluation":
            assert each.help.endswith(".") and each.admits(each.default), each.name
        if each.kind in ("whole", "number") and each.optional:
            assert each.none, each.name


def test_a_name_is_taken_once():
    with pytest.raises(Unsuitable, match="there is a search called 'uct' already"):

        @dataclass(frozen=True)
        class Another(Search):
            name = "uct"


@pytest.mark.parametrize(
    ("declared", "good", "bad", "allowed"),
    [
        (Parameter("x", "whole", at_least=1), (1, 2**62), (0, 1.0, True, "1", 2**62 + 1, None), "of at least 1"),
        (Parameter("x", "whole", optional=True), (None, -5, 2**63), (0.5,), "a whole number, or None"),
        (Parameter("x", "number", at_least=0, below=1), (0, 0.5), (1.0, -0.1, float("nan")), "from 0 to less than 1"),
        (Parameter("x", "number", above=0, unit="s"), (0.1, 7), (0, float("inf"), True), "a positive number (s)"),
        (Parameter("x", "number", infinite=True), (float("inf"), 0), (float("nan"), "1"), "a number"),
        (Parameter("x", "yes"), (True, False), (1, "yes", None), "True or False"),
        (Parameter("x", "choice", choices=("a", "b")), ("a",), ("c", None), "one of 'a', 'b'"),
        (Parameter("x", "text"), ("", "a"), (1, None), "a text"),
    ],
)
def test_values_are_admitted_or_refused_in_a_sentence(declared, good, bad, allowed):
    for value in good:
        declared.check(value)
    for value in bad:
        with pytest.raises(BadLimits, match=r"x is .*; it (must be|can be at most)"):
            declared.check(value)
    assert declared.allowed.endswith(allowed)


def test_the_type_of_a_parameter_is_its_annotation():
    @dataclass
    class Some:
        number: float | None = parameter(None, at_least=0)
        count: int = 3
        actions: tuple[int, ...] = parameter((), help="Anything.")

    found = parameters_of(Some)
    assert [each.kind for each in found.values()] == ["number", "whole", "object"]
    assert found["number"].optional and not found["count"].optional and found["count"].default == 3


# ------------------------------------------------------------------ the toy rule is a rule
def test_a_power_of_one_half_is_uct():
    from toy_rule import PowerUct

    game = pf.load("connect4")
    mine = PowerUct(simulations=400, seed=5).search(game, native=False)
    uct = pf.search.Uct(simulations=400, seed=5).search(game, native=False)
    other = PowerUct(simulations=400, seed=5, power=0.9).search(game, native=False)
    forget("power_uct")
    assert mine.visits == uct.visits != other.visits


if __name__ == "__main__":
    text = PAGE.read_text()
    PAGE.write_text(TABLE.sub(lambda m: m[1] + "\n" + reference() + "\n" + m[2], text))
