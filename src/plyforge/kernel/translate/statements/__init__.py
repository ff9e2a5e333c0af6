"""Statements, rewritten: branches, loops, assignments, and what changes in place."""
