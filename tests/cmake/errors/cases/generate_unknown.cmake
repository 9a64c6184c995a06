# gputest_add_kernel(): k: GENERATE: 'STATEMENT' is not expected here; the keywords are BRANCH, CONDITION, LOOP, MUTANTS, ASSUME_FIXED, BUDGET, INTO, SEED, MAX_CASES
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE 4 GENERATE STATEMENT)
