include(${CMAKE_CURRENT_LIST_DIR}/../steps.cmake)

without_cuda()
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
run("warps of 64 threads" COMMAND ${PREFIX}/bin/gputest run-cuda --coverage --warp-size 64 -o ${WORK}/warps -- ${build}/sums_test all
    OUTPUT "sums_test +[0-9]+/[0-9]+ +100 %")
# Tables that were moved: of a program that was built on another machine.
file(RENAME ${build}/gputest/cuda ${WORK}/moved)
run("--zero-shared is for the simulator" FAILS COMMAND ${PREFIX}/bin/gputest run-cuda --coverage --device gpu
    --zero-shared -- /bin/true)
run("--warp-size is for the simulator" FAILS COMMAND ${PREFIX}/bin/gputest run-cuda --coverage --device gpu
    --warp-size 64 -- /bin/true)
run("--warp-size: '48' is no size of a warp" FAILS COMMAND ${PREFIX}/bin/gputest run-cuda --coverage --warp-size 48 -- /bin/true)
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
    "2 tests failed out of 2" "error: fails failed: exit code 1" "no mutant was run, because without a mutant it failed: exit code 1")
run("an operator that is none" FAILS COMMAND ${test} -R "^unknown" OUTPUT "error: OPERATORS .*no_such_operator. is no mutation operator")
# Oracles. What a program of CUDA sources is, gputest_add_program() and `gputest run` see by themselves.
run("what the exit code does not tell" COMMAND ${test} -V -R "^by_default" OUTPUT
    "note: by_default prints 'PASSED' .line 2 of its output., and the verdict does not look at the output: add ORACLE OUTPUT to gputest_add_program"
    "warning: by_default: this test has no oracle: .*kernel +killed" "Weak oracle: .*selfcheck.cu:8:" "oracle: exit code")
run("oracles" COMMAND ${test} -V -R "^by_(output|words.mutation|words.check|reads.mutation)" OUTPUT "100% tests passed, 0 tests failed out of 6"
    "outcomes? taken from [12] shards" "oracle: output" "oracle: exit code and output .FAIL_REGULAR_EXPRESSION 'FAIL.ED.....', PASS_REGULAR_EXPRESSION '.Test PASSED'." "oracle: reads .tolerance 1e-06.")
expect_file(${build}/gputest/by_output/mutation.json "program failed: its output: line 2 is 'Test FAILED' instead of 'Test PASSED'")
expect_file(${build}/gputest/by_words/mutation.json "its output matches FAIL_REGULAR_EXPRESSION")
expect_file(${build}/gputest/by_reads/mutation.json "wrong output: the 1st of 1 pieces that it reads back differs")
run("oracles that cannot judge" FAILS COMMAND ${test} -V -R "^by_(silence.mutation|no_words)" OUTPUT "0% tests passed, 4 tests failed out of 4"
    "no mutant was run, because without a mutant it prints nothing that ORACLE OUTPUT could compare"
    "no mutant was run, because without a mutant its own output does not match PASS_REGULAR_EXPRESSION 'OK': its last line is 'Test PASSED'"
    "failed: its own output does not match PASS_REGULAR_EXPRESSION 'OK'")
set(run ${PREFIX}/bin/gputest run -o ${WORK}/by_hand --source-root ${source} --mutation --operators math_replacement)
run("another oracle has verdicts of its own" COMMAND ${run} --oracle exit-code -- ${build}/selfcheck OUTPUT "0/[0-9]+ +0 %" "[1-9] run in")
run("by hand" COMMAND ${run} --oracle output --pass-regex PASSED -- ${build}/selfcheck OUTPUT "100 %" "[1-9] run in")
run("stored" COMMAND ${run} --oracle output --pass-regex PASSED -- ${build}/selfcheck OUTPUT "test case; device: simulator; oracle")
run("one mutant" COMMAND ${run} --jobs 1 --store ${WORK}/other.db --mutant none -- ${build}/selfcheck FAILS OUTPUT "'none' is no mutant")
# Only what has changed since a commit.
set(git git -C ${source} -c user.name=a -c user.email=a@b)
run("a repository" COMMAND ${git} init -q)
run("its files" COMMAND ${git} add .)
run("a commit" COMMAND ${git} commit -qm 1)
set(since ${PREFIX}/bin/gputest run -o ${WORK}/since --source-root ${source} --mutation --since)
run("nothing has changed" COMMAND ${since} HEAD -- ${build}/selfcheck OUTPUT "0 mutants, 1 test case; of lines changed since HEAD")
file(READ ${source}/selfcheck.cu text)
string(REPLACE "    out[i] = in[i] * 3 + 1;" "    out[i] = in[i] * 3 + 1; // changed" text "${text}")
file(WRITE ${source}/selfcheck.cu "${text}")
run("a line has" COMMAND ${since} HEAD -- ${build}/selfcheck OUTPUT "selfcheck.cu:8:" NO_OUTPUT "selfcheck.cu:7:")
run("no such commit" FAILS COMMAND ${since} nothing -- ${build}/selfcheck OUTPUT "error: --since 'nothing': the git work tree of [^ ]+ has no such commit")
run("checks by hand" COMMAND ${PREFIX}/bin/gputest run --check races,bounds -o ${WORK}/by_hand -- ${build}/selfcheck OUTPUT "0 findings in 1 launch; checked: races, bounds")
# A finding has a file, which finds it again.
run("a race" FAILS COMMAND ${PREFIX}/bin/gputest run --check races --warp-size 64 -o ${WORK}/racy -- ${build}/racy OUTPUT
    "racy.cu:3:[0-9]+: [a-z_]+ replay: gputest replay [^ ]*/racy/check/1.json ")
set(finding ${WORK}/racy/check/1.json)
expect_file(${finding} "\"kind\": *\"cuda\"" "\"GPUTEST_CUDA_WARP_SIZE\": *\"64\"")
run("the race once more" FAILS COMMAND ${PREFIX}/bin/gputest replay ${finding} OUTPUT "racy.cu:3:[0-9]+: error: data race" "racy: found again")
run("the race mended" COMMAND ${PREFIX}/bin/gputest replay ${finding} -- ${build}/racy mended OUTPUT "racy: not found again in 1 launch")
file(READ ${finding} text)
string(REPLACE "\"cuda\"" "\"metal\"" text "${text}")
file(WRITE ${finding} "${text}")
run("a race of another kind of program" FAILS COMMAND ${PREFIX}/bin/gputest replay ${finding} OUTPUT
    "check/1.json: error: is of a program of the kind 'metal', which this gputest does not know")
foreach(option IN ITEMS --kernels=a.cl --launches --no-compare --groups=random)
  run("${option} is for OpenCL" FAILS COMMAND ${PREFIX}/bin/gputest run --coverage ${option} -- ${build}/selfcheck OUTPUT "error: [-]*[a-z-]+ is for OpenCL programs")
endforeach()
run("one page for all" FAILS COMMAND ${make} --target coverage OUTPUT "coverage.html")
expect_file(${build}/gputest/coverage.lcov "SF:.*part.cuh")
configure(-DBROKEN=ON)
run("a file that does not compile" FAILS COMMAND ${make} OUTPUT "sums.cu:5:8: error: use of undeclared identifier 'not_declared'")
