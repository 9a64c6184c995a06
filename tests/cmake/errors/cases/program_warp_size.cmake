# gputest_add_program(): p: WARP_SIZE is for CUDA programs: sub-groups of OpenCL have the size of the environment variable GPUTEST_SUB_GROUP_SIZE
gputest_add_program(p TARGET user_program WARP_SIZE 64)
