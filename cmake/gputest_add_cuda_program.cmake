# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include(${CMAKE_CURRENT_LIST_DIR}/functions/program.cmake)

# gputest_add_cuda_program(<name> TARGET <target> …)
#
# The older name of gputest_add_program() for programs of CUDA or HIP, with the same keywords:
# docs/reference/gputest_add_cuda_program.md. The target is one whatever its sources are, and only
# the analyses that are named are made.
function(gputest_add_cuda_program name)
  set(context "gputest_add_cuda_program(): ${name}: ")
  gputest_private_check_name(gputest_add_cuda_program "${name}")
  gputest_private_program_keywords(single multiple)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "${single}" "${multiple}")
  cmake_parse_arguments(PARSE_ARGV 1 given "" "" "")
  set(words ${given_UNPARSED_ARGUMENTS})
  gputest_private_check_program_keywords("${context}" "${words}" "${arg_UNPARSED_ARGUMENTS}"
                                         "${arg_KEYWORDS_MISSING_VALUES}")
  gputest_private_check_target("${context}" "${arg_TARGET}")
  get_property(analyses GLOBAL PROPERTY gputest_analyses)
  set(known "")
  set(measures "")
  foreach(analysis IN LISTS analyses)
    string(TOUPPER ${analysis} keyword)
    get_property(way GLOBAL PROPERTY gputest_${analysis}_cuda)
    if(way)
      list(APPEND known ${keyword})
    endif()
    if(keyword IN_LIST words)
      list(APPEND measures ${analysis})
    endif()
  endforeach()
  if(DEFINED arg_TARGET AND NOT measures)
    list(POP_BACK known last)
    list(JOIN known ", " readable)
    message(FATAL_ERROR "${context}what is to be measured? Give ${readable} or ${last}")
  endif()
  gputest_private_add_program("${context}" cuda "${measures}" ${name} ${given_UNPARSED_ARGUMENTS})
endfunction()
