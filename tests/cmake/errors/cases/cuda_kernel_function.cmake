# gputest_add_kernel(): k: FUNCTION is for OpenCL C. To test a device function of CUDA, write a file beside k.cu, such as test_f.cu, with #include "k.cu" and a kernel that calls f
gputest_add_kernel(k SOURCE k.cu GLOBAL_SIZE 4 FUNCTION f)
