# gputest_add_kernel(): k: CL_STD is for OpenCL C: give CXX_STANDARD, such as 20
gputest_add_kernel(k SOURCE k.cu GLOBAL_SIZE 4 CL_STD CL2.0)
