"""A program that keeps a core busy as long as its parent lives."""

from __future__ import annotations

BUSY = "import os, sys\nparent = os.getppid()\nwhile os.getppid() == parent:\n    for _ in range(100000): pass"
