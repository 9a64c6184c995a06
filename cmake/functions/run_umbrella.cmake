# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The script of the target of an analysis, such as `coverage`. It runs every test of that label, and
# reports on all results, even if a test failed.
#
#     cmake -DKIND=… -DCTEST=… -DGPUTEST=… -DBUILD_DIR=… -DSOURCE_DIR=… -DRESULTS_DIR=…
#           -DNAMES_FILE=… -DCONFIG=… [-DMERGE=ON] [-DAGAINST=… -DFAIL_ON=… -DPATCH_COVERAGE=…]
#           [-DTIME_LIMIT=…] -P run_umbrella.cmake
#
# AGAINST, FAIL_ON and PATCH_COVERAGE are options of `gputest report`, the gates of a pull request.
# The environment variables GPUTEST_AGAINST, GPUTEST_FAIL_ON and GPUTEST_PATCH_COVERAGE win over
# them.
#
# TIME_LIMIT, such as 10min, is the time of all tests together, and GPUTEST_TIME_LIMIT wins over it.
# Tests divide it among them (model/time/share.h).
#
# With MERGE, shards do not run; the tests that merge take the results that shards have left.
#
# NAMES_FILE has one name a line. The script writes the reports of the analysis to RESULTS_DIR:
# <kind>.html, .lcov, .sarif, .xml (Cobertura or JUnit; of both, JUnit is <kind>-junit.xml) and
# <kind>-report.json, and of all kinds together report.html and badge.svg. Tests of an analysis
# without reports print their findings themselves.
#
# After a failure, it leaves ${KIND}.failed in RESULTS_DIR, for which the target looks. An error of
# CMake would print its stack of calls, which tells users nothing.

cmake_minimum_required(VERSION 3.25)

include(${CMAKE_CURRENT_LIST_DIR}/analyses.cmake)
gputest_private_analyses()
get_property(reports GLOBAL PROPERTY gputest_${KIND}_reports)
get_property(result_name GLOBAL PROPERTY gputest_${KIND}_result)

file(STRINGS "${NAMES_FILE}" names)
set(mark_of_failure ${RESULTS_DIR}/${KIND}.failed)
file(REMOVE ${mark_of_failure})

# Prints to standard output, without a prefix.
function(say text)
  execute_process(COMMAND ${CMAKE_COMMAND} -E echo "${text}")
endfunction()

# fail(<file> <text>): reports a failure, which the file keeps. The caller returns after it.
function(fail file text)
  say("error: ${text}")
  file(WRITE ${file} "${text}\n")
endfunction()

# find_results(<variable> <folder> <names> <result>)
#
# The existing results of all tests. A test program (gputest_add_coverage_test, gputest_add_program)
# leaves one for each kernel.
function(find_results variable folder names result)
  set(results "")
  foreach(name IN LISTS names)
    file(GLOB_RECURSE found "${folder}/${name}/${result}" "${folder}/${name}/*.${result}")
    list(APPEND results ${found})
  endforeach()
  set(${variable} "${results}" PARENT_SCOPE)
endfunction()

# Results of an earlier run must not pass for results of this one. The store of outcomes stays.
find_results(old "${RESULTS_DIR}" "${names}" ${result_name})
if(old)
  file(REMOVE ${old})
endif()

# gputest_private_milliseconds(<variable> <time, such as 10min>)
#
# Fails for anything else.
function(gputest_private_milliseconds variable time)
  string(CONCAT wrong "GPUTEST_TIME_LIMIT: '${time}' is not a time above 0, such as 10min, "
                      "90s or 1.5h")
  if(NOT time MATCHES "^([0-9]+)([.]([0-9]+))?(ms|s|sec|m|min|h|d)?$")
    message(FATAL_ERROR "${wrong}")
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
  set(factor ${factor_${unit}})
  math(EXPR milliseconds "${whole} * ${factor} + 1${thousandths} * ${factor} / 1000 - ${factor}")
  if(milliseconds LESS 1)
    message(FATAL_ERROR "${wrong}")
  endif()
  set(${variable} ${milliseconds} PARENT_SCOPE)
endfunction()

