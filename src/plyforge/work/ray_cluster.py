"""Workers on a Ray cluster (an extra: `pip install plyforge[cluster]`): `ray` begins one on this machine, `ray:ADDRESS`
joins the one there.

A worker is an actor with one core to itself; Ray chooses the machine, and finds another one when a machine is lost.
What goes through Ray is text, in the JSON of all workers. Ray itself moves pickled objects between its processes, so
whoever can talk to a cluster can run programs on it: its token authentication is on, and it has no dashboard.

Nothing of Ray is imported before it is asked for.
"""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import queue
import secrets
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from plyforge.errors import BadText, PlyforgeError
from plyforge.work.mailbox import Gone, Post
from plyforge.work.worker import Worker

JOINING = 20.0
"""Seconds in which a cluster must answer."""
KNOCKING = 5.0
"""Seconds in which somebody must be found at its address."""
POLL = 0.5
"""Seconds after which those who wait for words look for new workers."""
MODE, TOKEN, TOKEN_FILE = "RAY_AUTH_MODE", "RAY_AUTH_TOKEN", "RAY_AUTH_TOKEN_PATH"
NICENESS = "RAY_worker_niceness"
"""Ray would have its workers yield to everybody else on a machine (15): beside other work they got a twentieth of what
our own processes got. Machines of a cluster that we join have their own."""
USUAL_TOKEN_FILE = Path("~/.ray/auth_token")
"""Where Ray looks for a token that nobody names."""


class Ray:
    """A cluster as a launcher."""

    def __init__(self, address: str | None = None) -> None:
        """Begin a cluster here, or join one. Raises PlyforgeError where Ray is not installed, or nobody answers."""
        self.name = "ray" if address is None else f"ray:{address}"
        if address is not None:
            _require_somebody_at(address)
        self._ray = ray = _import_ray(address)
        self._ours = not ray.is_initialized()
        if address is not None and self._ours:
            _require_cluster_at(address)
        if self._ours:
            alone: dict[str, Any] = {"include_dashboard": False, "_node_ip_address": "127.0.0.1"}
            try:
                ray.init(
                    address=address or "local",
                    log_to_driver=False,
                    logging_level="error",
                    configure_logging=False,
                    **(alone if address is None else {}),
                )
            except Exception as error:
                what = "Ray can't be started here" if address is None else f"the cluster at {address} can't be joined"
                raise PlyforgeError(f"{what}: {_first_line(error)}") from None
        self._actor = ray.remote(num_cpus=1, max_restarts=0, max_concurrency=2)(RayWorker)

    @property
    def cores(self) -> int:
        """Of the whole cluster."""
        return max(1, int(self._ray.cluster_resources().get("CPU", 1)))

    def start(self, post: Post) -> RayHandle:
        """One more."""
        return RayHandle(self._ray, self._actor, post)

    def close(self) -> None:
        """Leave the cluster; one that was begun here ends."""
        if self._ours:
            with contextlib.suppress(Exception):
                self._ray.shutdown()


class RayWorker:
    """The actor: a worker whose words are fetched."""

    def __init__(self) -> None:
        self._words: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        self._worker = Worker(self._words.put, self._leave)
        threading.Thread(target=self._worker.work, daemon=True).start()

    def _leave(self, code: int) -> None:
        """End when the last words have been fetched."""
        while not self._words.empty():
            time.sleep(POLL)
        time.sleep(POLL)
        os._exit(code)

    def hear(self, text: str) -> None:
        """Words from the coordinator, as JSON."""
        self._worker.hear(json.loads(text))

    def words(self) -> str:
        """What the worker has said since the last time, as JSON; waited for."""
        found = []
        with contextlib.suppress(queue.Empty):
            found.append(self._words.get(timeout=POLL))
            while True:
                found.append(self._words.get_nowait())
        return json.dumps(found)


