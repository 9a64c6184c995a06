# gputest_add_cuda_program(): p: SCHEDULES TIME_LIMIT is for OpenCL programs
add_executable(cuda_r IMPORTED)
gputest_add_cuda_program(p TARGET cuda_r SCHEDULES 5 TIME_LIMIT 5min)
