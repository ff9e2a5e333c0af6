"""`plyforge studio`: play, analyse and see the search, in a browser."""

from __future__ import annotations

import click

from plyforge.cli import options


@click.command("studio", short_help="Play, analyse and see the search, in a browser.")
@click.argument("rules", nargs=-1, metavar="[RULES.py ...]")
@click.option(
    "--port", type=click.IntRange(1, 65535), help="Where to listen. Default: 8765, or any that is free."
)
@click.option("--no-browser", is_flag=True, help="Only print the link.")
@options.JSON
def command(rules: tuple[str, ...], port: int | None, no_browser: bool, as_json: bool) -> None:
    """Start the studio, print its link, and open it in a browser where there is one. Ctrl-C ends it.

    \b
    plyforge studio
    plyforge studio my_rules.py other.py:Game
    plyforge studio --port 9000 --no-browser

    RULES are rules files of your own, which then stand beside the other games. The studio answers only to this machine, and only to a browser that has opened the link.
    """
    import logging
    import threading

    from plyforge.studio.server import Studio

    studio = Studio(rules)
    studio.listen(port)
    if as_json:
        options.print_json({"link": studio.link, "port": studio.port})
    else:
        click.echo(f"The studio is open:  {studio.link}\nCtrl-C closes it.")
    if not no_browser and not as_json:
        threading.Thread(target=_open_browser, args=(studio.link,), daemon=True).start()
    logging.getLogger("asyncio").setLevel(
        logging.ERROR
    )  # that a page went in the middle of a frame is no news
    studio.serve()
    if not as_json:
        click.echo("The studio is closed.")


def _open_browser(link: str) -> None:
    """Open the link, where there is a browser with a window: one that runs in the terminal would take it over."""
    import os
    import sys
    import webbrowser

    if sys.platform.startswith("linux") and not (
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    ):
        return
    try:
        browser = webbrowser.get()
    except webbrowser.Error:
        return
    if isinstance(browser, webbrowser.GenericBrowser) and not isinstance(
        browser, webbrowser.BackgroundBrowser
    ):
        return
    browser.open(link)
