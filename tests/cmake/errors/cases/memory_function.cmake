# gputest_add_kernel(): k: MEMORY needs a kernel: a FUNCTION has no warps of its own
gputest_add_kernel(k SOURCE k.cl FUNCTION f GLOBAL_SIZE 4 MEMORY)
