// Clang 19 includes this file, which CUDA 13 has no more: texture references are gone.
