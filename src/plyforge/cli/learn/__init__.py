"""Opinions and models made from games."""
