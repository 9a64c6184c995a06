# gputest_add_program(): p: COVERAGE BRANCH: '101' is not a percentage
gputest_add_program(p COMMAND user_program COVERAGE BRANCH 101)
