# gputest_add_cuda_program(): p: COVERAGE BRANCH
add_executable(cuda_t IMPORTED)
gputest_add_cuda_program(p TARGET cuda_t COVERAGE BRANCH 101)
