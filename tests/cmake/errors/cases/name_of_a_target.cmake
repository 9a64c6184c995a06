# gputest_add_kernel(): k: the project has a target 'k_harness' already: choose another name for the kernel
add_custom_target(k_harness)
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE 4)
