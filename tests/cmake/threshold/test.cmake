include(${CMAKE_CURRENT_LIST_DIR}/../steps.cmake)

set(make ${CMAKE_COMMAND} --build ${build})
configure()
run("build" COMMAND ${make})
run("test" FAILS COMMAND ${CMAKE_CTEST_COMMAND} --test-dir ${build} --output-on-failure
    OUTPUT "clamp.test [.]+ Passed" "clamp.coverage [.]+\\*\\*\\*Failed" "branch.* 50.*100" NO_OUTPUT "barrier.*below")
run("target" FAILS COMMAND ${make} --target gpu_coverage OUTPUT "Report: " "At least one coverage test failed")
expect_file(${build}/gputest/coverage.html)
run("the user's target" COMMAND ${make} --target coverage OUTPUT "my own" NO_OUTPUT "Report")
