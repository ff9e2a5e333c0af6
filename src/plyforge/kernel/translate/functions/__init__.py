"""Functions inside functions, functions that call themselves, functions that list."""
