# gputest_add_kernel(): k: FUNCTION: '2f' cannot be the name of a device function, such as saxpy<float>
gputest_add_kernel(k SOURCE k.cu GLOBAL_SIZE 4 FUNCTION 2f)
