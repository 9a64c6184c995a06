include(${CMAKE_CURRENT_LIST_DIR}/../steps.cmake)

without_opencl()

configure()
run("build" COMMAND ${make})
run("tests of the label" COMMAND ${test} -N -L "^fuzz$" OUTPUT "outside.fuzz" "pairs_1.fuzz" "none.fuzz" "Total Tests: 7")
run("the cases that people thought of" COMMAND ${test} -R "[.]test$" -E "^none" OUTPUT "100% tests passed")
run("a case that breaks REQUIRE" FAILS COMMAND ${test} -V -R "^none.test$" OUTPUT
    "case 'two': REQUIRE \"n > 50\" does not hold")

# expect_found(<kernel> <kind> <message> <regex of the case>)
function(expect_found kernel kind message case)
  run_fuzz("^${kernel}.fuzz$" "${kind}: ${message}" "case: [^ ]*/${kernel}/fuzz/[a-z]+-${kind}.json"
           "replay: [^ ]*${kernel}_harness .*--fuzz --replay")
  file(GLOB cases ${results}/${kernel}/fuzz/*-${kind}.json)
  file(READ ${cases} text)
  string(REGEX REPLACE "[ \n]+" " " text "${text}")
  if(NOT text MATCHES "${case}")
    message(FATAL_ERROR "${cases} is not as small as it can be: ${text}")
  endif()
endfunction()
expect_found(outside out_of_bounds "faults.cl:8:13: work-item .* writes 4 bytes at byte 28 of 'data', which has 28 bytes"
             "\"n\": 7")
expect_found(racy race "faults.cl:[0-9]+:[0-9]+: data race on byte 0 of 'data'" "\"n\": 5")
expect_found(magic reference "'data' differs in 1 of 1 value: [0-9: ]*data.0.: expected 154, got 0" "\"data\": .77.")
# Each endless launch takes a tenth of a second, so on a busy machine the case is not the smallest.
expect_found(endless endless "faults.cl:[0-9]+:[0-9]+: the kernel still runs" "\"data\": .[0-9,]*12[],]")
expect_found(pairs_1 property "the property does not hold: 'data' does not hold what it held"
             "\"data\": .-?[0-9]+,-?[0-9]+., \"n\": 2 ")

# The same case is found again, and becomes an ordinary one.
run("again" FAILS COMMAND ${test} -V -R "^magic.fuzz$" OUTPUT "case, as in an earlier run: " "1 failure")
run("as a case" FAILS COMMAND ${results}/magic/magic_harness --case-file ${results}/magic/fuzz/magic-reference.json
    OUTPUT "failed: magic-reference" "expected 154, got 0")
run("replayed" FAILS COMMAND ${results}/magic/magic_harness --fuzz --replay ${results}/magic/fuzz/magic-reference.json
    OUTPUT "expected 154, got 0")

# A fault that is corrected.
file(READ ${source}/faults.cl text)
string(REPLACE "data[i] == FORBIDDEN ? 0 :" "" text "${text}")
file(WRITE ${source}/faults.cl "${text}")
run("build what is corrected" COMMAND ${make})
run("what failed passes" COMMAND ${test} -V -R "^magic.fuzz$" OUTPUT
    "magic-reference.json: passes now: make it one of the TEST_CASES" "magic: 0 failures")

# Without a fault: another seed each time, and the corpus of the run before.
run("no fault" COMMAND ${test} -V -R "^pairs_0.fuzz$" OUTPUT "pairs: 2 s with seed [0-9]+" "pairs: 0 failures")
string(REGEX MATCH "seed [0-9]+" first "${output}")
file(GLOB corpus ${results}/pairs_0/fuzz/corpus/*.json)
list(LENGTH corpus count)
run("no fault again" COMMAND ${test} -V -R "^pairs_0.fuzz$" OUTPUT "pairs: 0 failures" "corpus: ${count} and")
string(REGEX MATCH "seed [0-9]+" second "${output}")
if(count EQUAL 0 OR first STREQUAL second)
  message(FATAL_ERROR "${count} inputs are kept; ${first}, ${second}")
endif()
expect_file(${results}/pairs_0/fuzz.json "\"format\": *\"gputest-fuzz-1\"")
run("the property in tests and mutation" COMMAND ${test} -V -R "^pairs_0.(test|mutation)$" OUTPUT
    "passed: two" "mutation score" NO_OUTPUT "no oracle")
expect_file(${results}/pairs_0/mutation.json "the property does not hold")

run("inputs that cannot be" FAILS COMMAND ${test} -V -R "^none.fuzz$" OUTPUT
    "no input of kernel 'pairs' was found that obeys ARGUMENTS and REQUIRE")
file(REMOVE_RECURSE ${results}/pairs_0/fuzz)
file(WRITE ${results}/pairs_0/fuzz "no folder")
run("a folder that cannot be" FAILS COMMAND ${test} -V -R "^pairs_0.fuzz$" OUTPUT "pairs_0/fuzz")
file(REMOVE ${results}/pairs_0/fuzz)

run("the umbrella target" FAILS COMMAND ${make} --target fuzz OUTPUT "[67] kernels checked, [4-9] findings"
    "At least one fuzz test failed")
