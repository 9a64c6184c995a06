# gputest_add_cuda_program(): p: MEMORY is for OpenCL programs, and cuda_m is a CUDA program: leave it out
add_executable(cuda_m IMPORTED)
gputest_add_cuda_program(p TARGET cuda_m MEMORY)
