"""Take one to three sticks; the rules claim that there are never more than two actions.

Breaks: max_actions is not exceeded
"""

from lawful.sticks import Sticks


class Broken(Sticks):
    max_actions = 2
