# gputest_add_kernel(): k: MUTATION: THRESHOLD has no value: give it one or leave it out
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE 4 MUTATION THRESHOLD)
