"""UCI, the Universal Chess Interface, from both sides."""
