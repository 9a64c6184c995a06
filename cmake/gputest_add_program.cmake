# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include(${CMAKE_CURRENT_LIST_DIR}/functions/program.cmake)

# gputest_add_program(<name> TARGET <target> [ARGS <argument>…]
#   | COMMAND <target or executable> [<argument>…]
#   [KERNELS <file or glob>…] [EXCLUDE <pattern>…] [DEVICE simulator|gpu] [WARP_SIZE 32|64]
#   [<ANALYSIS> [<setting>…]]… [ORACLE <oracle>…]
#   [WORKING_DIRECTORY <folder>] [TIMEOUT s] [LABELS …])
#
# Measures how well an OpenCL or CUDA program, as it is, tests its kernels:
# docs/reference/gputest_add_program.md. A target with CUDA sources is a CUDA program. The analyses
# and their settings are those of functions/analyses.cmake.
function(gputest_add_program name)
  set(context "gputest_add_program(): ${name}: ")
  gputest_private_check_name(gputest_add_program "${name}")
  gputest_private_program_keywords(single multiple)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "${single}" "${multiple}")
  cmake_parse_arguments(PARSE_ARGV 1 given "" "" "")
  set(words ${given_UNPARSED_ARGUMENTS})
  gputest_private_check_program_keywords("${context}" "${words}" "${arg_UNPARSED_ARGUMENTS}"
                                         "${arg_KEYWORDS_MISSING_VALUES}")
  if(DEFINED arg_TARGET AND DEFINED arg_COMMAND)
    message(FATAL_ERROR "${context}TARGET and COMMAND: give one of them")
  endif()
  gputest_private_check_target("${context}" "${arg_TARGET}")
  set(kind opencl)
  if(DEFINED arg_TARGET)
    gputest_private_is_cuda_target(is_cuda "${arg_TARGET}")
    if(is_cuda)
      set(kind cuda)
    endif()
  endif()
  gputest_private_given_analyses(analyses ${words})
  list(REMOVE_ITEM analyses test) # the program itself is the test
  gputest_private_add_program("${context}" ${kind} "${analyses}" ${name}
                              ${given_UNPARSED_ARGUMENTS})
endfunction()
