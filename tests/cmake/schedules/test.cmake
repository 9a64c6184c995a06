include(${CMAKE_CURRENT_LIST_DIR}/../steps.cmake)

configure("-DCMAKE_CXX_FLAGS=-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror")

run("build" COMMAND ${make} OUTPUT "Remapping the ids of ids.cl for ids" "for own" NO_OUTPUT "Remapping the ids of fill.cl for plain")
run("build twice" COMMAND ${make} NO_OUTPUT "Remapping" "Instrumenting" "Writing" "Building" "Linking")
file(TOUCH ${source}/ids.cl)
run("touch the kernel" COMMAND ${make} OUTPUT "Remapping the ids of ids.cl" NO_OUTPUT "Remapping the ids of fill.cl")
expect_file(${results}/ids/harness.cpp "schedules.strategy\", \"all\"")
expect_file(${results}/ids/harness.cpp "schedules.count\", \"6\"")

run("the kernel alone" COMMAND ${test} -R "^ids.test$" OUTPUT "100% tests passed")
run("all ids follow" COMMAND ${test} -R "^(ids|own).schedules$" OUTPUT "100% tests passed, 0 tests failed out of 2")
expect_file(${results}/ids/schedules.json "\"strategy\": *\"all\"")
run("tests of the user's label" COMMAND ${test} -N -L "^quick$" OUTPUT "ids.test" "ids.schedules")

# What each fault is found to be.
function(find fault)
  run("${fault}" FAILS COMMAND ${results}/${fault}/${fault}_harness --schedules OUTPUT ${ARGN})
endfunction()
find(short_rows "invalid case: 'nj' is 12, and there are 16 work-items in dimension 0" "faults.cl:4:7: 'i [*] nj [+] j'")
find(past_the_end "out of bounds: under the launch as it is there is an access out of bounds at faults.cl:10:13: 'row.i [+] 1.'")
set(ENV{POCL_MAX_PTHREAD_COUNT} 1) # with more threads groups may run at once, and in any order
find(grid_barrier "waits: a (loop does not end within|work-item waits for a work-group that comes later)" "faults.cl:17:5: 'while [(]atomic_add")
find(null_pointer "crash: .*SIGSEGV" "replay: gputest replay ")
find(assembly "faults.cl:[0-9]+:3: error: inline assembly cannot be remapped")
find(too_many "the order of 8589934592 work-groups takes [0-9]+ bytes")
file(GLOB crash ${results}/null_pointer/schedules/*.json)
run("replay a crash" FAILS COMMAND ${GPUTEST} replay ${crash} OUTPUT "crash: .*SIGSEGV")
unset(ENV{POCL_MAX_PTHREAD_COUNT})

# Schedules that fit nothing.
file(READ ${crash} schedule)
function(refuse what from to message)
  string(REGEX REPLACE "${from}" "${to}" changed "${schedule}")
  if(changed STREQUAL schedule)
    message(FATAL_ERROR "${what}: '${from}' is not in ${schedule}")
  endif()
  file(WRITE ${results}/null_pointer/schedules/changed.json "${changed}")
  run("${what}" FAILS COMMAND ${GPUTEST} replay ${results}/null_pointer/schedules/changed.json OUTPUT "${message}")
endfunction()
refuse("another kernel" "\"kernel\": *\"null_pointer\"" "\"kernel\":\"fill\"" "the schedule is of kernel 'fill', and this host program runs 'null_pointer'")
refuse("another size" "\"global_size\": *.64." "\"global_size\":[32]" "the schedule is for global size 32, .*has global size 64")
refuse("another case" "\"case\": *\"arguments\"" "\"case\":\"other\"" "there is no test case 'other'")
refuse("no permutation" "\"groups\": *{[^}]*}" "\"groups\":{\"order\":\"listed\",\"permutation\":[0,1,1,3]}" "changed.json: error: groups: no permutation: 1 is there twice")
refuse("no host program" "\"harness\": *\"[^\"]*\"" "\"harness\":\"../gone\"" "host program .*gone is not there")
run("no such file" FAILS COMMAND ${GPUTEST} replay ${WORK}/gone.json OUTPUT "gone.json: error: cannot be read")
run("no file" FAILS COMMAND ${GPUTEST} replay OUTPUT "which schedule")
run("no such strategy" FAILS COMMAND ${results}/ids/ids_harness --schedules --strategy best OUTPUT "'best' is not one of permute, first, serial, reverse, all")
run("no schedules" FAILS COMMAND ${results}/plain/plain_harness --schedules OUTPUT "add SCHEDULES to gputest_add_kernel")
run("both" FAILS COMMAND ${results}/ids/ids_harness --schedules --coverage OUTPUT "exclude")
run("a file of another place" FAILS COMMAND ${GPUTEST} replay ${crash} --harness ${results}/ids OUTPUT "there is no test case 'arguments'")

# The report, of all there is.
run("target schedules" FAILS COMMAND ${make} --target schedules OUTPUT "ids.schedules [.]+ +Passed" "short_rows.schedules [.]+[*]+Failed"
    "Report: ${results}/schedules.html" "At least one schedules test failed")
expect_file(${results}/schedules.html "invalid case")
expect_file(${results}/schedules.html "gputest replay ")
expect_file(${results}/schedules.xml "<testsuite name=\"null_pointer\" tests=\"1\" failures=\"1\"")
expect_file(${results}/schedules.sarif "\"ruleId\": *\"not remapped\"")
expect_file(${results}/schedules-report.json "gputest-schedules-report-1")

run("no device" COMMAND ${CMAKE_COMMAND} -E env OCL_ICD_VENDORS=/nonexistent ${test} -R "^ids.schedules$"
    OUTPUT "ids.schedules [.]+[*]+Skipped")
