"""Sets of cells, and dicts from cells to pieces, that states hold."""
