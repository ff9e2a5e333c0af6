"""Take one to three sticks; lowest is above highest.

Breaks: the claims make sense
"""

from lawful.sticks import Sticks


class Broken(Sticks):
    min_utility = 1.0
    max_utility = -1.0
