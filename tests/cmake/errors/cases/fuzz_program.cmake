# gputest_add_program(): p: FUZZ is for gputest_add_kernel() only: leave it out
gputest_add_program(p COMMAND user_program FUZZ 10)
