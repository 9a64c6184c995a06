include(${CMAKE_CURRENT_LIST_DIR}/../steps.cmake)
unset(ENV{OPENCL_LAYERS})
unset(ENV{GPUTEST_LAYER})

set(ctest ${CMAKE_CTEST_COMMAND} --test-dir ${build})
configure()
run("build" COMMAND ${make})
run("test" FAILS COMMAND ${ctest} --output-on-failure OUTPUT
    "whole.coverage [.]+ Passed" "whole.mutation [.]+ Passed" "whole.schedules [.]+ Passed" "whole.check [.]+ Passed" "whole.memory [.]+ Passed" "too_much.coverage [.]+\\*\\*\\*Failed" "statement coverage is"
    "fails.coverage [.]+\\*\\*\\*Failed" "fails failed: exit code 2" "no_opencl.coverage [.]+\\*\\*\\*Failed"
    "made no OpenCL call" "75% tests passed")
expect_file(${build}/gputest/whole/run.json "\"launches\":1")
expect_file(${build}/gputest/whole/clamp.clamp_values/coverage.json "\"file\":\"clamp.cl\"")
expect_file(${build}/gputest/whole/mutation.json "Killed")
expect_file(${build}/gputest/by_reads/mutation.json "\"oracle\": *\"exit code and reads .tolerance 1e-06.\"")
# Shards have results of their own, which the test of the whole takes.
expect_file(${build}/gputest/by_reads/shards/1-of-2/mutation.json "files")
expect_file(${build}/gputest/mutation.shards "'--shard' '1/2'.*'two words'.*'--shard' '2/2'")
file(REMOVE ${build}/gputest/results.db)
run("shards" COMMAND ${ctest} -V -R "^by_reads.mutation$" --fixture-exclude-any ".*" OUTPUT
    "[1-9][0-9]* outcomes taken from 2 shards" "4 mutants, 1 test case; device" NO_OUTPUT " run in ")
run("labels of shards" COMMAND ${ctest} -N -L "^mutation-shard$" OUTPUT "by_reads.mutation.1-of-2" "Total Tests: 2")
run("whole again" COMMAND ${ctest} -R "whole.mutation")
run("a second time nothing is run" COMMAND ${ctest} -R whole.mutation -V OUTPUT "4 mutants, 1 test case; device")
run("labels" COMMAND ${ctest} -N -L "^mine$" OUTPUT "whole.coverage" "whole.mutation" "whole.schedules" "whole.check" "whole.memory" "Total Tests: 5")
run("target" FAILS COMMAND ${make} --target coverage OUTPUT "clamp_values" "Report: ")
expect_file(${build}/gputest/coverage.lcov "SF:.*clamp.cl")
run("target of mutation" COMMAND ${make} --target mutation OUTPUT "Report: ")
expect_file(${build}/gputest/whole/clamp.clamp_values/schedules.json "\"seed\": *3.*\"verdict\": *\"held\"")
run("target of schedules" COMMAND ${make} --target schedules OUTPUT "clamp_values" "1/1" "Report: ")
expect_file(${build}/gputest/schedules.xml "testsuite")
expect_file(${build}/gputest/whole/clamp.clamp_values/check.json "\"checks\": *[[]\"races\",\"bounds\"[]].*\"launches\":1")
run("target of check" COMMAND ${make} --target check OUTPUT "1 kernel checked, 0 findings")
expect_file(${build}/gputest/whole/clamp.clamp_values/memory.json "\"gpu\": *\"h200\"")
run("no device" COMMAND ${CMAKE_COMMAND} -E env OCL_ICD_VENDORS=/nonexistent ${ctest} -R "whole.coverage"
    OUTPUT "whole.coverage [.]+\\*\\*\\*Skipped")

# Launches as test cases, in the same project.
run("capture" COMMAND ${CMAKE_COMMAND} -E chdir ${source} ${GPUTEST} capture -o cases --cmake --cache ${build}/cache
    -- ${build}/suite "two words" OUTPUT "gputest_add_kernel\\(clamp.clamp_values" "1 test case")
string(REGEX MATCH "gputest_add_kernel\\(.*\\)\n" added "${output}")
file(APPEND ${source}/CMakeLists.txt "${added}")
configure()
run("build with captured cases" COMMAND ${make})
run("captured cases" COMMAND ${ctest} -R "^clamp.clamp_values.test" OUTPUT "clamp.clamp_values.test [.]+ Passed")
