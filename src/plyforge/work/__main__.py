"""`python -m plyforge.work`: a worker, over standard input and output. Nobody types this: command launchers run it."""

from plyforge.work.worker import main

if __name__ == "__main__":
    main()
