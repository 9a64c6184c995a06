# gputest_add_kernel(): k: REFERENCE HOST is for a FUNCTION of a CUDA or HIP file: name a C++ file
gputest_add_kernel(k SOURCE k.cu GLOBAL_SIZE 4 REFERENCE HOST)
