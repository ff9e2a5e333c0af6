"""The steps of the engine's kernels, each under its name of the field."""
