# gputest_add_kernel(): k: TALLY: '0' is not a whole number, at least 1
gputest_private_analyses()
set_property(GLOBAL APPEND PROPERTY gputest_analyses tally)
set_property(GLOBAL APPEND PROPERTY gputest_keywords TALLY)
include(${CMAKE_CURRENT_SOURCE_DIR}/tally.cmake) # one row more
gputest_add_kernel(fine SOURCE k.cl GLOBAL_SIZE 4 TALLY 3)
if(NOT TEST fine.tally OR NOT TARGET tally)
  message(FATAL_ERROR "no test of the analysis that was added")
endif()
gputest_add_kernel(k SOURCE k.cl GLOBAL_SIZE 4 TALLY 0)
