# gputest_add_kernel(): k: REFERENCE: there is no file
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE 4 REFERENCE none.cpp)
