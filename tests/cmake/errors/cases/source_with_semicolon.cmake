# gputest_add_kernel(): k: SOURCE: 'a;b.cl' has a ; in its name, which CMake cannot handle: rename it
gputest_add_kernel(k SOURCE "a;b.cl" GLOBAL_SIZE 4)
