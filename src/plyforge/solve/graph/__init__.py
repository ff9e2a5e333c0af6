"""The state graph of a small game, and what is computed on it."""
