# gputest_add_program(): p: ORACLE: 'STDOUT' is not known: give one or several of EXIT_CODE, OUTPUT and READS
gputest_add_program(p TARGET user_program ARGS all MUTATION ORACLE STDOUT)
