# gputest_add_kernel(): k: CL_STD: 'CL9.9' is none of CL1.2, CL2.0, CL3.0
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE 4 CL_STD CL9.9)
