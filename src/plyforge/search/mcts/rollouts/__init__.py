"""What players do in rollouts."""
