# gputest_add_cuda_program(): p: MUTATION SAMPLE is for OpenCL: leave it out
add_executable(cuda_s IMPORTED)
gputest_add_cuda_program(p TARGET cuda_s MUTATION SAMPLE 3)
