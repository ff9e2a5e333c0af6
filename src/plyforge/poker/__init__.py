"""Poker: hands are told apart, ranges meet, and the last decisions of hold'em are solved.

cards.py        cards, hands and classes of hands as text and numbers
evaluator.py    how strong five, six or seven cards are
matchups.py     each of the 169 classes of hands against each, over all boards
"""
