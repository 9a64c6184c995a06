# gputest_add_kernel(): k: GENERATE: INTO has no value: give it one or leave it out
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE 4 GENERATE INTO)
