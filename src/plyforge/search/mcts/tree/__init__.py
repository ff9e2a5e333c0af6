"""The tree in memory: grown by one thread or many, kept between moves, read."""
