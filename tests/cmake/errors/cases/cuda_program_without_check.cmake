# gputest_add_cuda_program(): p: CHECK is missing
add_executable(cuda_p IMPORTED)
gputest_add_cuda_program(p TARGET cuda_p)
