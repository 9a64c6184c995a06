# gputest_add_kernel(): k: BUILD_OPTIONS: '-DN=4' changes the kernel: give it with DEFINITIONS, so that instrumentation sees it, too
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE 4 BUILD_OPTIONS -DN=4)
