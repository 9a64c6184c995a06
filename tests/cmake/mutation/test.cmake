include(${CMAKE_CURRENT_LIST_DIR}/../steps.cmake)

set(configs Default)
if(GENERATOR STREQUAL "Ninja Multi-Config")
  set(configs Debug Release)
endif()

configure("-DCMAKE_CXX_FLAGS=-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror")

foreach(config IN LISTS configs)
  set(make ${CMAKE_COMMAND} --build ${build} --config ${config})
  set(test ${CMAKE_CTEST_COMMAND} --test-dir ${build} -C ${config})
  set(results ${build}/gputest)
  if(NOT config STREQUAL "Default")
    set(results ${build}/gputest/${config})
  endif()

  run("build ${config}" COMMAND ${make} OUTPUT "Making the mutants of add.cl for add"
      "Making the mutants of fill.cl for fill" "Making the mutants of fill.cl for twice" NO_OUTPUT "mutants of fill.cl for plain")
  run("build ${config} twice" COMMAND ${make} NO_OUTPUT "Making" "Instrumenting" "Writing" "Building" "Linking")
  expect_file(${results}/add/mutants.cl "add")
  expect_file(${results}/add/mutants.json "\"file\":\"include/shift.h\"")
  expect_file(${results}/twice/mutants.json "\"function\":\"twice\"")
  if(EXISTS ${results}/plain/mutants.json)
    message(FATAL_ERROR "There are mutants of a kernel without MUTATION")
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
endforeach()
