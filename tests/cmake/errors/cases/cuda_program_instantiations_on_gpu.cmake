# gputest_add_cuda_program(): p: COVERAGE INSTANTIATIONS needs DEVICE simulator: a GPU cannot do it
add_executable(cuda_t IMPORTED)
gputest_add_cuda_program(p TARGET cuda_t COVERAGE INSTANTIATIONS apart BRANCH 80 DEVICE gpu)
