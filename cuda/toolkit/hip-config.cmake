# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# find_package(hip): hip::host for sources of C++ that call HIP's runtime, hip::device and
# hip::amdhip64.
get_filename_component(gputest_hip_root "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(hip_INCLUDE_DIR "${gputest_hip_root}/include")
set(hip_INCLUDE_DIRS "${hip_INCLUDE_DIR}")
set(hip_LIB_INSTALL_DIR "${gputest_hip_root}/lib64")
set(hip_BIN_INSTALL_DIR "${gputest_hip_root}/bin")
set(hip_HIPCC_EXECUTABLE "${gputest_hip_root}/bin/hipcc")
set(HIP_PLATFORM amd)
set(HIP_COMPILER clang)
set(HIP_RUNTIME rocclr)
if(NOT TARGET hip::host)
  add_library(hip::amdhip64 INTERFACE IMPORTED)
  # hipcc and the compiler of CMake's language HIP have headers and runtime by themselves.
  set_target_properties(hip::amdhip64 PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "$<$<NOT:$<COMPILE_LANGUAGE:HIP>>:${hip_INCLUDE_DIR}>"
    INTERFACE_COMPILE_DEFINITIONS "$<$<NOT:$<COMPILE_LANGUAGE:HIP>>:__HIP_PLATFORM_AMD__=1>"
    INTERFACE_LINK_LIBRARIES
    "$<$<NOT:$<LINK_LANGUAGE:HIP>>:${hip_LIB_INSTALL_DIR}/libcudart_static.a>;pthread;dl;rt")
  foreach(name IN ITEMS host device)
    add_library(hip::${name} INTERFACE IMPORTED)
    set_target_properties(hip::${name} PROPERTIES INTERFACE_LINK_LIBRARIES hip::amdhip64)
  endforeach()
endif()
