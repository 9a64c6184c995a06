# gputest_add_kernel(): k: CHECK HOST is for gputest_add_program() only: leave it out
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE 4 CHECK HOST)
