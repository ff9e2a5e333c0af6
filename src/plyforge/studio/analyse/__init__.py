"""The Analyse view: a position that can be moved about, and algorithms that think about it."""
