# gputest_add_coverage_test(): p: COMMAND: there is no target 'none': add_executable() it before
gputest_add_coverage_test(p COMMAND none)
