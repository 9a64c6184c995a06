# gputest_add_program(): p: COMMAND is missing
gputest_add_program(p KERNELS k.cl)
