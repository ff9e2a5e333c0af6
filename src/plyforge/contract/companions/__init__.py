"""The companions of a game, a file each: what it may tell beyond its six functions."""
