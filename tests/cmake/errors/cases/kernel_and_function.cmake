# gputest_add_kernel(): k: KERNEL and FUNCTION exclude each other: test one of them, add the other under another name
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE 4 KERNEL k FUNCTION f)
