"""Databases of solved endings: how they are built, verified, and looked up."""
