include(${CMAKE_CURRENT_LIST_DIR}/../steps.cmake)

without_cuda()
without_opencl()
string(REPLACE gputest-cuda.cmake gputest-hip.cmake toolchain "${toolchain}")
configure(--toolchain ${toolchain})
run("build" COMMAND ${make})
run("a second build does nothing" COMMAND ${make} OUTPUT "no work to do")
run("test" FAILS COMMAND ${test} --output-on-failure OUTPUT
    "right.coverage [.]+ +Passed" "right.mutation [.]+ +Passed" "right.schedules [.]+ +Passed" "right.check [.]+ +Passed"
    "wrong.check [.]+\\*\\*\\*Failed" "host_alone [.]+ +Passed" "over_static [.]+ +Passed" "over_shared [.]+ +Passed" "sum.test [.]+ +Passed" "sum.check [.]+ +Passed"
    "sum.coverage [.]+ +Passed" "sum.mutation [.]+ +Passed" "clamped.coverage [.]+ +Passed"
    "sums.hip:10:[0-9]+: error: .*bounds" "wrong: [0-9]+ findings? in 1 launch")
expect_file(${build}/gputest/right/mutation.json "\"language\": ?\"hip\"")
# A program is HIP's if a library that it needs is.
run("check a program over a shared library" COMMAND ${PREFIX}/bin/gputest run --check=bounds,host -o ${WORK}/over -- ${build}/over_shared
    OUTPUT "over_shared: 0 findings in 1 launch")
run("generate" COMMAND ${make} --target sum.generate OUTPUT "sum<float>: [0-9]+ of [0-9]+ outcomes reached")
run("a patch" COMMAND ${PREFIX}/bin/gputest mutants ${source}/sums.hip --instance "sum<float>" OUTPUT "sums.hip:10:")

# The same by hipcc, which is a compiler of C++ to CMake.
cmake_path(GET toolchain PARENT_PATH toolkit)
run("configure with hipcc" COMMAND ${CMAKE_COMMAND} -S ${source} -B ${WORK}/as_cxx -G ${GENERATOR} -DCMAKE_PREFIX_PATH=${PREFIX}
    -DAS_CXX=ON -DCMAKE_CXX_COMPILER=${toolkit}/bin/hipcc)
run("build with hipcc" COMMAND ${CMAKE_COMMAND} --build ${WORK}/as_cxx)
run("coverage with hipcc" COMMAND ${CMAKE_CTEST_COMMAND} --test-dir ${WORK}/as_cxx -V -R "right.coverage" OUTPUT "right +[1-9]")

# A mistake: the toolchain file is not where its compiler is; an architecture that AMD does not have.
file(COPY_FILE ${toolchain} ${WORK}/copied.cmake)
run("a copy of the toolchain file" FAILS COMMAND ${CMAKE_COMMAND} -S ${source} -B ${WORK}/copied -G ${GENERATOR} --toolchain ${WORK}/copied.cmake
    OUTPUT "gputest-hip.cmake: there is no ")
run("an unknown GPU" FAILS COMMAND ${CMAKE_COMMAND} -S ${source} -B ${WORK}/unknown -G ${GENERATOR} -DCMAKE_PREFIX_PATH=${PREFIX}
    --toolchain ${toolchain} -DCMAKE_HIP_ARCHITECTURES=gfx9999 OUTPUT "'gfx9999' is no GPU of AMD's")
