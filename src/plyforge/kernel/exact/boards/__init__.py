"""Boards in words: tuples of cells packed into whole numbers.

All modules are imported here, in this order: each adds its forms to the primitives of those before it.
"""

from plyforge.kernel.exact.boards import boards, comparing, conversion

__all__ = ["boards", "comparing", "conversion"]
