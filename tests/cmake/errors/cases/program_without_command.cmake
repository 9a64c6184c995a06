# gputest_add_coverage_test(): p: COMMAND is missing: name the target of your test program, or an executable
gputest_add_coverage_test(p)
