# gputest_add_cuda_program(): p: DEVICE: 'opencl' is not known
add_executable(cuda_q IMPORTED)
gputest_add_cuda_program(p TARGET cuda_q CHECK DEVICE opencl)
