# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include(${CMAKE_CURRENT_LIST_DIR}/functions/check.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/functions/command.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/functions/umbrella_target.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/functions/program_command.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/functions/settings.cmake)

# gputest_add_coverage_test(<name> COMMAND <target or program> [<argument>…]
#   [COVERAGE [STATEMENT n] [BRANCH n] [CONDITION n] [LOOP n] [BARRIER n]] [TIMEOUT s] [LABELS …])
#
# Measures the coverage of the kernels that a test program runs through gputest::run_kernel:
# docs/reference/gputest_add_coverage_test.md.
function(gputest_add_coverage_test name)
  set(single TIMEOUT)
  set(multiple COMMAND COVERAGE LABELS)
  set(context "gputest_add_coverage_test(): ${name}: ")
  gputest_private_check_name(gputest_add_coverage_test "${name}")
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "${single}" "${multiple}")
  cmake_parse_arguments(PARSE_ARGV 1 given "" "" "")
  gputest_private_analyses()
  list(REMOVE_ITEM arg_KEYWORDS_MISSING_VALUES COVERAGE) # it may stand alone
  gputest_private_check_keywords("${context}" "${single};${multiple}"
                                 "${given_UNPARSED_ARGUMENTS}" "${arg_UNPARSED_ARGUMENTS}"
                                 "${arg_KEYWORDS_MISSING_VALUES}")
  gputest_private_program_command(command target "${context}" "${arg_COMMAND}")
  gputest_private_timeout(timeout "${context}" "${arg_TIMEOUT}")
  gputest_private_settings(thresholds "${context}" program coverage "${arg_COVERAGE}")
  list(TRANSFORM thresholds REPLACE "^--setting=coverage[.]" "--threshold=")
  gputest_private_wants_checked_tests(wanted "${context}")
  if(NOT wanted)
    return()
  endif()

  gputest_private_results_dir(results_dir)
  gputest_private_command(gputest)
  add_test(
    NAME ${name}.coverage
    COMMAND
      ${CMAKE_COMMAND} -DGPUTEST=${gputest} -DSOURCE_DIR=${CMAKE_SOURCE_DIR}
      -DRESULTS_DIR=${results_dir}/${name} "-DTHRESHOLDS=${thresholds}"
      -P ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/functions/run_coverage_test.cmake -- ${command})
  # A script cannot exit with 77. The messages of gputest::NoDevice match this.
  set_tests_properties(
    ${name}.coverage PROPERTIES SKIP_REGULAR_EXPRESSION "skipped: no (OpenCL device|CUDA )"
                                TIMEOUT ${timeout})
  gputest_private_python_module(${name}.coverage)
  set_property(TEST ${name}.coverage PROPERTY LABELS gputest coverage ${arg_LABELS})
  gputest_private_join_umbrella(coverage "${context}" ${name} "${target}")
endfunction()
