# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The test that gputest_add_coverage_test() adds: runs the user's program with its kernels
# instrumented, then checks what they covered.
#
#     cmake -DGPUTEST=… -DSOURCE_DIR=… -DRESULTS_DIR=… -DTHRESHOLDS=…
#           -P run_coverage_test.cmake -- <program> [<argument>…]

set(command "")
set(is_command FALSE)
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(index RANGE ${last})
  if(is_command)
    string(REPLACE ";" "\\;" argument "${CMAKE_ARGV${index}}")
    list(APPEND command "${argument}")
  elseif(CMAKE_ARGV${index} STREQUAL "--")
    set(is_command TRUE)
  endif()
endforeach()

# Results of an earlier run must not pass for results of this one.
file(REMOVE_RECURSE "${RESULTS_DIR}")
file(MAKE_DIRECTORY "${RESULTS_DIR}")
set(ENV{GPUTEST_COVERAGE_DIR} "${RESULTS_DIR}")
set(ENV{GPUTEST_DRIVER} "${GPUTEST}")
set(ENV{GPUTEST_SOURCE_ROOT} "${SOURCE_DIR}")
execute_process(COMMAND ${command} RESULT_VARIABLE program_failed)

file(GLOB_RECURSE results "${RESULTS_DIR}/*coverage.json")
if(results)
  execute_process(
    COMMAND ${GPUTEST} report ${results} --source-root ${SOURCE_DIR} ${THRESHOLDS}
    RESULT_VARIABLE report_failed)
elseif(NOT program_failed)
  message(FATAL_ERROR "The program ran no kernel through gputest::run_kernel, so there is no "
                      "coverage: if it should not, use gputest_add_kernel() or plain add_test()")
endif()
if(program_failed)
  message(FATAL_ERROR "The test program failed: ${program_failed}")
endif()
if(report_failed)
  message(FATAL_ERROR "Coverage is below a threshold, or its results could not be read: see above")
endif()
