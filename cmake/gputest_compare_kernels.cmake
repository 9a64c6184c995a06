# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include(${CMAKE_CURRENT_LIST_DIR}/functions/check.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/functions/command.cmake)

# gputest_compare_kernels(<name> FIRST <file> SECOND <file> [KERNEL k] [SECOND_KERNEL k]
#   [SAME <first>=<second>…] [FIRST_GLOBAL_SIZE <expression>…] [FIRST_LOCAL_SIZE <expression>…]
#   [ARGUMENTS …] [REQUIRE …] [CASES …] [ABSOLUTE x] [RELATIVE x] [ULP n] [BUDGET s] [SEED n]
#   [GPU g] [DEFINITIONS …] [INCLUDE_DIRECTORIES …] [TIMEOUT s] [LABELS …])
#
# Adds the test <name>.compare, which fails if `gputest compare-kernels` finds an input with which
# the kernels differ: docs/reference/gputest_compare_kernels.md.
function(gputest_compare_kernels name)
  set(single FIRST SECOND KERNEL SECOND_KERNEL ABSOLUTE RELATIVE ULP BUDGET SEED GPU TIMEOUT)
  set(multiple SAME FIRST_GLOBAL_SIZE FIRST_LOCAL_SIZE ARGUMENTS REQUIRE CASES DEFINITIONS
               INCLUDE_DIRECTORIES LABELS)
  set(context "gputest_compare_kernels(): ${name}: ")
  gputest_private_check_name(gputest_compare_kernels "${name}")
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "${single}" "${multiple}")
  cmake_parse_arguments(PARSE_ARGV 1 given "" "" "")
  gputest_private_check_keywords("${context}" "${single};${multiple}"
                                 "${given_UNPARSED_ARGUMENTS}" "${arg_UNPARSED_ARGUMENTS}"
                                 "${arg_KEYWORDS_MISSING_VALUES}")
  set(words "")
  foreach(keyword IN ITEMS FIRST SECOND)
    if("${arg_${keyword}}" STREQUAL "")
      message(FATAL_ERROR "${context}${keyword} is missing: give the file of the kernel")
    endif()
    gputest_private_find_file(file "${context}" ${keyword} "${arg_${keyword}}")
    list(APPEND words "${file}")
  endforeach()
  foreach(setting IN ITEMS ABSOLUTE/REAL RELATIVE/REAL ULP/COUNT BUDGET/SECONDS SEED/SEED)
    string(REPLACE "/" ";" setting ${setting})
    list(POP_FRONT setting keyword kind)
    if(DEFINED arg_${keyword})
      gputest_private_check_numbers("${context}" ${keyword} ${kind} "${arg_${keyword}}")
    endif()
  endforeach()
  foreach(keyword IN ITEMS KERNEL SECOND_KERNEL ABSOLUTE RELATIVE ULP BUDGET SEED GPU
                           FIRST_GLOBAL_SIZE FIRST_LOCAL_SIZE)
    if(DEFINED arg_${keyword})
      string(TOLOWER --${keyword} option)
      string(REPLACE _ - option ${option})
      list(JOIN arg_${keyword} , value) # sizes have several
      list(APPEND words ${option} "${value}")
    endif()
  endforeach()
  gputest_private_find_files(cases "${context}" CASES "${arg_CASES}")
  foreach(pair IN ITEMS SAME/--same ARGUMENTS/--argument REQUIRE/--require DEFINITIONS/-D)
    string(REPLACE "/" ";" pair ${pair})
    list(POP_FRONT pair keyword option)
    foreach(value IN LISTS arg_${keyword})
      list(APPEND words ${option} "${value}")
    endforeach()
  endforeach()
  foreach(file IN LISTS cases)
    list(APPEND words --cases "${file}")
  endforeach()
  foreach(folder IN LISTS arg_INCLUDE_DIRECTORIES)
    cmake_path(ABSOLUTE_PATH folder BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE)
    list(APPEND words -I "${folder}")
  endforeach()
  gputest_private_timeout(timeout "${context}" "${arg_TIMEOUT}")
  gputest_private_wants_checked_tests(wanted "${context}")
  if(NOT wanted)
    return()
  endif()

  gputest_private_results_dir(results_dir)
  gputest_private_command(gputest)
  set(folder ${results_dir}/${name})
  add_test(NAME ${name}.compare
           COMMAND ${gputest} compare-kernels ${words} --output ${folder}/compare
                   --json ${folder}/compare.json --html ${folder}/compare.html)
  set_tests_properties(${name}.compare PROPERTIES TIMEOUT ${timeout})
  set_property(TEST ${name}.compare PROPERTY LABELS gputest compare ${arg_LABELS})
endfunction()
