# gputest_add_kernel(): k: FUZZ needs a kernel: inputs for a FUNCTION cannot be made
gputest_add_kernel(k SOURCE k.cl FUNCTION f GLOBAL_SIZE 4 FUZZ 10)
