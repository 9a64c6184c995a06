# gputest_add_kernel(): k: GLOBAL_SIZE: 'LOCAL_SZE' is not a whole number, at least 1 (or is 'LOCAL_SZE' a misspelt keyword?)
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE 4 LOCAL_SZE 2)
