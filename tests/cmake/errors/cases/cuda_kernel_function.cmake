# gputest_add_kernel(): k: FUNCTION is for OpenCL C: to test f() of CUDA, write a file f_kernel.cu beside k.cu that includes it
gputest_add_kernel(k SOURCE k.cu GLOBAL_SIZE 4 FUNCTION f)
