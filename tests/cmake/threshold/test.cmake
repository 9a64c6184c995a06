include(${CMAKE_CURRENT_LIST_DIR}/../steps.cmake)

configure()
run("build" COMMAND ${make})
run("test" FAILS COMMAND ${CMAKE_CTEST_COMMAND} --test-dir ${build} --output-on-failure -LE mutation
    OUTPUT "clamp.test [.]+ Passed" "clamp.coverage [.]+\\*\\*\\*Failed" "branch.* 50.*100" NO_OUTPUT "barrier.*below")
run("mutation test" FAILS COMMAND ${CMAKE_CTEST_COMMAND} --test-dir ${build} --output-on-failure -L mutation
    OUTPUT "clamp.mutation [.]+\\*\\*\\*Failed" "mutation score [0-9.]+ % is below the threshold of 100 %")
run("target" FAILS COMMAND ${make} --target gpu_coverage OUTPUT "Report: " "At least one coverage test failed")
expect_file(${build}/gputest/coverage.html "1 threshold missed")
expect_file(${build}/gputest/report.html "branch coverage is 50 %, below the threshold of 100 %")
run("target for mutation, as on GitHub" FAILS
    COMMAND ${CMAKE_COMMAND} -E env GITHUB_ACTIONS=true GPUTEST_MUTATION_VIEWER=/nonexistent ${make} --target gpu_mutation
    OUTPUT "::warning file=clamp.cl,line=[0-9]+,col=[0-9]+,title=[a-z_]+::"
    "note: there is no file /nonexistent, which GPUTEST_MUTATION_VIEWER names: the page is a plain one" "clamp.cl:[0-9:]+ [a-z_]+: .* survived" "Report: " "At least one mutation test failed")
expect_file(${build}/gputest/mutation.html)
run("the user's target" COMMAND ${make} --target coverage OUTPUT "my own" NO_OUTPUT "Report")
run("the user's other target" COMMAND ${make} --target mutation OUTPUT "my own, too" NO_OUTPUT "Report")
