# gputest_add_cuda_program(): p: MEMORY CACHES: 'hot' is none of cold, warm
add_executable(cuda_r IMPORTED)
gputest_add_cuda_program(p TARGET cuda_r MEMORY CACHES hot)
