# gputest_add_kernel(): k: MEMORY SLOWER_BY is for MEMORY NOT_SLOWER_THAN: add NOT_SLOWER_THAN, or leave SLOWER_BY out
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE 4 MEMORY SLOWER_BY 5)
