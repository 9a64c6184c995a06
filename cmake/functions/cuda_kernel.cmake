# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Kernels of CUDA files. All of these functions read the caller's arg_<KEYWORD> variables; error messages
# begin with `context`.

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
  if(DEFINED arg_FUNCTION)
    cmake_path(GET arg_SOURCE FILENAME file)
    message(FATAL_ERROR "${context}FUNCTION is for OpenCL C: to test ${arg_FUNCTION}() of CUDA, write a file "
      "${arg_FUNCTION}_kernel.cu beside ${file} that includes it, with a kernel that calls the function:\n"
      "  #include \"${file}\"\n"
      "  __global__ void ${arg_FUNCTION}_kernel(…, int n) {\n"
      "    const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "    if (i < n) result[i] = ${arg_FUNCTION}(…);\n"
      "  }\n"
      "Then give SOURCE ${arg_FUNCTION}_kernel.cu KERNEL ${arg_FUNCTION}_kernel")
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
  if(DEFINED arg_KERNEL AND NOT arg_KERNEL MATCHES "^(::)?[A-Za-z_][^;{}#\"\\\\]*$")
    message(FATAL_ERROR "${context}KERNEL: '${arg_KERNEL}' cannot be the name of a kernel, such as saxpy<float>")
  endif()
  if(DEFINED arg_SHARED_MEMORY)
    gputest_private_check_numbers("${context}" SHARED_MEMORY SIZE ${arg_SHARED_MEMORY})
  endif()
endfunction()
