include(${CMAKE_CURRENT_LIST_DIR}/../steps.cmake)

without_opencl()

configure()
run("generate" COMMAND ${make} --target sum.generate OUTPUT
    "block_sum<float>: [0-9]+ of [0-9]+ outcomes reached" " 0 open" "cases/generated/block_sum-float-[0-9]+-[a-z-]+.json"
    "[1-9][0-9]* of [0-9]+ mutants killed" "recorded, not verified")
file(GLOB generated ${source}/cases/generated/*.json)
foreach(file IN LISTS generated)
  expect_file(${file} "\"shared_memory\": [1-9]")
endforeach()

# They are ordinary cases.
run("build with what was generated" COMMAND ${make})
run("the cases" COMMAND ${test} -V -R "^sum.test$" OUTPUT "passed: block_sum-float-")
run("coverage" COMMAND ${test} -V -R "^sum.coverage$" OUTPUT "branch +100.0 %")
run("mutation" COMMAND ${test} -V -R "^sum.mutation$" OUTPUT "sum: mutation score [0-9.]+ %")
file(READ ${build}/gputest/sum/mutation.json json) # 'step > 0' to '!=', and 't == 0' to '<='
string(REGEX MATCHALL "\"verdict\": ?\"equivalent\"" equivalent "${json}")
list(LENGTH equivalent count)
if(NOT count EQUAL 2)
  message(FATAL_ERROR "mutation.json has ${count} equivalent mutants:\n${json}")
endif()

# Inputs that nobody thought of.
run("no fault" COMMAND ${test} -V -R "^mirror_0.fuzz$" OUTPUT "mirror<int>: 0 failures in [1-9][0-9]+ inputs")
set(harness ${build}/gputest/mirror_1/mirror_1_harness)
run_fuzz("^mirror_1.fuzz$"
    "race: [^ ]*mirror.cu:[0-9]+:[0-9]+: data race on byte [0-9]+ of 'part', within a block: thread"
    "reference: 'data' differs in 1 of 1 value: [0-9: ]*data.0.: expected 77, got 0"
    "replay: [^ ]*mirror_1_harness .*--fuzz --replay [^ ]*/mirror-int-reference.json" "mirror<int>: [23] failures")
set(found ${build}/gputest/mirror_1/fuzz/mirror-int)
expect_file(${found}-race.json "\"n\": 5[^0-9]")
expect_file(${found}-race.json "\"shared_memory\": (12|16|20|24|28|32)[^0-9]") # what REQUIRE says
expect_file(${found}-reference.json "\"data\": .77.")
run("replayed" FAILS COMMAND ${harness} --fuzz --replay ${found}-reference.json OUTPUT "expected 77, got 0")
run("as a case" FAILS COMMAND ${harness} --case-file ${found}-reference.json OUTPUT "failed: mirror-int-reference"
    "expected 77, got 0")

run("memory" COMMAND ${test} -V -R "^mirror_0.memory$" OUTPUT "mirror<int>, case 'three' on h200" "mirror.cu:5:31 read data"
    "mirror.cu:5:21 write part")

run("warps of both sizes" COMMAND ${test} -V -R "^lanes_(32|64)[.]" OUTPUT "passed: lanes" "passed: past")
run("behind a buffer, without a check" COMMAND ${test} -V -R "^lanes_64.test$" OUTPUT "passed: past"
    "lanes.cu:6:[0-9]+: note: .*byte 256 of 'in'.*; the launch goes on, because GPUs pad allocations to 512 bytes")
run("behind a buffer" FAILS COMMAND ${test} -V -R "^past.check$" OUTPUT "lanes.cu:6:[0-9]+: .*byte 256 of 'in'.*out_of_bounds")

run("C++20" COMMAND ${test} -V -R "^versions[.]" OUTPUT "branch +100.0 %" "versions: mutation score")
run("a kernel as reference" COMMAND ${test} -V -R "^rows_0.(test|mutation)$" OUTPUT "passed: arguments"
    "rows_0: mutation score")
run("the faulty one" FAILS COMMAND ${test} -V -R "^rows_1.test$" OUTPUT
    "'sums' differs in 2 of 2 values: .*compared with the reference kernel 'simple'")
run_fuzz("^rows_1.fuzz$" "reference: 'sums' differs")
run("a reference of the sizes of inputs" COMMAND ${test} -V -R "^twice[.](test|fuzz)$" OUTPUT "passed: three" "passed: ten"
    "0 failures in [1-9][0-9]+ inputs")
run("a size that is none" FAILS COMMAND ${test} -V -R "^rows_size.test$" OUTPUT
    "the reference kernel 'simple', launched with GLOBAL_SIZE n - 4: GLOBAL_SIZE 'n - 4' is no size in this case: it is 0")
run("a reference that is wrong" FAILS COMMAND ${test} -V -R "^rows_fault.test$" OUTPUT "error: arguments"
    "the reference kernel 'faulty'")

# Device functions by themselves: an instance of a template, one that writes through its arguments, and
# one that reads an array.
run("functions" COMMAND ${test} -R "^(clamped|split|dot)[.]")
run("a function's coverage" COMMAND ${test} -V -R "^clamped.coverage$" OUTPUT "kernel 'gputest_clamped'" "1 of 1")
run("a function's mutants" COMMAND ${test} -V -R "^clamped.mutation$" OUTPUT "functions.cu:3:[0-9]+: " "clamped: mutation score")
run("the host's version" COMMAND ${test} -V -R "^(rounded_up_0|widened)[.]" OUTPUT "passed: arguments" "passed: widened" "passed: rootless"
    "rounded_up_0: mutation score (100|[5-9][0-9])")
run("the device does something else" FAILS COMMAND ${test} -V -R "^rounded_up_1.test$" OUTPUT
    "'result' differs in 1 of 3 values: .*expected 8, got 4 .*compared with the reference")
run("no version for the host" FAILS COMMAND ${make} --target of_the_device_harness OUTPUT
    "host_version.cu: error: 'of_the_device' has no version for the host: make it __host__ __device__, or name a")
run("no such function" FAILS COMMAND ${make} --target unknown_harness OUTPUT
    "functions.cu: error: no device function 'shapes::clamped<Unknown>' with a body; the file defines split, dot"
    "use of undeclared identifier 'Unknown'")
