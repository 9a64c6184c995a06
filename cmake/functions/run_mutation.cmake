# What building the target `mutation` does: run every test labelled mutation, and report on all there
# is, even if a test failed.
#
# cmake -DCTEST=… -DGPUTEST=… -DBUILD_DIR=… -DSOURCE_DIR=… -DRESULTS_DIR=… -DNAMES_FILE=… -DCONFIG=… -P run_mutation.cmake
# NAMES_FILE has a name a line; RESULTS_DIR receives mutation.html, mutation.sarif, mutation.xml (JUnit) and
# mutation-report.json.

include(${CMAKE_CURRENT_LIST_DIR}/mutation_viewer.cmake)

file(STRINGS "${NAMES_FILE}" names)

# What an earlier run left must not pass for a result of this one. The store of outcomes stays.
foreach(name IN LISTS names)
  file(REMOVE "${RESULTS_DIR}/${name}/mutation.json")
endforeach()

execute_process(
  COMMAND ${CTEST} --test-dir ${BUILD_DIR} -C "${CONFIG}" -L "^mutation$" --output-on-failure
  RESULT_VARIABLE tests_failed)

set(results "")
foreach(name IN LISTS names)
  if(EXISTS "${RESULTS_DIR}/${name}/mutation.json")
    list(APPEND results "${RESULTS_DIR}/${name}/mutation.json")
  endif()
endforeach()
if(NOT results)
  message(FATAL_ERROR "No test has left a mutation.json, so there is nothing to report: see above why. "
                      "Skipped tests found no OpenCL device (`clinfo -l` lists those there are); where there are no "
                      "tests, call enable_testing() in the project's top CMakeLists.txt.")
endif()

# The better page when its script can be had. Sources are named relative to the project.
gputest_private_mutation_viewer(viewer "${BUILD_DIR}/gputest")
set(viewer_option "")
if(viewer)
  set(viewer_option --viewer "${viewer}")
endif()
execute_process(
  COMMAND ${GPUTEST} report ${results} --html ${RESULTS_DIR}/mutation.html ${viewer_option}
          --sarif ${RESULTS_DIR}/mutation.sarif --junit ${RESULTS_DIR}/mutation.xml
          --json ${RESULTS_DIR}/mutation-report.json
  WORKING_DIRECTORY ${SOURCE_DIR}
  RESULT_VARIABLE report_failed)
if(report_failed)
  message(FATAL_ERROR "The report could not be made")
endif()
execute_process(COMMAND ${CMAKE_COMMAND} -E echo "Report: ${RESULTS_DIR}/mutation.html")
if(tests_failed)
  message(FATAL_ERROR "At least one mutation test failed: see above")
endif()
