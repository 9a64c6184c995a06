# gputest_add_kernel(): k: the project has a target 'fuzz' already: choose a prefix for GpuTestCheck's, such as set(GPUTEST_TARGET_PREFIX gpu_), which makes it 'gpu_fuzz'
add_custom_target(fuzz)
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE 4 FUZZ 10)
