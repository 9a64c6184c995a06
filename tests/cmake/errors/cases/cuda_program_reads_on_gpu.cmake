# gputest_add_cuda_program(): p: ORACLE READS needs DEVICE simulator: on a GPU nobody records what the program reads back
add_executable(cuda_r IMPORTED)
gputest_add_cuda_program(p TARGET cuda_r MUTATION DEVICE gpu ORACLE OUTPUT READS)
