"""Models of how others play: p(a|s)."""
