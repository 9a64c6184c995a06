# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Kernels of CUDA files, and of HIP files, which are read as CUDA. Error messages begin with
# `context`.
include(${CMAKE_CURRENT_LIST_DIR}/check.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/kernel_keywords.cmake)

# gputest_private_ending_of(<variable> <file> <regex>)
#
# The file's ending (".cu") if the regex matches what is behind its dot, else FALSE.
function(gputest_private_ending_of variable file known)
  set(${variable} FALSE PARENT_SCOPE)
  if(file MATCHES "([.](${known}))$")
    set(${variable} ${CMAKE_MATCH_1} PARENT_SCOPE)
  endif()
endfunction()

# gputest_private_is_cuda(<variable> <file>)
#
# The file's ending (".cu", ".hip"), which is true, or FALSE.
function(gputest_private_is_cuda variable file)
  gputest_private_ending_of(ending "${file}" "cu|hip")
  set(${variable} ${ending} PARENT_SCOPE)
endfunction()

# gputest_private_own_ending(<variable> <file>)
#
# The ending of the kernel's variants if they are not .cl (".cu", ".hip", ".clcpp", ".spv"), which
# is true, or FALSE. Such kernels run in the simulator where no device is named, and orders are
# its own.
function(gputest_private_own_ending variable file)
  gputest_private_ending_of(ending "${file}" "cu|hip|clcpp|spv")
  set(${variable} ${ending} PARENT_SCOPE)
endfunction()

# gputest_private_link_host_version(<context> <target> <folder> <file> <function>
#   <version of C++>)
#
# Compiles the host's version of a FUNCTION, and links the host program with it. It is a library of
# its own, because the file may have a main() and variables of any name.
function(gputest_private_link_host_version context target dir host_version function standard)
  if(NOT TARGET GpuTestCheck::gputest-cuda-launcher)
    message(FATAL_ERROR "${context}REFERENCE HOST needs the compiler gputest-cuda, which this "
                        "package does not have: name a C++ file")
  endif()
  set(options "")
  foreach(pair IN ITEMS "DEFINITIONS D" "INCLUDE_DIRECTORIES I")
    string(REPLACE " " ";" pair "${pair}")
    list(POP_FRONT pair property option)
    set(values "$<TARGET_GENEX_EVAL:${target},$<TARGET_PROPERTY:${target},GPUTEST_${property}>>")
    list(APPEND options "$<$<BOOL:${values}>:-${option}$<JOIN:${values},$<SEMICOLON>-${option}>>")
  endforeach()
  set(library ${dir}/libhost_version.so)
  add_custom_command(
    OUTPUT ${library}
    COMMAND $<TARGET_FILE_DIR:GpuTestCheck::gputest-cuda-launcher>/gputest-cuda --cuda-host-only
            -shared -std=${standard} -O2 -fPIC -fvisibility=hidden -ffunction-sections
            -Wl,--gc-sections
            -Wl,-soname,libhost_version.so -MD -MF ${dir}/host_version.d -MT ${library} ${options}
            ${host_version} -o ${library}
    DEPENDS ${host_version} GpuTestCheck::gputest-cuda-launcher
    DEPFILE ${dir}/host_version.d
    COMMENT "Compiling ${function} for the host"
    VERBATIM COMMAND_EXPAND_LISTS)
  target_sources(${target} PRIVATE ${library})
  target_link_libraries(${target} PRIVATE ${library})
endfunction()

# gputest_private_check_language(<context> <word>…)
#
# Refuses keywords of a kernel (kernel_keywords.cmake) that are not for the language of SOURCE.
function(gputest_private_check_language context)
  gputest_private_kernel_keywords(options single multiple)
  cmake_parse_arguments(PARSE_ARGV 1 arg "${options}" "${single}" "${multiple}")
  gputest_private_is_cuda(cuda "${arg_SOURCE}")
  if(NOT cuda)
    if(DEFINED arg_SHARED_MEMORY)
      message(FATAL_ERROR "${context}SHARED_MEMORY is for CUDA files: give __local arguments a "
                          "size with ARGUMENTS")
    endif()
    if(DEFINED arg_CXX_STANDARD)
      message(FATAL_ERROR "${context}CXX_STANDARD is for CUDA and HIP files: for OpenCL C, give "
                          "CL_STD")
    endif()
    if(DEFINED arg_WARP_SIZE)
      message(FATAL_ERROR "${context}WARP_SIZE is for CUDA files: for sub-groups of OpenCL, give "
                          "DEFINITIONS GPUTEST_SUB_GROUP_SIZE=<n>")
    endif()
    foreach(keyword IN ITEMS KERNEL FUNCTION)
      if(DEFINED arg_${keyword} AND NOT arg_${keyword} MATCHES "^[A-Za-z_][A-Za-z0-9_]*$")
        message(FATAL_ERROR "${context}${keyword}: '${arg_${keyword}}' cannot be the name of an "
                            "OpenCL C function")
      endif()
    endforeach()
    return()
  endif()
  if(DEFINED arg_CXX_STANDARD AND NOT arg_CXX_STANDARD MATCHES "^(11|14|17|20|23)$")
    message(FATAL_ERROR "${context}CXX_STANDARD: '${arg_CXX_STANDARD}' is none of 11, 14, 17, 20, "
                        "23")
  endif()
  foreach(pair IN ITEMS "CL_STD:give CXX_STANDARD, such as 20"
                        "GLOBAL_OFFSET:a launch of CUDA has none, so give it as an argument"
                        "BUILD_OPTIONS:leave it out, and give macros with DEFINITIONS")
    string(REGEX MATCH "^([A-Z_]+):(.*)$" ignored "${pair}")
    if(DEFINED arg_${CMAKE_MATCH_1})
      message(FATAL_ERROR "${context}${CMAKE_MATCH_1} is for OpenCL C: ${CMAKE_MATCH_2}")
    endif()
  endforeach()
  foreach(device IN LISTS arg_DEVICE arg_DEVICES)
    if(device MATCHES "^(cpu|accelerator|opencl)$")
      message(FATAL_ERROR "${context}device '${device}' is for OpenCL C: give simulator, or gpu "
                          "for a CUDA GPU")
    endif()
  endforeach()
  foreach(pair IN ITEMS "KERNEL:kernel" "FUNCTION:device function")
    string(REGEX MATCH "^([A-Z]+):(.*)$" ignored "${pair}")
    set(keyword ${CMAKE_MATCH_1})
    set(what "${CMAKE_MATCH_2}")
    if(DEFINED arg_${keyword} AND NOT arg_${keyword} MATCHES "^(::)?[A-Za-z_][^;{}#\"\\\\]*$")
      message(FATAL_ERROR "${context}${keyword}: '${arg_${keyword}}' cannot be the name of a "
                          "${what}, such as saxpy<float>")
    endif()
  endforeach()
  gputest_private_check_warp_size("${context}" "${arg_WARP_SIZE}" "${arg_DEVICE};${arg_DEVICES}")
  if(DEFINED arg_SHARED_MEMORY)
    gputest_private_check_numbers("${context}" SHARED_MEMORY SIZE "${arg_SHARED_MEMORY}")
  endif()
endfunction()
