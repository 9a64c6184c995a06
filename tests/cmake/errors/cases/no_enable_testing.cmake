# gputest_add_kernel(): k: tests are off: call enable_testing() before, in the project's top CMakeLists.txt
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE 4)
