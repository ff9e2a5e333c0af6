"""Selection rules of Monte Carlo tree search, one file each."""
