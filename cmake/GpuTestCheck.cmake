# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The public functions of GpuTestCheck, one file each, of the same name. Including the files only
# defines the functions. Each function has a page in docs/reference/.

cmake_policy(VERSION 3.25)

include(${CMAKE_CURRENT_LIST_DIR}/gputest_add_coverage_test.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/gputest_add_cuda_program.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/gputest_add_kernel.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/gputest_add_program.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/gputest_add_slurm_jobs.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/gputest_compare_kernels.cmake)
