"""What to play in a position, how the search went, and how fast it is."""
