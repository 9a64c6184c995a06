# gputest_add_program(): p: DEVICE is for CUDA programs: an OpenCL program chooses its device itself
gputest_add_program(p TARGET user_program DEVICE gpu)
