# gputest_add_kernel(): k: GENERATE needs a kernel: cases for a FUNCTION cannot be generated
gputest_add_kernel(k SOURCE k.cl FUNCTION f GLOBAL_SIZE 4 GENERATE)
