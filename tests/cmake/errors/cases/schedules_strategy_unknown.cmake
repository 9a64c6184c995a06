# gputest_add_kernel(): k: SCHEDULES STRATEGY: 'best' is none of permute, first, serial, reverse, all
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE 4 SCHEDULES 10 STRATEGY best)
