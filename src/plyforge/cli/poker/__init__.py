"""Hold'em."""
