# gputest_add_kernel(): k: FUZZ: '0' is not a whole number, at least 1
gputest_add_kernel(fine SOURCE k.cl GLOBAL_SIZE 4 FUZZ) # ten seconds
if(NOT TEST fine.fuzz OR NOT TARGET fuzz)
  message(FATAL_ERROR "FUZZ alone makes no test")
endif()
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE 4 FUZZ 0)
