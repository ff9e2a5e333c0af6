"""Compiled code tried in a process of its own, and compared with the rules as they are."""
