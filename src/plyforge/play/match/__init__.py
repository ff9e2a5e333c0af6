"""Matches: games under a referee, in worker processes, on record; what they say about strength."""
