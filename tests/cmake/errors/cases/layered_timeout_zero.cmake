# gputest_add_program(): p: TIMEOUT: '0' is not a number of seconds above 0
gputest_add_program(p COMMAND user_program TIMEOUT 0)
