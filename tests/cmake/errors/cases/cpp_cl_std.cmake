# gputest_add_kernel(): k: CL_STD: 'CL2.0' is none of CLC++1.0, CLC++2021, the versions of C++ for OpenCL
gputest_add_kernel(k SOURCE k.clcpp GLOBAL_SIZE 4 CL_STD CL2.0)
