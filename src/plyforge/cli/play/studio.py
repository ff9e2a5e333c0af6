"""`plyforge studio`: play, analyse and see the search, in a browser."""

from __future__ import annotations

from typing import Any

import click

from plyforge.cli import options


@click.command("studio", short_help="Play, analyse and see the search, in a browser.")
@click.argument("rules", nargs=-1, metavar="[RULES.py ...]")
@click.option("--port", type=click.IntRange(1, 65535), help="Where to listen. Default: 8765, or any that is free.")
@click.option("--no-browser", is_flag=True, help="Only print the link.")
@options.JSON
def command(rules: tuple[str, ...], port: int | None, no_browser: bool, as_json: bool) -> None:
    """Start the studio, print its link, and open it in a browser where there is one. Ctrl-C ends it.

    \b
    plyforge studio
    plyforge studio my_rules.py other.py:Game
    plyforge studio --port 9000 --no-browser

    RULES are rules files of your own, which then stand beside the other games. The studio answers only to this machine,
    and only to a browser that has opened the link.
    """
    import contextlib
    import logging
    import threading

    from plyforge.studio.server.server import Studio
    from plyforge.studio.server.signpost import signpost

    studio = Studio(rules)
    studio.listen(port)
    if as_json:
        options.print_json({"link": studio.link, "port": studio.port})
    else:
        click.echo(f"The studio is open:  {studio.link}\nCtrl-C closes it.")
    logging.getLogger("asyncio").setLevel(logging.ERROR)  # that a page went in the middle of a frame is no news
    with contextlib.ExitStack() as open_ones:
        if not no_browser and not as_json and (browser := _browser()) is not None:
            with contextlib.suppress(OSError):
                there = open_ones.enter_context(signpost(studio.link))
                threading.Thread(target=browser.open, args=(there,), daemon=True).start()
        studio.serve()
    if not as_json:
        click.echo("The studio is closed.")


def _browser() -> Any:
    """A browser with a window, where there is one: one that runs in the terminal would take it over."""
    import os
    import sys
    import webbrowser

    if sys.platform.startswith("linux") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return None
    try:
        browser = webbrowser.get()
    except webbrowser.Error:
        return None
    if isinstance(browser, webbrowser.GenericBrowser) and not isinstance(browser, webbrowser.BackgroundBrowser):
        return None
    return browser
