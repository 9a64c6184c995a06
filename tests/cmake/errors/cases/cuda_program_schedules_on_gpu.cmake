# gputest_add_cuda_program(): p: SCHEDULES needs DEVICE simulator: a GPU takes no orders
add_executable(cuda_r IMPORTED)
gputest_add_cuda_program(p TARGET cuda_r SCHEDULES DEVICE gpu)
