include(${CMAKE_CURRENT_LIST_DIR}/../steps.cmake)

without_cuda()
set(make ${CMAKE_COMMAND} --build ${build})
set(test ${CMAKE_CTEST_COMMAND} --test-dir ${build} --output-on-failure)
configure(--toolchain ${toolchain})
run("build" COMMAND ${make})
run("a second build does nothing" COMMAND ${make} OUTPUT "no work to do")
run("the program as it is" COMMAND ${test} -R "^sums_test$" OUTPUT "100% tests passed")
run("thresholds hold" COMMAND ${test} -V -R "^holds" OUTPUT
    "100% tests passed, 0 tests failed out of 2" "holds +[0-9]+/[0-9]+ +100 % +[0-9]+/[0-9]+ +100 %" "sync_removal" "share_removal"
    "alloc_increment" "atom_removal" "gpu_index_replacement" "not counted: loop 'for .int k = 0; k < 64; [+][+]k.': zero, one")
expect_file(${build}/gputest/holds/coverage.json "part.cuh")
# What is made of a template, apart: as the program was told, and as a report is asked.
run("a threshold that one instantiation misses" FAILS COMMAND ${test} -V -R "^apart" OUTPUT
    "part.cuh:4:10: branch 'x < T.0.' was never true in positive<unsigned int>" "error: branch coverage is [0-9.]+ %, below the threshold of 100 %")
set(report ${PREFIX}/bin/gputest report ${build}/gputest/apart --source-root ${source})
run("apart" COMMAND ${report} --lcov ${WORK}/apart.lcov OUTPUT "in positive<unsigned int>")
expect_file(${WORK}/apart.lcov "FN:3,positive<int>")
expect_file(${WORK}/apart.lcov "FNDA:1,positive<unsigned int>")
run("merged" COMMAND ${report} --instantiations merged --threshold branch=100 --lcov ${WORK}/merged.lcov)
expect_file(${WORK}/merged.lcov "FN:3,positive\n")
run("apart of a program that was told nothing" FAILS COMMAND ${PREFIX}/bin/gputest report ${build}/gputest/holds/coverage.json
    --source-root ${source} --instantiations apart --threshold branch=100 OUTPUT "never true in positive<unsigned int>")
run("neither" FAILS COMMAND ${report} --instantiations both OUTPUT "error: --instantiations: 'both' is not known: merged or apart")
run("of other results" FAILS COMMAND ${PREFIX}/bin/gputest report ${build}/gputest/holds/mutation.json --instantiations apart
    OUTPUT "error: --instantiations is for results of coverage")
expect_file(${build}/gputest/holds/mutation.json "part.cuh")
# In one order of threads, plain additions add up: the check for races tells.
expect_file(${build}/gputest/holds/mutation.json "in the simulator: [^\"]*data race")
# Mutants of a program's tables as patches: of a launch, and of device code.
file(GLOB table ${build}/gputest/cuda/sums_*/mutants.json)
file(READ ${table} json)
string(JSON count LENGTH "${json}" mutants)
foreach(operator IN ITEMS alloc_increment sync_removal)
  foreach(i RANGE ${count})
    string(JSON operators ERROR_VARIABLE none GET "${json}" mutants ${i} operators)
    if(operators MATCHES "\"${operator}\"")
      string(JSON id GET "${json}" mutants ${i} id)
      break()
    endif()
  endforeach()
  run("show ${operator}" COMMAND ${PREFIX}/bin/gputest show ${id} ${source}/sums.cu OUTPUT "sums.cu @@.* - .*(<<<|__syncthreads)")
endforeach()
# Tables that were moved: of a program that was built on another machine.
file(RENAME ${build}/gputest/cuda ${WORK}/moved)
run("--zero-shared is for the simulator" FAILS COMMAND ${PREFIX}/bin/gputest run-cuda --coverage --device gpu
    --zero-shared -- /bin/true)
set(covered ${PREFIX}/bin/gputest run-cuda --coverage -o ${WORK}/covered)
run("tables that are gone" FAILS COMMAND ${covered} -- ${build}/sums_test all OUTPUT "cuda/sums_[0-9a-f]+: error: no such folder: .*--tables")
run("tables that were moved" COMMAND ${covered} --tables ${WORK}/moved -- ${build}/sums_test all OUTPUT "sums_test +[0-9]+/[0-9]+ +100 %")
file(RENAME ${WORK}/moved ${build}/gputest/cuda)
run("thresholds are missed" FAILS COMMAND ${test} -R "^misses" OUTPUT
    "0% tests passed, 2 tests failed out of 2" "error: branch coverage is [0-9.]+ %, below the threshold of 100 %"
    "error: the mutation score is [0-9.]+ %, below the threshold of 100 %" "not scored: 3 equivalent [(]proved[)]")
# 'threadIdx.x == 0' to '<=', 'k < 64' to '!=', and in the header 'x < T(0)' to '<='.
file(READ ${build}/gputest/misses/mutation.json json)
if(NOT json MATCHES "\"replacement\": ?\"x <= T[(]0[)]\", ?\"status\": ?\"Ignored\", ?\"statusReason\": ?\"equivalent: ")
  message(FATAL_ERROR "mutation.json does not say that a mutant of the header is equivalent:\n${json}")
endif()
# A source with so many mutants that only survivors are compared.
run("survivors are compared" COMMAND ${test} -V -R "^large" OUTPUT "100% tests passed" "not scored: 1 equivalent [(]proved[)]")
file(GLOB code ${build}/gputest/cuda/large_*/mutants-0.bc)
file(WRITE ${code} "no bitcode")
run("survivors that cannot be compared" COMMAND ${test} -V -R "^large" OUTPUT "100% tests passed" "equivalent mutants not mutated: not looked for: ")
run("no kernel is launched" FAILS COMMAND ${test} -R "^idle" OUTPUT
    "2 tests failed out of 2" "launched no kernel in the simulator that is built for COVERAGE"
    "launched no kernel in the simulator that is built for MUTATION")
run("a program that fails" FAILS COMMAND ${test} -R "^fails" OUTPUT
    "2 tests failed out of 2" "error: fails failed: exit code 1" "no mutant was run, because without one it failed: exit code 1")
run("an operator that is none" FAILS COMMAND ${test} -R "^unknown" OUTPUT "error: OPERATORS .*no_such_operator. is no mutation operator")
run("one page for all" FAILS COMMAND ${make} --target coverage OUTPUT "coverage.html")
expect_file(${build}/gputest/coverage.lcov "SF:.*part.cuh")
configure(-DBROKEN=ON)
run("a file that does not compile" FAILS COMMAND ${make} OUTPUT "sums.cu:5:8: error: use of undeclared identifier 'not_declared'")
