"""Python's ways with tuples, lists and texts."""
