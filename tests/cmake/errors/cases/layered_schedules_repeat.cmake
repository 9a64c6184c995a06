# gputest_add_program(): p: SCHEDULES REPEAT is for gputest_add_kernel() only
gputest_add_program(p COMMAND user_program SCHEDULES 10 REPEAT 2)
