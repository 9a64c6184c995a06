# gputest_add_kernel(): k: TOLERANCE ULP: '0.5' is not a whole number, at least 0
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE 4 TOLERANCE ULP 0.5)
