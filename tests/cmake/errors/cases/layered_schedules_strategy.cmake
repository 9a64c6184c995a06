# gputest_add_program(): p: SCHEDULES STRATEGY: 'best' is none of permute, first, serial, reverse, all
gputest_add_program(p COMMAND user_program SCHEDULES STRATEGY best)
