"""Exact values, proofs, equilibria, and plans for every eventuality."""
