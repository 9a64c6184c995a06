# gputest_add_kernel(): k: TEST_CASES: there is no file
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE 4 TEST_CASES none.json)
