# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Kernels of CUDA files, and of HIP files, which are read as CUDA. All of these functions read the caller's arg_<KEYWORD> variables; error messages
# begin with `context`.

# gputest_private_is_cuda(<variable> <file>)
#
# The file's ending (".cu", ".hip"), which is true, or FALSE.
function(gputest_private_is_cuda variable file)
  set(${variable} FALSE PARENT_SCOPE)
  if(file MATCHES "([.](cu|hip))$")
    set(${variable} ${CMAKE_MATCH_1} PARENT_SCOPE)
  endif()
endfunction()

# gputest_private_own_ending(<variable> <file>)
#
# The ending of the kernel's variants if they are not .cl (".cu", ".hip", ".clcpp"), which is true, or FALSE.
# Such kernels run in the simulator where no device is named, and orders are its own.
function(gputest_private_own_ending variable file)
  set(${variable} FALSE PARENT_SCOPE)
  if(file MATCHES "([.](cu|hip|clcpp))$")
    set(${variable} ${CMAKE_MATCH_1} PARENT_SCOPE)
  endif()
endfunction()

# gputest_private_check_language(<context>)
#
# Refuses keywords that are not for the language of SOURCE.
function(gputest_private_check_language context)
  gputest_private_is_cuda(cuda "${arg_SOURCE}")
  if(NOT cuda)
    if(DEFINED arg_SHARED_MEMORY)
      message(FATAL_ERROR "${context}SHARED_MEMORY is for CUDA files: give __local arguments a size with ARGUMENTS")
    endif()
    if(DEFINED arg_WARP_SIZE)
      message(FATAL_ERROR "${context}WARP_SIZE is for CUDA files: sub-groups of OpenCL have 32 work-items in the simulator")
    endif()
    foreach(keyword IN ITEMS KERNEL FUNCTION)
      if(DEFINED arg_${keyword} AND NOT arg_${keyword} MATCHES "^[A-Za-z_][A-Za-z0-9_]*$")
        message(FATAL_ERROR "${context}${keyword}: '${arg_${keyword}}' cannot be the name of an OpenCL C function")
      endif()
    endforeach()
    return()
  endif()
  foreach(pair IN ITEMS "CL_STD:leave it out"
                        "BUILD_OPTIONS:leave it out, and give macros with DEFINITIONS")
    string(REGEX MATCH "^([A-Z_]+):(.*)$" ignored "${pair}")
    if(DEFINED arg_${CMAKE_MATCH_1})
      message(FATAL_ERROR "${context}${CMAKE_MATCH_1} is for OpenCL C: ${CMAKE_MATCH_2}")
    endif()
  endforeach()
  foreach(device IN LISTS arg_DEVICE arg_DEVICES)
    if(device MATCHES "^(cpu|accelerator|opencl)$")
      message(FATAL_ERROR "${context}device '${device}' is for OpenCL C: give simulator, or gpu for a CUDA GPU")
    endif()
  endforeach()
  foreach(pair IN ITEMS "KERNEL:kernel" "FUNCTION:device function")
    string(REGEX MATCH "^([A-Z]+):(.*)$" ignored "${pair}")
    set(keyword ${CMAKE_MATCH_1})
    set(what "${CMAKE_MATCH_2}")
    if(DEFINED arg_${keyword} AND NOT arg_${keyword} MATCHES "^(::)?[A-Za-z_][^;{}#\"\\\\]*$")
      message(FATAL_ERROR "${context}${keyword}: '${arg_${keyword}}' cannot be the name of a ${what}, "
        "such as saxpy<float>")
    endif()
  endforeach()
  gputest_private_check_warp_size("${context}" ${arg_DEVICE} ${arg_DEVICES})
  if(DEFINED arg_SHARED_MEMORY)
    gputest_private_check_numbers("${context}" SHARED_MEMORY SIZE ${arg_SHARED_MEMORY})
  endif()
endfunction()
