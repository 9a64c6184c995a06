# COVERAGE INSTANTIATIONS is for gputest_add_cuda_program() only: leave it out
gputest_add_kernel(k SOURCE k.cl KERNEL k GLOBAL_SIZE 64 COVERAGE INSTANTIATIONS apart)
