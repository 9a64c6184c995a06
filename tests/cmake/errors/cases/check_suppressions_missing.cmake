# gputest_add_kernel(): k: CHECK SUPPRESSIONS: there is no file
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE 4 CHECK SUPPRESSIONS none.suppressions)
