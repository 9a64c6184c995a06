# gputest_add_coverage_test(): p: 'COMAND' is not expected here (did you mean COMMAND?); the keywords are TIMEOUT, COMMAND, COVERAGE, LABELS
gputest_add_coverage_test(p COMAND user_program)
