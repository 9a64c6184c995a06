# What building the target `coverage` does: run every test labelled coverage, and report on all there
# is, even if a test failed.
#
# cmake -DCTEST=… -DGPUTEST=… -DBUILD_DIR=… -DSOURCE_DIR=… -DRESULTS_DIR=… -DNAMES_FILE=… -DCONFIG=… -P run_coverage.cmake
# NAMES_FILE has a name a line; RESULTS_DIR receives coverage.html, coverage.lcov, coverage.xml.

file(STRINGS "${NAMES_FILE}" names)

# What an earlier run left must not pass for a result of this one.
foreach(name IN LISTS names)
  file(GLOB_RECURSE old "${RESULTS_DIR}/${name}/*coverage.json")
  if(old)
    file(REMOVE ${old})
  endif()
endforeach()

execute_process(
  COMMAND ${CTEST} --test-dir ${BUILD_DIR} -C "${CONFIG}" -L "^coverage$" --output-on-failure
  RESULT_VARIABLE tests_failed)

set(results "")
foreach(name IN LISTS names)
  file(GLOB_RECURSE found "${RESULTS_DIR}/${name}/*coverage.json")
  list(APPEND results ${found})
endforeach()
if(NOT results)
  message(FATAL_ERROR "No test has left a coverage.json, so there is nothing to report: see above why. "
                      "Skipped tests found no OpenCL device (`clinfo -l` lists those there are); where there are no "
                      "tests, call enable_testing() in the project's top CMakeLists.txt.")
endif()

# Sources are named relative to the project.
execute_process(
  COMMAND ${GPUTEST} report ${results} --html ${RESULTS_DIR}/coverage.html --lcov ${RESULTS_DIR}/coverage.lcov
          --cobertura ${RESULTS_DIR}/coverage.xml
  WORKING_DIRECTORY ${SOURCE_DIR}
  RESULT_VARIABLE report_failed)
if(report_failed)
  message(FATAL_ERROR "The report could not be made")
endif()
execute_process(COMMAND ${CMAKE_COMMAND} -E echo "Report: ${RESULTS_DIR}/coverage.html")
if(tests_failed)
  message(FATAL_ERROR "At least one coverage test failed: see above")
endif()
