# gputest_add_cuda_program(): p: MEMORY needs DEVICE simulator: a GPU cannot do it
add_executable(cuda_r IMPORTED)
gputest_add_cuda_program(p TARGET cuda_r MEMORY DEVICE gpu)
