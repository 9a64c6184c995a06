# gputest_add_program(): p: WARP_SIZE is for CUDA programs: sub-groups of OpenCL have 32 work-items in the simulator
gputest_add_program(p TARGET user_program WARP_SIZE 64)
