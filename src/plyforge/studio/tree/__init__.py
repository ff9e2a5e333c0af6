"""The Tree view: a recorded search, its steps, its pictures."""
