"""Many games between many players: scores and ratings with errors."""
