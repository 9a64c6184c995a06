# gputest_add_coverage_test(): p: COMMAND: there is neither a target nor a program 'none'
gputest_add_coverage_test(p COMMAND none)
