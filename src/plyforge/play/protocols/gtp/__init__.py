"""GTP, the Go Text Protocol, from both sides."""
