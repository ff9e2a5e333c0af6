"""The alpha-beta engine: iterative deepening with a transposition table, move ordering, pruning."""
