include(${CMAKE_CURRENT_LIST_DIR}/../steps.cmake)

run("configure" COMMAND ${CMAKE_COMMAND} -S ${source} -B ${build} -G ${GENERATOR} -DSOURCE_TREE=${SOURCE_TREE}
    -DGPUTEST_EXECUTABLE=${GPUTEST} NO_OUTPUT "Clang")
run("tests" COMMAND ${CMAKE_CTEST_COMMAND} --test-dir ${build} -N OUTPUT "one.test" "one.coverage" "Total Tests: 2")
# Not done, because the runtime takes a while to compile.
run("what is needed" COMMAND ${CMAKE_COMMAND} --build ${build} -- -n -v OUTPUT
    "Building|-c [^ ]*runtime" "${GPUTEST} instrument .*${GPUTEST} harness .*rpath,[^ ]*ORIGIN[^ ]* .*" NO_OUTPUT "passes" "_test.cpp")
