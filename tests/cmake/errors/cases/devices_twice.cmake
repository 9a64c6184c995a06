# gputest_add_kernel(): k: DEVICES: 'a b' is there twice
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE 4 DEVICES "a_b" "a b")
