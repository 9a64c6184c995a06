include(${CMAKE_CURRENT_LIST_DIR}/../steps.cmake)

# None of this needs an OpenCL platform.
set(ENV{OCL_ICD_VENDORS} /nonexistent)
set(ENV{GPUTEST_CACHE_DIR} ${WORK}/cache)

configure()
set(make ${CMAKE_COMMAND} --build ${build})
set(test ${CMAKE_CTEST_COMMAND} --test-dir ${build})
run("build" COMMAND ${make})
run("coverage before" FAILS COMMAND ${test} -V -R "^clamped.coverage$" OUTPUT "branch")

file(READ ${source}/cases/mine.json mine)
run("generate" COMMAND ${make} --target clamped.generate OUTPUT
    "of them by the cases that were there" " 0 open" "cases/generated/clamped-[0-9]+-[a-z-]+.json"
    "recorded, not verified" "GENERATE INTO cases/generated")
file(READ ${source}/cases/mine.json still)
if(NOT mine STREQUAL still)
  message(FATAL_ERROR "a case that a person wrote has changed")
endif()
file(GLOB generated ${source}/cases/generated/*.json)
list(LENGTH generated count)
if(count EQUAL 0 OR count GREATER 9)
  message(FATAL_ERROR "${count} cases were generated")
endif()
foreach(file IN LISTS generated)
  file(READ ${file} text)
  if(NOT text MATCHES "\"most\": *[23]" OR text MATCHES "\"n\": *13[^0-9]")
    message(FATAL_ERROR "${file} does not hold what ARGUMENTS and REQUIRE say:\n${text}")
  endif()
endforeach()

# They are ordinary cases, and known to be recorded.
run("build with what was generated" COMMAND ${make})
run("the cases" COMMAND ${test} -V -R "^clamped.test$" OUTPUT "passed: clamped-" "recorded, not verified")
run("coverage after" COMMAND ${test} -V -R "^clamped.coverage$" OUTPUT "branch +100.0 %" "condition +100.0 %")

run("generate again" COMMAND ${make} --target clamped.generate OUTPUT " 0 open" NO_OUTPUT "cases/generated/clamped-")
file(GLOB again ${source}/cases/generated/*.json)
if(NOT again STREQUAL generated)
  message(FATAL_ERROR "generating again has changed the cases: ${again}")
endif()

run("a requirement about nothing" FAILS COMMAND ${make} --target wrong.generate OUTPUT
    "'count > 3': kernel 'clamped' has no argument 'count'")
