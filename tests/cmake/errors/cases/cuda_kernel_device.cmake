# gputest_add_kernel(): k: DEVICE 'gpu': kernels of CUDA files run in the simulator: leave DEVICE out
gputest_add_kernel(k SOURCE k.cu GLOBAL_SIZE 4 DEVICE gpu)
