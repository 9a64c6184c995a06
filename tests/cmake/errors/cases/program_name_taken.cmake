# gputest_add_coverage_test(): there is a 'k' already
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE 4)
gputest_add_coverage_test(k COMMAND user_program)
