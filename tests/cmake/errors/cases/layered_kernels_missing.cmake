# gputest_add_program(): p: KERNELS: no file matches
gputest_add_program(p COMMAND user_program KERNELS none/*.cl)
