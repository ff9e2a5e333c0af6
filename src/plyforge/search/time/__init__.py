"""Clocks, and who keeps the time of a search."""
