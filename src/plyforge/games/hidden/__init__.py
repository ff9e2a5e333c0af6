"""Games in which players don't see everything."""
