"""Expressions, rewritten: operators, calls, comprehensions, constants."""
