"""Trees written down or made up: the figures of the lectures, and synthetic games."""
