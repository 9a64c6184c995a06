# gputest_add_kernel(): k: DEVICES is for OpenCL C: leave it out, kernels of CUDA files run in the simulator
gputest_add_kernel(k SOURCE k.cu GLOBAL_SIZE 4 DEVICES gpu simulator)
