# gputest_add_kernel(): k: ARGUMENTS: 'out:size=-8': size '-8' is not a whole number from 0
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE 4 ARGUMENTS out:size=-8)
