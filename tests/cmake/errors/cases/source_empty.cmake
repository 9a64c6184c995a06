# gputest_add_kernel(): k: SOURCE is missing: name the file the kernel is in
gputest_add_kernel(k SOURCE "" GLOBAL_SIZE 4)
