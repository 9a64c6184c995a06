include(${CMAKE_CURRENT_LIST_DIR}/../steps.cmake)

set(ENV{GPUTEST_CACHE_DIR} ${WORK}/cache)
configure()
run("generate" COMMAND ${make} --target made.generate OUTPUT "clip: ([0-9]+) of ([0-9]+) outcomes reached")
run("build" COMMAND ${make})
run("no fault" COMMAND ${test} -V -R "_0[.](test|check|coverage|schedules|fuzz)$" NO_OUTPUT "error: " "Skipped")
run("mutants" COMMAND ${test} -V -R "_0.mutation$|^turn" OUTPUT "total_0: mutation score [1-9]" "turn: mutation score [1-9]" "places_0: mutation score [1-9]")
run("what was made" COMMAND ${test} -V -R "^made[.]" OUTPUT "branch +100.0 %" "kernels.clcpp:[0-9:]+ (read|write)")

run("no barrier" FAILS COMMAND ${test} -V -R "^total_1.check$" OUTPUT
    "kernels.clcpp:[0-9]+:[0-9]+: error: data race on byte [0-9]+ of 'part'")
run("a member past its end" FAILS COMMAND ${test} -V -R "^smooth_1.check$" OUTPUT
    "kernels.clcpp:[0-9]+:[0-9]+: error: .*out_of_bounds")
run("a wrong lambda" FAILS COMMAND ${test} -V -R "^clip_1.test$" OUTPUT "'values' differs in 2 of 8 values")
run("half a vector" FAILS COMMAND ${test} -V -R "^tops_1.check$" OUTPUT "kernels.clcpp:[0-9]+:[0-9]+: error: .*uninitialized")

execute_process(COMMAND ${test} -V -R "^device.test$" OUTPUT_VARIABLE output)
if(NOT output MATCHES "passed: arguments|no device is called|does not compile [^\n]*cl_ext_cxx_for_opencl|no OpenCL device")
  message(FATAL_ERROR "on a device:\n${output}")
endif()
run_fuzz("^clip_1.fuzz$" "reference: 'values' differs")
