# gputest_add_kernel(): k: KERNEL: 'k{}' cannot be the name of a kernel, such as saxpy<float>
gputest_add_kernel(k SOURCE k.cu GLOBAL_SIZE 4 KERNEL "k{}")
