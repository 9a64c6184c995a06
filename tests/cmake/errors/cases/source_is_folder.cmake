# gputest_add_kernel(): k: SOURCE: there is no file
gputest_add_kernel(k SOURCE . GLOBAL_SIZE 4)
