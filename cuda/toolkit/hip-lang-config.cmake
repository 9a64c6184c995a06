# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What CMake's language HIP asks of a ROCm: the target that all programs link. gputest-cuda links
# the runtime by itself, and other compilers do not.
if(NOT TARGET hip-lang::device)
  add_library(hip-lang::device INTERFACE IMPORTED)
  add_library(hip-lang::amdhip64 INTERFACE IMPORTED)
  get_filename_component(gputest_hip_root "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
  set_target_properties(hip-lang::amdhip64 PROPERTIES INTERFACE_LINK_LIBRARIES
    "$<$<NOT:$<LINK_LANGUAGE:HIP>>:${gputest_hip_root}/lib64/libcudart_static.a>;pthread;dl;rt")
  set_target_properties(hip-lang::device PROPERTIES INTERFACE_LINK_LIBRARIES hip-lang::amdhip64)
endif()
set(_CMAKE_HIP_DEVICE_RUNTIME_TARGET hip-lang::device)
