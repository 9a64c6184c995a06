include(${CMAKE_CURRENT_LIST_DIR}/../steps.cmake)

without_cuda()
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

# A program that has no device code before it runs.
run("check a program that compiles its kernels" COMMAND ${PREFIX}/bin/gputest run --check=bounds -o ${WORK}/loads -- ${build}/loads
    OUTPUT "loads: 0 findings in 1 launch")

# CMake's makefiles do not quote the paths of a device link.
find_program(make_program NAMES gmake make)
if(make_program)
  set(blanks "${WORK}/a folder of mine")
  run("configure in a path with blanks" COMMAND ${CMAKE_COMMAND} -S ${source} -B ${blanks} -G "Unix Makefiles" -DCMAKE_PREFIX_PATH=${PREFIX}
      --toolchain ${toolchain})
  run("build in a path with blanks" COMMAND ${CMAKE_COMMAND} --build ${blanks} --target sums)
  run("run in a path with blanks" COMMAND ${blanks}/sums right)
endif()
