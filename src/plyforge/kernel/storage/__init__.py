"""What kernels write to: fields, buffers, blocks and lists, the same at both speeds."""
