"""What a page is told: positions, games and searches as plain JSON values, and values in words."""
