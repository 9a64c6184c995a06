# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What CMake's language HIP asks of a ROCm: the target that all programs link. gputest-cuda links
# the runtime by itself.
if(NOT TARGET hip-lang::device)
  add_library(hip-lang::device INTERFACE IMPORTED)
  add_library(hip-lang::amdhip64 INTERFACE IMPORTED)
endif()
set(_CMAKE_HIP_DEVICE_RUNTIME_TARGET hip-lang::device)
