# gputest_add_kernel(): k: CXX_STANDARD is for CUDA and HIP files: for OpenCL C, give CL_STD
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE 4 CXX_STANDARD 20)
