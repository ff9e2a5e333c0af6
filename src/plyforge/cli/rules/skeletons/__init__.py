"""What `plyforge new` writes: small lawful games, each a file to be changed into somebody's own. `MyGame` becomes
their name."""
