"""Languages in which other programs use Plyforge."""
