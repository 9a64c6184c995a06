# gputest_add_program(): p: TARGET and COMMAND: give one of them
gputest_add_program(p TARGET user_program COMMAND user_program)
