# The public functions of GpuTestCheck: one file each, of the same name. Including them changes
# nothing but what functions there are. Each has a page in docs/.

cmake_policy(VERSION 3.25)

include(${CMAKE_CURRENT_LIST_DIR}/gputest_add_coverage_test.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/gputest_add_kernel.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/gputest_add_program.cmake)
