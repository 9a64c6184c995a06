# gputest_add_kernel(): there is a 'k' already: names are unique in the whole project, choose another
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE 4)
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE 4)
