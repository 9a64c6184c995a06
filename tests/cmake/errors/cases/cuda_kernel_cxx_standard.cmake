# gputest_add_kernel(): k: CXX_STANDARD: '98' is none of 11, 14, 17, 20, 23
gputest_add_kernel(k SOURCE k.cu GLOBAL_SIZE 4 CXX_STANDARD 98)
