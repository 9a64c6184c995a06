include(${CMAKE_CURRENT_LIST_DIR}/../steps.cmake)

without_opencl()

configure()
run("build" COMMAND ${make})
run("coverage before" FAILS COMMAND ${test} -V -R "^clamped.coverage$" OUTPUT "branch")

# `gputest harness` gets --case-of-arguments.
expect_file(${build}/gputest/own/harness.cpp "[.]has_case_of_arguments = true")
run("the arguments beside other cases" COMMAND ${test} -V -R "^own.test$" OUTPUT "passed: arguments" "passed: mine")
run("arguments that are no case" COMMAND ${test} -V -R "^ranged.test$" OUTPUT "passed: mine" NO_OUTPUT ": arguments")

run("equal kernels" COMMAND ${test} -V -R "^same.compare$" OUTPUT "equal, proved for all inputs"
    "on embedded, with [^ ]+ of [^ ]*cases/sized.json")
expect_file(${build}/gputest/same/compare.json "\"verdict\": *\"equal\"")
expect_file(${build}/gputest/same/compare.html "proved for all inputs.*Cycles on the model of embedded")
run("kernels that differ" FAILS COMMAND ${test} -V -L pairs -R "^other.compare$"
    OUTPUT "clamped_wrong.cl\\) and clamped [^ ]*clamped.cl\\): differs" "data.0. is" "replay: gputest compare-kernels")
expect_file(${build}/gputest/other/compare.html "The difference.*<pre class=.text.>{\n.*Run it again.*clamped_wrong.cl")

file(READ ${source}/cases/mine.json mine)
run("generate" COMMAND ${make} --target clamped.generate OUTPUT
    "of them by the cases that were there" " 0 open" "cases/generated/clamped-[0-9]+-[a-z-]+.json"
    "[0-9]+ of [0-9]+ mutants killed, [1-9][0-9]* of them by the cases that were there; [0-9]+ proved equivalent, [0-9]+ left"
    "equivalent: clamped.cl:5:25: [^\n]* -> .i > 0.: it never has another value there"
    "recorded, not verified" "GENERATE INTO cases/generated")
string(REGEX MATCHALL "left: [^\n]*: (clamped[.][a-z0-9.+-]+):" left "${output}")
list(TRANSFORM left REPLACE "^.*: (clamped[.][a-z0-9.+-]+):$" "\\1")
file(READ ${source}/cases/mine.json still)
if(NOT mine STREQUAL still)
  message(FATAL_ERROR "a case that a person wrote has changed")
endif()
expect_file(${build}/gputest/clamped/generation.json "\"state\": *\"reached\"")
file(GLOB generated ${source}/cases/generated/*.json)
list(LENGTH generated count)
if(count EQUAL 0 OR count GREATER 9)
  message(FATAL_ERROR "${count} cases were generated")
endif()
set(claimed "")
foreach(file IN LISTS generated)
  file(READ ${file} text)
  string(JSON kills ERROR_VARIABLE none GET "${text}" generated kills)
  string(REGEX MATCHALL "clamped[.][a-z0-9.+-]+" kills "${kills}")
  list(APPEND claimed ${kills})
  if(NOT text MATCHES "\"most\": *[23]" OR text MATCHES "\"n\": *13[^0-9]")
    message(FATAL_ERROR "${file} does not hold what ARGUMENTS and REQUIRE say:\n${text}")
  endif()
endforeach()

# They are ordinary cases, and known to be recorded.
run("build with what was generated" COMMAND ${make})
run("the cases" COMMAND ${test} -V -R "^clamped.test$" OUTPUT "passed: clamped-" "recorded, not verified")
run("coverage after" COMMAND ${test} -V -R "^clamped.coverage$" OUTPUT "branch +100.0 %" "condition +100.0 %")

# The mutation harness agrees about each mutant that the generator names.
run("mutation" COMMAND ${test} -V -R "^clamped.mutation$" OUTPUT "killed")
file(READ ${build}/gputest/clamped/mutation.json json)
string(JSON mutants GET "${json}" files clamped.cl mutants)
string(JSON count LENGTH "${mutants}")
math(EXPR last "${count} - 1")
set(survivors "")
foreach(i RANGE ${last})
  string(JSON id GET "${mutants}" ${i} id)
  string(JSON verdict GET "${mutants}" ${i} gputest verdict)
  if(verdict STREQUAL "survived" OR verdict STREQUAL "no_coverage")
    list(APPEND survivors ${id})
  elseif(verdict MATCHES "^killed$")
    list(REMOVE_ITEM claimed ${id})
  endif()
endforeach()
if(claimed OR NOT "${left}" STREQUAL "${survivors}")
  message(FATAL_ERROR "the generator says that its cases kill ${claimed}, which live, and that ${left} are left; the "
                      "harness has the survivors ${survivors}")
endif()

run("generate again" COMMAND ${make} --target clamped.generate OUTPUT " 0 open" NO_OUTPUT "cases/generated/clamped-")
file(GLOB again ${source}/cases/generated/*.json)
if(NOT again STREQUAL generated)
  message(FATAL_ERROR "generating again has changed the cases: ${again}")
endif()

run("with a reference and its tolerance" COMMAND ${make} --target tolerant.generate OUTPUT
    "left: clamped.cl:6:5: clamped[.][a-z0-9.+-]+: 'data.i. = most' -> '[^']+': reached, and no (output differed|values show it)"
    NO_OUTPUT "recorded, not verified")

run("a requirement about nothing" FAILS COMMAND ${make} --target wrong.generate OUTPUT
    "'count > 3', character 1: kernel 'clamped' has no argument 'count'")

# Without it, the target of all of them ends with the page over all results.
file(READ ${source}/CMakeLists.txt text)
string(REPLACE "count > 3" "n > 0" text "${text}")
file(WRITE ${source}/CMakeLists.txt "${text}")
run("generate all" COMMAND ${make} --target generate --verbose OUTPUT "All kinds of results: [^ ]*/gputest/report.html"
    NO_OUTPUT "--index .*--index ")
expect_file(${build}/gputest/report.html "href=\"clamped/generation.html\"")
expect_file(${build}/gputest/clamped/generation.html "href=\"../report.html\"")
