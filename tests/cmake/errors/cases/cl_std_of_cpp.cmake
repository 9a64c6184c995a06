# gputest_add_kernel(): k: CL_STD: 'CLC++2021' is C++ for OpenCL: give its file the ending .clcpp
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE 4 CL_STD CLC++2021)
