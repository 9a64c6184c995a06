# gputest_add_kernel(): k: BUILD_OPTIONS is for OpenCL C: leave it out, and give macros with DEFINITIONS
gputest_add_kernel(k SOURCE k.cu GLOBAL_SIZE 4 BUILD_OPTIONS -cl-fast-relaxed-math)
