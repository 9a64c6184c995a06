include(${CMAKE_CURRENT_LIST_DIR}/../steps.cmake)
without_opencl()

set(list ${CMAKE_CTEST_COMMAND} --test-dir ${build} -C Debug -N)
set(test ${CMAKE_CTEST_COMMAND} --test-dir ${build} -C Debug --output-on-failure)
set(make ${CMAKE_COMMAND} --build ${build} --config Debug)
set(odd "scale.test.two words. .HOME .x. .==. .quoted. . gr..?n")

configure()
run("before the build" COMMAND ${list} OUTPUT "scale.test " "Total Tests: 4" NO_OUTPUT "scale.test.fails")
run("build" COMMAND ${make})
run("the cases" COMMAND ${list} OUTPUT "${odd}" "scale.test.fails" "scale.test.zero" "on_device.test.arguments" "Total Tests: 8")
run("those of a label" COMMAND ${list} -L "^quick$" OUTPUT "Total Tests: 5")

# One process runs all of them, and a failure is that of its case alone. The other kernel finds no device.
run("the tests, with no device for one" FAILS COMMAND ${test} -L "^test$" OUTPUT "${odd} [.]+ +Passed" "scale.test.zero [.]+ +Passed"
    "scale.test [.]+ +Passed" "scale.test.fails [.]+\\*\\*\\*Failed" "in the run of all cases.*data.3.: expected 9, got 8"
    "on_device.test.arguments [.]+\\*\\*\\*Skipped" "1 tests failed out of 6")
set(program ${build}/gputest/scale/scale_harness)
file(READ ${build}/gputest/scale/test.json all)

# A case alone takes its verdict from that run, until its file changes: then it runs, and the results of all stay.
run("one case" COMMAND ${program} --case zero --recall OUTPUT "passed: zero .*in the run of all cases")
file(TOUCH ${source}/cases/zero.json)
run("one case that is newer" COMMAND ${program} --case zero --recall OUTPUT "passed: zero" NO_OUTPUT "in the run of all cases")
run("a case that fails, alone" FAILS COMMAND ${program} --case fails --recall OUTPUT "expected 9, got 8")
file(READ ${build}/gputest/scale/test.json after)
if(NOT all STREQUAL after)
  message(FATAL_ERROR "test.json is no longer that of all cases: ${after}")
endif()
run("no case to recall" FAILS COMMAND ${program} --recall OUTPUT "--recall is for --case")
run("a format of the list that there is not" FAILS COMMAND ${program} --list-cases=xml OUTPUT "'xml' is neither text nor json")

# Where it stands: the line of its name.
run("the list" COMMAND ${program} --list-cases=json)
string(JSON line GET "${output}" 1 line)
string(JSON file GET "${output}" 1 file)
string(JSON first GET "${output}" 0 line)
if(NOT line EQUAL 4 OR NOT first EQUAL 2 OR NOT file MATCHES "/cases/several.json$")
  message(FATAL_ERROR "the case 'fails' is said to be at ${file}:${line}, and the first at line ${first}")
endif()

# A case that is renamed or gone is noticed without a build; a file that is broken is a test that fails.
file(READ ${source}/cases/several.json text)
string(REPLACE "\"fails\"" "\"mended\"" changed "${text}")
string(REPLACE "[2, 4, 6, 9]" "[2, 4, 6, 8]" changed "${changed}")
file(WRITE ${source}/cases/several.json "${changed}")
run("a renamed case" COMMAND ${test} -R "scale.test" OUTPUT "scale.test.mended [.]+ +Passed" NO_OUTPUT "scale.test.fails")
file(WRITE ${source}/cases/several.json "[")
run("a broken file" FAILS COMMAND ${test} -R "cannot_be_listed" OUTPUT "scale.test.cases_that_cannot_be_listed [.]+\\*\\*\\*Failed"
    "several.json")
file(REMOVE ${source}/cases/several.json)
run("build without it" COMMAND ${make})
run("a case that is gone" COMMAND ${list} OUTPUT "scale.test.zero" NO_OUTPUT "mended")

# Several configurations.
set(build ${WORK}/configurations)
set(GENERATOR "Ninja Multi-Config")
configure()
run("build Debug" COMMAND ${CMAKE_COMMAND} --build ${build} --config Debug --target scale_harness)
run("the cases of Debug" COMMAND ${CMAKE_CTEST_COMMAND} --test-dir ${build} -C Debug -N OUTPUT "scale.test.zero")
run("the cases of Release" COMMAND ${CMAKE_CTEST_COMMAND} --test-dir ${build} -C Release -N OUTPUT "scale.test" NO_OUTPUT "scale.test.zero")
