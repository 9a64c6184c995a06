include(${CMAKE_CURRENT_LIST_DIR}/../steps.cmake)

without_opencl()

configure()
run("build" COMMAND ${make})
run("a case with a null pointer" COMMAND ${test} -V -R "^(masked|null_in_arguments).test$" OUTPUT "passed: some" "passed: all"
    "masked: 2 of 2 cases passed" "null_in_arguments: 1 of 1 cases passed")
run("its coverage" COMMAND ${test} -V -R "^masked.coverage$" OUTPUT "branch +100.0 %" "condition +100.0 %")
run("its mutants" COMMAND ${test} -V -R "^masked.mutation$" OUTPUT "killed")
run("its orders and checks" COMMAND ${test} -R "^masked.(schedules|check)$" OUTPUT "100% tests passed, 0 tests failed out of 2")
run("its fuzzing" COMMAND ${test} -V -R "^masked.fuzz$" OUTPUT "masked: [^\n]*inputs")

run("a read through it" FAILS COMMAND ${test} -V -R "^careless.test$" OUTPUT
    "masked.cl:5:16: error: a work-item of group .0, 0, 0. reads through a null pointer; the argument 'mask' is null")
run("the check of it" FAILS COMMAND ${test} -V -R "^careless.check$" OUTPUT "through a null pointer, the argument 'mask'"
    "careless: 1 finding in 1 case")
run("a scalar" FAILS COMMAND ${test} -V -R "^null_scalar.test$" OUTPUT "argument 'n': is passed by value, and cannot be null")
run("content of nothing" FAILS COMMAND ${test} -V -R "^null_output.test$" OUTPUT
    "expected.json: error: case 'nothing', expected 'data': the argument is null, so it has no content")
run("a scalar that may be null" FAILS COMMAND ${make} --target nullable_scalar.generate OUTPUT
    "'n:nullable': 'n' is no buffer, and cannot be null")

run("cases with an offset" COMMAND ${test} -V -R "^shifted.test$" OUTPUT "passed: as given" "passed: of its own")
run("their coverage" COMMAND ${test} -V -R "^shifted.coverage$" OUTPUT "branch +100.0 %")
run("their mutants" COMMAND ${test} -V -R "^shifted.mutation$" OUTPUT "killed")
run("their orders and checks" COMMAND ${test} -R "^shifted.(schedules|check)$" OUTPUT "100% tests passed, 0 tests failed out of 2")
run("an offset of two dimensions" COMMAND ${test} -V -R "^plane.test$" OUTPUT "passed: rows")
run("its fuzzing" COMMAND ${test} -V -R "^plane.fuzz$" OUTPUT "plane: [^\n]*inputs" NO_OUTPUT "not looked at")
run("its memory" COMMAND ${test} -V -R "^plane.memory$" OUTPUT "case 'rows' on embedded")
run("an offset of other dimensions" FAILS COMMAND ${test} -V -R "^other_dimensions.test$" OUTPUT
    "case 'two': global offset has 2 dimensions, global size 1")
file(REMOVE ${source}/cases/offset/shifted.json)
file(WRITE ${source}/cases/offset/none.json "{\"global_offset\": 0, \"arguments\": {\"ids\": [1], \"n\": 0}}")
run("build without those" COMMAND ${make})
run("generate offsets" COMMAND ${make} --target shifted.generate OUTPUT " 0 open")
file(GLOB generated ${source}/generated_offsets/*.json)
foreach(file IN LISTS generated)
  file(READ ${file} text)
  if(NOT text MATCHES "\"global_offset\": \\[[ \n]*([0-9]+)")
    message(FATAL_ERROR "${file} has the offset that GLOBAL_OFFSET says: ${text}")
  endif()
endforeach()
run("build with the offsets" COMMAND ${make})
run("generated offsets" COMMAND ${test} -V -R "^shifted.test$" OUTPUT "passed: shifted-")
run("their coverage" COMMAND ${test} -V -R "^shifted.coverage$" OUTPUT "branch +100.0 %")

# Without a case, generation finds both outcomes, and what it writes is a test.
file(WRITE ${source}/cases/masked.json "{\"arguments\": {\"data\": [1], \"mask\": [1], \"n\": 0}}")
run("build without the cases" COMMAND ${make})
run("generate" COMMAND ${make} --target masked.generate OUTPUT " 0 open")
file(GLOB generated ${source}/generated/*.json)
set(nulls 0)
foreach(file IN LISTS generated)
  file(READ ${file} text)
  if(text MATCHES "\"mask\": null")
    math(EXPR nulls "${nulls} + 1")
  endif()
endforeach()
list(LENGTH generated count)
if(nulls EQUAL 0 OR nulls EQUAL count)
  message(FATAL_ERROR "${nulls} of ${count} cases have a null pointer")
endif()
