"""Languages in which programs talk to each other about games."""
