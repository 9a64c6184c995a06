# gputest_add_kernel(): k: FUNCTION is for OpenCL C: write a kernel that calls the function
gputest_add_kernel(k SOURCE k.cu GLOBAL_SIZE 4 FUNCTION f)
