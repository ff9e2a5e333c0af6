"""The engine for games with dice."""
