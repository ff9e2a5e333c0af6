"""Games and their rules: what there is, a file to begin with, is it lawful."""
