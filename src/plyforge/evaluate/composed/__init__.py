"""Evaluations made of others: one early and one late, states known by heart before any."""
