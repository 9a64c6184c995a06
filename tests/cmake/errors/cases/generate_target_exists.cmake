# gputest_add_kernel(): k: the project has a target 'generate' already: choose a prefix for GpuTestCheck's, such as set(GPUTEST_TARGET_PREFIX gpu_), which makes it 'gpu_generate'
add_custom_target(generate)
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE 4 GENERATE)
