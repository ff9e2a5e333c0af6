"""The Learn view: runs of `plyforge learn`, as their files tell of them."""
