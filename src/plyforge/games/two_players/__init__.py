"""Two players who take turns and see everything, a file each."""
