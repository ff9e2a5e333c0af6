"""Python's arithmetic on machine words, exactly."""
