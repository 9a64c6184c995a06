# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The script of the target of an analysis, such as `coverage`. It runs every test of that label, and
# reports on all results, even if a test failed.
#
#     cmake -DKIND=… -DCTEST=… -DGPUTEST=… -DBUILD_DIR=… -DSOURCE_DIR=… -DRESULTS_DIR=… -DNAMES_FILE=… -DCONFIG=…
#           [-DMERGE=ON] [-DAGAINST=… -DFAIL_ON=… -DPATCH_COVERAGE=…] [-DTIME_LIMIT=…] -P run_umbrella.cmake
#
# AGAINST, FAIL_ON and PATCH_COVERAGE are options of `gputest report`, the gates of a pull request. The
# environment variables GPUTEST_AGAINST, GPUTEST_FAIL_ON and GPUTEST_PATCH_COVERAGE win over them.
#
# TIME_LIMIT, such as 10min, is the time of all tests together, and GPUTEST_TIME_LIMIT wins over it. Tests
# divide it among them (model/time/share.h).
#
# With MERGE, shards do not run; the tests that merge take the results that shards have left.
#
# NAMES_FILE has one name a line. The script writes the reports of the analysis to RESULTS_DIR: <kind>.html,
# .lcov, .sarif, .xml (Cobertura or JUnit; of both, JUnit is <kind>-junit.xml) and <kind>-report.json, and of
# all kinds together report.html and badge.svg. Tests of an analysis without reports print their findings themselves.
#
# After a failure, it leaves ${KIND}.failed in RESULTS_DIR, for which the target looks. An error of CMake
# would print its stack of calls, which tells users nothing.

cmake_minimum_required(VERSION 3.25)

include(${CMAKE_CURRENT_LIST_DIR}/analyses.cmake)
gputest_private_analyses()
set(reports ${gputest_${KIND}_reports})

file(STRINGS "${NAMES_FILE}" names)
file(REMOVE ${RESULTS_DIR}/${KIND}.failed)

# Prints to standard output, without a prefix.
function(say text)
  execute_process(COMMAND ${CMAKE_COMMAND} -E echo "${text}")
endfunction()

# Reports a failure. The caller returns after it.
function(fail text)
  say("error: ${text}")
  file(WRITE ${RESULTS_DIR}/${KIND}.failed "${text}\n")
endfunction()

# The existing results of all tests. A test program (gputest_add_coverage_test, gputest_add_program)
# leaves one for each kernel.
function(find_results variable)
  set(results "")
  foreach(name IN LISTS names)
    file(GLOB_RECURSE found "${RESULTS_DIR}/${name}/${gputest_${KIND}_result}"
                            "${RESULTS_DIR}/${name}/*.${gputest_${KIND}_result}")
    list(APPEND results ${found})
  endforeach()
  set(${variable} "${results}" PARENT_SCOPE)
endfunction()

# Results of an earlier run must not pass for results of this one. The store of outcomes stays.
find_results(old)
if(old)
  file(REMOVE ${old})
endif()

# gputest_private_milliseconds(<variable> <time, such as 10min>)
#
# Fails for anything else.
function(gputest_private_milliseconds variable time)
  if(NOT time MATCHES "^([0-9]+)([.]([0-9]+))?(ms|s|sec|m|min|h|d)?$")
    message(FATAL_ERROR "GPUTEST_TIME_LIMIT: '${time}' is not a time above 0, such as 10min, 90s or 1.5h")
  endif()
  set(whole ${CMAKE_MATCH_1})
  string(SUBSTRING "${CMAKE_MATCH_3}000" 0 3 thousandths)
  set(unit "${CMAKE_MATCH_4}")
  set(factor_ms 1)
  foreach(name IN ITEMS "" s sec)
    set(factor_${name} 1000)
  endforeach()
  set(factor_m 60000)
  set(factor_min 60000)
  set(factor_h 3600000)
  set(factor_d 86400000)
  math(EXPR milliseconds "${whole} * ${factor_${unit}} + 1${thousandths} * ${factor_${unit}} / 1000 - ${factor_${unit}}")
  set(${variable} ${milliseconds} PARENT_SCOPE)
endfunction()

set(without_shards "")
if(MERGE)
  set(without_shards --fixture-exclude-setup "[.]shards$")
endif()
set(resources "")
if(EXISTS "${RESULTS_DIR}/resources.json") # gputest resources
  set(resources --resource-spec-file "${RESULTS_DIR}/resources.json")
endif()
if(NOT "$ENV{GPUTEST_TIME_LIMIT}" STREQUAL "")
  set(TIME_LIMIT "$ENV{GPUTEST_TIME_LIMIT}")
endif()
if(NOT "${TIME_LIMIT}" STREQUAL "")
  gputest_private_milliseconds(limit "${TIME_LIMIT}")
  execute_process(COMMAND ${CTEST} --test-dir ${BUILD_DIR} -C "${CONFIG}" -N -L "^${KIND}$" ${without_shards} OUTPUT_VARIABLE listed)
  string(REGEX MATCH "Total Tests: ([0-9]+)" found "${listed}")
  set(tests ${CMAKE_MATCH_1})
  set(at_once 1)
  if("$ENV{CTEST_PARALLEL_LEVEL}" MATCHES "^[1-9][0-9]*$")
    set(at_once $ENV{CTEST_PARALLEL_LEVEL})
  endif()
  string(TIMESTAMP now "%s" UTC)
  math(EXPR end "${now} * 1000 + ${limit}")
  string(REGEX REPLACE "(...)$" ".\\1" end ${end})
  file(WRITE ${RESULTS_DIR}/${KIND}.time "${end} ${tests} ${at_once}\n")
  set(ENV{GPUTEST_TIME_SHARE} ${RESULTS_DIR}/${KIND}.time)
  set(ENV{GPUTEST_TIME_LIMIT} "") # which is that of all of them
