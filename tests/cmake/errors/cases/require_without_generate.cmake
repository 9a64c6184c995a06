# gputest_add_kernel(): k: REQUIRE is for generated inputs: add GENERATE or FUZZ, or leave it out
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE 4 REQUIRE "n < 4")
