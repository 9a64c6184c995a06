# gputest_add_kernel(): k: device 'cpu' is for OpenCL C: give simulator, or gpu for a CUDA GPU
gputest_add_kernel(k SOURCE k.cu GLOBAL_SIZE 4 DEVICE cpu)
