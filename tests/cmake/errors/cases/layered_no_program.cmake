# gputest_add_program(): p: COMMAND: there is neither a target nor a program 'no-such-program'
gputest_add_program(p COMMAND no-such-program --all)
