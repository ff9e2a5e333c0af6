"""Whoever plays: our searches, models of opponents, outside programs, objects of somebody's own."""
