"""The Quiz view: questions about a tree, and sheets of exercises."""
