# Kernels of CUDA files, which run in the simulator. All of these read the caller's arg_<KEYWORD>
# variables; `context` is what error messages begin with.

# gputest_private_is_cuda(<variable> <file>)
function(gputest_private_is_cuda variable file)
  set(${variable} FALSE PARENT_SCOPE)
  if(file MATCHES "[.]cu$")
    set(${variable} TRUE PARENT_SCOPE)
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
    foreach(keyword IN ITEMS KERNEL FUNCTION)
      if(DEFINED arg_${keyword} AND NOT arg_${keyword} MATCHES "^[A-Za-z_][A-Za-z0-9_]*$")
        message(FATAL_ERROR "${context}${keyword}: '${arg_${keyword}}' cannot be the name of an OpenCL C function")
      endif()
    endforeach()
    return()
  endif()
  foreach(pair IN ITEMS "FUNCTION:write a kernel that calls the function"
                        "CL_STD:leave it out"
                        "BUILD_OPTIONS:leave it out, and give macros with DEFINITIONS"
                        "DEVICES:leave it out, kernels of CUDA files run in the simulator")
    string(REGEX MATCH "^([A-Z_]+):(.*)$" ignored "${pair}")
    if(DEFINED arg_${CMAKE_MATCH_1})
      message(FATAL_ERROR "${context}${CMAKE_MATCH_1} is for OpenCL C: ${CMAKE_MATCH_2}")
    endif()
  endforeach()
  if(DEFINED arg_DEVICE AND NOT arg_DEVICE STREQUAL "simulator")
    message(FATAL_ERROR "${context}DEVICE '${arg_DEVICE}': kernels of CUDA files run in the simulator: leave DEVICE out")
  endif()
  if(DEFINED arg_KERNEL AND NOT arg_KERNEL MATCHES "^(::)?[A-Za-z_][^;{}#\"\\\\]*$")
    message(FATAL_ERROR "${context}KERNEL: '${arg_KERNEL}' cannot be the name of a kernel, such as saxpy<float>")
  endif()
  if(DEFINED arg_SHARED_MEMORY)
    gputest_private_check_numbers("${context}" SHARED_MEMORY SIZE ${arg_SHARED_MEMORY})
  endif()
endfunction()
