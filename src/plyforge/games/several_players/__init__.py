"""Three players and more."""
