# gputest_add_coverage_test(): p: COVERAGE LOOP: 'all' is not a percentage, 0 to 100
gputest_add_coverage_test(p COMMAND user_program COVERAGE LOOP all)
