include(${CMAKE_CURRENT_LIST_DIR}/../steps.cmake)

run("configure" COMMAND ${CMAKE_COMMAND} -S ${source} -B ${build} -G ${GENERATOR} -DSOURCE_TREE=${SOURCE_TREE})

# Only the user's own tests and targets, and the tool is built before it is used.
run("tests" COMMAND ${CMAKE_CTEST_COMMAND} --test-dir ${build} -N OUTPUT "one.test" "one.coverage" "Total Tests: 2")
if(GENERATOR STREQUAL "Ninja")
  run("what is needed" COMMAND ${CMAKE_COMMAND} --build ${build} -- -n OUTPUT
      "Linking CXX executable gputestcheck/driver/gputest.*Instrumenting one.cl for one" NO_OUTPUT "_test.cpp" "histogram")
endif()
