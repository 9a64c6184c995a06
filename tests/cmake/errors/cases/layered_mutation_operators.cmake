# gputest_add_program(): p: MUTATION OPERATORS: 'a,b' is no name
gputest_add_program(p COMMAND user_program MUTATION OPERATORS a,b)
