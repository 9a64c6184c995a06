# gputest_add_program(): p: MEMORY CACHES warm is for CUDA and HIP
gputest_add_program(p COMMAND user_program MEMORY CACHES warm GPU h200)
