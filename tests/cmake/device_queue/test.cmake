include(${CMAKE_CURRENT_LIST_DIR}/../steps.cmake)

set(ENV{GPUTEST_CACHE_DIR} ${WORK}/cache)
configure()
run("build" COMMAND ${make})
run("no fault" COMMAND ${test} -V -R "_0[.](test|coverage|schedules|check)$" NO_OUTPUT "error: " "Skipped")
run("mutants" COMMAND ${test} -V -R "_0.mutation$" OUTPUT "total_0: mutation score [1-9]" "filtered_0: mutation score [1-9]")
run("too few work-items" FAILS COMMAND ${test} -V -R "^total_1.test$" OUTPUT "'values' differs in 1 of 8 values")
run("a reservation that nobody commits" FAILS COMMAND ${test} -V -R "^filtered_1.check$" OUTPUT "error: .*missing_commit")
run("a block whose work-items part" FAILS COMMAND ${test} -V -R "^tiled_1.coverage$"
    OUTPUT "kernels.cl:[0-9]+:5: error: divergent barrier: work-items of group [01] parted at kernels.cl:[0-9]+ 'me >= n - FAULT'")
run("blocks in any order" FAILS COMMAND ${test} -V -R "^unordered.schedules$" OUTPUT "order dependent: arguments")

execute_process(COMMAND ${test} -V -R "^(device|piped_device).test$" OUTPUT_VARIABLE output)
if(NOT output MATCHES "device.test[^\n]*Passed|__opencl_c_device_enqueue|no OpenCL device" OR NOT output MATCHES "piped_device.test[^\n]*Passed|__opencl_c_pipes|no OpenCL device")
  message(FATAL_ERROR "on a device:\n${output}")
endif()
