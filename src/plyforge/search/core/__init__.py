"""What all searches share: parameters, limits, results, how one is run."""
