"""The web face: play, analyse and see the search, in a browser. See docs/decisions/0014-the-studio.md."""
