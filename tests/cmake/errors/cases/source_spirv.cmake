# gputest_add_kernel(): k: SOURCE: k.spv is SPIR-V, which is not read: name the source that it is made of
gputest_add_kernel(k SOURCE k.spv GLOBAL_SIZE 4)
