"""The engine's interpreted speed: its kernels written out for one game."""
