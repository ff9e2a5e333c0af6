"""`python -m plyforge` is the command line."""

from plyforge.cli import main

main()
