"""One player alone, or against chance."""
