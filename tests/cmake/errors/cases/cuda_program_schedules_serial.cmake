# gputest_add_cuda_program(): p: SCHEDULES STRATEGY serial is for OpenCL
add_executable(cuda_r IMPORTED)
gputest_add_cuda_program(p TARGET cuda_r SCHEDULES STRATEGY serial)
