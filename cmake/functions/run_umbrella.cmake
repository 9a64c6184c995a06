# What building the target `coverage`, `mutation`, `schedules` or `check` does: run every test of that label, and report on
# all there is, even if a test failed.
#
# cmake -DKIND=… -DCTEST=… -DGPUTEST=… -DBUILD_DIR=… -DSOURCE_DIR=… -DRESULTS_DIR=… -DNAMES_FILE=… -DCONFIG=…
#       -P run_umbrella.cmake
# NAMES_FILE has a name a line; RESULTS_DIR receives <kind>.html, and
#   coverage: coverage.lcov, coverage.xml (Cobertura)
#   mutation: mutation.sarif, mutation.xml (JUnit), mutation-report.json
#   schedules: schedules.sarif, schedules.xml (JUnit), schedules-report.json
# The tests of the kind check print their findings themselves; there is no page of them.

include(${CMAKE_CURRENT_LIST_DIR}/mutation_viewer.cmake)

file(STRINGS "${NAMES_FILE}" names)

# The results of all tests that are there. A test program (gputest_add_coverage_test, gputest_add_program) leaves one for
# each kernel.
function(find_results variable)
  set(results "")
  foreach(name IN LISTS names)
    if(KIND STREQUAL "coverage")
      file(GLOB_RECURSE found "${RESULTS_DIR}/${name}/*coverage.json")
      list(APPEND results ${found})
    elseif(EXISTS "${RESULTS_DIR}/${name}/${KIND}.json")
      list(APPEND results "${RESULTS_DIR}/${name}/${KIND}.json")
    elseif(KIND MATCHES "^(schedules|check)$")
      file(GLOB found "${RESULTS_DIR}/${name}/*/${KIND}.json")
      list(APPEND results ${found})
    endif()
  endforeach()
  set(${variable} "${results}" PARENT_SCOPE)
endfunction()

# What an earlier run left must not pass for a result of this one. The store of outcomes stays.
find_results(old)
if(old)
  file(REMOVE ${old})
endif()

execute_process(
  COMMAND ${CTEST} --test-dir ${BUILD_DIR} -C "${CONFIG}" -L "^${KIND}$" --output-on-failure
  RESULT_VARIABLE tests_failed)

find_results(results)
if(NOT results)
  message(FATAL_ERROR "No test has left a ${KIND}.json, so there is nothing to report: see above why. "
                      "Skipped tests found no OpenCL device (`clinfo -l` lists those there are); where there are no "
                      "tests, call enable_testing() in the project's top CMakeLists.txt.")
endif()

if(KIND STREQUAL "check")
  set(found 0)
  foreach(result IN LISTS results)
    file(READ ${result} json)
    string(JSON count LENGTH "${json}" findings)
    math(EXPR found "${found} + ${count}")
  endforeach()
  list(LENGTH results checked)
  execute_process(COMMAND ${CMAKE_COMMAND} -E echo "${checked} kernels checked, ${found} findings")
  if(tests_failed)
    message(FATAL_ERROR "At least one check test failed: see above")
  endif()
  return()
endif()

set(outputs --html ${RESULTS_DIR}/${KIND}.html)
if(KIND STREQUAL "coverage")
  list(APPEND outputs --lcov ${RESULTS_DIR}/coverage.lcov --cobertura ${RESULTS_DIR}/coverage.xml)
else()
  list(APPEND outputs --sarif ${RESULTS_DIR}/${KIND}.sarif --junit ${RESULTS_DIR}/${KIND}.xml
                      --json ${RESULTS_DIR}/${KIND}-report.json)
endif()
if(KIND STREQUAL "mutation") # the better page when its script can be had
  gputest_private_mutation_viewer(viewer "${BUILD_DIR}/gputest")
  if(viewer)
    list(APPEND outputs --viewer "${viewer}")
  endif()
endif()

# Sources are named relative to the project.
execute_process(
  COMMAND ${GPUTEST} report ${results} ${outputs}
  WORKING_DIRECTORY ${SOURCE_DIR}
  RESULT_VARIABLE report_failed)
if(report_failed)
  message(FATAL_ERROR "The report could not be made")
endif()
execute_process(COMMAND ${CMAKE_COMMAND} -E echo "Report: ${RESULTS_DIR}/${KIND}.html")
if(tests_failed)
  message(FATAL_ERROR "At least one ${KIND} test failed: see above")
endif()
