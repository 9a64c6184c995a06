# gputest_add_kernel(): k: device 'opencl' is for OpenCL C: give simulator, or gpu for a GPU of CUDA's
gputest_add_kernel(k SOURCE k.cu GLOBAL_SIZE 4 DEVICES gpu opencl)
