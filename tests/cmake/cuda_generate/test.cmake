include(${CMAKE_CURRENT_LIST_DIR}/../steps.cmake)

without_opencl()

configure()
set(make ${CMAKE_COMMAND} --build ${build})
set(test ${CMAKE_CTEST_COMMAND} --test-dir ${build})
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
