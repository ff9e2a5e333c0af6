"""Opinions about chess.

features.py   what an evaluation adds up
squares.py    piece-square tables
encoding.py   both for weighted sums, and the game's own evaluation
classic.py    two old evaluations: material alone, and Turing's ratio
"""
