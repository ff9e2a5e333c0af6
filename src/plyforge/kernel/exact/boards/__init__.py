"""Boards in words: tuples of cells packed into whole numbers."""
