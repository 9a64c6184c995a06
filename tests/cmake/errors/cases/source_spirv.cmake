# gputest_add_kernel(): k: MUTATION needs a source, and k.spv is SPIR-V: leave MUTATION out, or name the file that it is made of
gputest_add_kernel(k SOURCE k.spv GLOBAL_SIZE 4  CHECK  MUTATION)
