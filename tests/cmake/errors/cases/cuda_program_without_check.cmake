# gputest_add_cuda_program(): p: what is to be measured? Give COVERAGE, MUTATION, SCHEDULES, CHECK or MEMORY
add_executable(cuda_p IMPORTED)
gputest_add_cuda_program(p TARGET cuda_p)
