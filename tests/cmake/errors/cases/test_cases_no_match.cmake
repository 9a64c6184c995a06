# gputest_add_kernel(): k: TEST_CASES: no file matches
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE 4 TEST_CASES cases/*.json)
