# gputest_add_kernel(): k: SOURCE has no value: give it one or leave it out
gputest_add_kernel(k GLOBAL_SIZE 4 SOURCE)
