# gputest_add_kernel(): k: INTERFACE: there is no file
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE 4 INTERFACE none.json)
