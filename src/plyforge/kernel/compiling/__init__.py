"""From Constants and kernels to machine code: types for Numba, what is kept, and why something can't be."""
