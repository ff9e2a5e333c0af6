"""Values by playing on: rollouts, and bearing off exactly."""
