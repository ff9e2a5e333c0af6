"""How a run learns: `learner.py` says what a method is, and each has a file.

td_learner.py             TD(lambda) with temporal coherence, for n-tuples: td.py its kernels
tree_learner.py           what the engine's searches say, for networks: search_play.py its kernels
puct_learner.py           what tree searches prefer, for value and policy
network_learner.py        what these two share
"""
