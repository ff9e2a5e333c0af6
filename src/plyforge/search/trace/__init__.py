"""Watching a search: every node, every cut, and why."""
