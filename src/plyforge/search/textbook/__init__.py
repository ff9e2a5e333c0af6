"""The searches of the lectures, one a file, in the lecture's form."""
