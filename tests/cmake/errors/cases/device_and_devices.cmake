# gputest_add_kernel(): k: DEVICE and DEVICES exclude each other
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE 4 DEVICE cpu DEVICES gpu simulator)
