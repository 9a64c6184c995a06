include(${CMAKE_CURRENT_LIST_DIR}/../steps.cmake)

configure()
run("build" COMMAND ${make})
run("cases in step" COMMAND ${test} -V -R "^(summed|cuda_summed).test$"
    OUTPUT "summed: 2 of 2 cases passed on simulator" "cuda_summed: 2 of 2 cases passed")
run("a reference without lock step" COMMAND ${test} -V -R "^beside_reference.test$"
    OUTPUT "beside_reference: 2 of 2 cases passed on simulator")
run("a case that does not say so" FAILS COMMAND ${test} -V -R "^by_case.test$"
    OUTPUT "failed: by default" "passed: in step")
run("what they are" COMMAND ${results}/summed/summed_harness --verbose OUTPUT "local size 64 x 1 x 1, 32 in lock step")
run("their coverage" COMMAND ${test} -V -R "^(cuda_)?summed.coverage$" OUTPUT "branch +100.0 %")
run("their mutants" COMMAND ${test} -V -R "^summed.mutation$" OUTPUT "killed")
run("their orders and checks" COMMAND ${test} -R "^summed.(schedules|check)$" OUTPUT "100% tests passed, 0 tests failed out of 2")
run("checks of CUDA" COMMAND ${test} -V -R "^cuda_summed.check$" OUTPUT "cuda_summed: 0 findings in 2 cases")
run("their fuzzing" COMMAND ${test} -V -R "^summed.fuzz$" OUTPUT "bounded_sum: 0 failures in [0-9]+ inputs" NO_OUTPUT "not looked at")
run("their memory" COMMAND ${test} -V -R "^summed.memory$" OUTPUT "case 'in step' on embedded")

run("no interleavings" FAILS COMMAND ${results}/by_case/by_case_harness --check interleavings --case "in step" OUTPUT
    "bounded_sum.cl:3:1: error: work-items of the kernel run in lock step: interleavings cannot be explored")
run("sub-groups of no other size" FAILS COMMAND ${results}/by_case/by_case_harness --check sub_group_sizes --case "in step"
    OUTPUT "32 work-items in lock step cannot have sub-groups of 8")
run("the same kernel in two languages" COMMAND ${GPUTEST} compare-kernels ${source}/bounded_sum.cl ${source}/bounded_sum.cu
    --lock-step 32 --global-size 64 --local-size 64 --argument in:size=64 --argument out:size=1 --budget 5 --gpu none
    -o ${WORK}/compare OUTPUT "no difference found in [0-9]+ inputs")
run("two numbers" FAILS COMMAND ${GPUTEST} generate ${source}/bounded_sum.cl --lock-step 32 -D GPUTEST_LOCK_STEP=16
    -o ${WORK}/two OUTPUT "error: --lock-step 32 and -D GPUTEST_LOCK_STEP=16 exclude each other: leave out -D")
run("groups that are too small" FAILS COMMAND ${GPUTEST} generate ${source}/bounded_sum.cu --lock-step 32
    -D BOUND=16 -o ${WORK}/small OUTPUT
    "bounded_sum: no cases: 32 work-items cannot be in lock step, because a work-group has 16")
run("numbers that are none" FAILS COMMAND ${GPUTEST} compare-kernels ${source}/bounded_sum.cl ${source}/bounded_sum.cu
    --lock-step 3 OUTPUT "error: --lock-step: 3 work-items cannot be in lock step")

# One of the two cases does not say so.
run("a race" FAILS COMMAND ${test} -V -R "^by_case.check$"
    OUTPUT "data race on byte [0-9]+ of 'part'" "in case by default" NO_OUTPUT "in cases")
run("a device without it" COMMAND ${test} -V -R "^on_cpu.test$"
    OUTPUT "skipped: in step: it relies on 32 work-items in lock step, which .* does not promise|skipped: no OpenCL"
           "on_cpu: 1 of 1 cases passed|skipped: no OpenCL")
run("no device for any of its cases" COMMAND ${test} -R "^all_on_cpu.test$" OUTPUT "Skipped")
run("and why" FAILS COMMAND ${results}/all_on_cpu/all_on_cpu_harness OUTPUT
    "skipped: no case is left: it relies on 32 work-items in lock step, which .* does not promise|skipped: no OpenCL")
run("no device to compare with" FAILS COMMAND ${CMAKE_COMMAND} -E env GPUTEST_OPENCL_DEVICE=cpu
    ${results}/all_on_cpu/all_on_cpu_harness --compare 1 --device simulator
    OUTPUT "skipped: no case is left: it relies on 32 work-items in lock step, which .* does not promise|skipped: no OpenCL")
run("its checks run in the simulator" COMMAND ${test} -V -R "^all_on_cpu.check$" OUTPUT "0 findings in 2 cases")

run("0 work-items" FAILS COMMAND ${test} -V -R "^zero.test$" OUTPUT
    "zero.json: error: case 'zero': 0 work-items cannot be in lock step: 2, 4, 8, 16, 32 and 64 can")
run("12 work-items" FAILS COMMAND ${test} -V -R "^odd.test$" OUTPUT "12 work-items cannot be in lock step")
run("more than a group has" FAILS COMMAND ${test} -V -R "^large.test$" OUTPUT
    "case 'large': 32 work-items cannot be in lock step, because a work-group has 16")
run("groups of any size" FAILS COMMAND ${test} -V -R "^open.test$" OUTPUT
    "case 'open': 32 work-items are in lock step, so give a local size")
run("the memory of a case in step" FAILS COMMAND ${test} -V -R "^unasked.memory$" OUTPUT
    "case 'in step' relies on 32 work-items in lock step: give LOCK_STEP 32 .--lock-step 32.")
run("generation beside such a case" COMMAND ${make} --target unasked.generate OUTPUT
    "not looked at: [^ ]*mixed.json: case 'in step' relies on 32 work-items in lock step: give LOCK_STEP 32 .--lock-step 32.")

# Without a case, generation finds all outcomes, and what it writes says so and is a test.
file(WRITE ${source}/cases/mixed.json
     "{\"arguments\": {\"in\": {\"size\": 64}, \"out\": {\"size\": 1}, \"most\": 0}, \"expected\": {\"out\": [0]}}")
run("build without the cases" COMMAND ${make})
run("generate" COMMAND ${make} --target summed.generate OUTPUT " 0 open")
run("generate for CUDA" COMMAND ${make} --target cuda_summed.generate OUTPUT " 0 open")
file(GLOB generated ${source}/generated/*.json ${source}/generated_cuda/*.json)
list(LENGTH generated count)
if(count LESS 2)
  message(FATAL_ERROR "${count} cases are generated")
endif()
foreach(file IN LISTS generated)
  file(READ ${file} text)
  if(NOT text MATCHES "\"lock_step\": 32")
    message(FATAL_ERROR "${file} does not say that it relies on lock step: ${text}")
  endif()
endforeach()
