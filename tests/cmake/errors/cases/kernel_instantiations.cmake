# COVERAGE INSTANTIATIONS is for CUDA programs only: leave it out
gputest_add_kernel(k SOURCE k.cl KERNEL k GLOBAL_SIZE 64 COVERAGE INSTANTIATIONS apart)
