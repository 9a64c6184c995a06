# gputest_add_cuda_program(): p: COVERAGE INSTANTIATIONS: 'both' is none of merged, apart
add_executable(cuda_s IMPORTED)
gputest_add_cuda_program(p TARGET cuda_s COVERAGE INSTANTIATIONS both)
