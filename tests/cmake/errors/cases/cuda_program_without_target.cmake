# gputest_add_cuda_program(): p: TARGET is missing
gputest_add_cuda_program(p CHECK)
