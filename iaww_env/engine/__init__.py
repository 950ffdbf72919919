"""The rules as kernels: numpy and numba only, over rows of one int16 tensor."""
