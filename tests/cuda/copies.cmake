# For tests of copies for a GPU: an empty folder ${WORK}, and in `wrapped` what the linker is told.
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/functions/cuda_copies.cmake)
list(TRANSFORM gputest_private_wrapped_functions PREPEND "--wrap=" OUTPUT_VARIABLE wrapped)
list(JOIN wrapped "," wrapped)
