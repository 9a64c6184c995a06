# gputest_add_kernel(): k: PROPERTY: there is no file
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE 4 PROPERTY none.cpp)
