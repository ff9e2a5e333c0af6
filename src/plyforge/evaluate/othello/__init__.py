"""Opinions about Othello.

features.py   what an evaluation adds up
patterns.py   one of these features: tables of what discs on squares that lie together are worth
encoding.py   the features for weighted sums, and the game's own evaluation
"""
