# gputest_add_kernel(): k: FUZZ: SEED has no value: give it one or leave it out
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE 4 FUZZ 10 SEED)
