# gputest_add_kernel(): k: FUZZ: 'BUDGET' is not expected here; the keywords are TIME_LIMIT, SEED, NO_DEVICE
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE 4 FUZZ 10 BUDGET 3)
