# gputest_add_kernel(): k: BUILD_OPTIONS: '-DN=4' decides what the kernel is: give it with DEFINITIONS, so that what is instrumented is what runs
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE 4 BUILD_OPTIONS -DN=4)
