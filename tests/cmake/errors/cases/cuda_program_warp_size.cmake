# gputest_add_cuda_program(): p: WARP_SIZE: '16' is no size of a warp: give 32 or 64
add_executable(cuda_q IMPORTED)
gputest_add_cuda_program(p TARGET cuda_q CHECK WARP_SIZE 16)
