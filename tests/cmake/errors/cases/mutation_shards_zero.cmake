# gputest_add_kernel(): k: MUTATION SHARDS: '0'
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE 4 MUTATION SHARDS 0)
