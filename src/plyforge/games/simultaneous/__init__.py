"""Everybody chooses at once."""