class RayHandle:
    """An actor, as it is seen from here. A thread waits for its words."""

    def __init__(self, ray: Any, actor: Any, post: Post) -> None:
        self._ray, self._post, self._over = ray, post, False
        self._actor = actor.remote()
        threading.Thread(target=self._listen, daemon=True).start()

    def send(self, said: dict[str, Any]) -> None:
        """In the order in which it is sent."""
        with contextlib.suppress(Exception):  # it has died: its end is on the way
            self._actor.hear.remote(json.dumps(said))

    def leave(self) -> None:
        """Nobody needs it any more."""
        self._over = True

    def has_started(self, programs: Sequence[int]) -> None:
        """Ray ends what its actors have started."""

    def kill(self) -> None:
        """At once."""
        self._over = True
        with contextlib.suppress(Exception):
            self._ray.kill(self._actor, no_restart=True)

    def _listen(self) -> None:
        while not self._over:
            try:
                for said in json.loads(self._ray.get(self._actor.words.remote())):
                    self._post(self, said)
            except Exception as error:  # whatever it is, there is no worker any more
                if not self._over:
                    self._post(self, Gone(f"its actor ended: {_first_line(error)}", True))
                return


def _import_ray(address: str | None) -> Any:
    """The module, which looks at its environment when it is imported: so authentication is on before that."""
    if importlib.util.find_spec("ray") is None:
        raise PlyforgeError("Ray is not installed: pip install 'plyforge[cluster]', or work with --on local")
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault(NICENESS, "0")
    _authenticate(address)
    import ray

    return ray


def _require_somebody_at(address: str) -> None:
    """Ray asks for minutes where nobody is, and can't be told to stop: so we knock first. Raises PlyforgeError."""
    host, _, port = address.rpartition(":")
    if not host or not port.isdigit():
        raise BadText(f"ray:{address}: an address is a machine and a port, as in ray:head:6379")
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=KNOCKING).close()
    except (OSError, OverflowError) as error:
        raise PlyforgeError(
            f"nobody is at {address}: {error.strerror if isinstance(error, OSError) and error.strerror else error}."
            " Begin the cluster there: ray start --head"
        ) from None


def _authenticate(address: str | None) -> None:
    """Token authentication on, for our processes and all that they start; a cluster of our own gets a token that
    nobody else knows."""
    os.environ.setdefault(MODE, "token")
    if address is None and TOKEN not in os.environ and TOKEN_FILE not in os.environ:
        os.environ[TOKEN] = secrets.token_hex(32)


def _require_cluster_at(address: str) -> None:
    """Ray, asked for a cluster where there is none or whose token is another one, tries for minutes, and can't be told
    to stop: so a process of its own asks for the cluster's health. Raises PlyforgeError."""
    known = any(name in os.environ for name in (TOKEN, TOKEN_FILE)) or USUAL_TOKEN_FILE.expanduser().is_file()
    if os.environ[MODE] == "token" and not known:
        raise PlyforgeError(
            f"the cluster at {address} wants a token: put that with which it was begun into {TOKEN}, or the name of its"
            f" file into {TOKEN_FILE}"
        )
    asking = [sys.executable, "-m", "ray.scripts.scripts", "health-check", "--address", address]
    try:
        asked = subprocess.run(asking, capture_output=True, text=True, timeout=JOINING, check=False)
    except subprocess.TimeoutExpired:
        raise PlyforgeError(
            f"whoever is at {address} does not answer as a Ray cluster: begin one there by ray start --head"
        ) from None
    if "AuthToken" in asked.stderr:
        raise PlyforgeError(
            f"the cluster at {address} does not know our token: put that with which it was begun into {TOKEN}, or the"
            f" name of its file into {TOKEN_FILE}"
        )
    if asked.returncode:
        words = next((line.strip() for line in reversed(asked.stderr.splitlines()) if line.strip()), "no reason given")
        raise PlyforgeError(f"there is no healthy Ray cluster at {address}: {words[:200]}")


def _first_line(error: BaseException) -> str:
    words = next((line.strip() for line in str(error).splitlines() if line.strip()), "")
    return f"{type(error).__name__}: {words[:200]}" if words else type(error).__name__


__all__ = ["Ray"]
