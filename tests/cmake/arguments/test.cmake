include(${CMAKE_CURRENT_LIST_DIR}/../steps.cmake)

configure()
run("build" COMMAND ${CMAKE_COMMAND} --build ${build})
run("all tests" COMMAND ${CMAKE_CTEST_COMMAND} --test-dir ${build} -V OUTPUT
    "sum: 2 of 2 cases passed" "sum: 0 findings in 2 cases; checked: arithmetic, overflow"
    "100% tests passed, 0 tests failed out of 3")

# Where the harness is started does not matter; a file that is gone is named as the user knows it.
run("from another folder" COMMAND ${CMAKE_COMMAND} -E chdir / ${build}/gputest/sum/sum_harness OUTPUT "2 of 2 cases passed")
file(REMOVE "${source}/my data/b.npy")
run("a file is gone" FAILS COMMAND ${build}/gputest/sum/sum_harness OUTPUT "${source}/my data/b.npy: error: cannot be read")
file(COPY_FILE ${source}/kernels/sum.cl "${source}/my data/b.npy")
run("a file is none" FAILS COMMAND ${build}/gputest/sum/sum_harness OUTPUT "b.npy: error: not a .npy file; write one with numpy.save")

# The kernel edited, and no build: every test says so.
file(COPY_FILE ${source}/a.npy "${source}/my data/b.npy")
file(APPEND ${source}/kernels/sum.cl "// One line more.\n")
run("edited and not built" FAILS COMMAND ${CMAKE_CTEST_COMMAND} --test-dir ${build} -V OUTPUT
    "kernels/sum.cl: error: has changed since" "build first, with cmake --build ${build}" "0% tests passed, 3 tests failed out of 3")