set(without_shards "")
if(MERGE)
  set(without_shards --fixture-exclude-setup "[.]shards$")
endif()
set(ctest ${CTEST} --test-dir ${BUILD_DIR} -L "^${KIND}$" ${without_shards})
if(NOT CONFIG STREQUAL "")
  list(APPEND ctest -C ${CONFIG})
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
  execute_process(COMMAND ${ctest} -N OUTPUT_VARIABLE listed)
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
  # tests with a time limit begin with what has changed since then
  set(ENV{GPUTEST_AGAINST} "${AGAINST}")
endif()
execute_process(COMMAND ${ctest} ${resources} --output-on-failure RESULT_VARIABLE tests_failed)

find_results(results "${RESULTS_DIR}" "${names}" ${result_name})
if(NOT results)
  fail(${mark_of_failure} "No test has left a ${result_name}, so there is nothing to report: see \
above why. Skipped tests found no OpenCL device (`clinfo -l` lists those there are); where there \
are no tests, call enable_testing() in the project's top CMakeLists.txt.")
  return()
endif()

# One page over all kinds of results, this one among them. The gates look at all of them.
set(gates "")
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

# make_index(<variable> <folder of sources> <file of a failure> <gates> <command>)
#
# Writes the page. The result is "made", "closed" if a gate is, or "failed".
function(make_index variable sources mark gates command)
  execute_process(COMMAND ${command} ${gates} WORKING_DIRECTORY ${sources} RESULT_VARIABLE failed)
  set(${variable} made PARENT_SCOPE)
  if(failed EQUAL 1 AND gates)
    set(${variable} closed PARENT_SCOPE)
  elseif(failed)
    set(${variable} failed PARENT_SCOPE)
    fail(${mark} "The index of all reports could not be made")
  endif()
endfunction()
set(index ${GPUTEST} report ${RESULTS_DIR} --index ${RESULTS_DIR}/report.html
          --badge ${RESULTS_DIR}/badge.svg --no-terminal)

# finish(<page> <kind> <result of make_index()> <tests failed> <file of a failure>)
#
# Prints where the report is, and what failed.
function(finish page kind index tests_failed mark)
  if(index STREQUAL "failed")
    return()
  endif()
  say("Report: ${page}")
  if(index STREQUAL "closed")
    fail(${mark} "The results do not pass the gates of this project (GPUTEST_FAIL_ON, \
GPUTEST_PATCH_COVERAGE): see above")
  endif()
  if(tests_failed)
    fail(${mark} "At least one ${kind} test failed: see above")
  endif()
endfunction()

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
  make_index(made ${SOURCE_DIR} ${mark_of_failure} "${gates}" "${index}")
  finish(${RESULTS_DIR}/report.html ${KIND} ${made} "${tests_failed}" ${mark_of_failure})
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
# With its script, the page is that of mutation-testing-elements instead of our own. Nothing is
# fetched.
if("viewer" IN_LIST reports AND DEFINED ENV{GPUTEST_MUTATION_VIEWER})
  if(EXISTS "$ENV{GPUTEST_MUTATION_VIEWER}")
    list(APPEND outputs --viewer "$ENV{GPUTEST_MUTATION_VIEWER}")
  elseif(NOT "$ENV{GPUTEST_MUTATION_VIEWER}" STREQUAL "OFF")
    say("note: there is no file $ENV{GPUTEST_MUTATION_VIEWER}, which GPUTEST_MUTATION_VIEWER \
names: the page is a plain one")
  endif()
endif()

# Sources are named relative to the project.
execute_process(
  COMMAND ${GPUTEST} report ${results} ${outputs}
  WORKING_DIRECTORY ${SOURCE_DIR}
  RESULT_VARIABLE report_failed)
if(report_failed)
  fail(${mark_of_failure} "The report could not be made")
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
make_index(made ${SOURCE_DIR} ${mark_of_failure} "${gates}" "${index}")
if(NOT made STREQUAL "failed")
  say("All kinds of results: ${RESULTS_DIR}/report.html")
endif()
finish(${RESULTS_DIR}/${KIND}.html ${KIND} ${made} "${tests_failed}" ${mark_of_failure})
