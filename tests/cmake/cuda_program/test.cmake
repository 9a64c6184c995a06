include(${CMAKE_CURRENT_LIST_DIR}/../steps.cmake)

without_cuda()
set(make ${CMAKE_COMMAND} --build ${build})
configure(--toolchain ${toolchain})
run("build" COMMAND ${make})
run("a second build does nothing" COMMAND ${make} OUTPUT "no work to do")
run("test" FAILS COMMAND ${CMAKE_CTEST_COMMAND} --test-dir ${build} --output-on-failure OUTPUT
    "sums [.]+ +Passed" "loads [.]+ +Passed" "right.check [.]+ +Passed" "wrong.check [.]+\\*\\*\\*Failed"
    "twice.test [.]+ +Passed" "twice.coverage [.]+ +Passed" "twice.mutation [.]+ +Passed"
    "sums.cu:(9|12):[0-9]+: error: data race on byte [0-9]+ of 'part', within a block: thread"
    "wrong: 1 finding in 1 launch; checked: races, bounds")
expect_file(${build}/gputest/wrong/check.json "\"kind\": ?\"race\"")
expect_file(${build}/gputest/right/check.json "\"findings\": ?\\[\\]")
