# gputest_add_program(): p: MUTATION REPEAT is for gputest_add_kernel() only
gputest_add_program(p COMMAND user_program MUTATION REPEAT 2)
