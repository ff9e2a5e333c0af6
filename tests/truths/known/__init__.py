"""What is known of games from elsewhere: counts, values and positions, one module a game, in tables of our own.

They are here so that no truth needs more than a clone. Whole public test sets stay outside; see `paths.DATA`.
"""
