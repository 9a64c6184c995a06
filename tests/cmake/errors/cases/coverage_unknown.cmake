# gputest_add_kernel(): k: COVERAGE: 'BRANCHES' is not expected here (did you mean BRANCH?); the keywords are STATEMENT, BRANCH, CONDITION, LOOP, BARRIER
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE 4 COVERAGE BRANCHES 80)
