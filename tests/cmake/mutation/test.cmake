include(${CMAKE_CURRENT_LIST_DIR}/../steps.cmake)

configure("-DCMAKE_CXX_FLAGS=-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror")

foreach(config IN LISTS configs)
  use_config(${config})

  run("build ${config}" COMMAND ${make} OUTPUT "Making the mutants of add.cl for add"
      "Making the mutants of fill.cl for fill" "Making the mutants of fill.cl for twice" NO_OUTPUT "mutants of fill.cl for plain")
  run("build ${config} twice" COMMAND ${make} NO_OUTPUT "Making" "Instrumenting" "Writing" "Building" "Linking")
  expect_file(${results}/add/mutants.cl "add")
  expect_file(${results}/add/mutants.json "\"file\":\"include/shift.h\"")
  expect_file(${results}/twice/mutants.json "\"function\":\"twice\"")
  if(EXISTS ${results}/plain/mutants.json)
    message(FATAL_ERROR "There are mutants of a kernel without MUTATION")
  endif()

  # Each configuration has results of its own; what follows is the same in all.
  if(config STREQUAL "Debug")
    continue()
  endif()

  # What the mutants are made of makes them anew, and nothing else does.
  foreach(file IN ITEMS add.cl include/shift.h)
    file(TOUCH ${source}/${file})
    run("touch ${file}" COMMAND ${make} OUTPUT "Making the mutants of add.cl for add" NO_OUTPUT "mutants of fill.cl")
    run("build after it twice" COMMAND ${make} NO_OUTPUT "Making" "Instrumenting" "Writing" "Building" "Linking")
  endforeach()
  file(TOUCH ${source}/add_reference.cpp)
  run("touch the reference" COMMAND ${make} OUTPUT "Linking" NO_OUTPUT "Making")
  file(REMOVE ${results}/add/mutants.json)
  run("mutants.json is gone" COMMAND ${make} OUTPUT "Making the mutants of add.cl for add" NO_OUTPUT "mutants of fill.cl")

  run("tests of the label" COMMAND ${test} -N -L "^mutation$" OUTPUT
      "add.mutation" "fill.mutation" "twice.mutation" "Total Tests: 3")
  run("tests of the user's label" COMMAND ${test} -N -L "^quick$" OUTPUT "add.test" "add.coverage" "add.mutation" "Total Tests: 3")

  run("target mutation" COMMAND ${make} --target mutation OUTPUT
      "add.mutation [.]+ +Passed" "fill.mutation [.]+ +Passed" "twice.mutation [.]+ +Passed" "out of 3"
      "add.cl:[0-9]+:[0-9]+: [a-z_]+: .* survived" "Report: ${results}/mutation.html")
  # The terminal is known to the outermost command alone.
  list(JOIN make " " make_words)
  run("target mutation in a terminal" COMMAND script -qec "${make_words} --target mutation" /dev/null OUTPUT
      "add: [0-9]+ mutants, being built for the device" "add.mutation [.]+ +Passed" "Report: ${results}/mutation.html")
  file(READ ${results}/add/mutation.json mutation)
  set(settings "")
  foreach(key IN ITEMS threshold repeat sample_seed operators)
    string(JSON value GET "${mutation}" gputest ${key})
    string(REGEX REPLACE "[ \n]+" " " value "${value}")
    string(APPEND settings "${key} ${value} ")
  endforeach()
  set(expected "^threshold 40.5 repeat 2 sample_seed 1 operators .*arithmetic_replacement.*gpu_index_replacement")
  if(NOT settings MATCHES "${expected}" OR settings MATCHES "barrier_deletion")
    message(FATAL_ERROR "The settings have not arrived: ${settings}")
  endif()
  expect_file(${results}/add/harness.cpp "mutation.timeout-factor\", \"20\"")
  expect_file(${results}/mutation.html "shift.h")
  expect_file(${results}/mutation.sarif "add.cl")
  expect_file(${results}/mutation.xml "<testsuite ")
  expect_file(${results}/mutation-report.json "\"schemaVersion\"")
  expect_file(${results}/results.db)

  file(REMOVE ${results}/fill/mutation.json)
  run("what is known is not run again" COMMAND ${test} -V -L "^mutation$" OUTPUT "add: [^:]*, 0 run" "fill: [^:]*, 0 run")
  expect_file(${results}/fill/mutation.json)

  run("no device" COMMAND ${CMAKE_COMMAND} -E env OCL_ICD_VENDORS=/nonexistent ${test} -L "^mutation$"
      OUTPUT "add.mutation [.]+\\*\\*\\*Skipped" "twice.mutation [.]+\\*\\*\\*Skipped")
  run("target mutation with no device" FAILS
      COMMAND ${CMAKE_COMMAND} -E env OCL_ICD_VENDORS=/nonexistent ${make} --target mutation
      OUTPUT "nothing to report" "no OpenCL device")
endforeach()

# A viewer that the user names is in the page.
file(WRITE ${WORK}/viewer.js "/* mutation-test-report-app: the viewer */")
run("target mutation with a viewer" COMMAND ${CMAKE_COMMAND} -E env GPUTEST_MUTATION_VIEWER=${WORK}/viewer.js ${make} --target mutation)
expect_file(${results}/mutation.html "the viewer")

# Decided from outside, as continuous integration does.
configure(-DMUTATION_SINCE=origin/main)
run("build with SINCE" COMMAND ${make} OUTPUT "Writing the host program of fill" NO_OUTPUT "host program of add")
expect_file(${results}/fill/harness.cpp "mutation.since\", \"origin/main\"")
