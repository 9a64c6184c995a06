# gputest_add_kernel(): k: GLOBAL_SIZE: '99999999999999999999' is not a whole number, at least 1 and at most 9223372036854775807
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE 99999999999999999999)
