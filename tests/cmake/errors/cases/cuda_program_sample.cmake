# gputest_add_cuda_program(): p: MUTATION SAMPLE: '0.5' is not a whole number, at least 1
add_executable(cuda_s IMPORTED)
gputest_add_cuda_program(p TARGET cuda_s MUTATION SAMPLE 0.5)
