include(${CMAKE_CURRENT_LIST_DIR}/../steps.cmake)

configure()
run("build" COMMAND ${make})
run("test" FAILS COMMAND ${CMAKE_CTEST_COMMAND} --test-dir ${build} --output-on-failure OUTPUT
    "half.coverage [.]+ Passed" "half_wanted.coverage [.]+ Passed" "too_much_wanted.coverage [.]+\\*\\*\\*Failed"
    "branch.*50.*75" "fails.coverage [.]+\\*\\*\\*Failed" "The test program failed" "runs_nothing.coverage [.]+\\*\\*\\*Failed"
    "ran no kernel through gputest::run_kernel" "anybodys.coverage [.]+ Passed" "anybodys.mutation [.]+ Passed"
    "anybodys.schedules [.]+ Passed" "anybodys.check [.]+ Passed" "67% tests passed")
run("arguments stay whole" COMMAND ${CMAKE_CTEST_COMMAND} --test-dir ${build} -V -R "^half.coverage" OUTPUT "ran with 2 values")
run("mutants of its calls" COMMAND ${CMAKE_CTEST_COMMAND} --test-dir ${build} -V -R "^anybodys.mutation" OUTPUT
    "3 mutants, 1 test case")
run("labels" COMMAND ${CMAKE_CTEST_COMMAND} --test-dir ${build} -N -L "^mine$" OUTPUT "half.coverage" "Total Tests: 1")
run("target" FAILS COMMAND ${make} --target coverage OUTPUT "absolute" "Report: ")
expect_file(${build}/gputest/coverage.lcov "SF:.*abs.cl")
run("no device" COMMAND ${CMAKE_COMMAND} -E env OCL_ICD_VENDORS=/nonexistent ${CMAKE_CTEST_COMMAND} --test-dir ${build} -R "half|anybodys"
    OUTPUT "half.coverage [.]+\\*\\*\\*Skipped" "anybodys.coverage [.]+\\*\\*\\*Skipped" "anybodys.mutation [.]+\\*\\*\\*Skipped"
    "anybodys.schedules [.]+\\*\\*\\*Skipped" "anybodys.check [.]+\\*\\*\\*Skipped")