endif()
if("$ENV{GPUTEST_AGAINST}" STREQUAL "" AND NOT "${AGAINST}" STREQUAL "")
  set(ENV{GPUTEST_AGAINST} "${AGAINST}") # tests with a time limit begin with what has changed since then
endif()
execute_process(
  COMMAND ${CTEST} --test-dir ${BUILD_DIR} -C "${CONFIG}" -L "^${KIND}$" ${without_shards} ${resources} --output-on-failure
  RESULT_VARIABLE tests_failed)

find_results(results)
if(NOT results)
  fail("No test has left a ${gputest_${KIND}_result}, so there is nothing to report: see above why. Skipped tests \
found no OpenCL device (`clinfo -l` lists those there are); where there are no tests, call enable_testing() in the \
project's top CMakeLists.txt.")
  return()
endif()

# One page over all kinds of results, this one among them. The gates look at all of them.
set(gates "")
set(gates_closed FALSE)
foreach(gate IN ITEMS AGAINST FAIL_ON PATCH_COVERAGE)
  if(NOT "$ENV{GPUTEST_${gate}}" STREQUAL "")
    set(${gate} "$ENV{GPUTEST_${gate}}")
  endif()
  if(NOT "${${gate}}" STREQUAL "")
    string(TOLOWER --${gate} option)
    string(REPLACE "_" "-" option ${option})
    string(REPLACE ";" "," value "${${gate}}") # a list of CMake
    list(APPEND gates ${option} "${value}")
  endif()
endforeach()
macro(make_index)
  execute_process(
    COMMAND ${GPUTEST} report ${RESULTS_DIR} --index ${RESULTS_DIR}/report.html --badge ${RESULTS_DIR}/badge.svg
            --no-terminal ${gates}
    WORKING_DIRECTORY ${SOURCE_DIR}
    RESULT_VARIABLE failed)
  if(failed EQUAL 1 AND gates)
    set(gates_closed TRUE)
  elseif(failed)
    fail("The index of all reports could not be made")
    return()
  endif()
endmacro()

# Prints where the report is, and what failed.
macro(finish page)
  say("Report: ${page}")
  if(gates_closed)
    fail("The results do not pass the gates of this project (GPUTEST_FAIL_ON, GPUTEST_PATCH_COVERAGE): see above")
  endif()
  if(tests_failed)
    fail("At least one ${KIND} test failed: see above")
  endif()
endmacro()

if(NOT reports)
  set(found 0)
  foreach(result IN LISTS results)
    file(READ ${result} json)
    string(JSON count ERROR_VARIABLE none LENGTH "${json}" findings)
    if(NOT none)
      math(EXPR found "${found} + ${count}")
    endif()
  endforeach()
  list(LENGTH results checked)
  say("${checked} kernels checked, ${found} findings")
  make_index()
  finish(${RESULTS_DIR}/report.html)
  return()
endif()

set(outputs "")
set(ending_of_html .html)
set(ending_of_lcov .lcov)
set(ending_of_sarif .sarif)
set(ending_of_cobertura .xml)
set(ending_of_junit .xml)
if("cobertura" IN_LIST reports) # which has .xml already
  set(ending_of_junit -junit.xml)
endif()
set(ending_of_json -report.json)
foreach(format IN LISTS reports)
  if(ending_of_${format})
    list(APPEND outputs --${format} ${RESULTS_DIR}/${KIND}${ending_of_${format}})
    if(format STREQUAL "html")
      list(APPEND outputs --back report.html) # which make_index() writes
    endif()
  endif()
endforeach()
# With its script, the page is that of mutation-testing-elements instead of our own. Nothing is fetched.
if("viewer" IN_LIST reports AND DEFINED ENV{GPUTEST_MUTATION_VIEWER})
  if(EXISTS "$ENV{GPUTEST_MUTATION_VIEWER}")
    list(APPEND outputs --viewer "$ENV{GPUTEST_MUTATION_VIEWER}")
  elseif(NOT "$ENV{GPUTEST_MUTATION_VIEWER}" STREQUAL "OFF")
    say("note: there is no file $ENV{GPUTEST_MUTATION_VIEWER}, which GPUTEST_MUTATION_VIEWER names: the page is a plain one")
  endif()
endif()

# Sources are named relative to the project.
execute_process(
  COMMAND ${GPUTEST} report ${results} ${outputs}
  WORKING_DIRECTORY ${SOURCE_DIR}
  RESULT_VARIABLE report_failed)
if(report_failed)
  fail("The report could not be made")
  return()
endif()
if("lcov" IN_LIST reports) # the name that editors look for
  file(COPY_FILE ${RESULTS_DIR}/${KIND}.lcov ${RESULTS_DIR}/lcov.info)
endif()
foreach(name IN LISTS names) # the devices of DEVICES
  file(GLOB folders "${RESULTS_DIR}/${name}/devices/*")
  list(LENGTH folders number)
  if(KIND STREQUAL "mutation" AND number GREATER 1)
    say("Devices of ${name}:")
    execute_process(COMMAND ${GPUTEST} compare ${folders} WORKING_DIRECTORY ${SOURCE_DIR})
  endif()
endforeach()
make_index()
say("All kinds of results: ${RESULTS_DIR}/report.html")
finish(${RESULTS_DIR}/${KIND}.html)
