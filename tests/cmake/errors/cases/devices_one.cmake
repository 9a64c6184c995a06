# gputest_add_kernel(): k: DEVICES: name two devices or more
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE 4 DEVICES simulator)
