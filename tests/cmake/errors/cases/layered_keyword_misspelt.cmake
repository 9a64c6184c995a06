# gputest_add_program(): p: 'KERNAL' is not expected here
gputest_add_program(p KERNAL k.cl COMMAND user_program)
