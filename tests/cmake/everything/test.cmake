include(${CMAKE_CURRENT_LIST_DIR}/../steps.cmake)

configure("-DCMAKE_CXX_FLAGS=-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror")

if(NOT long) # the other folder is made in the same way
  list(GET configs 0 configs)
endif()
foreach(config IN LISTS configs)
  use_config(${config})

  run("build ${config}" COMMAND ${make} OUTPUT "Instrumenting scale it.cl for scale")
  run("build ${config} twice" COMMAND ${make} NO_OUTPUT "Instrumenting" "Writing" "Building" "Linking")
  foreach(header IN ITEMS "my kernels/local.h" include/shared.h)
    file(TOUCH "${source}/${header}")
    run("touch ${header}" COMMAND ${make} OUTPUT "Instrumenting scale it.cl for scale" "Linking" NO_OUTPUT "Instrumenting fill.cl")
    run("build after it twice" COMMAND ${make} NO_OUTPUT "Instrumenting" "Writing" "Building" "Linking")
  endforeach()

  run("all tests" COMMAND ${test} OUTPUT
      "scale.test [.]+ Passed" "scale.coverage [.]+ Passed" "fill.test [.]+ Passed" "twice.coverage [.]+ Passed"
      "made.coverage [.]+ Passed" "100% tests passed, 0 tests failed out of 8")
  run("tests of a label" COMMAND ${test} -N -L "^coverage$" OUTPUT "Total Tests: 4")
  run("tests of the user's label" COMMAND ${test} -N -L "^arithmetic$" OUTPUT "scale.test" "scale.coverage" "Total Tests: 2")
  expect_file(${results}/scale/test.json "scale by three.*from the argument.*two groups")
  file(READ ${results}/scale/coverage.json coverage)
  string(JSON total GET "${coverage}" criteria branch total)
  string(JSON site GET "${coverage}" sites 0 file)
  if(NOT total EQUAL 2 OR NOT site STREQUAL "my kernels/scale it.cl")
    message(FATAL_ERROR "coverage.json has ${total} branches, wanted 2; the first site is in '${site}'")
  endif()

  file(REMOVE ${results}/scale/coverage.json)
  run("target coverage" COMMAND ${make} --target coverage OUTPUT "scale" "twice" "Report: ${results}/coverage.html")
  expect_file(${results}/scale/coverage.json)
  expect_file(${results}/coverage.html "scale it.cl")
  expect_file(${results}/coverage.lcov "SF:.*scale it.cl")
  expect_file(${results}/coverage.xml "scale it.cl")

  run("no device" COMMAND ${CMAKE_COMMAND} -E env OCL_ICD_VENDORS=/nonexistent ${test}
      OUTPUT "scale.test [.]+\\*\\*\\*Skipped" "made.coverage [.]+\\*\\*\\*Skipped")
  run("target coverage with no device" FAILS
      COMMAND ${CMAKE_COMMAND} -E env OCL_ICD_VENDORS=/nonexistent ${make} --target coverage
      OUTPUT "nothing to report" "no OpenCL device")
endforeach()

# A kernel costs little space: what runs it is in a library that all share.
file(SIZE ${results}/scale/scale_harness size)
if(size GREATER 200000)
  message(FATAL_ERROR "scale_harness has ${size} bytes")
endif()

# A new file that matches a pattern is found without being told.
file(WRITE "${source}/cases/scale more.json" "{\"arguments\": {\"factor\": 0}}")
run("a new case" COMMAND ${make} OUTPUT "Writing the host program of scale" NO_OUTPUT "Instrumenting")
run("the new case" COMMAND ${results}/scale/scale_harness --list-cases OUTPUT "scale more")

# No path of this machine in what is written for the project's own files.
file(READ ${results}/scale/harness.cpp harness)
string(FIND "${harness}" "${source}" found)
if(NOT found EQUAL -1)
  message(FATAL_ERROR "harness.cpp holds the path of the project:\n${harness}")
endif()
