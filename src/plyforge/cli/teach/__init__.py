"""Questions and exercises."""
