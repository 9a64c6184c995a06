# gputest_add_kernel(): k: COVERAGE: BRANCH is given 2 times: give it once, with all its values
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE 4 COVERAGE BRANCH 50 BRANCH 60)
