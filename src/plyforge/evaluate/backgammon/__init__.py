"""Opinions about backgammon.

features.py   what an evaluation adds up
encoding.py   what a network is told, and the game's own evaluation
bear_off.py   the end of a race, looked up
"""
