"""What a person does on a page of the studio, each as a visit; and what a process takes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from patience import FOR_A_PROCESS
from studio_client import Client


def play(client: Client) -> None:
    client.ask("play.new", game="connect4", players=["human", "engine:nodes=50"], clock=[5, 0])
    client.ask("play.move", text="4")
    while client.wait_for("play", FOR_A_PROCESS)["ply"] < 2:
        pass


def play_on(client: Client) -> None:
    """Left in the middle of a thought."""
    client.ask("play.new", game="connect4", players=["engine:seconds=60", "human"])
    client.wait_for("thinking", FOR_A_PROCESS)


def advice(client: Client) -> None:
    client.ask("play.new", game="tic_tac_toe", players=["human", "human"])
    client.ask("play.hint", step=1)
    client.wait_for("hint", FOR_A_PROCESS)
    client.ask("play.move", text="5")
    client.ask("play.review")
    while not client.wait_for("review", FOR_A_PROCESS)["done"]:
        pass


def analyse(client: Client) -> None:
    client.ask("analyse.open", game="connect4")
    client.ask("analyse.start", sides=[{"using": "engine"}, {"using": "uct"}], limits={"seconds": 0.05})
    for _ in "ab":
        while client.wait_for("analysis", FOR_A_PROCESS)["status"] != "ended":
            pass


def compare(client: Client) -> None:
    client.ask("analyse.open", game="tic_tac_toe")
    client.ask("analyse.compare", seconds=0.05, using=["engine", "minimax"])
    while not client.wait_for("compared", FOR_A_PROCESS)["done"]:
        pass


def tree(client: Client) -> None:
    for using in ("minimax", "uct"):
        assert "error" not in client.ask("tree.record", source={"game": "tic_tac_toe"}, using=using, depth=3)
    client.ask("tree.step", number=3)


VISITS: tuple[Callable[[Client], None], ...] = (play, play_on, advice, analyse, compare, tree)


def memory() -> float:
    """What this process takes, in MB; 0 where nobody says."""
    status = Path("/proc/self/status")
    if not status.exists():
        return 0.0
    return next(int(line.split()[1]) / 1024 for line in status.read_text().splitlines() if line.startswith("VmRSS"))
