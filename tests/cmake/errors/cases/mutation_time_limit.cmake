# gputest_add_kernel(): k: MUTATION TIME_LIMIT: 'soon' is not a time above 0, such as 10min, 90s or 1.5h
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE 4 MUTATION TIME_LIMIT soon)
