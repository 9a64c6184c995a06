# gputest_add_kernel(): k: 'EACH' is not expected here; the keywords are
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE 8 DISCOVER EACH)
