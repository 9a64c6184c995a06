// Empty: Clang 19 includes this file, which CUDA 13 has removed together with texture references.
