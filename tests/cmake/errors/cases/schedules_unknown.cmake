# gputest_add_kernel(): k: SCHEDULES: 'RUNS' is not expected here; the keywords are STRATEGY, SEED, REPEAT
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE 4 SCHEDULES 10 RUNS 3)
