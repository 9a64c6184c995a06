# gputest_add_kernel(): 'a;b' cannot be a name
gputest_add_kernel("a;b" SOURCE k.cl GLOBAL_SIZE 4)
