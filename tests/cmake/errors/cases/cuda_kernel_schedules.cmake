# gputest_add_kernel(): k: SCHEDULES is for OpenCL C: leave it out
gputest_add_kernel(k SOURCE k.cu GLOBAL_SIZE 4 SCHEDULES)
