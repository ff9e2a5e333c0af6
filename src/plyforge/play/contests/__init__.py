"""Contests made of matches: tables of assumptions, tournaments, the repeated prisoner's dilemma."""
