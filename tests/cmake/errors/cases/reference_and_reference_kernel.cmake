# gputest_add_kernel(): k: REFERENCE and REFERENCE_KERNEL exclude each other: one of them says what is right
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE 4 REFERENCE program.cpp REFERENCE_KERNEL k.cl)
